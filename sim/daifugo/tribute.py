"""Tribute (D9.2): what goes up, what may come back, and the exchange.

Pair 0 is the last-ranked player with the first-ranked; with four players or more pair 1 is the second-last with the
second.
"""

import numpy as np

from ..cards import CARDS, JOKER, NATURALS
from ..kernels import kernel, small_kernel, trailing_zeros
from .state import PLAY, TRIBUTE


@small_kernel
def pair_count(rules):
    """Return the number of tribute pairs; 0 where the rules have no tribute."""
    if not rules.tribute:
        return 0
    return 1 if rules.players == 3 else 2


@small_kernel
def giver(rules, state, pair):
    """Return the seat that gives its strongest cards in a pair."""
    return np.int64(state.previous[rules.players - 1 - pair])


@small_kernel
def receiver(rules, state, pair):
    """Return the seat that receives them and gives others back."""
    return np.int64(state.previous[pair])


@kernel
def exchanged(rules, state, pair):
    """Return of a pair whose tribute is done: giver, receiver, and the cards that went to each other's hand."""
    return giver(rules, state, pair), receiver(rules, state, pair), state.given[pair], state.returned[pair]


@small_kernel
def tribute_size(rules, pair):
    """Return how many cards go each way in a pair."""
    return 2 if pair == 0 and rules.players > 3 else 1


@kernel
def strongest(cards, count):
    """Return the `count` strongest cards of a set: jokers, then 2, A, …; equal ranks by ♠ ♥ ♦ ♣ (D9.2)."""
    chosen = np.int64(0)
    for _ in range(count):
        if cards >> 52:
            card = np.int64(JOKER)
        else:
            shift = np.int64(48)
            while cards >> shift == 0:
                shift -= 4
            card = np.int64(1) << (shift + trailing_zeros(cards >> shift))
        chosen += card
        cards -= card
    return chosen


@small_kernel
def pair_of(rules, state, seat):
    """Return the pair in which `seat` receives."""
    return 0 if receiver(rules, state, 0) == seat else 1


@small_kernel
def next_chooser(rules, state):
    """Return the seat that chooses its return now: the receiver of the first pending pair."""
    return receiver(rules, state, trailing_zeros(state.pending))


@kernel
def begin_tribute(rules, state):
    """Take what goes up from the hands as dealt, and let the first receiver choose."""
    state.phase = TRIBUTE
    state.pending = 0
    for pair in range(pair_count(rules)):
        state.given[pair] = strongest(state.hands[giver(rules, state, pair)], tribute_size(rules, pair))
        state.pending |= 1 << pair
    state.turn = next_chooser(rules, state)


@small_kernel
def choosable(rules, state, pair):
    """Return the cards from which a pair's return is chosen: with `tribute_blind` without those received."""
    hand = state.hands[receiver(rules, state, pair)]
    return hand if rules.tribute_blind else hand + state.given[pair]


@kernel
def legal_returns(rules, state, moves):
    """Write all sets of cards that the seat to act may give back into ``moves.list``; return how many."""
    pair = pair_of(rules, state, state.turn)
    hand = choosable(rules, state, pair)
    cards = hand & NATURALS
    jokers = hand >> 52
    count = 0
    if tribute_size(rules, pair) == 1:
        while cards:
            moves.list[count] = cards & -cards
            cards &= cards - 1
            count += 1
        if jokers:
            moves.list[count] = JOKER
            count += 1
        return count
    while cards:
        first = cards & -cards
        cards ^= first
        rest = cards
        while rest:
            moves.list[count] = first | rest & -rest
            rest &= rest - 1
            count += 1
        if jokers:
            moves.list[count] = first | JOKER
            count += 1
    if jokers == 2:
        moves.list[count] = 2 * JOKER
        count += 1
    return count


@kernel
def choose_return(rules, state, cards):
    """Note what the seat to act gives back; after the last choice make all exchanges. Both pairs choose unseen."""
    pair = pair_of(rules, state, state.turn)
    state.returned[pair] = cards & CARDS
    state.pending &= ~(1 << pair)
    if state.pending:
        state.turn = next_chooser(rules, state)
        return
    for index in range(pair_count(rules)):
        change = state.given[index] - state.returned[index]
        state.hands[receiver(rules, state, index)] += change
        state.hands[giver(rules, state, index)] -= change
    for seat in range(rules.players):
        state.dealt[seat] = state.hands[seat]
    state.phase = PLAY
    state.turn = -1  # the leader is settled by play.begin_play
