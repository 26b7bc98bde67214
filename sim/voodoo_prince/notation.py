"""Cards, moves and states as text and JSON: read and written (docs/voodoo_prince.md)."""

from typing import Any

from ..errors import InputError
from ..game import blank
from ..reader import Reader
from ..seats import next_seat
from .rules import HAND, HIGHEST, NEED, Rules
from .state import NAME, STATE_DTYPE

LETTERS = "RYGBP"
STATE_KEYS = "trump leader turn hands trick tricks left scores played".split()


def format_card(card: int) -> str:
    """Return a card as text: its colour and rank."""
    return f"{LETTERS[(card >> 4) - 1]}{card & 15}"


CARD_OF = {format_card(card): card for card in range(16, 96)}


def parse_card(rules: Rules, text: Any) -> int:
    """Return the card written as ``R7``."""
    highest = int(HIGHEST[rules.players])
    card = CARD_OF.get(text) if isinstance(text, str) else None
    if card is None or card & 15 > highest:
        raise InputError(f"{text!r} is no card: write a colour {' '.join(LETTERS)} and a rank 0 … {highest}, as in R7")
    return card


def parse_colour(text: Any) -> int:
    """Return the number of a colour, 1 … 5."""
    if not isinstance(text, str) or len(text) != 1 or text not in LETTERS:
        raise InputError(f"{text!r} is no colour: write one of {' '.join(LETTERS)}")
    return LETTERS.index(text) + 1


def parse_move(rules: Rules, state: Any, text: str) -> int:
    """Return the move written as ``R7`` or ``trump:R``; whether it is legal is another question."""
    named, colon, colour = text.partition(":")
    if colon and named == "trump":
        return NAME + parse_colour(colour)
    return parse_card(rules, text)


def format_move(rules: Rules, move: int) -> str:
    """Return a move as text: the inverse of `parse_move`."""
    move = int(move)
    return f"trump:{LETTERS[move - NAME - 1]}" if move > NAME else format_card(move)


def cards_in(halves: Any, index: int = 0) -> list[int]:
    """Return the cards of set number `index` of an array of sets, in their order."""
    near, far = int(halves[2 * index]), int(halves[2 * index + 1])
    both = near | far << 48
    return [card for card in range(16, 96) if both >> card & 1]


def halves_of(cards: list[int]) -> tuple[int, int]:
    """Return the halves of a set of cards."""
    both = sum(1 << card for card in cards)
    return both & (1 << 48) - 1, both >> 48


def in_order_played(rules: Rules, state: Any) -> list[int]:
    """Return the seats that have played to the trick on the table, the leader first."""
    order = [(int(state.leader) + step) % rules.players for step in range(rules.players)]
    return [seat for seat in order if state.table[seat]]


def is_in(state: Any, seat: int) -> bool:
    """Return whether a seat has not left the round; the last of a finished round has not."""
    return bool(state.alive >> seat & 1)


def format_hand(rules: Rules, state: Any, seat: int) -> str:
    """Return the hand of a seat as text, nothing once it has left."""
    return " ".join(map(format_card, cards_in(state.hands, seat))) if is_in(state, seat) else ""


def format_field(rules: Rules, state: Any) -> str | None:
    """Return the cards of the trick on the table in the order played, None when a lead is due."""
    return " ".join(format_card(int(state.table[seat])) for seat in in_order_played(rules, state)) or None


def leavers(rules: Rules, state: Any) -> list[int]:
    """Return the seats that have left, in order."""
    left = [seat for seat in range(rules.players) if not is_in(state, seat)]
    return sorted(left, key=lambda seat: int(state.exit[seat]))


def format_state(rules: Rules, state: Any) -> dict[str, Any]:
    """Return a state as JSON: the inverse of `parse_state`."""
    seats = range(rules.players)
    table = [int(card) for card in state.table]
    over = state.turn < 0
    return {
        "trump": LETTERS[state.trump - 1] if state.trump else None,
        "leader": int(state.leader),
        "turn": None if over else int(state.turn),
        "hands": [format_hand(rules, state, seat).split() for seat in seats],
        "trick": [[seat, format_card(table[seat])] for seat in in_order_played(rules, state)],
        "tricks": [int(state.tricks[seat]) for seat in seats],
        "left": leavers(rules, state),
        "scores": [int(state.scores[seat]) if over or not is_in(state, seat) else None for seat in seats],
        "played": [format_card(card) for card in cards_in(state.seen) if card not in table],
    }


def parse_cards(reader: Reader, rules: Rules, key: str, values: Any) -> list[int]:
    """Return the cards of a JSON list, each of which is there once."""
    if not isinstance(values, list):
        raise reader.fail(key, f"must be a list of cards, not {values!r}")
    cards = [
        reader.parsed(f"{key}[{index}]", text, lambda text: parse_card(rules, text))
        for index, text in enumerate(values)
    ]
    if len(set(cards)) < len(cards):
        raise reader.fail(key, "names a card twice")
    return cards


def parse_list(reader: Reader, rules: Rules, key: str) -> list[Any]:
    """Return a JSON list of one value a seat."""
    values = reader.values[key]
    if not isinstance(values, list) or len(values) != rules.players:
        raise reader.fail(key, f"must be a list of {rules.players}, one for each seat")
    return values


def parse_hands(reader: Reader, rules: Rules) -> list[list[int]]:
    """Return the hands of a JSON object, one a seat."""
    hands = parse_list(reader, rules, "hands")
    return [parse_cards(reader, rules, f"hands[{seat}]", hand) for seat, hand in enumerate(hands)]


def check_deck(reader: Reader, key: str, sets: list[list[int]]) -> None:
    """Refuse a card that lies in two places."""
    cards = [card for cards in sets for card in cards]
    twice = {card for card in cards if cards.count(card) > 1} if len(set(cards)) < len(cards) else set()
    if twice:
        raise reader.fail(key, f"{format_card(min(twice))} is in two places")


def new_round(rules: Rules, hands: list[list[int]], leader: int, trump: int) -> Any:
    """Return the state of a round in which `leader` leads; trump 0: it names that before."""
    state = blank(STATE_DTYPE)
    for seat, cards in enumerate(hands):
        state.hands[2 * seat : 2 * seat + 2] = state.dealt[2 * seat : 2 * seat + 2] = halves_of(cards)
        state.sizes[seat] = len(cards)
    state.trump = state.drawn = trump
    state.turn = state.leader = state.first_leader = leader
    state.alive = (1 << rules.players) - 1
    state.seated[: rules.players] = range(rules.players)
    state.observer = -1
    return state


def parse_state(rules: Rules, values: dict[str, Any], name: str = "state") -> Any:
    """Return the record of a state written as JSON; errors name the field. The round must not be over.

    What the state does not say, who failed to follow before this trick and what the leavers laid aside, is unknown.
    """
    reader = Reader(values, name, STATE_KEYS)
    if values["turn"] is None:
        raise reader.fail("turn", "is null: the round is over")
    turn, leader = reader.seat("turn", rules.players), reader.seat("leader", rules.players)
    trump = 0 if values["trump"] is None else reader.read("trump", parse_colour)
    hands, left = parse_hands(reader, rules), reader.seats("left", rules.players)
    if len(left) > rules.players - 2:
        raise reader.fail("left", "fewer than two players are still in: the round is over (V3.3)")
    state = new_round(rules, hands, leader, trump)
    played = parse_cards(reader, rules, "played", values["played"])
    for seat in left:
        state.alive &= ~(1 << seat)
        if hands[seat]:
            raise reader.fail(f"hands[{seat}]", "must be empty: this seat has left, and its cards lie aside (V3.1)")
    if leader in left:
        raise reader.fail("leader", f"seat {leader} has left")
    trick = _parse_trick(reader, rules, state, hands)
    check_deck(reader, "hands", [*hands, trick, played])
    if state.turn != turn:
        raise reader.fail("turn", f"is {turn}, but seat {int(state.turn)} is next in this trick (V2.1)")
    if not hands[turn]:
        raise reader.fail(f"hands[{turn}]", f"seat {turn} is to act and has no cards (V3.6)")
    for seat, hand in enumerate(hands):
        most = int(HAND[rules.players]) - (1 if state.table[seat] else 0)
        if len(hand) > most:
            raise reader.fail(f"hands[{seat}]", f"has {len(hand)} cards, more than {most} (V1.1)")
    _parse_tricks(reader, rules, state, left)
    if trump == 0 and (trick or played or any(state.tricks)):
        raise reader.fail("trump", "is null, but cards have been played: it is named before (V1.3)")
    state.seen[:] = halves_of(trick + played)
    return state


def _parse_trick(reader: Reader, rules: Rules, state: Any, hands: list[list[int]]) -> list[int]:
    """Put the cards of the trick on the table, with what they show and who is next; return them."""
    values = reader.values["trick"]
    if not isinstance(values, list):
        raise reader.fail("trick", f"must be a list of seats with their cards, not {values!r}")
    if len(values) >= int(state.alive).bit_count():
        raise reader.fail("trick", "has a card of everybody who is still in: it is complete")
    cards: list[int] = []
    for index, pair in enumerate(values):
        key = f"trick[{index}]"
        if not isinstance(pair, list) or len(pair) != 2:
            raise reader.fail(key, f"must be a seat and its card, not {pair!r}")
        seat, card = pair[0], reader.parsed(key, pair[1], lambda text: parse_card(rules, text))
        if isinstance(seat, bool) or not isinstance(seat, int) or seat != state.turn:
            raise reader.fail(key, f"is by {seat!r}, but seat {int(state.turn)} is next (V2.1)")
        colour = card >> 4
        state.lead = state.lead or colour
        if colour == state.lead:
            state.lead_ranks |= 1 << (card & 15)
        else:
            state.lacks[seat] |= 1 << state.lead
            if any(held >> 4 == state.lead for held in hands[seat]):
                raise reader.fail(key, f"seat {seat} did not follow though it holds {LETTERS[state.lead - 1]} (V2.1)")
        if colour == state.trump:
            state.trump_ranks |= 1 << (card & 15)
        state.table[seat] = card
        state.dealt[2 * seat : 2 * seat + 2] = halves_of([*hands[seat], card])
        state.turn = next_seat(rules, state.alive, seat)
        cards.append(card)
    return cards


def _parse_tricks(reader: Reader, rules: Rules, state: Any, left: list[int]) -> None:
    """Read what each seat has won, and the scores of those who left with it."""
    need = int(NEED[rules.players])
    tricks = parse_list(reader, rules, "tricks")
    for seat, won in enumerate(tricks):
        lowest, highest = (need, need + 1) if seat in left else (0, need - 1)
        if isinstance(won, bool) or not isinstance(won, int) or not lowest <= won <= highest:
            gone = "has left" if seat in left else "is still in"
            raise reader.fail(f"tricks[{seat}]", f"{won!r} is none of {lowest} … {highest}: this seat {gone} (V3.1)")
        state.tricks[seat] = won
    gone_tricks = 0
    for place, seat in enumerate(left):
        state.exit[seat] = place + 1
        later = [won for other, won in enumerate(tricks) if other != seat and other not in left[:place]]
        highest = gone_tricks + sum(min(won, need - 1) for won in later)
        score = parse_list(reader, rules, "scores")[seat]
        if isinstance(score, bool) or not isinstance(score, int) or not gone_tricks <= score <= highest:
            raise reader.fail(f"scores[{seat}]", f"{score!r} is none of {gone_tricks} … {highest} (V3.1)")
        state.scores[seat] = score
        gone_tricks += tricks[seat]
    state.gone = len(left)
    for seat, score in enumerate(parse_list(reader, rules, "scores")):
        if seat not in left and score is not None:
            raise reader.fail(f"scores[{seat}]", f"must be null, not {score!r}: this seat is still in")
