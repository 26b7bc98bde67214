"""What turns tell of hands (B7): the facts of `state.py`, kept as the deal goes on."""

import numpy as np

from ..kernels import kernel, popcount
from .cards import PACK
from .state import FACTS


@kernel
def add_fact(state, seat, cards):
    """Note that `seat` holds none of some cards now."""
    begin = seat * FACTS
    count = np.int64(state.facts[seat])
    for index in range(begin, begin + count):
        state.ruled[index] |= cards
    if count and state.room[begin + count - 1] == 0:  # says it already
        return
    if count == FACTS:
        count -= 1
        for index in range(begin, begin + count):
            state.ruled[index] = state.ruled[index + 1]
            state.room[index] = state.room[index + 1]
            state.share[index] = state.share[index + 1]
    state.ruled[begin + count] = cards
    state.room[begin + count] = 0
    state.share[begin + count] = 1.0
    state.facts[seat] = count + 1


@kernel
def take_from_facts(state, seat, cards):
    """Bring the facts of `seat` up to date when it has played cards; ``state.sizes`` is without them."""
    begin = seat * FACTS
    size = np.int64(state.sizes[seat])
    unseen = PACK & ~state.pile
    room = size
    kept = begin
    for index in range(begin, begin + state.facts[seat]):
        ruled = state.ruled[index]
        known = popcount(ruled & cards)
        left = state.room[index] - known
        if left < room:  # else it says no more than the one before, or nothing
            room = left
            share = state.share[index]
            # A card drawn since may be any unseen one, one held before none of the fact's: so the odds for each card
            # of either kind to be the one that was played.
            odds = popcount(unseen & ~ruled) / popcount(unseen)
            for other in range(popcount(cards) - known):
                since = share * left
                before = size + 1 + other - since
                share *= 1.0 - odds / (before + odds * since)
            state.ruled[kept] = ruled
            state.room[kept] = left
            state.share[kept] = share
            kept += 1
    state.facts[seat] = kept - begin
