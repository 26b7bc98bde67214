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
def share_left(share, left, unseen, ruled, cards, size, surely):
    """Return which share (float64) of the `left` places of a fact is likely to be taken after a play.

    Where the cards that it is about came from: `unseen` are those that are still out, `cards` those that were played
    and `size` is how many more a hand has. `surely` so many places are taken.
    """
    # A card drawn since may be any unseen one, one held before none of the fact's: so the odds for each card of either
    # kind to be the one that was played.
    any_card = popcount(unseen)
    other_card = popcount(unseen & ~ruled)
    since = max(share * left - surely, 0.0)
    for more in range(1, popcount(cards & ~ruled) + 1):
        odds = (other_card + more) * since
        since -= odds / ((any_card + more) * (size + more - since) + odds)
    return (since + surely) / left


@kernel
def take_from_facts(state, seat, cards):
    """Bring the facts of `seat` up to date when it has played cards; ``state.sizes`` is without them.

    Since a reshuffle it is certain how many of its cards are of the new stock: as many as the newest fact with all of
    that stock has room for. So a card of the stock was drawn after it, and says something of newer facts only; any
    other card was there before, and says something of older ones.
    """
    begin = seat * np.int64(state.facts_each)
    end = begin + state.facts[seat]
    size = np.int64(state.sizes[seat])
    unseen = PACK & ~state.pile
    stock = np.int64(PACK)
    certain = np.int64(-1)
    of_stock = size
    if state.refills:
        stock = state.stock_from
        for index in range(begin, end):
            if stock & ~state.ruled[index] == 0:
                certain = index
                of_stock = state.room[index] - popcount(cards & stock)
    room = size
    kept = begin
    for index in range(begin, end):
        ruled = state.ruled[index]
        left = state.room[index] - popcount(ruled & cards)
        if left < room:  # else it says no more than the one before, or nothing
            room = left
            share = np.float64(state.share[index])
            if left > 0 and (cards & ~ruled or index <= certain):
                if index > certain:
                    share = share_left(share, left, unseen & stock, ruled, cards & stock, of_stock, np.int64(0))
                else:
                    share = share_left(share, left, unseen & ~stock, ruled, cards & ~stock, size - of_stock, of_stock)
            state.ruled[kept] = ruled
            state.room[kept] = left
            state.share[kept] = share
            kept += 1
    state.facts[seat] = kept - begin
