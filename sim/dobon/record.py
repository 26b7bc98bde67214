"""Matches and single deals as JSON records that replay (the formats of docs/dobon.md)."""

from typing import Any

import numpy as np

from ..game import blank, play
from ..reader import Reader, is_seat
from ..seats import shared_places
from .cards import PACK, card_list, card_text, cards_of, parse_card
from .deal import begin, deal_cards, next_first
from .notation import (
    check_pack,
    format_move,
    parse_move,
    read_cards,
    read_hands,
    scores_of,
    set_hands,
    set_stock,
    stock_list,
)
from .referee import why_illegal
from .rules import HAND, OPTIONS, Rules
from .state import ENDS, STATE_DTYPE

DEAL_KEYS = ("first", "hands", "up_card", "stock", "moves", "new_stocks")


def record(rules: Rules, state: Any, moves: list[int]) -> dict[str, Any]:
    """Return the JSON record of a finished deal, of which `moves` are all: a match of one deal, which replays.

    Its ``key`` names the stream of all chance; without it calls that are left to chance would not replay.
    """
    again = blank(STATE_DTYPE)
    deal_cards(rules, again, int(state.first), state.key)
    dealt = {
        "first": int(state.first),
        "key": int(state.key),
        "hands": [card_list(again.hands[seat]) for seat in range(rules.players)],
        "up_card": card_text(int(again.top)),
        "stock": [card_text(card) for card in stock_list(again)],
    }
    made: list[list[Any]] = []
    new_stocks = []
    for move in moves:
        made.append([int(again.turn), format_move(rules, move)])
        refills = int(again.refills)
        play(rules, again, move)
        if again.refills > refills:
            new_stocks.append([card_text(card) for card in new_stock(again)])
    points = scores_of(rules, state)
    return {
        "rules": OPTIONS.format(rules),
        "deals": [{**dealt, "moves": made, "new_stocks": new_stocks, **how_it_ended(rules, state)}],
        "totals": points,
        "places": shared_places(points),
    }


def how_it_ended(rules: Rules, state: Any) -> dict[str, Any]:
    """Return the fields of a record that say how a deal ended."""
    return {
        "end": ENDS[state.end],
        "hands_left": [card_list(state.hands[seat]) for seat in range(rules.players)],
        "scores": scores_of(rules, state),
    }


def new_stock(state: Any) -> list[int]:
    """Return the cards of the stock that a reshuffle has just made by chance, those already drawn first."""
    return [int(card) for card in state.stock[: state.next]] + stock_list(state)


def replay(rules: Rules, values: dict[str, Any], name: str = "game") -> dict[str, Any]:
    """Play a recorded match again and return its `totals` and `places`; errors name the field.

    Everything is checked: the cards, who begins and who moves, each move, the reshuffles, and how the deals ended where
    the record says so.
    """
    reader = Reader(values, name, ("deals",))
    deals = values["deals"]
    if not isinstance(deals, list) or not deals:
        raise reader.fail("deals", f"must be a list of deals, not {deals!r}")
    totals = [0] * rules.players
    before = None
    for number, deal in enumerate(deals):
        part = Reader(deal, reader.path(f"deals[{number}]"), DEAL_KEYS)
        if before is not None and deal["first"] != (first := int(next_first(rules, before))):
            raise part.fail("first", f"is {deal['first']!r}, but seat {first} begins (B1.2)")
        before = _replay_deal(rules, part)
        totals = [total + score for total, score in zip(totals, scores_of(rules, before), strict=True)]
    answer = {"totals": totals, "places": shared_places(totals)}
    for key, expected in answer.items():
        if key in values and values[key] != expected:
            raise reader.fail(key, f"is {values[key]!r}, but it comes to {expected}")
    return answer


def _replay_deal(rules: Rules, reader: Reader) -> Any:
    """Return the state at the end of a deal."""
    state = _dealt(rules, reader)
    by_key = not state.ordered
    moves, new_stocks = reader.values["moves"], reader.values["new_stocks"]
    for key, found in (("moves", moves), ("new_stocks", new_stocks)):
        if not isinstance(found, list):
            raise reader.fail(key, f"must be a list, not {found!r}")
    to_come = [read_cards(reader, f"new_stocks[{place}]", stock) for place, stock in enumerate(new_stocks)]
    if 0.0 < rules.call_caught < 1.0 and not by_key:
        raise reader.fail("key", "is missing: without it nobody knows who called first (B4.2)")
    for number, entry in enumerate(moves):
        where = f"moves[{number}]"
        if state.turn < 0:
            raise reader.fail(where, f"the deal was over after {number} moves")
        refills = int(state.refills)
        if not by_key and refills < len(to_come):
            _stage(state, to_come[refills])
        _replay_move(rules, reader, state, where, entry)
        if state.refills > refills:
            _check_refill(rules, reader, state, to_come, by_key)
    if state.turn >= 0:
        raise reader.fail("moves", f"the deal is not over after {len(moves)} moves: seat {state.turn} is to act")
    if len(to_come) > state.refills:
        raise reader.fail(f"new_stocks[{int(state.refills)}]", "does not come: there was no reshuffle any more")
    _check_end(rules, reader, state)
    return state


def _dealt(rules: Rules, reader: Reader) -> Any:
    """Return the state of a recorded deal before its first move."""
    values = reader.values
    hands = read_hands(reader, rules)
    stock = read_cards(reader, "stock", values["stock"])
    up_card = reader.read("up_card", parse_card)
    first = reader.seat("first", rules.players)
    for seat, hand in enumerate(hands):
        if hand.bit_count() != HAND:
            raise reader.fail(f"hands[{seat}]", f"must be {HAND} cards (B1.1)")
    parts = {f"hands[{seat}]": hand for seat, hand in enumerate(hands)}
    check_pack(reader, {**parts, "up_card": 1 << up_card, "stock": cards_of(stock)})
    state = blank(STATE_DTYPE)
    if values.get("key") is None:
        begin(rules, state, first)
        set_hands(state, hands)
        set_stock(state, stock)
        state.top, state.suit, state.pile = up_card, up_card & 3, 1 << up_card
        return state
    key = values["key"]
    if isinstance(key, bool) or not isinstance(key, int) or not -(2**63) <= key < 2**63:
        raise reader.fail("key", f"must be a whole number of 64 bits, not {key!r}")
    deal_cards(rules, state, first, np.int64(key))
    if [*map(int, state.hands[: rules.players])] != hands or state.top != up_card or stock_list(state) != stock:
        raise reader.fail("key", "does not deal these cards")
    return state


def _stage(state: Any, cards: list[int]) -> None:
    """Lay the stock of the next reshuffle behind the one that there is, unless its cards are not all in play yet."""
    stock = stock_list(state)
    if not set(stock) & set(cards):
        set_stock(state, stock, cards)


def _replay_move(rules: Rules, reader: Reader, state: Any, where: str, entry: Any) -> None:
    if not isinstance(entry, list) or len(entry) != 2:
        raise reader.fail(where, f"must be a seat and a move, not {entry!r}")
    seat, text = entry
    if not is_seat(seat, rules.players) or seat != state.turn:
        raise reader.fail(where, f"is of seat {seat!r}, but seat {state.turn} is to act")
    move = reader.parsed(where, text, lambda text: parse_move(rules, state, text))
    why = why_illegal(rules, state, move)
    if why:
        raise reader.fail(where, f"{text!r} is not legal: {why}")
    play(rules, state, move)


def _check_refill(rules: Rules, reader: Reader, state: Any, to_come: list[list[int]], by_key: bool) -> None:
    """Refuse a reshuffle that the record does not have, or has with other cards."""
    number = int(state.refills) - 1
    if number >= len(to_come):
        raise reader.fail("new_stocks", f"has no number {number}, but the stock ran out (B2.4)")
    if by_key:
        fits = new_stock(state) == to_come[number]
    else:
        parts = [int(state.pile), cards_of(stock_list(state)), *map(int, state.hands[: rules.players])]
        fits = state.ordered and sum(parts) == PACK and sum(part.bit_count() for part in parts) == 52
    if not fits:
        raise reader.fail(f"new_stocks[{number}]", "is not the pile without its top card (B2.4)")


def _check_end(rules: Rules, reader: Reader, state: Any) -> None:
    ended = how_it_ended(rules, state)
    values = reader.values
    if "hands_left" in values:
        ended["hands_left"] = [int(hand) for hand in state.hands[: rules.players]]
        values = {**values, "hands_left": read_hands(reader, rules, "hands_left")}
    for key, expected in ended.items():
        if key in values and values[key] != expected:
            shown = how_it_ended(rules, state)[key]
            raise reader.fail(key, f"is {reader.values[key]!r}, but it comes to {shown!r}")


def opening(rules: Rules, values: dict[str, Any]) -> tuple[Any, list[str]]:
    """Return the state of the first deal of a record when it was dealt, and all its moves as text.

    Reshuffles come as recorded where the record has its key, or has one that can be laid behind the stock.
    """
    reader = Reader(Reader(values, "", ("deals",)).values["deals"][0], "deals[0]", DEAL_KEYS)
    state = _dealt(rules, reader)
    to_come = reader.values["new_stocks"]
    if state.ordered and to_come:
        if len(to_come) > 1 or int(state.left) + len(to_come[0]) > 52:
            raise reader.fail("key", "is missing: the reshuffles cannot be shown without it")
        set_stock(state, stock_list(state), read_cards(reader, "new_stocks[0]", to_come[0]))
    return state, [text for _, text in reader.values["moves"]]
