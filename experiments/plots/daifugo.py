"""The figures of Daifugo: what a seat and a place in the game before are worth, and how places follow each other.

Where hands are dealt that differ in size, the advantages of each size are drawn apart.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .. import statistics
from .drawing import (
    DASHED,
    SERIES,
    SPREAD,
    bars,
    draw_intervals,
    ink,
    new_figure,
    place_labels,
    say,
    with_note,
    without,
)

NO_RANKS = "This run has no games with ranks"


def plot_seat_advantage(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return mean points by distance from the first leader, and in games with ranks by place in the game before.

    Where hands are dealt that differ in size, each size has points of its own.
    """
    figure = new_figure(10.5, 4.2, "Seat advantage: mean points by seat, all agents pooled")
    left, right = figure.subplots(1, 2)
    ranked = results["place_before"].notna()
    for axes, advantage, rows, kind in (
        (left, statistics.seat_advantage, ~ranked, "without"),
        (right, statistics.rank_advantage, ranked, "with"),
    ):
        table = advantage(results)
        if table.empty:
            say(axes, f"This run has no games {kind} ranks")
            continue
        axes.axhline(results.loc[rows, "points"].mean(), **DASHED)
        _by_hand_size(axes, results[rows], advantage, "mean")
        axes.set_title(f"{table['games'].max():,} games {kind} ranks", loc="left", fontsize=11)
        axes.set_ylabel("mean points per game")
    distances = sorted(results["leader_distance"].unique())
    left.set_xticks(distances, [f"{distance}" if distance else "0\nleader" for distance in distances])
    left.set_xlabel("distance from the first leader, clockwise (seats)")
    places = sorted(results["place_before"].dropna().unique())
    right.set_xticks(places, place_labels(places, place_names, "\n"))
    right.set_xlabel("place in the game before")
    return with_note(figure, results, f"{bars(results)} · dashed: mean of all seats")


def plot_tribute_advantage(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return how far each place in the game before moves an agent's points from its own mean, in games with ranks.

    Where hands are dealt that differ in size, each size has points of its own.
    """
    table = statistics.tribute_advantage(results)
    figure = new_figure(7.5, 4.6, "Tribute advantage: points after each place,\neach agent compared with itself")
    if table.empty:
        return without(figure, NO_RANKS)
    axes = figure.subplots()
    axes.axhline(0, **DASHED)
    _by_hand_size(axes, results[results["place_before"].notna()], statistics.tribute_advantage, "difference")
    axes.set_xticks(table["place_before"], place_labels(table["place_before"], place_names, "\n"))
    axes.set_xlabel("place in the game before")
    axes.set_ylabel("difference from own mean\n(points per game)")
    axes.yaxis.set_major_formatter("{x:+.2f}")
    return with_note(figure, results, f"{bars(results)} · dashed: own mean")


def plot_transitions(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return the table of moving between places as a heat map, each cell with its probability and count."""
    probabilities, counts = statistics.transitions(results)
    width, height = 3.4 + 0.95 * max(len(counts), 4), 2.4 + 0.75 * len(counts)
    figure = new_figure(width, height, "Moving between places, from game to game")
    if not counts.to_numpy().sum():
        return without(figure, NO_RANKS)
    axes = figure.subplots()
    values, times = probabilities.to_numpy(), counts.to_numpy()
    image = axes.imshow(values, cmap="cividis", vmin=0, aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        centred: dict[str, Any] = {"ha": "center", "va": "center", "color": ink(image.cmap(image.norm(value)))}
        axes.text(column, row - 0.1, f"{value:.2f}", fontsize=12, **centred)
        axes.text(column, row + 0.25, f"{times[row, column]:,}", fontsize=8, **centred)
    labels = place_labels(counts.index, place_names, "\n")
    axes.set_xticks(range(len(labels)), labels)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_xlabel("place in the game")
    axes.set_ylabel("place in the game before")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figure.colorbar(image, ax=axes, label="probability (rows sum to 1)")
    return with_note(figure, results, "small: number of times")


def _by_hand_size(axes: Axes, results: pd.DataFrame, advantage: Callable[..., pd.DataFrame], estimate: str) -> None:
    """Draw the estimates of an advantage, those of each hand size apart where there are several."""
    sizes = sorted(results["hand_size"].unique())
    if len(sizes) == 1:
        table = advantage(results)
        draw_intervals(axes, table.iloc[:, 0], table, estimate)
        return
    table = advantage(results, by="hand_size")
    for index, size in enumerate(sizes):
        part = table[table["hand_size"] == size]
        at = part.iloc[:, 1] + SPREAD * (index - (len(sizes) - 1) / 2)
        draw_intervals(axes, at, part, estimate, label=f"{size} cards dealt", **SERIES[index])
    narrow: dict[str, Any] = {"fontsize": 9, "handlelength": 1, "columnspacing": 1}  # beside the title
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=len(sizes), frameon=False, **narrow)


COLUMNS = ("hand_size", "place_before")

FIGURES = {
    "seat_advantage": plot_seat_advantage,
    "tribute_advantage": plot_tribute_advantage,
    "transitions": plot_transitions,
}
