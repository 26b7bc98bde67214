"""The benchmark measures what it says, and the signature changes with the games."""

import json

import numpy as np
import pytest
from agari.experiments import benchmark
from agari.experiments.benchmark import ALL, Bench, Figure, collect, generate, naive_twin, random_games
from agari.experiments.commands.benchmark import bench
from agari.experiments.signature import signature
from agari.sim.daifugo.moves import FOLLOWS, LEADS, LEADS_WITH_TWO_JOKERS
from agari.sim.game import Game, blank, legal_moves, moves_dtype
from agari.sim.games import GAMES, ruleset
from click.testing import CliRunner

FEDERATION = ruleset("federation", 4)


def fresh() -> Bench:
    return Bench(FEDERATION, positions=64, games=40)


@pytest.mark.parametrize(("kind", "size"), [(LEADS, -1), (LEADS_WITH_TWO_JOKERS, -1), (LEADS, 5), (FOLLOWS, 3)])
def test_position_sets_hold_what_their_names_say(kind: int, size: int) -> None:
    measure = fresh()
    positions = np.zeros(50, FEDERATION.game.state_dtype)
    assert collect(measure.rules, measure.state, measure.moves, 5, positions, kind, size) == 50
    for position in positions:
        hand = int(position["hands"][position["turn"]])
        assert (position["field"] == 0) == (kind != FOLLOWS)
        assert size < 0 or hand.bit_count() - (hand >> 52).bit_count() + (hand >> 52) == size
        assert kind == FOLLOWS or (hand >> 52 == 2) == (kind == LEADS_WITH_TWO_JOKERS)


def test_a_set_of_positions_that_are_not_there() -> None:
    measure = fresh()
    positions = np.zeros(50, FEDERATION.game.state_dtype)
    assert collect(measure.rules, measure.state, measure.moves, 5, positions, LEADS_WITH_TWO_JOKERS, 1) == 0
    assert list(measure.generation_of(LEADS_WITH_TWO_JOKERS, 1, 8)) == []


def test_the_set_of_all_positions_holds_every_decision_of_its_games() -> None:
    measure = fresh()
    decisions = random_games(measure.rules, measure.state, measure.moves, 3, 5)
    positions = np.zeros(decisions + 1, FEDERATION.game.state_dtype)
    collect(measure.rules, measure.state, measure.moves, 5, positions, ALL, -1)
    dealt = positions["sizes"][:, :4].sum(axis=1)
    assert (dealt == 52).sum() == 4  # the first decisions of four games


def test_generate_counts_all_moves() -> None:
    measure = fresh()
    positions = np.zeros(40, FEDERATION.game.state_dtype)
    collect(measure.rules, measure.state, measure.moves, 5, positions, ALL, -1)
    moves = blank(moves_dtype(FEDERATION.game.max_moves))
    each = sum(int(legal_moves(measure.rules, position, moves)) for position in positions.view(np.recarray))
    assert generate(measure.rules, positions, moves) == each


def test_a_ratio_says_how_many_times_faster_whatever_the_unit() -> None:
    assert Figure("", 10.0, "ns", 2000.0, "").ratio == 200
    assert Figure("", 500.0, "games/s", 5.0, "").ratio == 100
    assert Figure("", 1.0, "s", None, "").ratio is None


def test_bench_prints_every_kind_of_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmark, "TWIN_SECONDS", 0.05)
    result = CliRunner().invoke(bench, ["--positions", "64", "--games", "40", "--json"])
    assert result.exit_code == 0, result.output
    figures = [json.loads(line) for line in result.output.splitlines()]
    names = [figure["name"] for figure in figures]
    for name in (
        "generation, all",
        "generation, lead",
        "generation, lead with two jokers",
        "generation, follow",
        "generation, lead, 13 cards",
        "random games, dealt and played",
        "perft",
        "tournament games, agents in Python",
        "mc playouts, policy greedy, from the deal",
        "start-up, cold",
        "start-up, warm",
    ):
        assert name in names
    assert all(figure["value"] > 0 for figure in figures)
    assert all(figure["ratio"] is None or figure["ratio"] > 1 for figure in figures)


@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
def test_every_game_has_a_slow_twin(game: Game) -> None:
    twin = naive_twin(game)
    assert twin is not None
    assert all(callable(getattr(twin, name)) for name in ("legal", "apply", "perft"))


def test_the_smallest_sets() -> None:
    assert all(figure.value > 0 for figure in Bench(FEDERATION, positions=1, games=1).random_play())
    (generation,) = Bench(FEDERATION, positions=1, games=1).generation_of(LEADS, 3, 1 // 8)
    assert generation.figure().of.startswith("1 positions")


def test_the_signature_is_the_same_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agari.experiments.signature.MATCHES", 1)
    assert signature() == signature()
    assert len(signature()) == 16
