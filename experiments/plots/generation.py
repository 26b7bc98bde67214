"""The figure of move generation: what it costs by the number of cards held, beside the naive twin."""

from collections.abc import Sequence

import matplotlib
from matplotlib.figure import Figure

from ..benchmark import Generation
from .drawing import GREY, new_figure, without

MARKERS = "osD^v<>"


def plot_generation(generations: Sequence[Generation], title: str) -> Figure:
    """Return nanoseconds (kernels and naive twin) and legal moves by cards held, a line for each kind of decision.

    Sets of positions with any number of cards are left out.
    """
    figure = new_figure(11, 4.6, title)
    by_cards = [generation for generation in generations if generation.cards is not None]
    if not by_cards:
        return without(figure, "No kind of decision is frequent enough")
    left, right = figure.subplots(1, 2)
    colours = matplotlib.colormaps["viridis"].resampled(10).colors[::3]  # type: ignore[attr-defined]
    for number, kind in enumerate(dict.fromkeys(generation.kind for generation in by_cards)):
        of_kind = [generation for generation in by_cards if generation.kind == kind]
        cards = [generation.cards for generation in of_kind]
        style = {"color": colours[number % len(colours)], "marker": MARKERS[number % len(MARKERS)], "markersize": 5}
        left.plot(cards, [generation.nanoseconds for generation in of_kind], label=kind, **style)
        right.plot(cards, [generation.moves for generation in of_kind], label=kind, **style)
        if of_kind[0].twin is not None:
            twin = {**style, "linestyle": ":", "markerfacecolor": "white"}
            left.plot(cards, [generation.twin for generation in of_kind], label=f"{kind}, naive", **twin)
    left.set_ylabel("nanoseconds a generation")
    right.set_ylabel("legal moves of a position, mean")
    for axes in (left, right):
        axes.set_yscale("log")
        axes.set_xlabel("cards held by the seat to act")
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    right.legend(*left.get_legend_handles_labels(), loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    positions = min(generation.positions for generation in by_cards)
    figure.supxlabel(
        f"positions of random games, at least {positions:,} a point · CPU time of one core", fontsize=9, color=GREY
    )
    return figure
