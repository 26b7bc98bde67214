"""The figures of Voodoo Prince: what the order of leaving yields, who leaves when, and what naming trump is worth."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .. import statistics
from .drawing import (
    DASHED,
    NO_GAMES,
    SERIES,
    SPREAD,
    bars,
    draw_intervals,
    draw_shares,
    legend_beside,
    name_rows,
    new_figure,
    ordinal,
    rows_height,
    say,
    with_note,
    without,
    write_estimates,
)

ALL_AGENTS = "all agents"


def naming_advantage(results: pd.DataFrame) -> pd.DataFrame:
    """Return what naming trump is worth to a leader, each agent compared with itself: a row for each, the best first.

    Columns: agent (last `ALL_AGENTS`), agents, matches, games (led with naming), difference, error, low, high.
    The difference is an agent's mean points in the rounds that it leads and names trump in, less its mean points in the
    first rounds that it leads, where trump is drawn. Both times it leads, and to every round the cards are dealt anew,
    so it is naming that makes the difference; that a bad agent leads more often does not. For all agents it is the mean
    of the agents' differences.
    """
    leads = results[results["leader_distance"] == 0].astype({"agent": str})
    named, drawn = leads[leads["named_trump"]], leads[~leads["named_trump"]]
    both = set(named["agent"]) & set(drawn["agent"])
    agents = [agent for agent in statistics.standings(results)["agent"] if agent in both]
    tables = {
        label: statistics.own_advantage(
            named[named["agent"].isin(some)], "leader_distance", baseline=drawn[drawn["agent"].isin(some)]
        )
        for label, some in (*((agent, [agent]) for agent in agents), (ALL_AGENTS, agents))
    }
    return pd.concat(tables, names=["agent"]).reset_index("agent").drop(columns="leader_distance")


def plot_leaving(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return the mean points by order of leaving, beside how often each agent leaves when, the best agent on top."""
    agents = statistics.standings(results)["agent"]
    figure = new_figure(13, max(4.2, 2.2 + rows_height(agents)), "Leaving: what its order yields, and who leaves when")
    if results.empty:
        return without(figure, NO_GAMES)
    left, right = figure.subplots(1, 2, width_ratios=[1, 1.15])
    points = statistics.means(results, "exit")
    draw_intervals(left, points["exit"], points, "mean")
    left.axhline(results["points"].mean(), **DASHED)
    left.set_xticks(points["exit"], _exit_labels(results))
    left.set_xlabel("order of leaving")
    left.set_ylabel("mean points per round")
    _draw_exits(right, results, "agent", agents)
    legend_beside(right, "leaves")
    name_rows(right, agents)
    right.set_xlabel("share of the agent's rounds")
    return with_note(figure, results, f"{bars(results)} · dashed: mean of all seats")


def plot_leaving_by_seat(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return how often each distance from the leader leaves when, apart for drawn and for named trump."""
    figure = new_figure(11, 4.2, "Leaving by seat: how often each distance from the leader leaves when, all agents")
    if results.empty:
        return without(figure, NO_GAMES)
    panels = figure.subplots(1, 2, sharey=True)
    distances = sorted(results["leader_distance"].unique())
    for axes, named in zip(panels, (False, True), strict=True):
        rounds = results[(results["game"] > 0) == named]
        if rounds.empty:
            say(axes, f"This run has no rounds in which trump is {'named' if named else 'drawn'}")
            continue
        _draw_exits(axes, rounds, "leader_distance", distances)
        shown = axes
        who = "named: the last of the round before leads" if named else "drawn: a seat by lot leads"
        axes.set_title(f"trump is {who}", loc="left", fontsize=11)
        axes.set_xlabel(f"share of {len(rounds) // len(distances):,} rounds")
    name_rows(panels[0], [f"{distance}" if distance else "0 leads" for distance in distances])
    panels[0].set_ylabel("distance from the leader,\nclockwise (seats)")
    legend_beside(shown, "leaves")
    return with_note(figure, results, "first rounds of the matches left, later rounds right")


def plot_naming_trump(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return the points of leaders that named trump and of those that did not, beside each agent's difference."""
    table = naming_advantage(results)
    title = "Naming trump: points of the leader, each agent compared with itself"
    figure = new_figure(11, max(4.2, 2.6 + rows_height(table["agent"])), title)
    if table.empty:
        return without(figure, "This run has no rounds in which trump is named")
    left, right = figure.subplots(1, 2, sharey=True)
    leads = results[results["leader_distance"] == 0].astype({"agent": str})
    labels = "leads, trump is drawn (first round)", "leads and names trump (later rounds)"
    for style, named, label in zip(SERIES[:2], (False, True), labels, strict=True):
        points = statistics.means(leads[leads["named_trump"] == named], "agent").set_index("agent")
        points = points.loc[table["agent"][:-1]]
        at = np.arange(len(points)) + SPREAD * (1 if named else -1)
        draw_intervals(left, at, points, "mean", vertical=False, label=label, **style)
    left.axhline(len(table) - 1.5, color="lightgrey", linewidth=1)
    left.set_xlabel("mean points per round that it leads")
    left.grid(axis="x", alpha=0.3)
    left.legend(loc="lower left", bbox_to_anchor=(0, 1), frameon=False, fontsize=9)

    rows = np.arange(len(table))
    draw_intervals(right, rows, table, "difference", vertical=False, color="black", marker="D")
    right.axvline(0, **DASHED)
    right.axhline(len(table) - 1.5, color="lightgrey", linewidth=1)
    write_estimates(right, rows, table, "difference", "+.2f")
    right.set_title("value of naming: named less drawn trump", loc="left", fontsize=11)
    right.set_xlabel("difference of mean points per round")
    right.grid(axis="x", alpha=0.3)
    name_rows(left, table["agent"])
    return with_note(figure, results, f"{bars(results)} · all agents: the mean of their differences")


def _draw_exits(axes: Axes, results: pd.DataFrame, by: str, rows: Sequence[object] | pd.Series) -> None:
    """Draw for each of `rows`, values of a column, how often it leaves when."""
    table = statistics.shares(results, "exit", by).pivot(index=by, columns="exit", values="share")
    draw_shares(axes, table.loc[list(rows)].fillna(0.0).to_numpy(), _exit_labels(results))


def _exit_labels(results: pd.DataFrame) -> list[str]:
    """Return the names of the places in the order of leaving."""
    last = int(results["exit"].max())
    return [*map(ordinal, range(1, last)), "last"]


COLUMNS = ("named_trump", "exit")

FIGURES = {
    "leaving": plot_leaving,
    "leaving_by_seat": plot_leaving_by_seat,
    "naming_trump": plot_naming_trump,
}
