"""The panels of a study's figure: what its table says, by level, a series for each arm or name."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes

from ..plots.drawing import DASHED, SPREAD, draw_intervals, series


def draw_arms(axes: Axes, rows: pd.DataFrame, label: str, title: str = "") -> None:
    """Draw the means of each arm with their intervals; `rows` are those of one block (`tables.only`)."""
    _draw(axes, {str(arm): own for arm, own in rows.groupby("arm", sort=False)}, "mean", "high", 0)
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_ylabel(label)


def draw_differences(axes: Axes, rows: Mapping[str, pd.DataFrame], title: str, first: int = 0) -> None:
    """Draw differences of points with their intervals, by name; the names' series begin with number `first`."""
    axes.axhline(0, **DASHED)
    _draw(axes, rows, "difference", "difference_high", first)
    axes.set_title(title, loc="left", fontsize=11)
    axes.set_ylabel("difference (points per game)")
    axes.yaxis.set_major_formatter("{x:+g}")


def _draw(axes: Axes, rows: Mapping[str, pd.DataFrame], estimate: str, high: str, first: int) -> None:
    """Draw estimates at their levels, those of one level beside each other."""
    spread = min(SPREAD, 0.8 / len(rows))
    for index, (name, own) in enumerate(rows.items()):
        at = own["level"].astype(int) + spread * (index - (len(rows) - 1) / 2)
        ends = own[[estimate]].assign(high=own[high])
        draw_intervals(axes, at, ends, estimate, label=name, **series(first + index))
    if len(rows) > 1:
        axes.legend(frameon=False, fontsize=9 if len(rows) < 5 else 6)
