"""What a move does (V2, V3): the card on the table, who wins the trick, leaving, and the end of the round."""

import numpy as np

from ..game import payoff, play
from ..kernels import highest_bit, kernel, small_kernel
from ..seats import next_seat
from .rules import HIGHEST, NEED, REMAINDER, Rules
from .state import NAME


@small_kernel
def best_rank(rules, ranks):
    """Return which of some ranks of one colour is the highest in a trick: the 0 beside the highest of all (V2.3)."""
    highest = HIGHEST[rules.players]
    if ranks >> highest & ranks & 1:
        return np.int64(0)
    return highest_bit(ranks)


@small_kernel
def winning_card(rules, state):
    """Return the card that wins the trick on the table as far as it has been played (V2.2)."""
    if state.trump_ranks:
        return 16 * state.trump + best_rank(rules, np.int64(state.trump_ranks))
    return 16 * state.lead + best_rank(rules, np.int64(state.lead_ranks))


@small_kernel
def trick_worth(card):
    """Return how many tricks a card wins: two with a 5 or a 7 (V2.4)."""
    rank = card & 15
    return np.int64(2 if rank == 5 or rank == 7 else 1)


@small_kernel
def leave(rules, state, seat):
    """Let a seat leave the round; the next one still in leads, or the round is over (V3.1–V3.3)."""
    total = np.int64(0)
    for other in range(rules.players):
        total += state.tricks[other]
    state.gone += 1
    state.exit[seat] = state.gone
    state.scores[seat] = total - state.tricks[seat]
    state.alive &= ~(1 << seat)
    state.turn = next_seat(rules, state.alive, seat)
    state.leader = state.turn
    if state.gone == rules.players - 1:
        last = state.turn
        own = np.int64(state.tricks[last])
        two = rules.players == 2 and rules.two_player_last == REMAINDER
        state.exit[last] = rules.players
        state.scores[last] = NEED[rules.players] - own if two else own
        state.last = last
        state.turn = -1


@play.register(Rules)
@kernel
def voodoo_play(rules, state, move):
    """Make a legal move (int64)."""
    seat = state.turn
    if move > NAME:
        state.trump = move - NAME
        return
    colour = move >> 4
    half = np.int64(move >= 48)
    bit = np.int64(1) << (move - 48 * half)
    state.hands[2 * seat + half] &= ~bit
    state.seen[half] |= bit
    state.sizes[seat] -= 1
    state.table[seat] = move
    if state.lead == 0:
        state.lead = colour
    rank_bit = np.int64(1) << (move & 15)
    if colour == state.trump:
        state.trump_ranks |= rank_bit
    if colour == state.lead:
        state.lead_ranks |= rank_bit
    else:
        state.lacks[seat] |= 1 << state.lead
    following = next_seat(rules, state.alive, seat)
    if following != state.leader:
        state.turn = following
        return
    card = winning_card(rules, state)
    winner = np.int64(0)
    for other in range(rules.players):
        if state.table[other] == card:
            winner = np.int64(other)
        state.table[other] = 0
    state.lead = 0
    state.lead_ranks = 0
    state.trump_ranks = 0
    state.tricks[winner] += trick_worth(card)
    state.leader = winner
    state.turn = winner
    if state.tricks[winner] >= NEED[rules.players]:
        leave(rules, state, winner)


@payoff.register(Rules)
@kernel
def voodoo_payoff(rules, state, seat):
    """Return the score of a seat in a finished round (float64)."""
    return np.float64(state.scores[seat])
