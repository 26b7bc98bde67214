"""The figures show what the statistics say, legibly, and say what is missing."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from agari.experiments import plots, statistics, store
from agari.experiments.cli import main
from agari.experiments.plan import make_plan, manifest_of
from agari.experiments.plots import dobon, drawing, figures_of, plot_run, plot_standings, voodoo_prince
from agari.experiments.plots.daifugo import plot_seat_advantage, plot_transitions, plot_tribute_advantage
from agari.experiments.plots.every_game import FIGURES as EVERY
from agari.experiments.store import create_run
from agari.sim.errors import InputError
from agari.sim.game import Game
from agari.sim.games import GAMES
from click.testing import CliRunner
from matplotlib import image
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.text import Text

from ..daifugo_table import GAME
from .rows import write_part
from .synthetic import dobon_rows, frame_of, game_rows, result_rows, results_frame, voodoo_rows

AGENTS = ["mc(playouts=1000,policy=greedy,seed=3)", "mc(playouts=200,policy=greedy)", "greedy", "random"]
NAMES = {
    4: ["daifugo", "fugo", "hinmin", "daihinmin"],
    5: ["daifugo", "fugo", "heimin", "hinmin", "daihinmin"],
    6: ["daifugo", "fugo", "heimin", "heimin", "hinmin", "daihinmin"],
}
FIGURES = [plot_standings, plot_seat_advantage, plot_tribute_advantage, plot_transitions]
ROWS = {"daifugo": result_rows, "voodoo_prince": voodoo_rows, "dobon": dobon_rows}
PLAYERS = {"daifugo": (3, 6), "voodoo_prince": (2, 5), "dobon": (2, 6)}
EVERY_GAME = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


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


def drawn(axes: Axes, series: int = 0, of: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The points of one of a panel's sets of estimates, shape (n, 2), and the ends of its bars, shape (n, 2, 2)."""
    containers = [c for c in axes.containers if isinstance(c, ErrorbarContainer)]
    assert len(containers) == of
    data_line, _, (bars,) = containers[series].lines
    return np.column_stack(data_line.get_data()).astype(float), np.array(bars.get_segments())


def drawn_shares(axes: Axes) -> np.ndarray:
    """The shares of a panel's rows, shape (rows, kinds), once they are seen to lie side by side."""
    bars = [container for container in axes.containers if not isinstance(container, ErrorbarContainer)]
    widths = np.array([[bar.get_width() for bar in kind] for kind in bars]).T
    starts = np.array([[bar.get_x() for bar in kind] for kind in bars]).T
    assert starts == pytest.approx(widths.cumsum(axis=1) - widths)
    return widths


def row_names(axes: Axes) -> list[str]:
    """The names of a panel's rows, the top one first, as they were before they were broken."""
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    return [label.get_text().replace("\n", "") for label in axes.get_yticklabels()]


def legend_of(axes: Axes) -> list[str]:
    legend = axes.get_legend()
    assert legend is not None
    return [text.get_text() for text in legend.get_texts()]


def frame(game: Game, *args: Any, **kwargs: Any) -> pd.DataFrame:
    """Made-up results of a game, as a run has them."""
    return results_frame(*args, **kwargs) if game.name == "daifugo" else frame_of(ROWS[game.name](*args, **kwargs))


def test_standings_show_means_intervals_and_places(results: pd.DataFrame) -> None:
    figure = plot_standings(results, NAMES[4])
    left, right = figure.axes
    table = statistics.standings(results)
    points, bars = drawn(left)
    assert points == pytest.approx(np.column_stack([table["mean"], range(4)]))
    assert bars[:, :, 0] == pytest.approx(table[["low", "high"]].to_numpy())
    assert left.get_ylim() == (3.5, -0.5)  # the best on top
    assert [label.get_text().replace("\n", "") for label in left.get_yticklabels()] == table["agent"].tolist()
    assert drawn_shares(right) == pytest.approx(table.filter(like="place_").to_numpy())
    assert legend_of(right) == ["1st daifugo", "2nd fugo", "3rd hinmin", "4th daihinmin"]
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
        assert legend_of(axes) == ["13 cards dealt", "14 cards dealt"]
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


def test_every_game_has_a_seat_advantage() -> None:
    results = frame_of(dobon_rows(8, AGENTS))
    left, right = plots.plot_seat_advantage(results).axes
    for axes, table, estimate in (
        (left, statistics.seat_advantage(results), "mean"),
        (right, statistics.own_advantage(results, "leader_distance"), "difference"),
    ):
        points, bars = drawn(axes)
        assert points == pytest.approx(table[["leader_distance", estimate]].to_numpy(float))
        assert bars[:, :, 1] == pytest.approx(table[["low", "high"]].to_numpy())
        assert "points per game" in axes.get_ylabel()
        assert [label.get_text() for label in axes.get_xticklabels()] == ["0\nbegins", "1", "2", "3"]


# Voodoo Prince


def test_leaving_shows_points_and_who_leaves_when() -> None:
    results = frame_of(voodoo_rows(6, AGENTS))
    left, right = voodoo_prince.plot_leaving(results).axes
    table = statistics.means(results, "exit")
    points, bars = drawn(left)
    assert points == pytest.approx(table[["exit", "mean"]].to_numpy(float))
    assert bars[:, :, 1] == pytest.approx(table[["low", "high"]].to_numpy())
    assert [label.get_text() for label in left.get_xticklabels()] == ["1st", "2nd", "3rd", "last"]
    best_first = statistics.standings(results)["agent"].tolist()
    assert row_names(right) == best_first
    assert drawn_shares(right) == pytest.approx(
        pd.crosstab(results["agent"], results["exit"], normalize="index").loc[best_first].to_numpy()
    )
    assert legend_of(right) == ["1st", "2nd", "3rd", "last"]


def test_leaving_by_seat_keeps_drawn_and_named_trump_apart() -> None:
    results = frame_of(voodoo_rows(6, AGENTS))
    left, right = voodoo_prince.plot_leaving_by_seat(results).axes
    for axes, rounds in ((left, results[results["game"] == 0]), (right, results[results["game"] > 0])):
        expected = pd.crosstab(rounds["leader_distance"], rounds["exit"], normalize="index")
        assert drawn_shares(axes) == pytest.approx(expected.to_numpy())
        assert axes.get_xlabel() == f"share of {len(rounds) // 4} rounds"
    assert row_names(left) == ["0 leads", "1", "2", "3"]
    assert legend_of(right) == ["1st", "2nd", "3rd", "last"]
    assert "no rounds in which trump is named" in said(
        voodoo_prince.plot_leaving_by_seat(results[results["game"] == 0])
    )


def test_naming_trump_shows_leaders_and_their_differences() -> None:
    results = frame_of(voodoo_rows(20, AGENTS))
    left, right = voodoo_prince.plot_naming_trump(results).axes
    table = voodoo_prince.naming_advantage(results)
    best_first = statistics.standings(results)["agent"].tolist()
    assert table["agent"].tolist() == row_names(left) == [*best_first, "all agents"]
    means = [
        results[(results["leader_distance"] == 0) & (results["named_trump"] == named)]
        .groupby("agent", observed=True)["points"]
        .mean()
        for named in (False, True)
    ]
    for series, expected in enumerate(means):
        points, _ = drawn(left, series, of=2)
        assert points[:4, 0] == pytest.approx(expected[best_first].to_numpy())
    points, bars = drawn(right)
    assert points == pytest.approx(np.column_stack([table["difference"], range(5)]))
    assert bars[:, :, 0] == pytest.approx(table[["low", "high"]].to_numpy())
    assert points[:4, 0] == pytest.approx((means[1] - means[0])[best_first].to_numpy())
    assert points[4, 0] == pytest.approx(points[:4, 0].mean())


def test_naming_trump_is_not_taken_for_being_bad() -> None:
    """The worst leads most rounds in which trump is named. Where naming is worth 2 points to each, that comes out."""
    random = np.random.default_rng(1)
    rows = []
    for match in range(600):
        for game in range(5):
            for agent, level in (("good", 6.0), ("bad", 1.0)):
                leads = (agent == "bad") == (random.random() < (0.5 if game == 0 else 0.9))
                named = leads and game > 0
                points = level + 2.0 * named + random.normal()
                rows.append((match, 0, game, agent, 0 if leads else 1, named, 1, points))
    columns = ["match", "rotation", "game", "agent", "leader_distance", "named_trump", "place", "points"]
    results = pd.DataFrame(rows, columns=columns)
    leads = results[results["leader_distance"] == 0].groupby("named_trump")["points"].mean()
    assert leads[True] - leads[False] < 1
    table = voodoo_prince.naming_advantage(results)
    assert table["difference"].tolist() == pytest.approx([2, 2, 2], abs=0.35)
    assert ((table["low"] < 2) & (table["high"] > 2)).all()


# Dobon


def test_endings_show_shares_of_deals_and_points_of_the_parts() -> None:
    results = frame_of(dobon_rows(8, AGENTS))
    left, right = dobon.plot_endings(results).axes
    deals = results[results["seat"] == 0]
    ends = ["out", "dobon", "return", "stopped"]
    table = statistics.shares(deals, "end").set_index("end").loc[ends]
    points, bars = drawn(left)
    order = points[:, 1].argsort()
    assert points[order] == pytest.approx(np.column_stack([deals["end"].value_counts(normalize=True)[ends], range(4)]))
    assert bars[order, :, 0] == pytest.approx(table[["low", "high"]].to_numpy())
    assert row_names(left)[0] == f"somebody goes out{table['times']['out']} deals"

    parts = [("out", "out"), ("out", "other"), ("dobon", "shooter"), ("dobon", "shot"), ("dobon", "other")]
    parts += [("return", "returned"), ("return", "refuted"), ("return", "other"), ("stopped", "stopped")]
    points, _ = drawn(right)
    means = results.groupby(["end", "reason"], observed=True)["points"].mean()
    assert points == pytest.approx(np.column_stack([means[parts], range(9)]))
    assert points[:, 0].tolist() == [3, -1, 3, -3, 0, 6, -6, 0, 0]
    assert row_names(right)[2:4] == ["dobon: shot", "dobon: was shot"]
    assert "−6.00 ± 0.00" in said(right.get_figure(root=True))


def test_an_end_that_there_was_not_has_no_point() -> None:
    results = frame_of(dobon_rows(8, AGENTS))
    left, right = dobon.plot_endings(results[results["end"].isin(["out", "dobon"])]).axes
    assert sorted(drawn(left)[0][:, 1]) == [0, 1]
    assert left.get_ylim() == (3.5, -0.5)
    assert [name.endswith("0 deals") for name in row_names(left)[2:]] == [True, True]
    assert len(row_names(right)) == 5


def test_parts_are_those_of_each_agent() -> None:
    results = frame_of(dobon_rows(8, AGENTS))
    (axes,) = dobon.plot_parts(results).axes
    best_first = statistics.standings(results)["agent"].tolist()
    assert row_names(axes) == best_first
    parts = ["out", "shooter", "returned", "other", "stopped", "refuted", "shot"]
    expected = pd.crosstab(results["agent"], results["reason"], normalize="index").loc[best_first, parts]
    assert drawn_shares(axes) == pytest.approx(expected.to_numpy())
    assert legend_of(axes)[:4] == ["went out", "shot", "shot back", "was only there"]


@pytest.mark.parametrize("longest", [1, 39, 40, 100, 2000])
def test_lengths_of_all_deals_are_in_the_histogram_or_told(longest: int) -> None:
    results = frame_of(dobon_rows(8, AGENTS))
    results["turns"] = np.where(results["deal"] == 0, longest, results["turns"].clip(upper=longest))
    left, right = dobon.plot_length(results).axes
    turns = results.loc[results["seat"] == 0, "turns"]
    heights = np.array([bar.get_height() for bar in left.patches])
    middles = np.array([bar.get_x() + bar.get_width() / 2 for bar in left.patches])
    end = left.patches[-1].get_x() + left.patches[-1].get_width()
    assert heights.sum() == pytest.approx((turns < end).mean())
    assert heights.sum() >= 0.99
    assert (heights * middles).sum() == pytest.approx(
        turns[turns < end].sum() / len(turns), abs=left.patches[0].get_width() / 2
    )
    beyond = int((turns > end).sum())
    assert left.get_title(loc="left") == "320 deals" + (
        f"; not shown: {beyond} longer, up to {longest:,} turns" if beyond else ""
    )
    points, _ = drawn(right)
    means = results[results["seat"] == 0].groupby("end", observed=True)["turns"].mean()
    assert points[:, 1] == pytest.approx(means[["out", "dobon", "return", "stopped"]].to_numpy())


# All figures


def manifest(matches: int, game: str = "federation", **rules: Any) -> dict[str, Any]:
    """What a run says of itself that is one chunk."""
    return manifest_of(make_plan("random", matches, game, **rules)._replace(matches_per_chunk=matches))


@EVERY_GAME
def test_made_up_rows_are_as_a_run_has_them(game: Game, tmp_path: Path) -> None:
    """They can be stored, and their figures drawn into files."""
    run = tmp_path / "run"
    create_run(run, manifest(2, next(iter(game.presets)), players=4))
    rows = ROWS[game.name](2, AGENTS)
    write_part(run, game, 0, rows, game_rows(rows))
    paths = plot_run(run)
    assert paths == [run / "plots" / f"{name}.png" for name in figures_of(game)]
    assert [path.name for path in paths[:2]] == ["standings.png", "seat_advantage.png"]
    assert all(path.stat().st_size > 10_000 for path in paths)


def test_the_page_tells_of_every_figure() -> None:
    page = (Path(__file__).parents[2] / "docs" / "tournaments.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `?(\w+)`? \| `(\w+)\.png` \| .+ \|$", page, re.M)
    own = [(game.name, name) for game in GAMES for name, plot in figures_of(game).items() if plot not in EVERY.values()]
    assert told == [("every", name) for name in EVERY] + own


@EVERY_GAME
def test_nothing_is_cut_off_or_overlaps(game: Game) -> None:
    """With long labels, and the fewest and the most players, every text is in its figure and clear of the others."""
    agents = [*AGENTS, "my_module:MyVeryOwnAgentOfManyWords(depth=3,style=daring)", "mc(milliseconds=50,policy=greedy)"]
    for players in PLAYERS[game.name]:
        for plot in figures_of(game).values():
            figure = plot(frame(game, 4, agents, players), game.place_names.get(players))
            boxes = [(text.get_text(), text.get_window_extent()) for text in texts(figure)]
            assert len(boxes) > 10
            for number, (text, box) in enumerate(boxes):
                assert figure.bbox.x0 <= box.x0 <= box.x1 <= figure.bbox.x1, (text, plot)
                assert figure.bbox.y0 <= box.y0 <= box.y1 <= figure.bbox.y1, (text, plot)
                for other, other_box in boxes[:number]:
                    assert not box.overlaps(other_box), (text, other, plot)
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
        lighter, darker = (background, 0.0) if drawing.ink(colour) == "black" else (1.0, background)
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


@EVERY_GAME
def test_a_run_without_games_is_said_to_have_none(game: Game) -> None:
    for plot in figures_of(game).values():
        assert "This run has no" in said(plot(frame(game, 1, AGENTS).iloc[:0], None))


@EVERY_GAME
def test_every_figure_says_how_many_matches_it_is_of(game: Game) -> None:
    """And of a single match, where there are intervals, that there are none."""
    results = frame(game, 3, AGENTS)
    before = results.copy()
    for plot in figures_of(game).values():
        assert "3 matches · 4 agents · " in said(plot(results, None))
        text = said(plot(results[results["match"] == 0], None))
        assert "1 match · 4 agents · " in text
        assert "bars: 95 %" not in text
    pd.testing.assert_frame_equal(results, before)


@pytest.mark.parametrize("plot", [plot_standings, plot_seat_advantage, plot_tribute_advantage])
def test_a_single_match_has_points_without_bars(plot: Callable[..., Figure]) -> None:
    figure = plot(results_frame(1, AGENTS))
    assert "1 match · 4 agents · no intervals from a single match" in said(figure)
    points, _ = drawn(figure.axes[0])
    assert np.isfinite(points).all()


def test_plot_run_writes_pngs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = tmp_path / "run"
    create_run(run, manifest(3))
    rows = result_rows(3, AGENTS)
    write_part(run, GAME, 0, rows, game_rows(rows))
    paths = plot_run(run, tmp_path / "figures")
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


def test_figures_of_a_run_name_rules_and_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above the note, or where it would stand: a run has no games yet."""
    shown = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: shown.append(said(figure)))
    for number, rows in enumerate([result_rows(3, AGENTS), []]):
        run = tmp_path / str(number)
        create_run(run, manifest(3, options=[("fall", "off"), ("j_back", "on")]))
        if rows:
            write_part(run, GAME, 0, rows, game_rows(rows))
        plot_run(run)
    assert len(shown) == 8
    assert all("federation, 4 players, fall=off, j_back=on" in text for text in shown)
    assert "daihinmin" in shown[0]


def test_the_names_of_many_rules_take_several_lines() -> None:
    figure = drawing.name_rules(drawing.new_figure(11, 4, "Points"), ", ".join(f"option_{n}=off" for n in range(20)))
    assert max(map(len, str(figure.get_supxlabel()).splitlines())) <= 120
    assert "option_19=off" in str(figure.get_supxlabel())


def test_nothing_is_warned_of(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """Neither letters that the font lacks, nor names that leave the panels no room."""
    run = tmp_path / "run"
    create_run(run, manifest(1))
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


@pytest.mark.parametrize("width", [5.6, 11.0, 20.0])
def test_a_note_is_no_wider_than_its_figure(width: float) -> None:
    figure = drawing.note(
        drawing.new_figure(width, 4.4, "A figure"), "greedy · 5,000 deals · MMMM, or no difference · " * 9
    )
    figure.draw_without_rendering()
    (text,) = figure.findobj(lambda artist: isinstance(artist, Text) and "greedy" in artist.get_text())
    extent = text.get_window_extent()
    assert extent.x0 >= 0
    assert extent.x1 <= figure.bbox.width
