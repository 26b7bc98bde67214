"""Whole games as JSON records that replay, and tributes (the formats of docs/formats.md)."""

from typing import Any

from ..cards import NATURALS, format_cards, parse_cards
from ..errors import InputError
from ..game import blank, legal_moves, moves_dtype, payoff, play
from ..reader import Reader
from .moves import MAX_MOVES, size_of
from .notation import check_pack, format_move, format_ranking, pack_of, parse_hands, parse_move, parse_previous
from .play import DIAMOND_3
from .referee import why_illegal
from .rules import LEAD_DIAMOND3_ALWAYS, Rules
from .state import BLIND, PLAY, STATE_DTYPE
from .tribute import begin_tribute, giver, pair_count, receiver


def new_game(
    rules: Rules,
    hands: list[int],
    blind: int = 0,
    leader: int = 0,
    previous: list[int] | None = None,
    last_of_set: bool = False,
) -> Any:
    """Return the state of a game whose cards are dealt and whose tribute is done, with `leader` to lead."""
    state = blank(STATE_DTYPE)
    players = rules.players
    for holder, cards in [*enumerate(hands), (BLIND, blind)]:
        state.hands[holder] = state.dealt[holder] = cards
        state.sizes[holder] = size_of(cards)
    state.alive = (1 << players) - 1
    state.phase = PLAY
    state.jokers_ok, state.usable = 1, NATURALS
    state.turn = state.first_leader = leader
    state.ranked = previous is not None
    state.previous[:players] = previous if previous is not None else -1
    state.last_of_set = last_of_set
    state.gone = pack_of(rules) - sum(hands) - blind
    state.observer = -1
    state.seated[:players] = range(players)
    return state


def referee_play(rules: Rules, state: Any, text: Any, name: str) -> int:
    """Make the move written as `text` if it is legal, and return it; else the error says which clause forbids it."""
    if not isinstance(text, str):
        raise InputError(f"{name}: must be text, not {text!r}")
    try:
        move = parse_move(rules, state, text)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    why = why_illegal(rules, state, move)
    if why:
        raise InputError(f"{name}: {text!r} is not legal: {why}")
    play(rules, state, move)
    return move


def replay(rules: Rules, values: dict[str, Any], name: str = "game") -> dict[str, Any]:
    """Play a recorded game again and return its `ranking`, `reasons` and `points` per seat; errors name the play.

    Places drawn by lot (D7.5) are null in the ranking, and so are the points of their seats.
    """
    reader = Reader(values, name, ("hands", "blind", "leader", "previous", "plays", "last_of_set"))
    hands, blind = parse_hands(reader, rules), reader.read("blind", parse_cards)
    check_pack(reader, rules, "hands", [*hands, blind])
    if not all(hands):
        raise reader.fail("hands", "a player has no cards")
    state = new_game(
        rules,
        hands,
        blind,
        reader.seat("leader", rules.players),
        parse_previous(reader, rules),
        bool(reader.flag("last_of_set")),
    )
    plays = values["plays"]
    if not isinstance(plays, list):
        raise reader.fail("plays", f"must be a list of plays, not {plays!r}")
    for number, text in enumerate(plays):
        if state.turn < 0:
            raise reader.fail(f"plays[{number}]", f"the game was over after {number} plays")
        referee_play(rules, state, text, reader.path(f"plays[{number}]"))
    if state.turn >= 0:
        raise reader.fail("plays", f"the game is not over after {len(plays)} plays: seat {state.turn} is to act")
    return result_of(rules, state)


def opening(rules: Rules, values: dict[str, Any]) -> tuple[Any, list[str]]:
    """Return the state of a recorded game when it was dealt, and all its moves as text, the tribute's returns first."""
    reader = Reader(values, "", ("hands_at_deal", "exchange", "blind", "leader", "previous", "plays", "last_of_set"))
    hands = [parse_cards(hand) for hand in values["hands_at_deal"]]
    previous, blind = parse_previous(reader, rules), reader.read("blind", parse_cards)
    state = new_game(rules, hands, blind, values["leader"], previous, last_of_set=values["last_of_set"])
    if previous is not None and rules.tribute:
        begin_tribute(rules, state)
    return state, [*(pair["returned"] for pair in values["exchange"]), *values["plays"]]


def result_of(rules: Rules, state: Any) -> dict[str, Any]:
    """Return how a finished game ended, as in a record: `ranking`, `reasons`, `points` (null where a lot decides)."""
    ranking, reasons = format_ranking(rules, state)
    points: list[int | None] = [None] * rules.players
    for seat in ranking:
        if seat is not None:
            points[seat] = int(payoff(rules, state, seat))
    return {"ranking": ranking, "reasons": reasons, "points": points}


def tribute(rules: Rules, values: dict[str, Any], name: str = "tribute") -> dict[str, Any]:
    """Return `exchange`, `after` and `leader` of a tribute record (D9.2, D9.4).

    What each receiver gives back stands in the record's ``exchange[…].returned``; without it `after` is null.
    """
    if not rules.tribute:
        raise InputError(f"{name}: the rules have no tribute (tribute is off)")
    reader = Reader(values, name, ("previous", "hands"))
    previous = parse_previous(reader, rules)
    if previous is None:
        raise reader.fail("previous", "is null: without ranks there is no tribute (D9.2)")
    hands = parse_hands(reader, rules)
    check_pack(reader, rules, "hands", hands)
    state = new_game(rules, hands, previous=previous)
    if any(size_of(hand) < 3 for hand in hands):
        raise reader.fail("hands", "too few cards for a tribute")
    begin_tribute(rules, state)
    chosen = _parse_returns(reader, rules)
    exchange = []
    moves = blank(moves_dtype(MAX_MOVES))
    done = True
    for pair, returned in enumerate(chosen):
        count = legal_moves(rules, state, moves)
        exchange.append(
            {
                "giver": int(giver(rules, state, pair)),
                "receiver": int(receiver(rules, state, pair)),
                "given": format_cards(state.given[pair]),
                "legal_returns": sorted(format_move(rules, move) for move in moves.list[:count]),
                "returned": returned,
            }
        )
        if returned is None:
            done = False
            state.turn = receiver(rules, state, min(pair + 1, pair_count(rules) - 1))
        else:
            move = referee_play(rules, state, returned, reader.path(f"exchange[{pair}].returned"))
            exchange[pair]["returned"] = format_move(rules, move)
    leader: int | None = int(previous[-1])
    if rules.first_lead == LEAD_DIAMOND3_ALWAYS:
        holders = [seat for seat in range(rules.players) if state.hands[seat] & DIAMOND_3]
        leader = holders[0] if holders and done else None
    return {
        "exchange": exchange,
        "after": [format_cards(state.hands[seat]) for seat in range(rules.players)] if done else None,
        "leader": leader,
    }


def _parse_returns(reader: Reader, rules: Rules) -> list[Any]:
    """Return for each pair what the record says that the receiver gives back, None where it does not say."""
    returns: list[Any] = [None] * pair_count(rules)
    exchange = reader.values.get("exchange")
    if exchange is None:
        return returns
    if not isinstance(exchange, list) or len(exchange) > len(returns):
        raise reader.fail("exchange", f"must be a list of at most {len(returns)} objects, one for each pair (D9.2)")
    for pair, values in enumerate(exchange):
        if not isinstance(values, dict):
            raise reader.fail(f"exchange[{pair}]", f"must be an object, not {values!r}")
        returns[pair] = values.get("returned")
    return returns
