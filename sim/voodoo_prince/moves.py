"""Move generation: naming trump (V1.3), leading, following (V2.1)."""

import numpy as np

from ..errors import Unplayable
from ..game import decision_kind, legal_moves, search_moves
from ..kernels import kernel, small_kernel, trailing_zeros
from .rules import Rules
from .state import COLOURS, NAME

DECISION_KINDS = ("lead", "follow", "name trump")
LEADS, FOLLOWS, NAMES = range(3)


@small_kernel
def ranks_of(cards, index, colour):
    """Return the ranks of a colour (16 bits) in set number `index` of an array of sets."""
    half = np.int64(colour >= 3)
    return cards[2 * index + half] >> (16 * (colour - 3 * half)) & 0xFFFF


@small_kernel
def add_cards(moves, count, cards, first):
    """Write the cards of a part of a set, of which bit 0 is card `first`; return the new count."""
    while cards:
        moves.list[count] = first + trailing_zeros(cards)
        cards &= cards - 1
        count += 1
    return count


@legal_moves.register(Rules)
@search_moves.register(Rules)
@kernel
def voodoo_legal_moves(rules, state, moves):
    """Write the legal moves of the seat to act into ``moves.list`` and return how many there are.

    Raises:
        Unplayable: it has no card left, which no round that began with a deal comes to (V3.6).
    """
    seat = state.turn
    if state.trump == 0:
        for colour in range(COLOURS):
            moves.list[colour] = NAME + 1 + colour
        return COLOURS
    if state.lead:
        ranks = ranks_of(state.hands, seat, state.lead)
        if ranks:
            return add_cards(moves, 0, ranks, 16 * state.lead)
    count = add_cards(moves, 0, state.hands[2 * seat], 0)
    count = add_cards(moves, count, state.hands[2 * seat + 1], 48)
    if count == 0:
        raise Unplayable("the seat to act has no cards left, and the round is not over: nobody can play on (V3.6)")
    return count


@decision_kind.register(Rules)
@small_kernel
def voodoo_decision_kind(rules, state):
    """Return what kind of decision it is, an index of `DECISION_KINDS`."""
    if state.trump == 0:
        return NAMES
    return FOLLOWS if state.lead else LEADS
