"""What is the distance from the leader worth, and the extra card where hands are uneven?

Every deal is played with each seat as the leader, and with the extra cards (D2.2) at each place of the dealing order,
all else the same: so each hand is once at each distance.
"""

from itertools import product
from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.figure import Figure

from ..plan import Arm, Plan
from ..plots.drawing import DASHED, SERIES, SPREAD, draw_intervals, new_figure
from ..statistics import contrast, deviation
from .tables import agents_apart, block, only

if TYPE_CHECKING:
    from .study import Study

PARTS = ("deals",)

HANDS = ("without extra card", "with extra card")


def check(study: "Study") -> None:
    """Every game has a leader."""


def arms(study: "Study") -> dict[str, tuple[Arm, ...]]:
    """Return an arm for each leader and each place of the extra cards."""
    conditions = study.game.staging.conditions(study.rules)
    varied: dict[str, range] = {name: range(conditions[name]) for name in ("leader", "extra") if name in conditions}
    rules = study.game.staging.any_leader(study.rules)
    every = [dict(zip(varied, levels, strict=True)) for levels in product(*varied.values())]
    return {
        "deals": tuple(
            Arm(", ".join(f"{name} {level}" for name, level in levels.items()), rules, levels) for levels in every
        )
    }


def tables(study: "Study", part: str, plan: Plan, results: pd.DataFrame) -> list[pd.DataFrame]:
    """Return points by distance from the leader, by extra card, and by both."""

    def by_distance(rows: pd.DataFrame) -> pd.DataFrame:
        return deviation(rows, ["leader_distance"])

    found = [
        block(by_distance(results), part, "points", "leader_distance"),
        *agents_apart(results, by_distance, part, "points", "leader_distance"),
    ]
    if "extra" not in study.game.staging.conditions(study.rules):
        return found
    larger = (results["hand_size"] > results["hand_size"].min()).astype(int)
    uneven = results.assign(arm=larger)  # the two hands are compared like arms
    found.append(block(contrast(uneven.assign(all="all"), ["all"]), part, "points", "all", HANDS))
    found.append(block(contrast(uneven, ["leader_distance"]), part, "points", "leader_distance and hand", HANDS))
    return found


def figure(study: "Study", table: pd.DataFrame) -> Figure:
    """Return points by distance from the leader, where hands are uneven also for each of them."""
    uneven = only(table, "deals", "points", "leader_distance and hand")
    drawn = new_figure(5.6 * (2 if len(uneven) else 1), 4.4, f"What a seat is worth · {study.title}")
    panels = drawn.subplots(1, 2 if len(uneven) else 1, squeeze=False)[0]
    rows = only(table, "deals", "points", "leader_distance")
    panels[0].axhline(0, **DASHED)
    worth = rows[["difference"]].assign(high=rows["difference_high"])
    draw_intervals(panels[0], rows["level"].astype(int), worth, "difference")
    panels[0].set_title("By distance from the leader", loc="left", fontsize=11)
    panels[0].set_ylabel("points per game, less the mean of the seats")
    panels[0].yaxis.set_major_formatter("{x:+.2f}")
    if len(uneven):
        for index, (hand, own) in enumerate(uneven.groupby("arm", sort=False)):
            at = own["level"].astype(int) + SPREAD * (index - 0.5)
            draw_intervals(panels[1], at, own, "mean", label=hand, **SERIES[index])
        panels[1].set_title("With and without an extra card", loc="left", fontsize=11)
        panels[1].set_ylabel("mean points per game")
        panels[1].legend(frameon=False, fontsize=9)
    distances = range(study.rules.players)
    for axes in panels:
        axes.set_xticks(distances, [f"{distance}" if distance else "0\nleader" for distance in distances])
        axes.set_xlabel("distance from the leader, clockwise (seats)")
    return drawn
