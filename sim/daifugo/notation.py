"""Plays and states as text: the notation and the JSON shapes of the docs (docs/formats.md), read and written."""

from typing import Any

from ..cards import (
    CARDS,
    JOKER,
    JOKER_TEXT,
    NATURALS,
    RANKS,
    SUITS,
    format_cards,
    format_suits,
    parse_cards,
    parse_suits,
    plain,
)
from ..errors import InputError
from ..game import PASS, blank
from ..reader import Reader, is_seat
from .moves import RUNS, highest_position, in_reverse, lowest_position, readable, size_of
from .play import set_usable, suits_of
from .rules import CARD, WILD, Rules
from .state import (
    ASIDE,
    BLIND,
    FALL,
    FOUL,
    GROUP,
    KIND,
    LOT,
    LOW_SHIFT,
    PLAY,
    REASONS,
    SEQUENCE,
    SINGLE,
    STATE_DTYPE,
    SUITS_SHIFT,
    TRIBUTE,
)

KINDS = {"S": SINGLE, "G": GROUP, "Q": SEQUENCE}
LETTERS = {kind: letter for letter, kind in KINDS.items()}
POSITIONS = ["<3", *RANKS, ">2"]
PLACES = f"<{RANKS}>"  # the same as a joker's card writes them, D3.5
STATE_KEYS = "hands blind aside field revolution jback passed passes_in_row out sunk turn previous".split()


def read_sequence(rules: Rules, cards: int, reverse: bool) -> int | None:
    """Return the lowest position of cards with wild jokers read as a sequence (D3.3–D3.5), None: they make none."""
    line = (cards & NATURALS) << 4
    length = int(size_of(cards))
    if line == 0 or not 3 <= length <= 15:
        return None
    suit = (line & -line).bit_length() - 1 & 3
    limits = lowest_position(rules, reverse), highest_position(rules, reverse)
    for low in range(15, -1, -1):
        run = int(RUNS[length]) << (4 * low + suit)
        if line & ~run == 0 and readable(rules, line, 1 << (4 * low + suit), length, reverse, *limits):
            return low
    return None


def parse_play(rules: Rules, text: str, reverse: bool) -> int:
    """Return the move written as ``S:H9``, ``G:S7 JK``, ``Q:♣4 ♣5 JK=♣6`` or ``-``, read under an order.

    Jokers that stand for named cards are written ``JK=S7``, beyond the ends ``JK=S<`` and ``JK=S>``.
    """
    if text == "-":
        return PASS
    letter, colon, words = text.partition(":")
    if not colon or letter not in KINDS:
        raise InputError(f"{text!r} is no play: write - for a pass, or S: G: or Q: and the cards, as in G:S7 D7")
    kind = KINDS[letter]
    named = [_parse_named(word) for word in words.split() if word.startswith(f"{JOKER_TEXT}=")]
    cards = parse_cards(" ".join(word for word in words.split() if "=" not in word)) + len(named) * JOKER
    if cards == 0:
        raise InputError(f"{text!r} is a play without cards")
    if cards >> 52 > 2:
        raise InputError(f"more than two jokers in {text!r}")
    if rules.joker_as == WILD:
        if named:
            raise InputError(f"{text!r}: jokers are written just JK under joker_as=wild (D3.4)")
        low = read_sequence(rules, cards, reverse) if kind == SEQUENCE else None
        return kind | cards | (low or 0) << LOW_SHIFT
    if kind == SEQUENCE:
        return kind | cards | _lowest_named(text, cards, named) << LOW_SHIFT
    return kind | cards | _suits_named(text, kind, cards, named) << SUITS_SHIFT


def _parse_named(word: str) -> tuple[int, int]:
    """Return place (an index of `PLACES`) and suit of the card that a joker stands for."""
    card = plain(word.partition("=")[2])
    if len(card) != 2 or card[0] not in SUITS or card[1] not in PLACES:
        raise InputError(f"{word!r} names no card: write JK=S7, beyond the ends JK=S< or JK=S>")
    return PLACES.index(card[1]), SUITS.index(card[0])


def _lowest_named(text: str, cards: int, named: list[tuple[int, int]]) -> int:
    """Return the lowest position of a sequence whose jokers stand for named cards, 0 where natural cards make none."""
    if len(named) < cards >> 52:
        raise InputError(f"{text!r}: say for which card each joker stands, as in JK=S7 (D3.4)")
    spots = [((index >> 2) + 1, index & 3) for index in range(52) if cards >> index & 1] + named
    places = sorted(place for place, _ in spots)
    if len({suit for _, suit in spots}) == 1 and places == list(range(places[0], places[0] + len(places))):
        return places[0]
    if named:  # a move cannot say where jokers stand that do not fill a run
        raise InputError(f"{text!r} is no run of three or more in one suit (D3.3)")
    return 0


def _suits_named(text: str, kind: int, cards: int, named: list[tuple[int, int]]) -> int:
    """Return the suits for which the jokers of a group stand, as a mask; a single has none."""
    naturals = cards & NATURALS
    if kind == SINGLE or naturals == 0:
        if named:
            raise InputError(f"{text!r}: jokers alone stand for no card, write JK (D3.4)")
        return 0
    taken = suits_in(naturals)
    suits = 0
    for place, suit in named:
        if naturals << 4 & ~(15 << 4 * place):
            raise InputError(f"{text!r}: in a group all cards, also those of jokers, are of one rank (D3.2)")
        if (taken | suits) >> suit & 1:
            raise InputError(f"{text!r}: {JOKER_TEXT}={SUITS[suit]}{PLACES[place]} is in the play already (D3.4)")
        suits |= 1 << suit
    if len(named) < cards >> 52 and taken | suits != 15:
        raise InputError(f"{text!r}: say for which card each joker stands, as in JK=S7 (D3.4)")
    return suits


def suits_in(naturals: int) -> int:
    """Return the suits of natural cards as a mask."""
    suits = 0
    while naturals:
        suits |= naturals & 15
        naturals >>= 4
    return suits


def parse_move(rules: Rules, state: Any, text: str) -> int:
    """Return the move written as `text`, read under the order in force; whether it is legal is another question.

    In the tribute a move is the cards that are given back, as in ``S3 H4``.
    """
    return parse_cards(text) if state.phase == TRIBUTE else parse_play(rules, text, bool(in_reverse(state)))


def format_move(rules: Rules, move: int) -> str:
    """Return a move as text: the inverse of `parse_move`."""
    move = int(move)
    if move == PASS:
        return "-"
    kind, naturals, jokers = move & KIND, move & NATURALS, move >> 52 & 3
    words = [format_cards(naturals)] if naturals else []
    if rules.joker_as == CARD and naturals and jokers:
        named = _named_cards(move)
        words += [f"{JOKER_TEXT}={card}" for card in named]
        jokers -= len(named)
    cards = " ".join(words + [JOKER_TEXT] * jokers)
    return f"{LETTERS[kind]}:{cards}" if kind else cards


def _named_cards(move: int) -> list[str]:
    """Return the cards for which the jokers of a group or sequence stand, by place and suit; none in a tribute."""
    naturals = move & NATURALS
    lowest = (naturals & -naturals).bit_length() - 1
    if move & KIND == GROUP:
        return [suit + RANKS[lowest >> 2] for index, suit in enumerate(SUITS) if move >> SUITS_SHIFT >> index & 1]
    if move & KIND != SEQUENCE:
        return []
    low, suit = move >> LOW_SHIFT, lowest & 3
    return [
        SUITS[suit] + PLACES[place]
        for place in range(low, low + int(size_of(move)))
        if not naturals << 4 >> 4 * place + suit & 1
    ]


def format_span(move: int) -> list[str] | None:
    """Return the lowest and highest position of a sequence as it was read, None for singles and groups."""
    if move & KIND != SEQUENCE:
        return None
    low = move >> LOW_SHIFT
    return [POSITIONS[low], POSITIONS[low + size_of(move) - 1]]


def parse_hands(reader: Reader, rules: Rules) -> list[int]:
    """Return the hands of a JSON object, one a seat."""
    hands = reader.values["hands"]
    if not isinstance(hands, list) or len(hands) != rules.players:
        raise reader.fail("hands", f"must be a list of {rules.players} hands")
    return [reader.parsed(f"hands[{seat}]", hand, parse_cards) for seat, hand in enumerate(hands)]


def parse_previous(reader: Reader, rules: Rules) -> list[int] | None:
    """Return the seats by rank in the game before, None in a game without previous ranks."""
    if reader.values["previous"] is None:
        return None
    previous = reader.seats("previous", rules.players)
    if len(previous) != rules.players:
        raise reader.fail("previous", f"must name each of the {rules.players} seats once, or be null")
    return previous


def check_pack(reader: Reader, rules: Rules, key: str, all_cards: list[int]) -> None:
    """Refuse a card that lies in two places, and more jokers than the rules have."""
    seen = jokers = 0
    for cards in all_cards:
        if seen & cards & NATURALS:
            raise reader.fail(key, f"{format_cards(seen & cards & NATURALS)} is in two places")
        seen |= cards & NATURALS
        jokers += cards >> 52
    if jokers > rules.jokers:
        raise reader.fail(key, f"{jokers} jokers, but the rules have {rules.jokers}")


def pack_of(rules: Rules) -> int:
    """Return all cards of the rules."""
    return NATURALS + rules.jokers * JOKER


def parse_state(rules: Rules, values: dict[str, Any], name: str = "state") -> Any:
    """Return the record of a state written as JSON; errors name the field. The game must not be over."""
    reader = Reader(values, name, STATE_KEYS)
    if values.get("phase", "play") != "play":
        raise reader.fail(
            "phase", f"is {values['phase']!r}: a position begins after the tribute; `agari tribute` is for that"
        )
    players = rules.players
    state = blank(STATE_DTYPE)
    hands = parse_hands(reader, rules)
    blind, aside = reader.read("blind", parse_cards), reader.read("aside", parse_cards)
    if blind >> 52:
        raise reader.fail("blind", "holds a joker, which is never set aside (D2.1)")
    field = _parse_field(reader, rules, state)
    check_pack(reader, rules, "hands", [*hands, blind, aside, field & CARDS])
    for holder, cards in [*enumerate(hands), (BLIND, blind), (ASIDE, aside)]:
        state.hands[holder] = cards
        state.dealt[holder] = cards
        state.sizes[holder] = size_of(cards)
    state.alive = sum(1 << seat for seat in range(players) if hands[seat])
    if reader.values["turn"] is None:
        raise reader.fail("turn", "is null: the game is over")
    if state.alive & (state.alive - 1) == 0:
        raise reader.fail("hands", "fewer than two players hold cards: the game is over (D7.4)")
    state.turn = reader.seat("turn", players)
    if not hands[state.turn]:
        raise reader.fail("turn", f"seat {state.turn} has no cards")
    state.revolution, state.jback = reader.flag("revolution"), reader.flag("jback")
    passed = reader.seats("passed", players)
    if any(not hands[seat] for seat in passed):
        raise reader.fail("passed", "names a seat that is no longer in the game")
    state.passed = sum(1 << seat for seat in passed)
    if state.passed >> state.turn & 1:
        raise reader.fail("turn", f"seat {state.turn} sits this field out, since it passed")
    state.passes = reader.count("passes_in_row", max(rules.pass_limit - 1, 0))
    _parse_leavers(reader, rules, state, hands)
    previous = parse_previous(reader, rules)
    state.ranked = previous is not None
    state.previous[:players] = previous if previous is not None else -1
    state.phase = PLAY
    if state.field == 0:
        state.jokers_ok, state.usable = 1, NATURALS
    else:
        set_usable(rules, state, state.field)
    state.first_leader = state.turn
    state.gone = pack_of(rules) - sum(hands) - blind - aside
    state.observer = -1
    state.seated[:players] = range(players)
    return state


def _parse_field(reader: Reader, rules: Rules, state: Any) -> int:
    values = reader.values["field"]
    if values is None:
        return 0
    field = Reader(values, reader.path("field"), ("play", "owner", "lock", "span"))
    move = field.parsed("play", field.values["play"], lambda text: parse_play(rules, text, False))
    kind, cards, low = move & KIND, move & CARDS, move >> LOW_SHIFT
    state.locked = field.parsed("lock", field.values["lock"], parse_suits)
    state.owner = field.seat("owner", rules.players)
    size = int(size_of(cards))
    naturals = cards & NATURALS
    if kind == SEQUENCE:
        span = field.values["span"]
        if not isinstance(span, list) or len(span) != 2 or any(end not in POSITIONS for end in span):
            raise field.fail("span", f"must be the lowest and highest position, each of {' '.join(POSITIONS)}")
        if rules.joker_as == WILD:
            low = POSITIONS.index(span[0])
        run = int(RUNS[size]) << 4 * low if size < 16 else 0
        suit = (naturals & -naturals).bit_length() - 1 & 3
        fits = [POSITIONS.index(end) for end in span] == [low, low + size - 1]
        if size < 3 or not fits or (naturals << 4) & ~(run << suit) or not naturals:
            raise field.fail("span", f"{span} does not fit the play {field.values['play']}")
    elif field.values["span"] is not None:
        raise field.fail("span", "must be null: only a sequence has one")
    elif size == 0 or (kind == SINGLE) != (size == 1) or not _of_one_rank(naturals):
        raise field.fail("play", f"{field.values['play']} is no play (D3)")
    state.field = kind | cards | low << LOW_SHIFT
    state.suits = suits_of(rules, state.field)
    return int(state.field)


def _of_one_rank(naturals: int) -> bool:
    """Return whether natural cards, if any, are of one rank."""
    return naturals == 0 or any(naturals & ~(15 << 4 * rank) == 0 for rank in range(13))


def _parse_leavers(reader: Reader, rules: Rules, state: Any, hands: list[int]) -> None:
    out = reader.seats("out", rules.players)
    sunk = reader.values["sunk"]
    if not isinstance(sunk, list) or not all(
        isinstance(entry, list)
        and len(entry) == 2
        and is_seat(entry[0], rules.players)
        and entry[1] in ("foul", "fall")
        for entry in sunk
    ):
        raise reader.fail("sunk", f'must be a list of [seat, "foul"] or [seat, "fall"], not {sunk!r}')
    gone = sorted(out + [entry[0] for entry in sunk])
    if gone != [seat for seat in range(rules.players) if not hands[seat]]:
        raise reader.fail("out", "with `sunk` must name each seat without cards once, and no other")
    falls = [reason for _, reason in sunk].count("fall")
    if falls > 1:
        raise reader.fail("sunk", "two players fell: only one can (D8.3)")
    if falls != bool(state.hands[ASIDE]):
        raise reader.fail("aside", "must hold the hand of a player who fell, and nothing where nobody did (D8.3)")
    state.out[: len(out)], state.out_count = out, len(out)
    state.sunk_count = len(sunk)
    for index, (seat, reason) in enumerate(sunk):
        state.sunk[index] = seat
        state.sunk_reason[index] = FALL if reason == "fall" else FOUL
        if reason == "fall":
            state.dealt[seat] = state.hands[ASIDE]
            state.dealt[ASIDE] = 0


def format_state(rules: Rules, state: Any) -> dict[str, Any]:
    """Return a full state as JSON: the inverse of `parse_state`; a finished one also has `ranking` and `reasons`."""
    players = range(rules.players)
    field = None
    if state.field and state.turn >= 0:
        field = {
            "play": format_move(rules, state.field),
            "owner": int(state.owner),
            "lock": format_suits(state.locked),
            "span": format_span(int(state.field)),
        }
    values: dict[str, Any] = {
        "hands": [format_cards(state.hands[seat]) for seat in players],
        "blind": format_cards(state.hands[BLIND]),
        "aside": format_cards(state.hands[ASIDE]),
        "field": field,
        "revolution": bool(state.revolution),
        "jback": bool(state.jback),
        "passed": [seat for seat in players if state.passed >> seat & 1],
        "passes_in_row": int(state.passes),
        "out": [int(seat) for seat in state.out[: state.out_count]],
        "sunk": [[int(state.sunk[index]), REASONS[state.sunk_reason[index]]] for index in range(state.sunk_count)],
        "turn": int(state.turn) if state.turn >= 0 else None,
        "previous": [int(seat) for seat in state.previous[: rules.players]] if state.ranked else None,
    }
    if state.phase == TRIBUTE:
        values["phase"] = "tribute"
    if state.turn < 0:
        values["ranking"], values["reasons"] = format_ranking(rules, state)
    return values


def format_ranking(rules: Rules, state: Any) -> tuple[list[int | None], list[str]]:
    """Return the final order of a finished game, null for a place drawn by lot, and how each came about."""
    reasons = [int(reason) for reason in state.reasons[: rules.players]]
    ranking = [
        None if reason == LOT else int(seat)
        for seat, reason in zip(state.ranking[: rules.players], reasons, strict=True)
    ]
    return ranking, [REASONS[reason] for reason in reasons]
