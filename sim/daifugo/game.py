"""Daifugo as the rest of the program sees it."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from ..cards import NATURALS, RANKS, format_cards
from ..game import Column, Game, Staging, payoff
from . import deal, observe  # noqa: F401  (they register their kernels)
from .moves import DECISION_KINDS, MAX_MOVES, size_of
from .notation import format_move, format_state, parse_move, parse_state
from .presets import PRESETS
from .record import opening, replay, result_of, tribute
from .referee import why_illegal
from .rules import LEAD_RANDOM, OPTIONS, Rules
from .staging import conditions, stage
from .state import BLIND, REASONS, STATE_DTYPE
from .tribute import exchanged, pair_count

PLACE_NAMES = {
    3: ("fugo", "heimin", "hinmin"),
    4: ("daifugo", "fugo", "hinmin", "daihinmin"),
    5: ("daifugo", "fugo", "heimin", "hinmin", "daihinmin"),
    6: ("daifugo", "fugo", "heimin", "heimin", "hinmin", "daihinmin"),
}

REASONS_IN_WORDS = {
    "out": "went out",
    "last": "last with cards",
    "lot": "by lot",
    "fall": "fell",
    "foul": "foul finish",
}

COLUMNS = (
    Column("set", "int32", "the set of games within the match, from 0: seats and ranks begin anew with each"),
    Column("hand_size", "int8", "cards held at the deal, before tribute", "cards"),
    Column("hand_strength", "float64", "strength of the hand at the deal, before tribute: 0 weakest, 1 strongest"),
    Column("place_before", "int8", "place in the game before, 1 is first; null in a game without ranks", nullable=True),
    Column("gave", "string", "cards that went from here at the tribute, or as its return; empty: none"),
    Column("got", "string", "cards that came here at the tribute, or as its return; empty: none"),
)


def format_field(rules: Rules, state: Any) -> str | None:
    """Return the play that lies on the field as text, None when a lead is due."""
    return format_move(rules, state.field) if state.field else None


def hand_strength(hand: int) -> float:
    """Return the mean strength of a hand's cards: 3 counts 0, 4 counts 1/13, …, 2 counts 12/13, a joker 1."""
    ranks = sum(rank * (hand >> 4 * rank & 15).bit_count() for rank in range(len(RANKS)))
    jokers = (hand & ~NATURALS) >> 52
    return float((ranks / 13 + jokers) / size_of(hand))


class Exchange(NamedTuple):
    """What a pair exchanged in a tribute: cards that went up from its giver, and down as its receiver's return."""

    giver: int
    receiver: int
    given: int
    returned: int


def exchanges(rules: Rules, state: Any) -> list[Exchange]:
    """Return what was exchanged before a game that has been played, none where it has no ranks."""
    if not state.ranked:
        return []
    return [Exchange(*map(int, exchanged(rules, state, pair))) for pair in range(pair_count(rules))]


def hands_at_deal(rules: Rules, state: Any, exchange: Iterable[Exchange]) -> list[int]:
    """Return the hands of a game before the tribute in which that was exchanged."""
    hands: list[int] = state.dealt[: rules.players].tolist()
    for pair in exchange:
        hands[pair.receiver] -= pair.given - pair.returned
        hands[pair.giver] += pair.given - pair.returned
    return hands


def outcome(rules: Rules, state: Any) -> list[dict[str, Any]]:
    """Return what a finished game was for each seat: the columns of the results table that the game itself knows."""
    players = rules.players
    exchange = exchanges(rules, state)
    hands = hands_at_deal(rules, state, exchange)
    place = {seat: index for index, seat in enumerate(state.ranking[:players].tolist())}
    before = {seat: index + 1 for index, seat in enumerate(state.previous[:players].tolist())} if state.ranked else {}
    reasons, first_leader = state.reasons.tolist(), int(state.first_leader)
    number_of_set = int(state.game) // rules.ranks_every if rules.ranks_every else 0
    gave, got = [""] * players, [""] * players
    for pair in exchange:
        up, down = format_cards(pair.given), format_cards(pair.returned)
        gave[pair.giver] = got[pair.receiver] = up
        got[pair.giver] = gave[pair.receiver] = down
    return [
        {
            "set": number_of_set,
            "leader_distance": (seat - first_leader) % players,
            "hand_size": int(size_of(hands[seat])),
            "hand_strength": hand_strength(hands[seat]),
            "place_before": before.get(seat),
            "gave": gave[seat],
            "got": got[seat],
            "place": place[seat] + 1,
            "reason": REASONS[reasons[place[seat]]],
            "points": float(payoff(rules, state, seat)),
        }
        for seat in range(players)
    ]


def record(rules: Rules, state: Any, moves: list[int]) -> dict[str, Any]:
    """Return the JSON record of a finished game, of which `moves` are all, the tribute's returns first; it replays."""
    players = rules.players
    dealt = [format_cards(hand) for hand in state.dealt.tolist()]
    exchange = exchanges(rules, state)
    return {
        "rules": OPTIONS.format(rules),
        "dealt_from": int(state.dealt_from),
        "hands_at_deal": [format_cards(hand) for hand in hands_at_deal(rules, state, exchange)],
        "exchange": [
            {
                "giver": pair.giver,
                "receiver": pair.receiver,
                "given": format_cards(pair.given),
                "returned": format_cards(pair.returned),
            }
            for pair in exchange
        ],
        "hands": dealt[:players],
        "blind": dealt[BLIND],
        "leader": int(state.first_leader),
        "previous": state.previous[:players].tolist() if state.ranked else None,
        "plays": [format_move(rules, move) for move in moves[len(exchange) :]],
        "last_of_set": bool(state.last_of_set),
        **result_of(rules, state),
    }


GAME = Game(
    name="daifugo",
    options=OPTIONS,
    state_dtype=STATE_DTYPE,
    max_moves=MAX_MOVES,
    decision_kinds=DECISION_KINDS,
    presets=PRESETS,
    place_names=PLACE_NAMES,
    reasons=REASONS_IN_WORDS,
    columns=COLUMNS,
    last_game_decides=True,
    parse_state=parse_state,
    format_state=format_state,
    parse_move=parse_move,
    format_move=format_move,
    format_hand=lambda rules, state, seat: format_cards(state.hands[seat]),
    format_field=format_field,
    why_illegal=why_illegal,
    outcome=outcome,
    record=record,
    opening=opening,
    replay=replay,
    staging=Staging(conditions, stage, lambda rules: rules._replace(first_lead=LEAD_RANDOM)),
    tribute=tribute,
)
