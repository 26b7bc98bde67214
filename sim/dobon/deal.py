"""The deal (B1), and who begins it."""

import numpy as np

from ..game import deal
from ..kernels import kernel, small_kernel
from ..rng import CHANCE, DEAL, advance, below, derive
from ..seats import next_seat
from .rules import HAND, MAX_PLAYERS, Rules
from .state import DOBON, FACTS, OUT, RETURNED, TURN


@small_kernel
def next_first(rules, state):
    """Return who begins the deal after a finished one (B1.2)."""
    if state.end == OUT or state.end == RETURNED:
        return np.int64(state.player)
    if state.end == DOBON:
        return next_seat(rules, state.shooters, np.int64(state.player))
    return np.int64(state.first)


@kernel
def begin(rules, state, first):
    """Blank a state for a deal that `first` begins; the cards are still to be dealt."""
    for seat in range(MAX_PLAYERS):
        state.hands[seat] = 0
        state.sizes[seat] = 0
        state.sums[seat] = 0
        state.facts[seat] = 0
        state.seated[seat] = seat
    state.turn = first
    state.player = first
    state.first = first
    state.phase = TURN
    state.direction = 1
    state.last = 0
    state.drawn = 0
    state.pending = 0
    state.asked = 0
    state.waiting = 0
    state.shooters = 0
    state.end = 0
    state.turns = 0
    state.staged = 0
    state.ordered = 0
    state.stock_from = 0
    state.refills = 0
    state.facts_each = FACTS // rules.players
    state.observer = -1


@kernel
def deal_cards(rules, state, first, key):
    """Deal by the streams of `key` to a blank state: five cards each, the up-card, the stock (B1.1)."""
    begin(rules, state, first)
    for card in range(52):
        state.stock[card] = card
    stream = derive(key, DEAL)
    dealt = HAND * rules.players + 1
    for place in range(dealt):
        stream = advance(stream)
        other = place + below(stream, 52 - place)
        card = state.stock[other]
        state.stock[other] = state.stock[place]
        state.stock[place] = card
    place = 0
    for seat in range(rules.players):
        hand = np.int64(0)
        total = 0
        for _ in range(HAND):
            card = np.int64(state.stock[place])
            hand |= np.int64(1) << card
            total += (card >> 2) + 1
            place += 1
        state.hands[seat] = hand
        state.sizes[seat] = HAND
        state.sums[seat] = total
    state.top = state.stock[place]
    state.suit = state.top & 3
    state.pile = np.int64(1) << state.top
    state.next = dealt
    state.left = 52 - dealt
    state.key = key
    state.stream = derive(key, CHANCE)


@deal.register(Rules)
@kernel
def dobon_deal(rules, state, game, key):
    """Deal number `game` of a match: the winner of the one before begins, in the first one a seat by lot (B1.2)."""
    first = next_first(rules, state) if game > 0 else below(derive(key, DEAL), rules.players)
    deal_cards(rules, state, first, key)
