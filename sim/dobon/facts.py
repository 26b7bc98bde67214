"""What turns tell of hands (B7): the facts of `state.py`, kept as the deal goes on."""

import numpy as np

from ..kernels import kernel, popcount
from .cards import PACK


@kernel
def add_fact(state, seat, cards):
    """Note that `seat` holds none of some cards now."""
    begin = seat * np.int64(state.facts_each)
    count = np.int64(state.facts[seat])
    for index in range(begin, begin + count):
        state.ruled[index] |= cards
    if count and state.room[begin + count - 1] == 0:  # says it already
        return
    if count == state.facts_each:
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
    begin = seat * np.int64(state.facts_each)
    size = np.int64(state.sizes[seat])
    count = popcount(cards)
    unseen = PACK & ~state.pile
    any_card = np.float64(popcount(unseen))
    room = size
    kept = begin
    for index in range(begin, begin + state.facts[seat]):
        ruled = state.ruled[index]
        known = popcount(ruled & cards)
        left = state.room[index] - known
        if left < room:  # else it says no more than the one before, or nothing
            room = left
            share = np.float64(state.share[index])
            if left > 0:
                # A card drawn since may be any unseen one, one held before none of the fact's: so the odds for each
                # card of either kind to be the one that was played.
                other_card = np.float64(popcount(unseen & ~ruled))
                for more in range(count - known):
                    since = share * left
                    share *= 1.0 - other_card / (any_card * (size + 1 + more - since) + other_card * since)
            state.ruled[kept] = ruled
            state.room[kept] = left
            state.share[kept] = share
            kept += 1
    state.facts[seat] = kept - begin
