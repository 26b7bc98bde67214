"""What does one option of the rules change? Every match is played with each of its values."""

from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.figure import Figure

from ...sim.errors import InputError, shorten
from ...sim.game import option_text
from ...sim.games import set_options
from ..plan import Arm, Plan
from ..plots.drawing import DASHED, draw_intervals, new_figure, place_labels, say, series
from ..statistics import contrast
from .panels import draw_arms, draw_differences
from .tables import agents_apart, block, only, ranked_rows

if TYPE_CHECKING:
    from .study import Study

PARTS = ("matches",)

MOST_VALUES = 8  # more are hard to tell apart in a figure


def checked(study: "Study") -> "Study":
    """Return the study with all values that it compares: those asked for, or all that can be listed.

    That of the rules comes first. Raises InputError where there is no such option, or nothing to compare.
    """
    options, option, values = study.game.options, study.option, study.values
    names = [name for name in options.rules_class._fields if name != "players"]
    if not option:
        raise InputError(f"say which option of the rules: {', '.join(names)}")
    if option not in names:
        raise InputError(f"unknown option {shorten(repr(option))}; the options are {', '.join(names)}")
    known, usual = options.kinds[option].values(), options.format(study.rules)[option]
    if not values and isinstance(known, dict):
        example = option_text(usual)
        raise InputError(
            f"say which values of {option} to compare with {example}, from {known['from']} to {known['to']}"
        )
    chosen = [usual]
    for value in values or known:
        rules = set_options(study.ruleset, study.game, study.rules, ((option, value),))
        if (formatted := options.format(rules)[option]) not in chosen:
            chosen.append(formatted)
    if len(chosen) == 1:
        raise InputError(f"{option} is {option_text(usual)} in these rules: say another value")
    if len(chosen) > MOST_VALUES:
        raise InputError(f"{len(chosen)} values of {option}: {MOST_VALUES} at most are compared")
    return study._replace(values=tuple(chosen))


def arms(study: "Study") -> dict[str, tuple[Arm, ...]]:
    """Return an arm for each value of the option, that of the rules first."""
    return {
        "matches": tuple(
            Arm(f"{study.option}={option_text(value)}", study.game.options.set(study.rules, {study.option: value}))
            for value in study.values
        )
    }


def tables(study: "Study", part: str, plan: Plan, results: pd.DataFrame) -> list[pd.DataFrame]:
    """Return the length of a game, points by agent, place before and distance, and who keeps its place."""
    names = [arm.name for arm in plan.arms]
    games = ["match", "arm", "rotation", "game"]
    first = results.drop_duplicates(games).copy()
    first["moves"] = results.groupby(games)["decisions"].sum().loc[pd.MultiIndex.from_frame(first[games])].to_numpy()
    length = block(contrast(first.assign(all="all"), ["all"], "moves"), part, "moves", "all", names)
    found = []
    if results["agent"].nunique() > 1:
        found.append(block(contrast(results.assign(label=results["agent"]), ["label"]), part, "points", "agent", names))
    for agent, rows in agents_apart(results):
        ranked = ranked_rows(rows)
        others = rows if "place_before" not in rows else rows[rows["place_before"].isna()]
        if len(others):
            by_distance = contrast(others, ["leader_distance"])
            found.append(block(by_distance, part, "points", "leader_distance", names, agent))
        if len(ranked):
            by_place = ["place_before"]
            found.append(block(contrast(ranked, by_place), part, "points", "place_before", names, agent))
            found.append(block(contrast(ranked.assign(all="all"), ["all"], "kept"), part, "kept", "all", names, agent))
            found.append(block(contrast(ranked, by_place, "kept"), part, "kept", "place_before", names, agent))
    return [*found, length]


def figure(study: "Study", table: pd.DataFrame) -> Figure:
    """Return points by place before (or distance), what the option adds to them, moves, and who keeps its place."""
    ranked = not only(table, "matches", "points", "place_before").empty
    by = "place_before" if ranked else "leader_distance"
    drawn = new_figure(5.0 * (4 if ranked else 3), 4.6, f"What {study.option} changes · {study.title}")
    panels = drawn.subplots(1, 4 if ranked else 3)
    points = only(table, "matches", "points", by)
    draw_arms(panels[0], points, "mean points per game")
    panels[0].axhline(points["mean"].mean(), **DASHED)
    compared = points.dropna(subset="difference")
    differences = {str(arm): own for arm, own in compared.groupby("arm", sort=False)}
    if differences:
        draw_differences(panels[1], differences, f"Points: less those with {points['arm'].iloc[0]}", 1)
    else:
        say(panels[1], "No two arms have such games")
    moves = only(table, "matches", "moves", "all")
    for index in range(len(moves)):
        draw_intervals(panels[2], pd.Series([index]), moves.iloc[[index]], "mean", **series(index))
    panels[2].set_xticks(range(len(moves)), [arm.partition("=")[2] for arm in moves["arm"]])
    panels[2].set_xlabel(study.option)
    panels[2].set_ylabel("moves in a game")
    if ranked:
        draw_arms(panels[3], only(table, "matches", "kept", by), "share that keep their place")
        panels[3].axhline(1 / study.rules.players, **DASHED)
    levels = sorted({int(level) for level in points["level"]})
    names = study.game.place_names.get(study.rules.players)
    labels = place_labels(levels, names, "\n") if ranked else [str(level) for level in levels]
    for axes in (panels[0], *(panels[1:2] if differences else []), *panels[3:]):
        axes.set_xticks(levels, labels, fontsize=8)
        axes.set_xlabel("place in the game before" if ranked else "distance from the leader, clockwise (seats)")
    return drawn
