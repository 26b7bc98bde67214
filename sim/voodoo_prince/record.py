"""Rounds and matches as JSON records that replay (docs/voodoo_prince.md)."""

from typing import Any

from ..game import play
from ..reader import Reader
from ..seats import shared_places
from .notation import (
    LETTERS,
    cards_in,
    check_deck,
    format_card,
    format_move,
    leavers,
    new_round,
    parse_colour,
    parse_hands,
    parse_move,
)
from .referee import why_illegal
from .rules import HAND, OPTIONS, Rules


def end_of(rules: Rules, state: Any) -> dict[str, Any]:
    """Return how a finished round ended, as in a record."""
    seats = range(rules.players)
    return {
        "tricks": [int(state.tricks[seat]) for seat in seats],
        "left": leavers(rules, state),
        "last": int(state.last),
        "scores": [int(state.scores[seat]) for seat in seats],
    }


def record(rules: Rules, state: Any, moves: list[int]) -> dict[str, Any]:
    """Return the JSON record of a finished round, of which `moves` are all: a match of one round. It replays."""
    hands = [cards_in(state.dealt, seat) for seat in range(rules.players)]
    again = new_round(rules, hands, int(state.first_leader), int(state.drawn))
    pairs = []
    for move in moves:
        pairs.append([int(again.turn), format_move(rules, move)])
        play(rules, again, move)
    end = end_of(rules, state)
    played = {
        "leader": int(state.first_leader),
        "trump": LETTERS[state.drawn - 1] if state.drawn else None,
        "hands": [[format_card(card) for card in hand] for hand in hands],
        "moves": pairs,
        **end,
    }
    return {
        "rules": OPTIONS.format(rules),
        "rounds": [played],
        "totals": end["scores"],
        "places": shared_places(end["scores"]),
    }


def opening(rules: Rules, values: dict[str, Any]) -> tuple[Any, list[str]]:
    """Return the state of a record's first round as it was dealt, and all moves of that round as text."""
    rounds = _rounds(Reader(values, "", ("rounds",)))
    reader = _round_reader(rounds[0], "rounds[0]")
    return _dealt(reader, rules), [text for _, text in _moves(reader)]


def replay(rules: Rules, values: dict[str, Any], name: str = "match") -> dict[str, Any]:
    """Play a recorded match of any number of rounds again and return its `totals` and `places`; errors name the field.

    A record of one round of a match may begin with any: its first trump is drawn, or null where it was named.
    """
    reader = Reader(values, name, ("rounds",))
    totals = [0] * rules.players
    last = -1
    for number, played in enumerate(_rounds(reader)):
        one = _round_reader(played, reader.path(f"rounds[{number}]"))
        state = _dealt(one, rules)
        if last >= 0 and state.leader != last:
            raise one.fail("leader", f"is {int(state.leader)}, but seat {last} was last in the round before (V3.4)")
        if last >= 0 and state.trump:
            raise one.fail("trump", "must be null: the leader names it, but for the first round (V1.3)")
        _play_round(one, rules, state)
        last = int(state.last)
        totals = [total + int(score) for total, score in zip(totals, state.scores[: rules.players], strict=True)]
    answer = {"totals": totals, "places": shared_places(totals)}
    for key, value in answer.items():
        if key in values and values[key] != value:
            raise reader.fail(key, f"is {values[key]!r}, but comes out as {value!r}")
    return answer


def _rounds(reader: Reader) -> list[Any]:
    rounds = reader.values["rounds"]
    if not isinstance(rounds, list) or not rounds:
        raise reader.fail("rounds", f"must be a list of one round or more, not {rounds!r}")
    return rounds


def _round_reader(values: Any, name: str) -> Reader:
    return Reader(values, name, ("leader", "trump", "hands", "moves"))


def _dealt(reader: Reader, rules: Rules) -> Any:
    """Return the state of a round as dealt."""
    hands = parse_hands(reader, rules)
    check_deck(reader, "hands", hands)
    for seat, hand in enumerate(hands):
        if len(hand) != HAND[rules.players]:
            raise reader.fail(f"hands[{seat}]", f"has {len(hand)} cards, not {HAND[rules.players]} (V1.1)")
    trump = 0 if reader.values["trump"] is None else reader.read("trump", parse_colour)
    return new_round(rules, hands, reader.seat("leader", rules.players), trump)


def _moves(reader: Reader) -> list[Any]:
    """Return the moves of a round, each with its seat."""
    moves = reader.values["moves"]
    if not isinstance(moves, list):
        raise reader.fail("moves", f"must be a list of seats with their moves, not {moves!r}")
    for number, pair in enumerate(moves):
        if not isinstance(pair, list) or len(pair) != 2:
            raise reader.fail(f"moves[{number}]", f"must be a seat and its move, not {pair!r}")
    return moves


def _play_round(reader: Reader, rules: Rules, state: Any) -> None:
    """Make the moves of a round, up to its end, and check how it ended where the record says so."""
    moves = _moves(reader)
    for number, (seat, text) in enumerate(moves):
        key = f"moves[{number}]"
        if state.turn < 0:
            raise reader.fail(key, f"the round was over after {number} moves")
        if isinstance(seat, bool) or not isinstance(seat, int) or seat != state.turn:
            raise reader.fail(key, f"is by {seat!r}, but seat {int(state.turn)} is to act")
        move = reader.parsed(key, text, lambda text: parse_move(rules, state, text))
        why = why_illegal(rules, state, move)
        if why:
            raise reader.fail(key, f"{text!r} is not legal: {why}")
        play(rules, state, move)
    if state.turn >= 0:
        raise reader.fail("moves", f"the round is not over after {len(moves)} moves: seat {int(state.turn)} is to act")
    for key, value in end_of(rules, state).items():
        if key in reader.values and reader.values[key] != value:
            raise reader.fail(key, f"is {reader.values[key]!r}, but comes out as {value!r}")
