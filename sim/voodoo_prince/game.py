"""Voodoo Prince as the rest of the program sees it: a game of the contract is one round."""

from typing import Any

from ..game import Column, Game, staging_by_leader
from ..seats import shared_places
from . import deal, observe, play  # noqa: F401  (they register their kernels)
from .moves import DECISION_KINDS
from .notation import LETTERS, cards_in, format_field, format_hand, format_move, format_state, parse_move, parse_state
from .presets import PRESETS
from .record import opening, record, replay
from .referee import why_illegal
from .rules import HIGHEST, OPTIONS, Rules
from .state import MAX_MOVES, STATE_DTYPE

REASONS = {"left": "left the round", "last": "left over"}

COLUMNS = (
    Column("trump", "label", "the trump colour of the round: R Y G B or P"),
    Column("named_trump", "bool", "whether this seat named trump"),
    Column("trumps", "int8", "trumps in the hand as dealt", "cards"),
    Column("hand_strength", "float64", "mean rank of the cards dealt: 0 for zeros, 1 for the highest of each colour"),
    Column("tricks", "int8", "tricks won, one won with a 5 or a 7 as two", "tricks"),
    Column("exit", "int8", "place in the order of leaving, 1 is first; of the last one the number of players"),
)


def hand_strength(rules: Rules, hand: list[int]) -> float:
    """Return the mean rank of a hand, in units of the highest rank."""
    return float(sum(card & 15 for card in hand) / (HIGHEST[rules.players] * len(hand)))


def outcome(rules: Rules, state: Any) -> list[dict[str, Any]]:
    """Return what a finished round was for each seat: the columns of the results table that the game itself knows."""
    players = rules.players
    scores, tricks, exits = state.scores.tolist(), state.tricks.tolist(), state.exit.tolist()
    first_leader, trump, last, named = int(state.first_leader), int(state.trump), int(state.last), not state.drawn
    rows = []
    for seat, place in enumerate(shared_places(scores[:players])):
        hand = cards_in(state.dealt, seat)
        rows.append(
            {
                "leader_distance": (seat - first_leader) % players,
                "trump": LETTERS[trump - 1],
                "named_trump": named and seat == first_leader,
                "trumps": sum(card >> 4 == trump for card in hand),
                "hand_strength": hand_strength(rules, hand),
                "tricks": tricks[seat],
                "exit": exits[seat],
                "place": place,
                "reason": "last" if seat == last else "left",
                "points": float(scores[seat]),
            }
        )
    return rows


def lead(state: Any, seat: int) -> None:
    """Have a seat lead a game that has been dealt."""
    state.leader = state.first_leader = state.turn = seat


GAME = Game(
    name="voodoo_prince",
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
    format_hand=format_hand,
    format_field=format_field,
    why_illegal=why_illegal,
    outcome=outcome,
    record=record,
    opening=opening,
    replay=replay,
    staging=staging_by_leader(lead),
)
