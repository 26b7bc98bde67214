"""The figure of move generation draws each set of positions once, and says when there are none."""

import pytest
from agari.experiments.benchmark import Generation
from agari.experiments.plots.generation import plot_generation


def sets(twin: float | None) -> list[Generation]:
    """Two kinds of decision, with one, two and three cards; and all together."""
    by_cards = [
        Generation(kind, cards, 1000 * cards, 2.0 * cards, 10.0 * cards, twin and twin * cards)
        for kind in ("lead", "follow")
        for cards in (1, 2, 3)
    ]
    return [Generation("all", None, 9000, 3.0, 12.0, twin), *by_cards]


@pytest.mark.parametrize("twin", [500.0, None])
def test_lines_are_the_sets_of_each_kind(twin: float | None) -> None:
    figure = plot_generation(sets(twin), "Duel")
    left, right = figure.axes
    times = {line.get_label(): list(line.get_ydata()) for line in left.lines}
    moves = {line.get_label(): list(line.get_ydata()) for line in right.lines}
    naive = {} if twin is None else {f"{kind}, naive": [500, 1000, 1500] for kind in ("lead", "follow")}
    assert times == {"lead": [10, 20, 30], "follow": [10, 20, 30]} | naive
    assert moves == {"lead": [2, 4, 6], "follow": [2, 4, 6]}
    assert all(list(line.get_xdata()) == [1, 2, 3] for line in (*left.lines, *right.lines))
    legend = right.get_legend()
    assert legend is not None
    assert {text.get_text() for text in legend.get_texts()} == set(times)
    assert figure.get_suptitle() == "Duel"
    assert "at least 1,000 a point" in str(figure.get_supxlabel())


def test_a_figure_without_sets_says_so() -> None:
    figure = plot_generation(sets(None)[:1], "Duel")
    assert [text.get_text() for text in figure.axes[0].texts] == ["No kind of decision is frequent enough"]
