"""Why a play is not legal: the clause that forbids it, for people. The kernels in moves.py decide; this explains."""

from typing import Any

from ..cards import CARDS, JOKER, NATURALS, format_cards, format_suits
from ..game import PASS
from .moves import highest_position, in_reverse, lowest_position, size_of
from .notation import format_move, read_sequence, suits_in
from .play import SPADE_3
from .rules import CARD, DISJOINT, Rules
from .state import GROUP, KIND, LOW_SHIFT, SEQUENCE, SINGLE, SUITS_SHIFT, TRIBUTE
from .tribute import choosable, pair_of, tribute_size

KIND_NAMES = {SINGLE: "single", GROUP: "group", SEQUENCE: "sequence"}


def why_illegal(rules: Rules, state: Any, move: int) -> str | None:
    """Return which clause forbids a move of ``state.turn`` and why, None when it is legal."""
    if state.turn < 0:
        return "D7.4: the game is over"
    seat = int(state.turn)
    if state.phase == TRIBUTE:
        pair = pair_of(rules, state, seat)
        missing = _not_in(move, int(choosable(rules, state, pair)))
        if move & KIND or size_of(move) != tribute_size(rules, pair):
            return f"D9.2: seat {seat} gives back {tribute_size(rules, pair)} card(s)"
        return f"D9.2: seat {seat} cannot give back {missing}" if missing else None
    if move == PASS:
        return "D7.2: the leader must play" if state.field == 0 and not rules.lead_pass else None
    missing = _not_in(move & CARDS, int(state.hands[seat]))
    if missing:
        return f"D3: seat {seat} does not hold {missing}"
    return _no_form(rules, state, move) or (_no_follow(rules, state, move) if state.field else None)


def _not_in(cards: int, hand: int) -> str:
    """Return the cards that a hand lacks, as text."""
    lacking = cards & NATURALS & ~hand
    return format_cards(lacking + max(0, (cards >> 52) - (hand >> 52)) * JOKER)


def _no_form(rules: Rules, state: Any, move: int) -> str | None:
    kind, naturals, size = move & KIND, move & NATURALS, int(size_of(move))
    if kind == SINGLE:
        return None if size == 1 else f"D3.1: {format_move(rules, move)} is not one card"
    if kind == GROUP:
        rank = (naturals & -naturals).bit_length() - 1 >> 2 if naturals else 0
        one_rank = naturals & ~(15 << 4 * rank) == 0
        return (
            None if size > 1 and one_rank else f"D3.2: {format_move(rules, move)} is not two or more cards of one rank"
        )
    reverse = bool(in_reverse(state))
    if rules.joker_as == CARD and move >> 52 & 3 and size >= 3:  # they make it a run, else it could not have been read
        begin = move >> LOW_SHIFT
        beyond = begin < lowest_position(rules, reverse) or begin + size - 1 > highest_position(rules, reverse)
        return "D3.5: no joker may stand there" if beyond else None
    low = read_sequence(rules, move & CARDS, reverse)
    if low is None:
        clause = "D3.3" if move >> 52 & 3 == 0 else "D3.4, D3.5"
        return f"{clause}: {format_move(rules, move)} is no run of three or more in one suit"
    return None if low == move >> LOW_SHIFT else "D3.4: the jokers of a sequence go to the strong end first"


def _no_follow(rules: Rules, state: Any, move: int) -> str | None:
    field = int(state.field)
    kind, naturals = move & KIND, move & NATURALS
    on_joker = field & CARDS == JOKER
    if on_joker and rules.spade3 and move == SINGLE | SPADE_3:
        return None
    if kind != field & KIND or size_of(move) != size_of(field):
        return f"D4.1: the field has a {KIND_NAMES[field & KIND]} of {int(size_of(field))}"
    if field & NATURALS == 0:
        clause = "D4.4: on a joker alone only S:S3 may be played" if on_joker and rules.spade3 else "D4.2"
        return f"{clause}: nothing else beats {format_move(rules, field)}"
    if naturals == 0:
        return None
    locked = int(state.locked)
    suits = suits_in(naturals) | (move >> SUITS_SHIFT if kind == GROUP else 0)
    if locked and suits & ~locked:
        return f"D5.2: the field is locked to {format_suits(locked)}"
    reverse = bool(in_reverse(state))
    if kind != SEQUENCE:
        mine, theirs = (((cards & -cards).bit_length() - 1) >> 2 for cards in (move & NATURALS, field & NATURALS))
        stronger = mine < theirs if reverse else mine > theirs
        return None if stronger else f"D4.2: it is not stronger than {format_move(rules, field)}"
    mine, theirs, length = move >> LOW_SHIFT, field >> LOW_SHIFT, int(size_of(move))
    if rules.sequence_compare == DISJOINT:
        stronger = mine + length <= theirs if reverse else mine >= theirs + length
    else:
        stronger = mine < theirs if reverse else mine > theirs
    return None if stronger else f"D4.3: it is not stronger than {format_move(rules, field)}"
