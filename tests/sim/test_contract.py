"""The contract of a game: generic kernels, which dispatch on the type of the rules in Python and in kernels alike."""

import random
from typing import NamedTuple

import numba
import numpy as np
import pytest
from agari.sim.daifugo.moves import MAX_MOVES
from agari.sim.daifugo.notation import pack_of
from agari.sim.daifugo.record import new_game
from agari.sim.daifugo.rules import Rules
from agari.sim.daifugo.tribute import begin_tribute
from agari.sim.game import PASS, blank, deal, generic, legal_moves, observe, payoff, play
from agari.sim.rng import below, key_of

from ..daifugo_table import GAME, MOVES, decisions, federation, moves_of, random_options
from ..playing import random_game

FEDERATION = federation()


# --- A second game, written here --------------------------------------------------------------------------------


class Nim(NamedTuple):
    """Two seats take up to `most` stones in turn from a hidden number; whoever takes the last one wins."""

    most: int


NIM_STATE = np.dtype(
    (
        np.record,
        np.dtype(
            [("turn", "i8"), ("observer", "i8"), ("stones", "i8"), ("winner", "i8"), ("seated", "i1", (2,))], align=True
        ),
    )
)


@deal.register(Nim)
@numba.njit
def nim_deal(rules, state, game, key):
    state.turn, state.observer, state.stones = game % 2, -1, 10 + below(key, 10)


@legal_moves.register(Nim)
@numba.njit
def nim_legal_moves(rules, state, moves):
    count = min(rules.most, state.stones)
    for taken in range(count):
        moves.list[taken] = taken + 1
    return count


@play.register(Nim)
@numba.njit
def nim_play(rules, state, move):
    state.stones -= move
    if state.stones == 0:
        state.winner, state.turn = state.turn, -1
    else:
        state.turn = 1 - state.turn


@payoff.register(Nim)
@numba.njit
def nim_payoff(rules, state, seat):
    return 1.0 if state.winner == seat else 0.0


def random_game_in_python(rules, state, moves, key):
    """The same, from Python."""
    return random_game.py_func(rules, state, moves, key)


def test_one_kernel_plays_every_game_as_python_does() -> None:
    for rules, dtype in ((FEDERATION, GAME.state_dtype), (Nim(3), NIM_STATE)):
        for key in range(10):
            answers = [run(rules, blank(dtype), MOVES, key_of(key)) for run in (random_game, random_game_in_python)]
            assert answers[0] == answers[1]
            assert answers[0][0] > 3


def test_dispatch_is_by_type_of_the_rules() -> None:
    state = blank(NIM_STATE)
    deal(Nim(3), state, 1, 0)
    assert (state.turn, state.observer) == (1, -1)
    assert legal_moves(Nim(2), state, MOVES) == 2


def test_a_game_without_the_kernel_is_refused() -> None:
    state = blank(NIM_STATE)
    with pytest.raises(KeyError):
        observe(Nim(3), state, 0, state)
    with pytest.raises(numba.TypingError):
        numba.njit(lambda rules, record: observe(rules, record, 0, record))(Nim(3), state)


def test_a_new_generic_function() -> None:
    @generic
    def twice(rules):
        """Return twice what there is."""

    @twice.register(Nim)
    @numba.njit
    def nim_twice(rules):
        return 2 * rules.most

    assert twice(Nim(4)) == numba.njit(lambda rules: twice(rules))(Nim(4)) == 8
    assert twice.__doc__ == "Return twice what there is."


def test_pass_is_no_move_of_a_leader() -> None:
    assert PASS == 0
    assert PASS not in moves_of(FEDERATION, next(decisions(FEDERATION, seed=1)))


# --- The bound on the buffer of moves ---------------------------------------------------------------------------

MOST_MOVES = 6676  # the whole pack with two jokers to lead, one step beyond both ends, and a pass


def test_no_hand_has_more_moves_than_the_buffer_holds() -> None:
    """Adding a card to a hand takes no play away, so the whole pack has the most; every option that counts is tried."""
    counts = []
    for beyond in ("none", "top", "both"):
        for lead_pass in (False, True):
            for jokers in (0, 1, 2):
                rules = federation(joker_beyond=beyond, lead_pass=lead_pass, jokers=jokers, blind=0)
                state = new_game(rules, [pack_of(rules), 0, 0, 0])
                for revolution in (0, 1):
                    state.revolution = revolution
                    moves = moves_of(rules, state)
                    assert len(set(moves)) == len(moves)
                    counts.append(len(moves))
    assert max(counts) == MOST_MOVES <= MAX_MOVES - 4  # singles are written four at a time
    state = new_game(FEDERATION, [pack_of(FEDERATION), 0, 0, 0], previous=[0, 1, 2, 3])
    state.hands[2] = state.hands[3] = 7  # something to give
    begin_tribute(FEDERATION, state)
    assert len(moves_of(FEDERATION, state)) == 52 * 51 // 2 + 52 + 1


@pytest.mark.parametrize("seed", range(20))
def test_a_card_more_takes_no_play_away(seed: int) -> None:
    source = random.Random(seed)
    rules: Rules = GAME.options.parse(random_options(source) | {"jokers": 2})
    cards = source.sample([1 << card for card in range(52)] + [1 << 52] * 2, 24)
    before: set[int] = set()
    for count in range(1, 25):
        state = new_game(rules, [sum(cards[:count]), *[0] * (rules.players - 1)])
        moves = set(moves_of(rules, state))
        assert before <= moves
        before = moves
