"""Move generation: what may be played (B2, B3.1, B3.2)."""

import numpy as np

from ..game import PASS, decision_kind, hand_size, legal_moves, search_moves
from ..kernels import small_kernel, trailing_zeros
from .cards import EACH_NUMBER, EIGHT, EIGHTS, TWOS
from .rules import CHAIN, OFF, Rules
from .state import DRAW, DRAWN, NO, RETURN, SHOOT, SHOOTING, SUIT_SHIFT, TOP_SHIFT

# The most there can be: all cards but the top one in hand. Twelve plays of its number, 13 of each of eleven others,
# with `eight_wild` 32 of 8s with four suits each, and a voluntary draw.
MAX_MOVES = 12 + 11 * 13 + 4 * 32 + 1

DECISION_KINDS = ("turn", "answer to a 2", "drawn card", "shoot", "return")
TURNS, ANSWERS, DRAWN_CARDS, SHOTS, RETURNS = range(5)


def _tables():
    """Return the plays of one number, as moves of the A, and how many there are.

    By nibble of the cards that fit and nibble of the cards held: a set of cards that holds one that fits, with any of
    them on top before which one that fits can go down (B2.3).
    """
    plays = np.zeros((16, 16, 32), np.int64)
    counts = np.zeros((16, 16), np.int64)
    for fitting in range(16):
        for held in range(16):
            found = [
                cards | top << TOP_SHIFT
                for cards in range(1, 16)
                if cards & held == cards and cards & fitting
                for top in range(4)
                if cards >> top & 1 and (cards == 1 << top or cards & fitting & ~(1 << top))
            ]
            plays[fitting, held, : len(found)] = found
            counts[fitting, held] = len(found)
    return plays, counts


PLAYS, COUNTS = _tables()


@small_kernel
def fitting_cards(rules, state):
    """Return all cards of the pack that fit the top card, or that answer a pending 2 (B2.1, B3.1, B3.2)."""
    if state.pending:
        return np.int64(TWOS)
    fitting = np.int64(15) << (state.top & ~3) | np.int64(EACH_NUMBER) << state.suit
    return fitting | EIGHTS if rules.eight_wild else fitting


@small_kernel
def top_of(play):
    """Return the index of the card that a play puts on top."""
    return play >> TOP_SHIFT & 63


@small_kernel
def generate(rules, state, moves, suits):
    """Write the moves of the seat to act, with only one of the `suits` that an 8 on top can name where it goes out."""
    if state.phase == SHOOTING or state.phase == RETURN:
        moves.list[0] = SHOOT
        moves.list[1] = NO
        return np.int64(2)
    count = np.int64(0)
    hand = state.hands[state.turn]
    fitting = hand & fitting_cards(rules, state)
    drawn = state.drawn
    numbers = (fitting | fitting >> 1 | fitting >> 2 | fitting >> 3) & EACH_NUMBER
    if state.phase == DRAWN:  # only what goes with the drawn card (B2.2)
        moves.list[0] = PASS
        count = np.int64(1)
        numbers &= np.int64(1) << (trailing_zeros(drawn) & ~3)
    while numbers:
        low = trailing_zeros(numbers)
        numbers &= numbers - 1
        held = hand >> low & 15
        fits = fitting >> low & 15
        single = rules.multi == OFF or (rules.multi != CHAIN and low != state.top & ~3)
        if single:
            held = fits
        for index in range(COUNTS[fits, held]):
            entry = PLAYS[fits, held, index]
            cards = entry & 15
            if single and cards & (cards - 1):
                continue
            move = cards << low | ((entry >> TOP_SHIFT) + low) << TOP_SHIFT
            if drawn and not move & drawn:
                continue
            if low == 4 * EIGHT:
                for suit in range(4 if suits or cards << low != hand else 1):
                    moves.list[count] = move | np.int64(suit) << SUIT_SHIFT
                    count += 1
            else:
                moves.list[count] = move
                count += 1
    if count == 0 or (rules.voluntary_draw and not drawn):
        moves.list[count] = DRAW
        count += 1
    return count


@legal_moves.register(Rules)
@small_kernel
def dobon_legal_moves(rules, state, moves):
    """Write the legal moves of the seat to act into ``moves.list``; return how many."""
    return generate(rules, state, moves, True)


@search_moves.register(Rules)
@small_kernel
def dobon_search_moves(rules, state, moves):
    """Write the legal moves, but not each suit that an 8 as a last card could name: they come to the same."""
    return generate(rules, state, moves, False)


@decision_kind.register(Rules)
@small_kernel
def dobon_decision_kind(rules, state):
    """Return what kind of decision it is, an index of `DECISION_KINDS`."""
    if state.phase == DRAWN:
        return DRAWN_CARDS
    if state.phase == SHOOTING:
        return SHOTS
    if state.phase == RETURN:
        return RETURNS
    return ANSWERS if state.pending else TURNS


@hand_size.register(Rules)
@small_kernel
def dobon_hand_size(rules, state, seat):
    """Return how many cards a seat holds."""
    return np.int64(state.sizes[seat])
