"""What is the distance from the leader worth, and the extra card where hands are uneven?

Every deal is played with each seat as the leader, and with the extra cards (D2.2) at each place of the dealing order,
all else the same: so each hand is once at each distance.
"""

from itertools import product
from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.figure import Figure

from ..plan import Arm, Plan
from ..plots.drawing import new_figure
from ..statistics import contrast, deviation
from .panels import draw_arms, draw_differences
from .tables import agents_apart, block, only

if TYPE_CHECKING:
    from .study import Study

PARTS = ("deals",)

HANDS = ("without extra card", "with extra card")


def checked(study: "Study") -> "Study":
    """Return the study under rules in which any seat can lead."""
    return study._replace(rules=study.game.staging.any_leader(study.rules))


def arms(study: "Study") -> dict[str, tuple[Arm, ...]]:
    """Return an arm for each leader and each place of the extra cards."""
    conditions = study.game.staging.conditions(study.rules)
    varied: dict[str, range] = {name: range(conditions[name]) for name in ("leader", "extra") if name in conditions}
    every = [dict(zip(varied, levels, strict=True)) for levels in product(*varied.values())]
    return {
        "deals": tuple(
            Arm(", ".join(f"{name} {level}" for name, level in levels.items()), study.rules, levels) for levels in every
        )
    }


def tables(study: "Study", part: str, plan: Plan, results: pd.DataFrame) -> list[pd.DataFrame]:
    """Return points by distance from the leader, by extra card, and by both."""
    found = []
    for agent, rows in agents_apart(results):
        by_distance = deviation(rows, ["leader_distance"])
        found.append(block(by_distance, part, "points", "leader_distance", agent=agent))
        if "extra" not in study.game.staging.conditions(study.rules):
            continue
        larger = (rows["hand_size"] > results["hand_size"].min()).astype(int)
        hands = rows.assign(arm=larger, all="all")  # the two hands are compared like arms
        found.append(block(contrast(hands, ["all"]), part, "points", "all", HANDS, agent))
        both = contrast(hands, ["leader_distance"])
        found.append(block(both, part, "points", "leader_distance and hand", HANDS, agent))
    return found


def figure(study: "Study", table: pd.DataFrame) -> Figure:
    """Return points by distance from the leader, where hands are uneven also for each of them."""
    uneven = only(table, "deals", "points", "leader_distance and hand")
    drawn = new_figure(5.6 * (3 if len(uneven) else 1), 4.4, f"What a seat is worth · {study.title}")
    panels = drawn.subplots(1, 3 if len(uneven) else 1, squeeze=False)[0]
    rows = only(table, "deals", "points", "leader_distance")
    draw_differences(panels[0], {"": rows}, "By distance from the leader, less the mean of the seats")
    if len(uneven):
        draw_arms(panels[1], uneven, "mean points per game", "Without and with an extra card")
        worth = uneven.dropna(subset="difference")
        draw_differences(panels[2], {"": worth}, "Worth of the extra card: with less without")
    distances = range(study.rules.players)
    for axes in panels:
        axes.set_xticks(distances, [f"{distance}" if distance else "0\nleader" for distance in distances])
        axes.set_xlabel("distance from the leader, clockwise (seats)")
    return drawn
