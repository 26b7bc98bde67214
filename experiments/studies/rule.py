"""What does one option of the rules change? Every match is played with each of its values."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
from matplotlib.figure import Figure

from ...sim.errors import InputError, shorten
from ...sim.game import option_text
from ...sim.games import set_options
from ..plan import Arm, Plan
from ..plots.drawing import DASHED, SPREAD, draw_intervals, new_figure, place_labels, series
from ..statistics import contrast
from .tables import block, only

if TYPE_CHECKING:
    from .study import Study

PARTS = ("matches",)

MOST_VALUES = 12


def with_option(study: "Study", option: str | None, values: Sequence[Any]) -> "Study":
    """Return a study of an option: of these values, or of all that can be listed; that of the rules comes first."""
    options = study.game.options
    names = [name for name in options.rules_class._fields if name != "players"]
    if option is None:
        raise InputError(f"say which option of the rules: {', '.join(names)}")
    if option not in names:
        raise InputError(f"unknown option {shorten(repr(option))}; the options are {', '.join(names)}")
    known = options.kinds[option].values()
    if not values and isinstance(known, dict):
        raise InputError(f"say which values of {option} to compare, from {known['from']} to {known['to']}")
    usual = options.format(study.rules)[option]
    chosen = [usual]
    for value in values or known:
        rules = set_options(study.ruleset, study.game, study.rules, ((option, value),))
        if (formatted := options.format(rules)[option]) not in chosen:
            chosen.append(formatted)
    if len(chosen) == 1:
        raise InputError(f"{option} is {option_text(usual)} in these rules: say another value")
    if len(chosen) > MOST_VALUES:
        raise InputError(f"{len(chosen)} values of {option}: {MOST_VALUES} at most are compared")
    return study._replace(option=option, values=tuple(chosen))


def check(study: "Study") -> None:
    """Every game has options, and `with_option` has looked at this one."""


def arms(study: "Study") -> dict[str, tuple[Arm, ...]]:
    """Return an arm for each value of the option, that of the rules first."""
    return {
        "matches": tuple(
            Arm(f"{study.option}={option_text(value)}", study.game.options.set(study.rules, {study.option: value}))
            for value in study.values
        )
    }


def tables(study: "Study", part: str, plan: Plan, results: pd.DataFrame) -> list[pd.DataFrame]:
    """Return points by place before, or by distance from the leader, the length of a game, and who keeps its place."""
    names = [arm.name for arm in plan.arms]
    games = ["match", "arm", "rotation", "game"]
    first = results.drop_duplicates(games).copy()
    first["moves"] = results.groupby(games)["decisions"].sum().loc[pd.MultiIndex.from_frame(first[games])].to_numpy()
    found = [block(contrast(first.assign(all="all"), ["all"], "moves"), part, "moves", "all", names)]
    if results["agent"].nunique() > 1:
        found.append(block(contrast(results.assign(label=results["agent"]), ["label"]), part, "points", "agent", names))
    if "place_before" not in results or results["place_before"].isna().all():
        return [*found, block(contrast(results, ["leader_distance"]), part, "points", "leader_distance", names)]
    ranked = results[results["place_before"].notna()].astype({"place_before": int})
    ranked = ranked.assign(kept=(ranked["place"] == ranked["place_before"]).astype(float), all="all")
    return [
        *found,
        block(contrast(ranked, ["place_before"]), part, "points", "place_before", names),
        block(contrast(ranked, ["all"], "kept"), part, "kept", "all", names),
        block(contrast(ranked, ["place_before"], "kept"), part, "kept", "place_before", names),
    ]


def figure(study: "Study", table: pd.DataFrame) -> Figure:
    """Return points by place before (or distance), how long a game is, and in games with ranks who keeps its place."""
    ranked = not only(table, "matches", "points", "place_before").empty
    by, axis_label = (
        ("place_before", "place in the game before")
        if ranked
        else ("leader_distance", "distance from the leader, clockwise (seats)")
    )
    panels_wanted = [("points", by, "mean points per game"), ("moves", "all", "moves in a game")]
    if ranked:
        panels_wanted.append(("kept", by, "share that keep their place"))
    drawn = new_figure(5.2 * len(panels_wanted), 4.6, f"What {study.option} changes · {study.title}")
    for axes, (measure, by_what, label) in zip(drawn.subplots(1, len(panels_wanted)), panels_wanted, strict=True):
        rows = only(table, "matches", measure, by_what)
        arms_there = list(dict.fromkeys(rows["arm"]))
        for index, arm in enumerate(arms_there):
            own, offset = rows[rows["arm"] == arm], SPREAD * (index - (len(arms_there) - 1) / 2)
            at = pd.Series([index]) if by_what == "all" else own["level"].astype(int) + offset
            draw_intervals(axes, at, own, "mean", label=arm, **series(index))
        axes.set_ylabel(label)
        if by_what == "all":
            axes.set_xticks(range(len(arms_there)), [arm.partition("=")[2] for arm in arms_there])
            axes.set_xlabel(study.option)
            continue
        levels = sorted({int(level) for level in rows["level"]})
        names = study.game.place_names.get(study.rules.players) if ranked else None
        axes.set_xticks(levels, place_labels(levels, names, "\n") if ranked else [str(level) for level in levels])
        axes.set_xlabel(axis_label)
        axes.legend(frameon=False, fontsize=9)
        if measure == "points":
            axes.axhline(rows["mean"].mean(), **DASHED)
    return drawn
