"""What is the tribute worth to each place of the game before? Every deal is played with and without it (D9.2).

Single deals have places before that are drawn at random; in whole matches they are those that the agents have won.
"""

from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.figure import Figure

from ...sim.errors import InputError
from ..plan import Arm, Plan
from ..plots.drawing import DASHED, new_figure, place_labels
from ..statistics import contrast
from .panels import draw_arms, draw_differences
from .tables import agents_apart, block, only, ranked_rows

if TYPE_CHECKING:
    from .study import Study

PARTS = ("deals", "matches")

NAMES = {"deals": "single deals", "matches": "whole matches"}


def checked(study: "Study") -> "Study":
    """Return the study; raises InputError where there is no tribute."""
    if "tribute" not in study.game.options.kinds:
        raise InputError(f"in {study.ruleset} there is no tribute")
    if not study.rules.tribute:
        raise InputError("the rules have no tribute (tribute is off)")
    if "ranks" not in study.game.staging.conditions(study.rules):
        raise InputError("no game has ranks before it (ranks_every is 1), so there is no tribute")
    if "matches" in study.counts and study.games < 2:
        raise InputError("a match of one game has no tribute: games must be 2 or more")
    return study


def arms(study: "Study") -> dict[str, tuple[Arm, ...]]:
    """Return the arms of each part: without the tribute, with which the other is compared, and with it."""
    without = study.rules._replace(tribute=0)
    return {
        "deals": (Arm("without tribute", without, {"ranks": 1}), Arm("with tribute", study.rules, {"ranks": 1})),
        "matches": (Arm("without tribute", without), Arm("with tribute", study.rules)),
    }


def tables(study: "Study", part: str, plan: Plan, results: pd.DataFrame) -> list[pd.DataFrame]:
    """Return points and the share that keep their place, by place before."""
    ranked = ranked_rows(results)
    names = [arm.name for arm in plan.arms]
    return [
        block(contrast(rows, ["place_before"], measure), part, measure, "place_before", names, agent)
        for agent, rows in agents_apart(ranked)
        for measure in ("points", "kept")
    ]


def figure(study: "Study", table: pd.DataFrame) -> Figure:
    """Return points by place before with and without the tribute, and what it is worth, by parts."""
    parts = [part for part in PARTS if part in study.counts]
    drawn = new_figure(5.2 * (len(parts) + 1), 4.4, f"What the tribute is worth · {study.title}")
    panels = drawn.subplots(1, len(parts) + 1)
    names = study.game.place_names.get(study.rules.players)
    for axes, part in zip(panels, parts, strict=False):
        rows = only(table, part, "points", "place_before")
        axes.axhline(rows["mean"].mean(), **DASHED)
        draw_arms(axes, rows, "mean points per game", f"Points after each place, {NAMES[part]}")
    worth = {NAMES[part]: only(table, part, "points", "place_before").dropna(subset="difference") for part in parts}
    draw_differences(panels[-1], worth, "Worth of the tribute: with less without")
    places = range(1, study.rules.players + 1)
    for axes in panels:
        axes.set_xticks(places, place_labels(places, names, "\n"), fontsize=9)
        axes.set_xlabel("place in the game before")
    return drawn
