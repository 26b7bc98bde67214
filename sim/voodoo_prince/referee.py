"""Why a move is not legal: the clause that forbids it, for people. The kernels in moves.py decide; this explains."""

from typing import Any

from .notation import LETTERS, cards_in, format_card
from .rules import Rules
from .state import NAME


def why_illegal(rules: Rules, state: Any, move: int) -> str | None:
    """Return which clause forbids a move of ``state.turn`` and why, None when it is legal."""
    if state.turn < 0:
        return "the round is over (V3.3)"
    seat = int(state.turn)
    if move > NAME:
        return None if state.trump == 0 else f"trump is {LETTERS[state.trump - 1]} already (V1.3)"
    if state.trump == 0:
        return f"seat {seat} has to name trump before it leads, as in trump:R (V1.3)"
    hand = cards_in(state.hands, seat)
    if move not in hand:
        return f"seat {seat} does not hold {format_card(move)} (V2.1)"
    if state.lead and move >> 4 != state.lead and any(card >> 4 == state.lead for card in hand):
        return f"seat {seat} holds {LETTERS[state.lead - 1]}, which was led (V2.1)"
    return None
