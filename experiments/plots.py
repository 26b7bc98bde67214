"""The figures of a tournament: who won, and what a seat and a place in the game before are worth.

Each function takes the results frame of a run and returns a figure of its own, without pyplot and its state.
`place_names` are the names of the places, first place first. What a run has no games for is said in the figure.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from . import statistics
from .store import load, new_file

BLUE, GREY = "#0072B2", "#595959"  # the blue of Okabe and Ito
DASHED: dict[str, Any] = {"color": GREY, "linestyle": "--", "linewidth": 1, "zorder": 1}
ORANGE = "#D55E00"  # its vermilion
SERIES: list[dict[str, Any]] = [{"color": BLUE, "marker": "o"}, {"color": ORANGE, "marker": "s"}]
SPREAD = 0.16  # between the points of two series
NO_RANKS = "This run has no games with ranks"


def plot_standings(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return the agents' mean points with intervals beside how often they took each place, the best agent on top."""
    table = statistics.standings(results)
    figure = _figure(11, 2.2 + 0.5 * len(table), "Standings: mean points, and how often each place was taken")
    if table.empty:
        return _without(figure, "This run has no games yet")
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=[1, 1.15])
    rows = np.arange(len(table))
    _intervals(left, rows, table, "mean", vertical=False)
    left.axvline(results["points"].mean(), **DASHED)
    for row, mean, reach in zip(rows, table["mean"], table["high"] - table["mean"], strict=True):
        text = f"{mean:.2f}" if np.isnan(reach) else f"{mean:.2f} ± {reach:.2f}"
        left.text(1.02, row, text, transform=left.get_yaxis_transform(), va="center")
    left.set_yticks(rows, [_wrapped(agent) for agent in table["agent"]])
    left.set_ylim(len(table) - 0.5, -0.5)
    left.set_xlabel("mean points per game")
    left.grid(axis="x", alpha=0.3)

    shares = table.filter(like="place_").to_numpy().T
    labels = _place_labels(range(1, len(shares) + 1), place_names, " ")
    colours = matplotlib.colormaps["cividis"](np.linspace(1, 0, len(shares)))
    for share, start, label, colour in zip(shares, shares.cumsum(axis=0) - shares, labels, colours, strict=True):
        right.barh(rows, share, 0.72, start, color=colour, edgecolor="white", label=label)
        for row in rows[share >= 0.075]:
            middle = start[row] + share[row] / 2
            right.text(middle, row, f"{share[row]:.0%}", ha="center", va="center", color=_ink(colour), fontsize=9)
    right.set_xlim(0, 1)
    right.xaxis.set_major_formatter("{x:.0%}")
    right.set_xlabel("share of the agent's games")
    right.tick_params(axis="y", length=0)
    right.spines[["left", "top", "right"]].set_visible(False)
    right.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, title="place")
    return _with_note(figure, results, f"{_bars(results)} · dashed: mean of all seats")


def plot_seat_advantage(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return mean points by distance from the first leader, and in games with ranks by place in the game before.

    Where hands are dealt that differ in size, each size has points of its own.
    """
    figure = _figure(10.5, 4.2, "Seat advantage: mean points by seat, all agents pooled")
    left, right = figure.subplots(1, 2)
    ranked = results["place_before"].notna()
    for axes, advantage, rows, kind in (
        (left, statistics.seat_advantage, ~ranked, "without"),
        (right, statistics.rank_advantage, ranked, "with"),
    ):
        table = advantage(results)
        if table.empty:
            _say(axes, f"This run has no games {kind} ranks")
            continue
        axes.axhline(results.loc[rows, "points"].mean(), **DASHED)
        _by_hand_size(axes, results[rows], advantage, "mean")
        axes.set_title(f"{table['games'].max():,} games {kind} ranks", loc="left", fontsize=11)
        axes.set_ylabel("mean points per game")
    distances = sorted(results["leader_distance"].unique())
    left.set_xticks(distances, [f"{distance}" if distance else "0\nleader" for distance in distances])
    left.set_xlabel("distance from the first leader, clockwise (seats)")
    places = sorted(results["place_before"].dropna().unique())
    right.set_xticks(places, _place_labels(places, place_names, "\n"))
    right.set_xlabel("place in the game before")
    return _with_note(figure, results, f"{_bars(results)} · dashed: mean of all seats")


def plot_tribute_advantage(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return how far each place in the game before moves an agent's points from its own mean, in games with ranks.

    Where hands are dealt that differ in size, each size has points of its own.
    """
    table = statistics.tribute_advantage(results)
    figure = _figure(7.5, 4.6, "Tribute advantage: points after each place,\neach agent compared with itself")
    if table.empty:
        return _without(figure, NO_RANKS)
    axes = figure.subplots()
    axes.axhline(0, **DASHED)
    _by_hand_size(axes, results[results["place_before"].notna()], statistics.tribute_advantage, "difference")
    axes.set_xticks(table["place_before"], _place_labels(table["place_before"], place_names, "\n"))
    axes.set_xlabel("place in the game before")
    axes.set_ylabel("difference from own mean\n(points per game)")
    axes.yaxis.set_major_formatter("{x:+.2f}")
    return _with_note(figure, results, f"{_bars(results)} · dashed: own mean")


def plot_transitions(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return the table of moving between places as a heat map, each cell with its probability and count."""
    probabilities, counts = statistics.transitions(results)
    width, height = 3.4 + 0.95 * max(len(counts), 4), 2.4 + 0.75 * len(counts)
    figure = _figure(width, height, "Moving between places, from game to game")
    if not counts.to_numpy().sum():
        return _without(figure, NO_RANKS)
    axes = figure.subplots()
    values, times = probabilities.to_numpy(), counts.to_numpy()
    image = axes.imshow(values, cmap="cividis", vmin=0, aspect="auto")
    for (row, column), value in np.ndenumerate(values):
        centred: dict[str, Any] = {"ha": "center", "va": "center", "color": _ink(image.cmap(image.norm(value)))}
        axes.text(column, row - 0.1, f"{value:.2f}", fontsize=12, **centred)
        axes.text(column, row + 0.25, f"{times[row, column]:,}", fontsize=8, **centred)
    labels = _place_labels(counts.index, place_names, "\n")
    axes.set_xticks(range(len(labels)), labels)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_xlabel("place in the game")
    axes.set_ylabel("place in the game before")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figure.colorbar(image, ax=axes, label="probability (rows sum to 1)")
    return _with_note(figure, results, "small: number of times")


def plot_run(
    directory: Path | str, out: Path | str | None = None, place_names: Sequence[str] | None = None
) -> list[Path]:
    """Write the figures of a run as PNGs into `out`, by default its directory's `plots`, and return their paths.

    Raises InputError where there is no run, or the disk refuses.
    """
    results = load(directory).results
    folder = Path(directory) / "plots" if out is None else Path(out)
    figures = {
        "standings": plot_standings,
        "seat_advantage": plot_seat_advantage,
        "tribute_advantage": plot_tribute_advantage,
        "transitions": plot_transitions,
    }
    paths = []
    for name, plot in figures.items():
        path = folder / f"{name}.png"
        with new_file(path) as file, warnings.catch_warnings():
            # A letter that the font lacks, or names too long for the layout: the figure shows it.
            warnings.simplefilter("ignore", UserWarning)
            plot(results, place_names).savefig(file, format="png", dpi=200)
        paths.append(path)
    return paths


def _figure(width: float, height: float, title: str) -> Figure:
    """Return an empty figure of a width and height in inches."""
    figure = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1))
    figure.suptitle(title, fontsize=13)
    return figure


def _with_note(figure: Figure, results: pd.DataFrame, how_to_read: str) -> Figure:
    """Write below a figure what it was made from, and how to read it."""
    matches, agents = results["match"].nunique(), results["agent"].nunique()
    counts = f"{matches:,} {'match' if matches == 1 else 'matches'} · {agents} {'agent' if agents == 1 else 'agents'}"
    figure.supxlabel(f"{counts} · {how_to_read}", fontsize=9, color=GREY)
    return figure


def _bars(results: pd.DataFrame) -> str:
    """Say what the bars at the estimates are."""
    return "bars: 95 % intervals by matches" if results["match"].nunique() > 1 else "no intervals from a single match"


def _without(figure: Figure, message: str) -> Figure:
    """Say in a figure why it is empty."""
    _say(figure.subplots(), message)
    return figure


def _say(axes: Axes, message: str) -> None:
    """Say in a panel why it is empty."""
    axes.text(0.5, 0.5, message, transform=axes.transAxes, ha="center", va="center", color=GREY)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set_color("lightgrey")


def _by_hand_size(axes: Axes, results: pd.DataFrame, advantage: Callable[..., pd.DataFrame], estimate: str) -> None:
    """Draw the estimates of an advantage, those of each hand size apart where there are several."""
    sizes = sorted(results["hand_size"].unique())
    if len(sizes) == 1:
        table = advantage(results)
        _intervals(axes, table.iloc[:, 0], table, estimate)
        return
    table = advantage(results, by="hand_size")
    for index, size in enumerate(sizes):
        part = table[table["hand_size"] == size]
        at = part.iloc[:, 1] + SPREAD * (index - (len(sizes) - 1) / 2)
        _intervals(axes, at, part, estimate, label=f"{size} cards dealt", **SERIES[index])
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=len(sizes), frameon=False, fontsize=9)


def _intervals(
    axes: Axes, at: np.ndarray | pd.Series, table: pd.DataFrame, estimate: str, vertical: bool = True, **own: Any
) -> None:
    """Draw the estimates of a table with their intervals, along the positions `at`, in a style of their `own`."""
    reach = table["high"] - table[estimate]
    common = {"linestyle": "none", "markersize": 6, "capsize": 4, "linewidth": 1.6, "elinewidth": 1.6}
    style: dict[str, Any] = common | SERIES[0] | own
    if vertical:
        axes.errorbar(at, table[estimate], yerr=reach, **style)
        axes.grid(axis="y", alpha=0.3)
        axes.margins(x=0.12)
    else:
        axes.errorbar(table[estimate], at, xerr=reach, **style)
    axes.spines[["top", "right"]].set_visible(False)


def _place_labels(places: Iterable[int], names: Sequence[str] | None, between: str) -> list[str]:
    """Return 1st, 2nd … with the names of the places, where there are names, after them."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    ordinals = {place: f"{place}{endings.get(place, 'th')}" for place in places}
    return [f"{text}{between}{names[place - 1]}" if names else text for place, text in ordinals.items()]


def _wrapped(label: str) -> str:
    """Break a long label after commas, into lines of up to 32 characters where these allow it."""
    lines = [""]
    for piece in label.replace(",", ",\0").split("\0"):
        if lines[-1] and len(lines[-1]) + len(piece) > 32:
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines)


def _ink(background: Sequence[float] | np.ndarray) -> str:
    """Return the colour of text that is legible on a background (RGBA)."""
    red, green, blue = background[:3]
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.46 else "white"
