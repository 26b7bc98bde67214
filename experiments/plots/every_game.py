"""The figures that every game has: who won, and what a seat is worth."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from .. import statistics
from .drawing import (
    DASHED,
    NO_GAMES,
    bars,
    draw_intervals,
    draw_shares,
    legend_beside,
    name_rows,
    new_figure,
    place_labels,
    rows_height,
    with_note,
    without,
    write_estimates,
)


def plot_standings(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return the agents' mean points with intervals beside how often they took each place, the best agent on top."""
    table = statistics.standings(results)
    figure = new_figure(
        11, 2.2 + rows_height(table["agent"]), "Standings: mean points, and how often each place was taken"
    )
    if table.empty:
        return without(figure, NO_GAMES)
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=[1, 1.15])
    rows = np.arange(len(table))
    draw_intervals(left, rows, table, "mean", vertical=False)
    left.axvline(results["points"].mean(), **DASHED)
    write_estimates(left, rows, table, "mean")
    name_rows(left, table["agent"])
    left.set_xlabel("mean points per game")
    left.grid(axis="x", alpha=0.3)

    shares = table.filter(like="place_").to_numpy()
    draw_shares(right, shares, place_labels(range(1, shares.shape[1] + 1), place_names, " "))
    legend_beside(right, "place")
    right.set_xlabel("share of the agent's games")
    return with_note(figure, results, f"{bars(results)} · dashed: mean of all seats")


def plot_seat_advantage(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return points by distance from the seat that begins: their means, and each agent compared with itself.

    Where the game before decides who begins, good agents and bad ones do not begin equally often. Then the means say
    who is good as well; the comparison does not.
    """
    figure = new_figure(10.5, 4.2, "Seat advantage: points by seat")
    if results.empty:
        return without(figure, NO_GAMES)
    left, right = figure.subplots(1, 2)
    means = statistics.means(results, "leader_distance")
    draw_intervals(left, means["leader_distance"], means, "mean")
    left.axhline(results["points"].mean(), **DASHED)
    left.set_title("all agents pooled", loc="left", fontsize=11)
    left.set_ylabel("mean points per game")
    own = statistics.own_advantage(results, "leader_distance")
    draw_intervals(right, own["leader_distance"], own, "difference")
    right.axhline(0, **DASHED)
    right.set_title("each agent compared with itself", loc="left", fontsize=11)
    right.set_ylabel("difference from own mean\n(points per game)")
    right.yaxis.set_major_formatter("{x:+.3g}")
    for axes in (left, right):
        axes.set_xticks(own["leader_distance"], [f"{seat}" if seat else "0\nbegins" for seat in own["leader_distance"]])
        axes.set_xlabel("distance from the seat that begins, clockwise (seats)")
    return with_note(figure, results, f"{bars(results)} · dashed: mean of all seats, own mean")


COLUMNS = ("match", "game", "rotation", "agent", "leader_distance", "place", "points")

FIGURES = {"standings": plot_standings, "seat_advantage": plot_seat_advantage}
