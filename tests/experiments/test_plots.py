"""The figures show what the statistics say, legibly, and say what is missing."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from agari.experiments import plots, statistics, store
from agari.experiments.cli import main
from agari.experiments.plots import (
    plot_run,
    plot_seat_advantage,
    plot_standings,
    plot_transitions,
    plot_tribute_advantage,
)
from agari.experiments.store import create_run, write_part
from agari.sim.errors import InputError
from click.testing import CliRunner
from matplotlib import image
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.text import Text

from ..table import GAME
from .synthetic import game_rows, result_rows, results_frame

AGENTS = ["mc(playouts=1000,policy=greedy,seed=3)", "mc(playouts=200,policy=greedy)", "greedy", "random"]
NAMES = {
    4: ["daifugo", "fugo", "hinmin", "daihinmin"],
    5: ["daifugo", "fugo", "heimin", "hinmin", "daihinmin"],
    6: ["daifugo", "fugo", "heimin", "heimin", "hinmin", "daihinmin"],
}
FIGURES = [plot_standings, plot_seat_advantage, plot_tribute_advantage, plot_transitions]


@pytest.fixture(scope="module")
def results() -> pd.DataFrame:
    return results_frame(12, AGENTS)


def texts(figure: Figure) -> list[Text]:
    """All texts that are shown, once the figure is laid out."""
    figure.draw_without_rendering()
    beyond = {
        tick.label1
        for axes in figure.axes
        for axis, ends in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim()))
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
        if not min(ends) <= tick.get_loc() <= max(ends)
    }
    found = figure.findobj(Text)
    return [text for text in found if text.get_visible() and text.get_text() and text not in beyond]


def said(figure: Figure) -> str:
    return "\n".join(text.get_text() for text in texts(figure))


def drawn(axes: Axes) -> tuple[np.ndarray, np.ndarray]:
    """The points of a panel's one set of estimates, shape (n, 2), and the ends of its bars, shape (n, 2, 2)."""
    (container,) = (c for c in axes.containers if isinstance(c, ErrorbarContainer))
    data_line, _, (bars,) = container.lines
    return np.column_stack(data_line.get_data()).astype(float), np.array(bars.get_segments())


def test_standings_show_means_intervals_and_places(results: pd.DataFrame) -> None:
    figure = plot_standings(results, NAMES[4])
    left, right = figure.axes
    table = statistics.standings(results)
    points, bars = drawn(left)
    assert points == pytest.approx(np.column_stack([table["mean"], range(4)]))
    assert bars[:, :, 0] == pytest.approx(table[["low", "high"]].to_numpy())
    assert left.get_ylim() == (3.5, -0.5)  # the best on top
    assert [label.get_text().replace("\n", "") for label in left.get_yticklabels()] == table["agent"].tolist()
    widths = np.array([[bar.get_width() for bar in bars] for bars in right.containers])
    assert pytest.approx(table.filter(like="place_").to_numpy()) == widths.T
    legend = right.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        "1st daifugo",
        "2nd fugo",
        "3rd hinmin",
        "4th daihinmin",
    ]
    best = table.iloc[0]
    assert f"{best['mean']:.2f} ± {best['high'] - best['mean']:.2f}" in said(figure)
    assert "12 matches · 4 agents · bars: 95 % intervals by matches · dashed: mean of all seats" in said(figure)
    assert left.get_xlabel() == "mean points per game"


def test_seat_advantage_keeps_games_with_and_without_ranks_apart(results: pd.DataFrame) -> None:
    figure = plot_seat_advantage(results, NAMES[4])
    for axes, table in zip(
        figure.axes, (statistics.seat_advantage(results), statistics.rank_advantage(results)), strict=True
    ):
        points, bars = drawn(axes)
        assert points == pytest.approx(table.iloc[:, [0, 3]].to_numpy(float))
        assert bars[:, :, 1] == pytest.approx(table[["low", "high"]].to_numpy())
        assert axes.get_ylabel() == "mean points per game"
    left, right = figure.axes
    assert left.get_title(loc="left") == "48 games without ranks"
    assert right.get_title(loc="left") == "144 games with ranks"
    assert [label.get_text() for label in left.get_xticklabels()] == ["0\nleader", "1", "2", "3"]
    assert right.get_xticklabels()[0].get_text() == "1st\ndaifugo"


def test_seat_advantage_keeps_hands_of_different_sizes_apart(results: pd.DataFrame) -> None:
    """As in house with four players, where two hands have 14 cards and two 13."""
    uneven = results.assign(hand_size=np.where(results["seat"] < 2, 14, 13))
    panels = [*plot_seat_advantage(uneven).axes, *plot_tribute_advantage(uneven).axes]
    advantages = statistics.seat_advantage, statistics.rank_advantage, statistics.tribute_advantage
    for axes, advantage in zip(panels, advantages, strict=True):
        table = advantage(uneven, by="hand_size")
        assert table["hand_size"].tolist() == [13] * 4 + [14] * 4
        bars = [c for c in axes.containers if isinstance(c, ErrorbarContainer)]
        heights = np.concatenate([container.lines[0].get_ydata() for container in bars])
        assert heights == pytest.approx(table["mean" if "mean" in table else "difference"].to_numpy())
        legend = axes.get_legend()
        assert legend is not None
        assert [text.get_text() for text in legend.get_texts()] == ["13 cards dealt", "14 cards dealt"]
        whole = advantage(uneven)
        assert table.groupby(table.columns[1])["games"].sum().tolist() == whole["games"].tolist()


def test_tribute_advantage_shows_differences(results: pd.DataFrame) -> None:
    figure = plot_tribute_advantage(results)
    (axes,) = figure.axes
    table = statistics.tribute_advantage(results)
    points, bars = drawn(axes)
    assert points == pytest.approx(table[["place_before", "difference"]].to_numpy())
    assert bars[:, :, 1] == pytest.approx(table[["low", "high"]].to_numpy())
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1st", "2nd", "3rd", "4th"]
    assert "points per game" in axes.get_ylabel()


def test_transitions_show_probabilities_and_counts(results: pd.DataFrame) -> None:
    figure = plot_transitions(results)
    probabilities, counts = statistics.transitions(results)
    axes = figure.axes[0]
    assert np.asarray(axes.images[0].get_array()) == pytest.approx(probabilities.to_numpy())
    cells = [text.get_text() for text in axes.texts]
    assert cells[::2] == [f"{value:.2f}" for value in probabilities.to_numpy().ravel()]
    assert cells[1::2] == [f"{value:,}" for value in counts.to_numpy().ravel()]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("place in the game", "place in the game before")


@pytest.mark.parametrize("players", [4, 5, 6])
@pytest.mark.parametrize("plot", FIGURES)
def test_nothing_is_cut_off_or_overlaps(plot: Callable[..., Figure], players: int) -> None:
    """With long labels and the most players every text is inside its figure and clear of the others."""
    agents = [*AGENTS, "my_module:MyVeryOwnAgent(depth=3)", "mc(milliseconds=50,policy=greedy)"]
    figure = plot(results_frame(4, agents, players), NAMES[players])
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts(figure)]
    assert len(boxes) > 10
    for number, (text, box) in enumerate(boxes):
        assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1, text
        for other, other_box in boxes[:number]:
            assert not box.overlaps(other_box), (text, other)
    assert min(float(text.get_fontsize()) for text in texts(figure)) >= 8


def luminance(colour: np.ndarray) -> float:
    """Relative luminance of a colour (WCAG)."""
    channels = np.where(colour[:3] <= 0.04045, colour[:3] / 12.92, ((colour[:3] + 0.055) / 1.055) ** 2.4)
    return float(channels @ [0.2126, 0.7152, 0.0722])


def test_texts_in_cells_stand_out() -> None:
    """Black or white on any colour of the scale has a contrast of 4.5, but for a short stretch where both have 4."""
    from matplotlib import colormaps

    for colour in colormaps["cividis"](np.linspace(0, 1, 50)):
        background = luminance(colour)
        lighter, darker = (background, 0.0) if plots._ink(colour) == "black" else (1.0, background)
        assert (lighter + 0.05) / (darker + 0.05) > 4


def test_missing_games_are_said_not_crashed_on() -> None:
    unranked = results_frame(3, AGENTS, ranked=False)
    ranked = results_frame(3, AGENTS)
    ranked = ranked[ranked["place_before"].notna()]
    nothing = ranked[ranked["match"] < 0]
    assert "This run has no games with ranks" in said(plot_tribute_advantage(unranked))
    assert "This run has no games with ranks" in said(plot_transitions(unranked))
    assert "This run has no games with ranks" in said(plot_seat_advantage(unranked))
    assert "48 games without ranks" in said(plot_seat_advantage(unranked))
    assert "This run has no games without ranks" in said(plot_seat_advantage(ranked))
    assert "This run has no games yet" in said(plot_standings(nothing))
    for plot in FIGURES:
        assert "This run has no games" in said(plot(nothing, NAMES[4]))


@pytest.mark.parametrize("plot", [plot_standings, plot_seat_advantage, plot_tribute_advantage])
def test_a_single_match_has_points_without_bars(plot: Callable[..., Figure]) -> None:
    figure = plot(results_frame(1, AGENTS))
    assert "1 match · 4 agents · no intervals from a single match" in said(figure)
    points, _ = drawn(figure.axes[0])
    assert np.isfinite(points).all()


def test_plot_run_writes_pngs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = tmp_path / "run"
    create_run(run, {"game": "federation", "matches": 3, "matches_per_chunk": 3})
    rows = result_rows(3, AGENTS)
    write_part(run, GAME, 0, rows, game_rows(rows))
    paths = plot_run(run, tmp_path / "figures", NAMES[4])
    names = ["standings.png", "seat_advantage.png", "tribute_advantage.png", "transitions.png"]
    assert paths == [tmp_path / "figures" / name for name in names]
    for path in paths:
        height, width, _ = image.imread(path).shape
        assert width > 1200
        assert height > 600

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store.os, "replace", fail)
    with pytest.raises(InputError, match=r"cannot write .*run/plots/standings.png: No space left"):
        plot_run(run)
    assert list((run / "plots").iterdir()) == []


def test_nothing_is_warned_of(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """Neither letters that the font lacks, nor names that leave the panels no room."""
    run = tmp_path / "run"
    create_run(run, {"game": "federation", "matches": 1, "matches_per_chunk": 1})
    rows = result_rows(1, ["日本語のエージェント", "w" * 200, "부호", "random"])
    write_part(run, GAME, 0, rows, game_rows(rows))
    plot_run(run)
    assert [str(warning.message) for warning in recwarn] == []


@pytest.mark.parametrize("setting", ["MPLBACKEND=foo", "MPLCONFIGDIR=/dev/null"])
def test_settings_of_matplotlib_for_windows_and_caches_are_of_no_matter(tmp_path: Path, setting: str) -> None:
    run = tmp_path / "run"
    assert CliRunner().invoke(main, ["pit", "--agents", "random", "--matches", "1", "--out", str(run)]).exit_code == 0
    name, _, value = setting.partition("=")
    command = [sys.executable, "-m", "agari.experiments.cli", "plot", str(run)]
    done = subprocess.run(command, env=os.environ | {name: value}, capture_output=True, text=True)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 4)
