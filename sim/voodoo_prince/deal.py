"""The deal of a round, and what carries over from the round before (V1)."""

import numpy as np

from ..game import deal
from ..kernels import kernel, scratch128, small_kernel
from ..rng import DEAL, advance, below, derive
from .rules import HAND, HIGHEST, MAX_PLAYERS, Rules
from .state import COLOURS


@small_kernel
def draw_cards(pack, place, total, count, stream):
    """Draw so many cards of ``pack[place:total]``, whose first places then mean nothing.

    Returns them as both halves of a hand, and the stream's next state, all int64.
    """
    near, far = np.int64(0), np.int64(0)
    for first in range(place, place + count):
        stream = advance(stream)
        other = first + below(stream, total - first)
        card = pack[other]
        pack[other] = pack[first]
        half = np.int64(card >= 48)
        bit = np.int64(1) << (card - 48 * half)
        near |= bit & (half - 1)
        far |= bit & -half
    return near, far, stream


@deal.register(Rules)
@kernel
def voodoo_deal(rules, state, number, key):
    """Deal round `number` of a match; but for the first its leader is the last of the finished round in `state`."""
    players = rules.players
    stream = derive(key, DEAL)
    state.trump = 0
    if number == 0:
        state.leader = below(stream, players)
        stream = advance(stream)
        state.trump = 1 + below(stream, COLOURS)
        for seat in range(players):
            state.seated[seat] = seat
    else:
        state.leader = state.last
    state.turn = state.leader
    state.first_leader = state.leader
    state.drawn = state.trump
    state.number = number
    state.observer = -1
    state.alive = (1 << players) - 1
    state.gone = 0
    state.last = 0
    state.lead = 0
    state.lead_ranks = 0
    state.trump_ranks = 0
    state.seen[0] = 0
    state.seen[1] = 0
    size = HAND[players]
    for seat in range(MAX_PLAYERS):
        state.table[seat] = 0
        state.tricks[seat] = 0
        state.sizes[seat] = size if seat < players else 0
        state.lacks[seat] = 0
        state.exit[seat] = 0
        state.scores[seat] = 0
    ranks = HIGHEST[players] + 1
    total = COLOURS * ranks
    pack = scratch128()
    for colour in range(COLOURS):
        for rank in range(ranks):
            pack[colour * ranks + rank] = 16 * (colour + 1) + rank
    place = np.int64(0)
    for seat in range(players):
        near, far, stream = draw_cards(pack, place, total, size, stream)
        place += size
        state.hands[2 * seat] = near
        state.hands[2 * seat + 1] = far
        state.dealt[2 * seat] = near
        state.dealt[2 * seat + 1] = far
