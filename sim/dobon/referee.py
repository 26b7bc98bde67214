"""Why a move is not legal: the clause that forbids it, for people. The kernels in moves.py decide; this explains."""

from typing import Any

from ..cards import SUITS
from ..game import PASS
from .cards import EIGHT, NUMBERS, PACK, card_list, card_text
from .moves import fitting_cards, top_of
from .notation import format_move
from .rules import OFF, PON, Rules
from .state import DRAW, DRAWN, NO, RETURN, SHOOT, SHOOTING, SUIT_SHIFT


def why_illegal(rules: Rules, state: Any, move: int) -> str | None:
    """Return which clause forbids a move of ``state.turn`` and why, None when it is legal."""
    if state.turn < 0:
        return "B6.1: the deal is over"
    move, seat = int(move), int(state.turn)
    if state.phase in (SHOOTING, RETURN):
        clause = (
            "B5.3: seat {} is asked whether it shoots" if state.phase == SHOOTING else "B5.4: seat {} may shoot back"
        )
        return None if move in (SHOOT, NO) else f"{clause.format(seat)}: shoot or no"
    if move in (SHOOT, NO):
        return f"B5.1: seat {seat} is not asked whether it shoots"
    hand, fitting = int(state.hands[seat]), int(fitting_cards(rules, state))
    if move == PASS:
        return None if state.phase == DRAWN else "B2.2: only a card that was drawn just now can be kept; else draw"
    if move == DRAW:
        if state.phase == DRAWN:
            return "B2.2: one card is drawn, once a turn"
        if hand & fitting and not rules.voluntary_draw:
            clause = "B3.1" if state.pending else "B2.2"
            return f"{clause}: seat {seat} can play {card_list(hand & fitting)[0]}, so it may not draw"
        return None
    return _no_play(rules, state, move, hand, fitting)


def _no_play(rules: Rules, state: Any, move: int, hand: int, fitting: int) -> str | None:
    cards, top = move & PACK, int(top_of(move))
    numbers = {card >> 2 for card in range(52) if cards >> card & 1}
    if not cards >> top & 1 or len(numbers) != 1 or _wrong_suit(move, top):
        return "B2.3: it is no play"
    if cards & ~hand:
        return f"B2.1: seat {int(state.turn)} does not hold {card_list(cards & ~hand)[0]}"
    if state.drawn and not cards & state.drawn:
        return f"B2.2: after a draw only what goes with {card_list(state.drawn)[0]} may be played"
    on_top = card_text(int(state.top)) + (f" as {SUITS[state.suit]}" if state.top >> 2 == EIGHT else "")
    if not cards & fitting:
        if state.pending:
            return "B3.1: only a 2 answers a 2"
        return f"B2.1: {format_move(rules, move)} has neither number nor suit of {on_top}"
    if cards & (cards - 1) == 0:
        return None
    if rules.multi == OFF:
        return "B2.3: one card at a time"
    if rules.multi == PON and top >> 2 != state.top >> 2:
        return f"B2.3: several cards at once must be of the number {NUMBERS[state.top >> 2]} of the top card"
    if not cards & fitting & ~(1 << top):
        return f"B2.3: {card_text(top)} goes down first, since no other fits {on_top}, so another one ends on top"
    return None


def _wrong_suit(move: int, top: int) -> bool:
    """Return whether anything stands in the bits above the cards that is not the suit of an 8."""
    above = move >> SUIT_SHIFT
    return not 0 <= above <= (3 if top >> 2 == EIGHT else 0)
