"""The deal of a round, and what carries over from the round before (V1)."""

import numpy as np

from ..game import deal
from ..kernels import kernel, scratch128
from ..rng import DEAL, advance, below, derive
from .rules import HAND, HIGHEST, MAX_PLAYERS, Rules
from .state import COLOURS


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
        near = np.int64(0)
        far = np.int64(0)
        for _ in range(size):
            stream = advance(stream)
            other = place + below(stream, total - place)
            card = pack[other]
            pack[other] = pack[place]
            place += 1
            half = np.int64(card >= 48)
            bit = np.int64(1) << (card - 48 * half)
            near |= bit & (half - 1)
            far |= bit & -half
        state.hands[2 * seat] = near
        state.hands[2 * seat + 1] = far
        state.dealt[2 * seat] = near
        state.dealt[2 * seat + 1] = far
