"""What all figures are drawn with: colours, panels, intervals, shares, labels and notes."""

import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#595959"  # blue and vermilion of Okabe and Ito
DASHED: dict[str, Any] = {"color": GREY, "linestyle": "--", "linewidth": 1, "zorder": 1}
GREEN, PURPLE, SKY, AMBER = "#009E73", "#CC79A7", "#56B4E9", "#E69F00"  # of the same
SERIES: list[dict[str, Any]] = [
    {"color": colour, "marker": marker}
    for colour, marker in zip((BLUE, ORANGE, GREEN, PURPLE, SKY, AMBER), "os^Dv*", strict=True)
]
SPREAD = 0.16  # between the points of two series
NO_GAMES = "This run has no games yet"


def new_figure(width: float, height: float, title: str) -> Figure:
    """Return an empty figure of a width and height in inches."""
    figure = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1))
    figure.suptitle(title, fontsize=13)
    return figure


def with_note(figure: Figure, results: pd.DataFrame, how_to_read: str) -> Figure:
    """Write below a figure what it was made from, and how to read it."""
    matches, agents = results["match"].nunique(), results["agent"].nunique()
    counts = f"{matches:,} {'match' if matches == 1 else 'matches'} · {agents} {'agent' if agents == 1 else 'agents'}"
    return note(figure, f"{counts} · {how_to_read}")


def note(figure: Figure, text: str) -> Figure:
    """Write a note below a figure, in lines that are no wider."""
    most = int(14 * figure.get_figwidth())  # letters
    lines = [line for part in text.splitlines() for line in textwrap.wrap(part, most)]
    figure.supxlabel("\n".join(lines), fontsize=9, color=GREY)
    return figure


def name_rules(figure: Figure, rules: str) -> Figure:
    """Write above the note of a figure by which rules was played."""
    lines = [*textwrap.wrap(rules, 120), *filter(None, [figure.get_supxlabel()])]
    figure.supxlabel("\n".join(lines), fontsize=9, color=GREY)
    return figure


def bars(results: pd.DataFrame) -> str:
    """Say what the bars at the estimates are."""
    return "bars: 95 % intervals by matches" if results["match"].nunique() > 1 else "no intervals from a single match"


def without(figure: Figure, message: str) -> Figure:
    """Say in a figure why it is empty."""
    say(figure.subplots(), message)
    return figure


def say(axes: Axes, message: str) -> None:
    """Say in a panel why it is empty."""
    axes.text(0.5, 0.5, message, transform=axes.transAxes, ha="center", va="center", color=GREY)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.spines[:].set_color("lightgrey")


def draw_intervals(
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


def series(index: int) -> dict[str, Any]:
    """Return the style of a series; after the last one they begin again, without a fill."""
    return SERIES[index % len(SERIES)] | ({"fillstyle": "none"} if index >= len(SERIES) else {})


def write_estimates(axes: Axes, at: Iterable[int], table: pd.DataFrame, estimate: str, form: str = ".2f") -> None:
    """Write the estimates of a table and the reach of their intervals right of a panel, in its rows `at`."""
    for row, value, reach in zip(at, table[estimate], table["high"] - table[estimate], strict=True):
        text = f"{value:{form}}" if np.isnan(reach) else f"{value:{form}} ± {reach:{form.lstrip('+')}}"
        axes.text(1.02, row, text.replace("-", "−"), transform=axes.get_yaxis_transform(), va="center")


def name_rows(axes: Axes, labels: Iterable[str]) -> None:
    """Name the rows 0, 1 … of a panel, the first of them on top."""
    names = [wrapped(label) for label in labels]
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def rows_height(labels: Iterable[str]) -> float:
    """Return how high rows with these names have to be, in inches all together: as the longest name needs."""
    lines = [wrapped(label).count("\n") + 1 for label in labels]
    return len(lines) * max(0.5, 0.08 + 0.17 * max(lines, default=0))


def draw_shares(axes: Axes, shares: np.ndarray, labels: Sequence[str], colours: Sequence[Any] | None = None) -> None:
    """Draw a bar for each row of shares, shape (rows, kinds), cut into these; `labels` are for a legend.

    Without `colours` the kinds have an order, in which they become darker.
    """
    scale = matplotlib.colormaps["cividis"](np.linspace(1, 0, len(labels))) if colours is None else colours
    starts = shares.cumsum(axis=1) - shares
    for share, start, label, colour in zip(shares.T, starts.T, labels, scale, strict=True):
        axes.barh(range(len(share)), share, 0.72, start, color=colour, edgecolor="white", label=label)
        for row in np.flatnonzero(share >= 0.075):
            middle = start[row] + share[row] / 2
            style: dict[str, Any] = {"ha": "center", "va": "center", "color": ink(to_rgba(colour)), "fontsize": 9}
            axes.text(middle, int(row), f"{share[row]:.0%}", **style)
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.tick_params(axis="y", length=0)
    axes.spines[["left", "top", "right"]].set_visible(False)


def legend_beside(axes: Axes, title: str) -> None:
    """Tell right of a panel what its colours are."""
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, title=title)


def place_labels(places: Iterable[int], names: Sequence[str] | None, between: str) -> list[str]:
    """Return 1st, 2nd … with the names of the places, where there are names, after them."""
    return [f"{ordinal(place)}{between}{names[place - 1]}" if names else ordinal(place) for place in places]


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th …"""
    return f"{number}" + {1: "st", 2: "nd", 3: "rd"}.get(number, "th")


def wrapped(label: str) -> str:
    """Break a long label after commas, colons and brackets, into lines of up to 32 characters where these allow it."""
    lines = [""]
    for piece in re.split("(?<=[,:(])", label):
        if lines[-1] and len(lines[-1]) + len(piece) > 32:
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines)


def ink(background: Sequence[float] | np.ndarray) -> str:
    """Return the colour of text that is legible on a background (RGBA)."""
    red, green, blue = background[:3]
    return "black" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.46 else "white"
