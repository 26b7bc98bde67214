"""Monte Carlo: spends what it may, thinks the same by the same seed, and its means are right where they are known."""

import json
import time
from functools import cache
from typing import Any

import numpy as np
import pytest
from agari.agents.montecarlo import MonteCarloAgent, Thoughts
from agari.sim.daifugo.state import TRIBUTE
from agari.sim.errors import InputError
from agari.sim.rng import key_of

from ..interrupts import interrupted
from ..naive import daifugo as twin
from ..table import GAME, Position, decisions, federation, moves_of, position, view_of

FEDERATION = federation()
OPTIONS = GAME.options.format(FEDERATION)
FORCED_WIN = position("H5 D8", "C5 C6 C9", "C7 D9 DT", "CT CJ CQ")
LEAD = position("S4 H4 D8 HT CA JK", "C5 D9 SK H2", "C6 S7 HQ D2", "C7 S3 HJ JK")


def think(where: Position, key: int = 0, **options: Any) -> Thoughts:
    return MonteCarloAgent(**options).think(view_of(FEDERATION, GAME.parse_state(FEDERATION, where), key))


def by_text(thoughts: Thoughts) -> dict[str, float]:
    """The mean of each move."""
    return dict(zip((GAME.format_move(FEDERATION, move) for move in thoughts.moves), thoughts.mean, strict=True))


def same(first: Thoughts, second: Thoughts) -> bool:
    return all(np.array_equal(one, other, equal_nan=True) for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize("playouts", [1, 2, 5, 6, 7, 11, 50, 333, 2000])
def test_spends_exactly_its_playouts(playouts: int) -> None:
    thoughts = think(LEAD, playouts=playouts)
    assert thoughts.playouts.sum() == playouts
    assert (thoughts.playouts >= 0).all()
    if playouts >= 2 * len(thoughts.moves):
        assert thoughts.playouts.min() >= 1
    if playouts >= 8 * len(thoughts.moves):
        assert thoughts.playouts.min() >= 4


def test_spends_most_on_what_can_still_be_best() -> None:
    thoughts = think(FORCED_WIN, playouts=600)
    assert GAME.format_move(FEDERATION, thoughts.moves[thoughts.playouts.argmax()]) == "S:D8"
    assert thoughts.playouts.max() > 550


def test_same_key_and_seed_same_thoughts() -> None:
    first = think(LEAD, key=5, playouts=200)
    assert same(first, think(LEAD, key=5, playouts=200))
    assert same(first, think(LEAD, key=5, playouts=200, seed=0))
    for other in (think(LEAD, key=6, playouts=200), think(LEAD, key=5, playouts=200, seed=1)):
        assert not same(first, other)


def test_nothing_is_remembered_from_one_decision_to_the_next() -> None:
    agent = MonteCarloAgent(playouts=60)
    views = [view_of(FEDERATION, state, key_of(1)) for state in decisions(FEDERATION, seed=1, games=2)][::9]
    before = [agent.think(view) for view in views]
    assert all(
        same(agent.think(view), thoughts) for view, thoughts in zip(reversed(views), reversed(before), strict=True)
    )


def test_a_forced_win_is_worth_the_first_place() -> None:
    """The 8 clears and the 5 goes out; the other way round the 8 is a foul."""
    for policy in ("random", "greedy"):
        thoughts = think(FORCED_WIN, playouts=400, policy=policy)
        best = [GAME.format_move(FEDERATION, move) for move in thoughts.moves].index("S:D8")
        assert thoughts.mean[best] == 6
        assert thoughts.standard_error[best] == 0
        assert thoughts.mean[1 - best] < 1


def test_points_of_the_rules_and_the_bonus_count() -> None:
    rules = federation(points=[50, -3, 7, 11], set_bonus=100)
    state = GAME.parse_state(rules, FORCED_WIN)
    for last_of_set, worth in ((0, 50), (1, 150)):
        state.last_of_set = last_of_set
        assert MonteCarloAgent(playouts=100).think(view_of(rules, state)).mean.max() == worth


@cache
def random_worth(state: str, seat: int) -> float:
    """What a finished or unfinished position is worth to a seat if all play at random, by going through all games."""
    where = json.loads(state)
    if where["turn"] is None:
        return float(twin.points(OPTIONS, where["ranking"], last_of_set=False)[seat])
    plays = twin.legal(OPTIONS, where)
    return sum(random_worth(json.dumps(twin.apply(OPTIONS, where, play)), seat) for play in plays) / len(plays)


def test_means_are_those_of_all_games() -> None:
    """Two are still in, so the seat knows all cards, and random playouts can be averaged exactly."""
    where = position("S4 H4 C9 JK", "D5 CT SQ D2", "", "", out=[3, 2])
    state = GAME.parse_state(FEDERATION, where)
    thoughts = MonteCarloAgent(playouts=24_000, policy="random").think(view_of(FEDERATION, state))
    for move, mean, error in zip(thoughts.moves, thoughts.mean, thoughts.standard_error, strict=True):
        play = GAME.format_move(FEDERATION, move)
        exact = random_worth(json.dumps(twin.apply(OPTIONS, where, play)), 0)
        assert abs(mean - exact) < 4 * error + 1e-9, play
    assert len(set(by_text(thoughts).values())) > 3


def test_standard_errors() -> None:
    """Of a result that is 2 or 0 they follow from the mean; below two playouts there are none."""
    where = position("S4 H4 C9 JK", "D5 CT SQ D2", "", "", out=[3, 2])
    thoughts = think(where, playouts=500, policy="random")
    share = thoughts.mean / 2
    expected = 2 * np.sqrt(share * (1 - share) / (thoughts.playouts - 1))
    assert np.allclose(thoughts.standard_error, expected)
    few = think(LEAD, playouts=3)
    assert np.isnan(few.standard_error).all()
    assert np.isnan(few.mean).sum() == len(few.moves) - 3


def test_standard_errors_say_how_far_means_spread() -> None:
    """The mean of a move that many playouts went to, over seeds: it spreads by about the error that is claimed."""
    runs = [think(LEAD, playouts=3000, seed=seed) for seed in range(60)]
    best = int(np.argmax(sum(run.playouts for run in runs)))
    assert min(run.playouts[best] for run in runs) > 300
    spread = np.std([run.mean[best] for run in runs], ddof=1)
    claimed = np.mean([run.standard_error[best] for run in runs])
    assert 0.75 < spread / claimed < 1.3


def test_chooses_the_most_tried_move() -> None:
    for state in list(decisions(FEDERATION, seed=2, games=2))[::11]:
        view = view_of(FEDERATION, state, 3)
        agent = MonteCarloAgent(playouts=40)
        thoughts = agent.think(view)
        chosen = thoughts.moves.tolist().index(agent.choose(view))
        assert thoughts.playouts[chosen] == thoughts.playouts.max()
        of_these = thoughts.mean[thoughts.playouts == thoughts.playouts.max()]
        assert thoughts.mean[chosen] == of_these.max()


def test_chooses_what_to_give_back() -> None:
    tributes = 0
    for rules in (federation(4), federation(5, tribute_blind=False)):
        for state in decisions(rules, seed=4, games=4):
            if state.phase == TRIBUTE:
                for policy in ("random", "greedy"):
                    choice = MonteCarloAgent(playouts=200, policy=policy).choose(view_of(rules, state, tributes))
                    assert choice in moves_of(rules, state)
                tributes += 1
    assert tributes == 12


def test_gives_back_no_joker() -> None:
    """What a search is for: the returns that it thinks best keep the strongest cards."""
    for state in decisions(FEDERATION, seed=4, games=4):
        if state.phase == TRIBUTE and state.hands[state.turn] >> 52:
            text = GAME.format_move(FEDERATION, MonteCarloAgent(playouts=1500).choose(view_of(FEDERATION, state)))
            assert "JK" not in text


def test_how_many_worlds_are_kept_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The n-th playout of every move is played in world n, drawn again where it is not at hand any more."""
    expected = think(LEAD, playouts=900)
    assert expected.playouts.max() > 256
    for kept in (1, 3):
        monkeypatch.setattr("agari.agents.montecarlo.WORLDS_KEPT", kept)
        for have, had in zip(think(LEAD, playouts=900), expected, strict=True):
            assert np.array_equal(have, had, equal_nan=True)


@pytest.mark.parametrize("size", [1, 7, 899, 900])
def test_slices_change_nothing(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    expected = think(LEAD, playouts=900)
    monkeypatch.setattr("agari.agents.montecarlo.SLICE_PLAYOUTS", size)
    assert same(think(LEAD, playouts=900), expected)


def test_ctrl_c_is_answered_amid_a_search() -> None:
    think(LEAD, playouts=1)  # compiled
    with interrupted():
        think(LEAD, playouts=2 * 10**7)


def test_milliseconds_are_thread_time() -> None:
    agent = MonteCarloAgent(milliseconds=60)
    view = view_of(FEDERATION, GAME.parse_state(FEDERATION, LEAD))
    agent.think(view)
    began = time.thread_time()
    thoughts = agent.think(view)
    spent = time.thread_time() - began
    assert 0.06 <= spent < 0.2
    assert thoughts.playouts.sum() > 200


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
def test_options_that_are_refused(options: dict[str, Any]) -> None:
    (option,) = options
    with pytest.raises(InputError, match=f"^{option}=") as error:
        MonteCarloAgent(**options)
    assert "\n" not in str(error.value)
