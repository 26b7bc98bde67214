"""Dobon as the rest of the program sees it: a *game* is one deal."""

from typing import Any

from ..game import Column, Game, payoff, staging_by_leader
from ..seats import shared_places
from . import deal, observe  # noqa: F401  (they register their kernels)
from .cards import card_list
from .moves import DECISION_KINDS, MAX_MOVES
from .notation import format_field, format_move, format_state, parse_move, parse_state
from .record import opening, record, replay
from .referee import why_illegal
from .rules import OPTIONS, PRESETS, Rules
from .state import DOBON, ENDS, OUT, STATE_DTYPE, STOPPED

REASONS = {
    "out": "went out",
    "shooter": "shot",
    "shot": "was shot",
    "returned": "shot back",
    "refuted": "shot, and was shot back at",
    "other": "was only there",
    "stopped": "the deal was stopped",
}

COLUMNS = (
    Column("end", "label", "how the deal ended: out, dobon, return or stopped"),
    Column("turns", "int32", "turns of the deal", "turns"),
    Column("cards_left", "int8", "cards held at the end", "cards"),
    Column("value_left", "int16", "the values of the cards held at the end, added up"),
)


def reason_of(state: Any, seat: int) -> str:
    """Return the part of a seat in the end of a deal, one of `REASONS`."""
    player, shooter = seat == state.player, state.shooters >> seat & 1
    if state.end == STOPPED:
        return "stopped"
    if state.end == OUT:
        return "out" if player else "other"
    if state.end == DOBON:
        return "shot" if player else "shooter" if shooter else "other"
    return "returned" if player else "refuted" if shooter else "other"


def outcome(rules: Rules, state: Any) -> list[dict[str, Any]]:
    """Return what a finished deal was for each seat: the columns of the results table that the game itself knows."""
    points = [float(payoff(rules, state, seat)) for seat in range(rules.players)]
    place = shared_places(points)
    return [
        {
            "leader_distance": (seat - int(state.first)) % rules.players,
            "end": ENDS[state.end],
            "turns": int(state.turns),
            "cards_left": int(state.sizes[seat]),
            "value_left": int(state.sums[seat]),
            "place": place[seat],
            "reason": reason_of(state, seat),
            "points": points[seat],
        }
        for seat in range(rules.players)
    ]


def lead(state: Any, seat: int) -> None:
    """Have a seat begin a game that has been dealt."""
    state.first = state.player = state.turn = seat


GAME = Game(
    name="dobon",
    options=OPTIONS,
    state_dtype=STATE_DTYPE,
    max_moves=MAX_MOVES,
    decision_kinds=DECISION_KINDS,
    presets=PRESETS,
    place_names={},
    reasons=REASONS,
    last_game_decides=False,
    columns=COLUMNS,
    parse_state=parse_state,
    format_state=format_state,
    parse_move=parse_move,
    format_move=format_move,
    format_hand=lambda rules, state, seat: " ".join(card_list(state.hands[seat])),
    format_field=format_field,
    why_illegal=why_illegal,
    outcome=outcome,
    record=record,
    opening=opening,
    replay=replay,
    staging=staging_by_leader(lead),
)
