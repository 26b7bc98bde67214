"""The figures of Dobon: how deals end and what that yields, who has which part in it, and how long deals are."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from ...sim.dobon.game import REASONS
from .. import statistics
from .drawing import (
    BLUE,
    DASHED,
    NO_GAMES,
    ORANGE,
    bars,
    draw_intervals,
    draw_shares,
    name_rows,
    new_figure,
    rows_height,
    with_note,
    without,
    write_estimates,
)

# How a deal ends -> in words, and the parts that there are in that.
ENDS = {
    "out": ("somebody goes out", ("out", "other")),
    "dobon": ("dobon", ("shooter", "shot", "other")),
    "return": ("dobon is returned", ("returned", "refuted", "other")),
    "stopped": ("stopped", ("stopped",)),
}
# The parts, cold colours for those that win, greys for those that do not matter, warm ones for those that are shot.
COLOURS = {
    "out": BLUE,
    "shooter": "#56B4E9",
    "returned": "#009E73",
    "other": "#BFBFBF",
    "stopped": "#E6E6E6",
    "refuted": "#E69F00",
    "shot": ORANGE,
}
SHOWN = 0.995  # of the deals in the histogram of lengths, so that a few long ones leave the others room


def deals_of(results: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each deal and rotation, for what all seats of a deal have in common."""
    return results.drop_duplicates(["match", "rotation", "game"])


def plot_endings(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return the shares of deals by how they end, beside the mean points of those with each part in it."""
    figure = new_figure(11, 5, "How deals end, and what that yields")
    if results.empty:
        return without(figure, NO_GAMES)
    left, right = figure.subplots(1, 2, width_ratios=[1, 1.15])
    ends = statistics.shares(deals_of(results), "end").set_index("end")
    rows = np.array([list(ENDS).index(end) for end in ends.index])
    draw_intervals(left, rows, ends, "share", vertical=False)
    write_estimates(left, rows, ends, "share", ".1%")
    name_rows(left, [f"{words}\n{_deals(ends['times'].get(end, 0))}" for end, (words, _) in ENDS.items()])
    left.set_xlim(left=0)
    left.xaxis.set_major_formatter(PercentFormatter(1))
    left.set_xlabel("share of deals")
    left.grid(axis="x", alpha=0.3)

    points = statistics.means(results, "reason", by="end").set_index(["end", "reason"])
    parts = [(end, part) for end, (_, parts) in ENDS.items() for part in parts if (end, part) in points.index]
    table = points.loc[parts].reset_index()
    rows = np.arange(len(table))
    draw_intervals(right, rows, table, "mean", vertical=False)
    right.axvline(0, **DASHED)
    for row in np.flatnonzero(table["end"] != table["end"].shift())[1:]:
        right.axhline(row - 0.5, color="lightgrey", linewidth=1)
    write_estimates(right, rows, table, "mean")
    name_rows(right, [f"{end}: {REASONS[part]}" for end, part in parts])
    right.set_xlabel("mean points per deal")
    right.grid(axis="x", alpha=0.3)
    return with_note(figure, results, f"{bars(results)} · all agents pooled")


def plot_parts(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return how often each agent has which part in the end of a deal, the best agent on top."""
    agents = statistics.standings(results)["agent"]
    figure = new_figure(11, max(4.0, 2.8 + rows_height(agents)), "Parts in the end of a deal")
    if results.empty:
        return without(figure, NO_GAMES)
    axes = figure.subplots()
    table = statistics.shares(results, "reason", by="agent").pivot(index="agent", columns="reason", values="share")
    shown = [part for part in COLOURS if part in table]
    shares = table.reindex(index=agents, columns=shown).fillna(0.0).to_numpy()
    draw_shares(axes, shares, [REASONS[part] for part in shown], [COLOURS[part] for part in shown])
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4, frameon=False)
    name_rows(axes, agents)
    axes.set_xlabel("share of the agent's deals")
    return with_note(figure, results, "blue and green win, orange and red are shot")


def plot_length(results: pd.DataFrame, place_names: Sequence[str] | None = None) -> Figure:
    """Return how many turns deals take: their distribution, and the mean by how they end."""
    figure = new_figure(10.5, 4.2, "Length of deals")
    if results.empty:
        return without(figure, NO_GAMES)
    left, right = figure.subplots(1, 2)
    deals = deals_of(results)
    turns = deals["turns"].to_numpy()
    longest = int(np.quantile(turns, SHOWN, method="higher"))
    width = longest // 40 + 1
    edges = np.arange(0, longest + width + 1, width) - 0.5
    left.hist(turns, edges, weights=np.full(len(turns), 1 / len(turns)), color=BLUE, edgecolor="white", linewidth=0.5)
    left.axvline(turns.mean(), **DASHED)
    beyond = int((turns > edges[-1]).sum())
    longer = f"; not shown: {beyond:,} longer, up to {turns.max():,} turns" if beyond else ""
    left.set_title(f"{_deals(len(turns))}{longer}", loc="left", fontsize=11)
    left.set_xlabel("turns of the deal")
    left.set_ylabel("share of deals" + (f" per {width} turns" if width > 1 else ""))
    left.yaxis.set_major_formatter(PercentFormatter(1))
    left.spines[["top", "right"]].set_visible(False)

    means = statistics.means(deals, "end", of="turns").set_index("end")
    means = means.loc[[end for end in ENDS if end in means.index]]
    draw_intervals(right, np.arange(len(means)), means, "mean")
    right.axhline(turns.mean(), **DASHED)
    right.set_xticks(range(len(means)), [f"{end}\n{_deals(count)}" for end, count in means["games"].items()])
    right.set_xlabel("how the deal ended")
    right.set_ylabel("mean turns per deal")
    return with_note(figure, results, f"right, {bars(results)} · dashed: mean of all deals")


def _deals(number: int) -> str:
    return f"{number:,} {'deal' if number == 1 else 'deals'}"


COLUMNS = ("end", "turns", "reason")

FIGURES = {"endings": plot_endings, "parts": plot_parts, "length": plot_length}
