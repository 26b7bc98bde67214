"""Searches: each spends what it may, thinks the same by the same seed, and knows what is certain."""

import time
from typing import Any

import numpy as np
import pytest
from agari.agents.ismcts import IsmctsAgent
from agari.agents.montecarlo import MonteCarloAgent
from agari.agents.search import SearchAgent, Thoughts
from agari.sim.daifugo.state import TRIBUTE
from agari.sim.errors import InputError
from agari.sim.rng import key_of

from ..daifugo_table import GAME, Position, decisions, federation, moves_of, position, view_of
from ..interrupts import interrupted

FEDERATION = federation()
FORCED_WIN = position("H5 D8", "C5 C6 C9", "C7 D9 DT", "CT CJ CQ")
LEAD = position("S4 H4 D8 HT CA JK", "C5 D9 SK H2", "C6 S7 HQ D2", "C7 S3 HJ JK")

pytestmark = pytest.mark.parametrize("search", [MonteCarloAgent, IsmctsAgent])
Search = type[SearchAgent]


def think(search: Search, where: Position, key: int = 0, **options: Any) -> Thoughts:
    return search(**options).think(view_of(FEDERATION, GAME.parse_state(FEDERATION, where), key))


def same(first: Thoughts, second: Thoughts) -> bool:
    return all(np.array_equal(one, other, equal_nan=True) for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize("playouts", [1, 2, 5, 6, 7, 11, 50, 333, 2000])
def test_spends_exactly_its_playouts(search: Search, playouts: int) -> None:
    thoughts = think(search, LEAD, playouts=playouts)
    assert thoughts.playouts.sum() == playouts
    assert (thoughts.playouts >= 0).all()
    if playouts >= 2 * len(thoughts.moves):
        assert thoughts.playouts.min() >= 1
    if playouts >= 8 * len(thoughts.moves):
        assert thoughts.playouts.min() >= 4


def test_spends_most_on_what_can_still_be_best(search: Search) -> None:
    thoughts = think(search, FORCED_WIN, playouts=600)
    assert GAME.format_move(FEDERATION, thoughts.moves[thoughts.playouts.argmax()]) == "S:D8"
    assert thoughts.playouts.max() > 550


def test_same_key_and_seed_same_thoughts(search: Search) -> None:
    first = think(search, LEAD, key=5, playouts=200)
    assert same(first, think(search, LEAD, key=5, playouts=200))
    assert same(first, think(search, LEAD, key=5, playouts=200, seed=0))
    for other in (think(search, LEAD, key=6, playouts=200), think(search, LEAD, key=5, playouts=200, seed=1)):
        assert not same(first, other)


def test_nothing_is_remembered_from_one_decision_to_the_next(search: Search) -> None:
    agent = search(playouts=60)
    views = [view_of(FEDERATION, state, key_of(1)) for state in decisions(FEDERATION, seed=1, games=2)][::9]
    before = [agent.think(view) for view in views]
    assert all(
        same(agent.think(view), thoughts) for view, thoughts in zip(reversed(views), reversed(before), strict=True)
    )


def test_a_forced_win_is_worth_the_first_place(search: Search) -> None:
    """The 8 clears and the 5 goes out; the other way round the 8 is a foul."""
    for policy in ("random", "greedy"):
        thoughts = think(search, FORCED_WIN, playouts=400, policy=policy)
        best = [GAME.format_move(FEDERATION, move) for move in thoughts.moves].index("S:D8")
        assert thoughts.mean[best] == 6
        assert thoughts.standard_error[best] == 0
        assert thoughts.mean[1 - best] < 1


def test_points_of_the_rules_and_the_bonus_count(search: Search) -> None:
    rules = federation(points=[50, -3, 7, 11], set_bonus=100)
    state = GAME.parse_state(rules, FORCED_WIN)
    for last_of_set, worth in ((0, 50), (1, 150)):
        state.last_of_set = last_of_set
        assert search(playouts=100).think(view_of(rules, state)).mean.max() == worth


def test_standard_errors(search: Search) -> None:
    """Of a result that is 2 or 0 they follow from the mean; below two playouts there are none."""
    where = position("S4 H4 C9 JK", "D5 CT SQ D2", "", "", out=[3, 2])
    thoughts = think(search, where, playouts=500, policy="random")
    share = thoughts.mean / 2
    expected = 2 * np.sqrt(share * (1 - share) / (thoughts.playouts - 1))
    assert np.allclose(thoughts.standard_error, expected)
    few = think(search, LEAD, playouts=3)
    assert np.isnan(few.standard_error).all()
    assert np.isnan(few.mean).sum() == len(few.moves) - 3


def test_chooses_the_most_tried_move(search: Search) -> None:
    for state in list(decisions(FEDERATION, seed=2, games=2))[::11]:
        view = view_of(FEDERATION, state, 3)
        agent = search(playouts=40)
        thoughts = agent.think(view)
        chosen = thoughts.moves.tolist().index(agent.choose(view))
        assert thoughts.playouts[chosen] == thoughts.playouts.max()
        of_these = thoughts.mean[thoughts.playouts == thoughts.playouts.max()]
        assert thoughts.mean[chosen] == of_these.max()


def test_chooses_what_to_give_back(search: Search) -> None:
    tributes = 0
    for rules in (federation(4), federation(5, tribute_blind=False)):
        for state in decisions(rules, seed=4, games=4):
            if state.phase == TRIBUTE:
                for policy in ("random", "greedy"):
                    choice = search(playouts=200, policy=policy).choose(view_of(rules, state, tributes))
                    assert choice in moves_of(rules, state)
                tributes += 1
    assert tributes == 12


def test_gives_back_no_joker(search: Search) -> None:
    """What a search is for: the returns that it thinks best keep the strongest cards."""
    for state in decisions(FEDERATION, seed=4, games=4):
        if state.phase == TRIBUTE and state.hands[state.turn] >> 52:
            text = GAME.format_move(FEDERATION, search(playouts=1500).choose(view_of(FEDERATION, state)))
            assert "JK" not in text


def test_how_many_worlds_are_kept_changes_nothing(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    """The n-th playout of every move is played in world n, drawn again where it is not at hand any more."""
    expected = think(search, LEAD, playouts=900)
    assert expected.playouts.max() > 256
    for kept in (1, 3):
        monkeypatch.setattr("agari.agents.search.WORLDS_KEPT", kept)
        for have, had in zip(think(search, LEAD, playouts=900), expected, strict=True):
            assert np.array_equal(have, had, equal_nan=True)


@pytest.mark.parametrize("size", [1, 7, 899, 900])
def test_slices_change_nothing(search: Search, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    expected = think(search, LEAD, playouts=900)
    monkeypatch.setattr("agari.agents.search.SLICE_PLAYOUTS", size)
    assert same(think(search, LEAD, playouts=900), expected)


def test_ctrl_c_is_answered_amid_a_search(search: Search) -> None:
    think(search, LEAD, playouts=1)  # compiled
    with interrupted():
        think(search, LEAD, playouts=2 * 10**7)


def test_milliseconds_are_thread_time(search: Search) -> None:
    agent = search(milliseconds=60)
    view = view_of(FEDERATION, GAME.parse_state(FEDERATION, LEAD))
    agent.think(view)
    began = time.thread_time()
    thoughts = agent.think(view)
    spent = time.thread_time() - began
    assert 0.06 <= spent < 0.2
    assert thoughts.playouts.sum() > 200


def test_the_least_time_is_enough_for_a_playout(search: Search) -> None:
    thoughts = think(search, LEAD, milliseconds=1e-6)
    assert thoughts.playouts.sum() >= 1


@pytest.mark.parametrize(
    "options",
    [
        {"playouts": 0},
        {"playouts": 2.5},
        {"playouts": True},
        {"playouts": "many"},
        {"milliseconds": -1},
        {"policy": "clever"},
        {"seed": 1.5},
    ],
)
def test_options_that_are_refused(search: Search, options: dict[str, Any]) -> None:
    (option,) = options
    with pytest.raises(InputError, match=f"^{option}=") as error:
        search(**options)
    assert "\n" not in str(error.value)
