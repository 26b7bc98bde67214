"""Counting sequences of moves: against a plain recursion, and to the end of the game."""

from typing import Any

import numpy as np
import pytest
from agari.sim.game import blank, deal, play
from agari.sim.perft import divide, perft

from ..case_files import GAME, Case, cases, own_perft, preset_of
from ..daifugo_table import moves_of
from ..interrupts import interrupted
from ..naive import daifugo as twin
from ..twin.perft_cases import make_cases
from ..twin.walk import PRESET_OPTIONS

PERFT, OWN_PERFT = cases("perft"), own_perft()
WHOLE_GAMES = [case for case in PERFT if case["games"] is not None]
OWN_WHOLE_GAMES = [case for case in OWN_PERFT if case["games"] is not None]


def after(rules: Any, state: Any, move: int) -> Any:
    """The state after a move."""
    state = state.copy()
    play(rules, state, move)
    return state


def plain_count(rules: Any, state: Any, depth: int) -> int:
    """How many sequences of `depth` moves there are, by recursion."""
    if depth == 0:
        return 1
    return sum(plain_count(rules, after(rules, state, move), depth - 1) for move in moves_of(rules, state))


def whole_games(rules: Any, state: Any, known: dict[bytes, int]) -> int:
    """How many sequences of moves there are to the end of the game; equal states are counted once."""
    key = state.tobytes()
    if key not in known:
        moves = moves_of(rules, state)
        known[key] = sum(whole_games(rules, after(rules, state, move), known) for move in moves) if moves else 1
    return known[key]


def read(case: Case) -> tuple[Any, Any]:
    rules = GAME.options.parse(case["rules"])
    return rules, GAME.parse_state(rules, case["state"])


@pytest.mark.parametrize("case", PERFT, ids=[case["name"] for case in PERFT])
def test_agrees_with_a_plain_recursion(case: Case) -> None:
    rules, state = read(case)
    before = state.copy()
    moves, counts = divide(rules, state, 4)
    assert state == before
    assert moves.tolist() == moves_of(rules, state)
    assert counts.shape == (len(moves), 4)
    for move, by_length in zip(moves, counts, strict=True):
        assert by_length.tolist() == [plain_count(rules, after(rules, state, move), depth) for depth in range(4)]
    assert perft(rules, state, 4).tolist() == counts.sum(axis=0).tolist()


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_shorter_count_is_the_beginning_of_a_longer_one(depth: int) -> None:
    rules, state = read(PERFT[1])
    moves, counts = divide(rules, state, depth)
    more_moves, more_counts = divide(rules, state, 5)
    assert moves.tolist() == more_moves.tolist()
    assert np.array_equal(counts, more_counts[:, :depth])


@pytest.mark.parametrize("size", [1, 2, 97])
def test_slices_change_nothing(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    rules, state = read(PERFT[1])
    moves, counts = divide(rules, state, 5)
    monkeypatch.setattr("agari.sim.perft.SLICE_STEPS", size)
    again = divide(rules, state, 5)
    assert np.array_equal(again[0], moves)
    assert np.array_equal(again[1], counts)


def test_ctrl_c_is_answered_amid_a_count() -> None:
    rules = GAME.presets["federation"].by_players[4]
    state = blank(GAME.state_dtype)
    deal(rules, state, 0, 5)
    divide(rules, state, 2)  # compiled
    with interrupted():
        divide(rules, state, 13)


def test_games_that_are_over_count_nothing() -> None:
    """Twelve cards cannot be played for ever: at some length there are no more sequences, nor at any greater."""
    rules, state = read(WHOLE_GAMES[0])
    counts = perft(rules, state, 60)
    longest = np.flatnonzero(counts)[-1] + 1
    assert 12 < longest < 60
    assert (counts[:longest] > 0).all()


def test_cases_with_whole_games() -> None:
    assert len(WHOLE_GAMES) == 3


def test_own_cases_are_of_every_ruleset() -> None:
    names = [preset_of(case) for case in OWN_PERFT]
    assert {name: names.count(name) for name in PRESET_OPTIONS} == dict.fromkeys(PRESET_OPTIONS, 3)
    assert names.count(None) == 24
    assert sum(case["perft"][-1] for case in OWN_PERFT) > 400_000


@pytest.mark.parametrize("case", OWN_PERFT, ids=[case["name"] for case in OWN_PERFT])
def test_own_cases(case: Case) -> None:
    """What the twin counted: the numbers of sequences of plays, the last also by first play."""
    rules, state = read(case)
    moves, counts = divide(rules, state, len(case["perft"]))
    assert counts.sum(axis=0).tolist() == case["perft"]
    assert {GAME.format_move(rules, move): int(row[-1]) for move, row in zip(moves, counts, strict=True)} == case[
        "divide"
    ]


@pytest.mark.parametrize("case", OWN_PERFT[::5], ids=[case["name"] for case in OWN_PERFT[::5]])
def test_the_twin_counts_own_cases_so(case: Case) -> None:
    short = case["perft"][:6]
    assert twin.perft(case["rules"], case["state"], len(short)) == short


@pytest.mark.slow
def test_own_cases_are_made_so() -> None:
    """``python -m tests.twin.perft_cases`` writes the file as it is."""
    assert list(make_cases()) == OWN_PERFT


@pytest.mark.parametrize(
    "case", WHOLE_GAMES + OWN_WHOLE_GAMES, ids=[case["name"] for case in WHOLE_GAMES + OWN_WHOLE_GAMES]
)
def test_whole_games(case: Case) -> None:
    rules, state = read(case)
    assert whole_games(rules, state, {}) == case["games"]
