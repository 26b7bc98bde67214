"""Moves and states as text: the notation and the JSON shapes of docs/dobon.md, read and written."""

from typing import Any

from ..cards import SUITS, plain
from ..errors import InputError
from ..game import PASS, blank, payoff
from ..reader import Reader
from ..rng import advance, below
from ..seats import next_seat
from .cards import EIGHT, PACK, TWO, TWOS, card_list, card_text, cards_of, parse_card, value_of
from .deal import begin
from .moves import fitting_cards, top_of
from .play import qualifies
from .rules import CHAIN, Rules
from .state import (
    DRAW,
    DRAWN,
    ENDS,
    NO,
    OVER,
    RETURN,
    SHOOT,
    SHOOTING,
    STATE_DTYPE,
    SUIT_SHIFT,
    TOP_SHIFT,
)

WORDS = {"draw": DRAW, "pass": PASS, "shoot": SHOOT, "no": NO}
TEXTS = {move: word for word, move in WORDS.items()}
PHASES = ("turn", "turn", "shoot", "return", "over")
STATE_KEYS = (
    "first hands pile suit stock direction turn pending drawn phase put_down asked answers turns end scores".split()
)


# --- moves ------------------------------------------------------------------------------------------------------


def parse_play(text: str) -> int:
    """Return the play written as ``D5``, ``H5+C5+D5`` (the last one ends on top) or ``S8+C8:H``."""
    named, colon, suit = plain(text).partition(":")
    cards = [parse_card(word) for word in named.split("+")]
    if len(set(cards)) < len(cards):
        raise InputError(f"{text!r} names a card twice")
    if len({card >> 2 for card in cards}) > 1:
        raise InputError(f"{text!r}: only cards of one number are put down together (B2.3)")
    if cards[:-1] != sorted(cards[:-1]):
        raise InputError(f"{text!r}: the cards below the last one are written in the order {' '.join(SUITS)}")
    move = cards_of(cards) | cards[-1] << TOP_SHIFT
    if cards[-1] >> 2 != EIGHT:
        if colon:
            raise InputError(f"{text!r}: only an 8 names a suit (B3.2)")
        return move
    if len(suit) != 1 or suit not in SUITS:
        raise InputError(f"{text!r}: an 8 names a suit, as in {named}:S (B3.2)")
    return move | SUITS.index(suit) << SUIT_SHIFT


def parse_move(rules: Rules, state: Any, text: str) -> int:
    """Return the move written as `text`; whether it is legal is another question."""
    if text in WORDS:
        return WORDS[text]
    try:
        return parse_play(text)
    except InputError as error:
        raise InputError(f"{error}; other moves are draw, pass, shoot and no") from None


def format_move(rules: Rules, move: int) -> str:
    """Return a move as text: the inverse of `parse_move`."""
    move = int(move)
    if move in TEXTS:
        return TEXTS[move]
    top = top_of(move)
    cards = [*card_list(move & PACK & ~(1 << top)), card_text(top)]
    return "+".join(cards) + (f":{SUITS[move >> SUIT_SHIFT]}" if top >> 2 == EIGHT else "")


# --- states, written --------------------------------------------------------------------------------------------


def stock_list(state: Any) -> list[int]:
    """Return the indices of the cards of the stock in the order in which they will be drawn; of a full state."""
    begin, left = int(state.next), int(state.left)
    stock = [int(card) for card in state.stock[begin : begin + left]]
    if not state.ordered:
        stream = state.stream
        for place in range(left):
            stream = advance(stream)
            other = place + int(below(stream, left - place))
            stock[place], stock[other] = stock[other], stock[place]
    return stock


def seats_from(rules: Rules, seats: int, player: int) -> list[int]:
    """Return a mask of seats as a list, clockwise from the one after `player`."""
    around = [(player + steps) % rules.players for steps in range(1, rules.players + 1)]
    return [seat for seat in around if int(seats) >> seat & 1]


def format_state(rules: Rules, state: Any) -> dict[str, Any]:
    """Return a full state as JSON: the inverse of `parse_state`."""
    asking = state.phase in (SHOOTING, RETURN)
    asked = seats_from(rules, state.asked, int(state.player)) if asking else []
    put = int(state.last)
    top = int(state.top)
    return {
        "first": int(state.first),
        "hands": [card_list(state.hands[seat]) for seat in range(rules.players)],
        "pile": [*card_list(state.pile & ~(1 << top)), card_text(top)],
        "suit": SUITS[state.suit],
        "stock": [card_text(card) for card in stock_list(state)],
        "direction": int(state.direction),
        "turn": None if state.phase == OVER else int(state.player),
        "pending": int(state.pending),
        "drawn": card_list(state.drawn)[0] if state.phase == DRAWN and state.drawn else None,
        "phase": PHASES[state.phase],
        "put_down": [*card_list(put & PACK & ~(1 << top_of(put))), card_text(top_of(put))] if asking else [],
        "asked": asked,
        "answers": [bool(state.shooters >> seat & 1) for seat in asked if not state.waiting >> seat & 1],
        "turns": int(state.turns),
        "end": ENDS[state.end] or None,
        "scores": scores_of(rules, state) if state.phase == OVER else None,
    }


def scores_of(rules: Rules, state: Any) -> list[int]:
    """Return the scores of a finished deal by seat."""
    return [int(payoff(rules, state, seat)) for seat in range(rules.players)]


def format_field(rules: Rules, state: Any) -> str | None:
    """Return the top card as text, with the suit that it has now after an 8, and the cards that lie there for 2s."""
    suit = f":{SUITS[state.suit]}" if state.top >> 2 == EIGHT else ""
    pending = f" +{state.pending}" if state.pending else ""
    return card_text(int(state.top)) + suit + pending


# --- states, read -----------------------------------------------------------------------------------------------


def read_cards(reader: Reader, key: str, values: Any) -> list[int]:
    """Return the indices of a list of different cards."""
    if not isinstance(values, list):
        raise reader.fail(key, f"must be a list of cards, not {values!r}")
    cards = [reader.parsed(f"{key}[{place}]", text, parse_card) for place, text in enumerate(values)]
    if len(set(cards)) < len(cards):
        raise reader.fail(key, "names a card twice")
    return cards


def read_hands(reader: Reader, rules: Rules, key: str = "hands") -> list[int]:
    """Return the hands of a JSON object, one a seat."""
    hands = reader.values[key]
    if not isinstance(hands, list) or len(hands) != rules.players:
        raise reader.fail(key, f"must be a list of {rules.players} hands")
    return [cards_of(read_cards(reader, f"{key}[{seat}]", hand)) for seat, hand in enumerate(hands)]


def check_pack(reader: Reader, parts: dict[str, int]) -> None:
    """Refuse cards that lie in two places, and a pack that is not whole."""
    seen = 0
    for key, cards in parts.items():
        if seen & cards:
            raise reader.fail(key, f"{card_list(seen & cards)[0]} lies elsewhere too")
        seen |= cards
    if seen != PACK:
        raise reader.fail(list(parts)[-1], f"{card_list(PACK & ~seen)[0]} lies nowhere: all 52 cards are in play")


def set_hands(state: Any, hands: list[int]) -> None:
    """Give each seat its hand."""
    for seat, hand in enumerate(hands):
        state.hands[seat] = hand
        state.sizes[seat] = hand.bit_count()
        state.sums[seat] = value_of(hand)


def set_stock(state: Any, stock: list[int], new_stock: list[int] | None = None) -> None:
    """Lay the stock in its order, and behind it the one that a reshuffle is to make."""
    to_come = new_stock or []
    state.stock[: len(stock) + len(to_come)] = [*stock, *to_come]
    state.next, state.left, state.ordered, state.staged = 0, len(stock), 1, len(to_come)


def parse_state(rules: Rules, values: dict[str, Any], name: str = "state") -> Any:
    """Return the record of a state written as JSON; errors name the field. The deal must not be over."""
    reader = Reader(values, name, STATE_KEYS)
    players = rules.players
    phase = values["phase"]
    if phase == "over":
        raise reader.fail("phase", "is 'over': the deal is over")
    if phase not in ("turn", "shoot", "return"):
        raise reader.fail("phase", f"must be turn, shoot or return, not {phase!r}")
    for key in ("end", "scores"):
        if values[key] is not None:
            raise reader.fail(key, "must be null in a deal that is not over")
    state = blank(STATE_DTYPE)
    begin(rules, state, reader.seat("first", players))
    hands = read_hands(reader, rules)
    pile, stock = read_cards(reader, "pile", values["pile"]), read_cards(reader, "stock", values["stock"])
    if not pile:
        raise reader.fail("pile", "is empty, but a card lies there always (B1.1)")
    check_pack(
        reader,
        {
            **{f"hands[{seat}]": hand for seat, hand in enumerate(hands)},
            "pile": cards_of(pile),
            "stock": cards_of(stock),
        },
    )
    if values["turn"] is None:
        raise reader.fail("turn", "is null: the deal is over")
    state.player = state.turn = reader.seat("turn", players)
    for seat, hand in enumerate(hands):
        if hand == 0 and not (phase == "shoot" and seat == state.player):
            raise reader.fail(f"hands[{seat}]", "is empty: the deal is over (B6.1)")
    set_hands(state, hands)
    set_stock(state, stock)
    state.pile, state.top = cards_of(pile), pile[-1]
    state.suit = _read_suit(reader, pile[-1])
    state.direction = _read_direction(reader, players)
    state.turns = reader.count("turns", rules.max_turns - 1)
    state.pending = _read_pending(reader, rules, state)
    if phase == "turn":
        for key in ("put_down", "asked", "answers"):
            if values[key] != []:
                raise reader.fail(key, "must be [] in the phase turn")
        if values["drawn"] is not None:
            _read_drawn(reader, rules, state)
    else:
        _read_shooting(reader, rules, state, phase)
    return state


def _read_suit(reader: Reader, top: int) -> int:
    suit = reader.values["suit"]
    if not isinstance(suit, str) or len(plain(suit)) != 1 or plain(suit) not in SUITS:
        raise reader.fail("suit", f"must be one of {' '.join(SUITS)}, not {suit!r}")
    index = SUITS.index(plain(suit))
    if top >> 2 != EIGHT and index != top & 3:
        raise reader.fail("suit", f"is {suit}, but {card_text(top)} on top has its own suit (B3.2)")
    return index


def _read_direction(reader: Reader, players: int) -> int:
    direction = reader.values["direction"]
    if isinstance(direction, bool) or not isinstance(direction, int) or direction not in (1, -1):
        raise reader.fail("direction", f"must be 1 or -1, not {direction!r}")
    if direction == -1 and players == 2:
        raise reader.fail("direction", "is 1 with two players: a 9 has no effect (B3.4)")
    return direction


def _read_pending(reader: Reader, rules: Rules, state: Any) -> int:
    """Return the cards to draw for 2s; while shooting is asked about, before the play in question.

    They may be more than two for each 2 in the pile: a call can empty the stock, and then 2s are played again.
    """
    pending = reader.count("pending", 8 * rules.max_turns)
    if pending % 2:
        raise reader.fail("pending", f"is {pending}, but it is two cards for each 2 (B3.1)")
    if pending and state.top >> 2 != TWO:
        raise reader.fail("pending", f"is {pending}, but {card_text(int(state.top))} lies on top (B3.1)")
    return pending


def _read_drawn(reader: Reader, rules: Rules, state: Any) -> None:
    card = reader.read("drawn", parse_card)
    hand = int(state.hands[state.turn])
    if not hand >> card & 1:
        raise reader.fail("drawn", f"seat {int(state.turn)} does not hold {card_text(card)}")
    if state.pending:
        raise reader.fail("drawn", "cards drawn for 2s are not played in that turn (B3.1)")
    partners = hand & 15 << (card & ~3) if rules.multi == CHAIN else 1 << card
    fitting = int(fitting_cards(rules, state))
    if not fitting & partners:
        raise reader.fail("drawn", f"{card_text(card)} cannot be played, so the turn has passed by itself (B2.2)")
    if not rules.voluntary_draw and fitting & hand & ~(1 << card):
        other = card_list(fitting & hand & ~(1 << card))[0]
        raise reader.fail("drawn", f"seat {int(state.turn)} could have played {other}, so it could not draw (B2.2)")
    state.drawn = 1 << card
    state.phase = DRAWN


def _read_shooting(reader: Reader, rules: Rules, state: Any, phase: str) -> None:
    values = reader.values
    player = int(state.player)
    if values["drawn"] is not None:
        raise reader.fail("drawn", f"must be null in the phase {phase}")
    put = read_cards(reader, "put_down", values["put_down"])
    cards, top = cards_of(put), int(state.top)
    if not put or put[-1] != top or cards & ~int(state.pile) or len({card >> 2 for card in put}) > 1:
        raise reader.fail("put_down", f"must be cards of one number from the pile, {card_text(top)} the last of them")
    if cards == state.pile:
        raise reader.fail("put_down", "is the whole pile, but the first card cannot be shot (B5.5)")
    if state.pending and not int(state.pile) & ~cards & TWOS:
        raise reader.fail("pending", "must be what lay there before the play, when a 2 was on top (B3.1)")
    state.last = cards | top << TOP_SHIFT | (int(state.suit) << SUIT_SHIFT if top >> 2 == EIGHT else 0)
    may = [seat for seat in range(rules.players) if qualifies(state.hands[seat], state.sums[seat], cards)]
    asked = seats_from(rules, sum(1 << seat for seat in may if seat != player), player)
    if reader.seats("asked", rules.players) != asked or not asked:
        raise reader.fail("asked", f"must be the seats that can shoot, in their order: {asked} (B5.1, B5.3)")
    answers = values["answers"]
    if not isinstance(answers, list) or not all(isinstance(shoots, bool) for shoots in answers):
        raise reader.fail("answers", f"must be a list of true and false, not {answers!r}")
    state.asked = sum(1 << seat for seat in asked)
    state.shooters = sum(1 << seat for seat, shoots in zip(asked, answers, strict=False) if shoots)
    state.waiting = sum(1 << seat for seat in asked[len(answers) :])
    if phase == "shoot":
        if len(answers) >= len(asked):
            raise reader.fail("answers", "must be fewer than the seats that are asked")
        state.phase, state.turn = SHOOTING, next_seat(rules, state.waiting, player)
        return
    if len(answers) != len(asked) or not any(answers):
        raise reader.fail("answers", "must be one for each seat that was asked, and somebody has shot (B5.4)")
    if state.sizes[player] == 0 or player not in may:
        raise reader.fail("phase", f"seat {player} cannot shoot back, so the deal is over (B5.4)")
    state.phase = RETURN
