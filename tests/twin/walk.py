"""Positions at which the kernels are compared with the slow twin (tests/naive), and what has to agree there.

A walk is some options and a position, or several games of a match that the kernels deal, played out at random on both.
It depends on its source of random numbers alone.
"""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from agari.sim.cards import format_cards
from agari.sim.daifugo.presets import PRESETS
from agari.sim.daifugo.state import ASIDE, BLIND, TRIBUTE
from agari.sim.game import blank, deal, payoff, play, search_moves

from ..daifugo_table import (
    GAME,
    MOVES,
    PACK,
    Options,
    Position,
    federation,
    moves_of,
    position,
    random_hands,
    random_options,
    uecda,
)
from ..naive import daifugo as twin

MOST_PLAYS = 300  # of one game; with `lead_pass` and no limit a game may go on for ever
MOST_GAMES = 5  # of a match
PRESET_OPTIONS: dict[str, Options] = {
    f"{name} {players}": GAME.options.format(rules)
    for name, preset in PRESETS.items()
    for players, rules in preset.by_players.items()
}
_RULES = {"wild": federation(), "card": uecda()}  # a move is written by `joker_as` and nothing else


class Difference(AssertionError):
    """The kernels do something else than the twin."""


class Deal(NamedTuple):
    """How a game began that the kernels dealt; cards as text."""

    number: int
    hands: list[str]
    blind: str
    previous: list[int] | None
    reseated: bool
    exchange: list[dict[str, Any]]
    after: list[str]


class Step(NamedTuple):
    """A position at which all agreed, its legal plays, the one that was made, and the position after it."""

    options: Options
    before: Position
    legal: set[str]
    text: str
    after: Position
    deal: Deal | None  # at the first lead of a game that the kernels dealt


def agree(got: Any, expected: Any, *where: Any) -> None:
    """Raise a `Difference` unless the two are equal."""
    if got != expected:
        raise Difference(f"{got!r} instead of {expected!r}: " + ", ".join(map(repr, where)))


@cache
def text_of(joker_as: str, move: int) -> str:
    """The text of a move."""
    return GAME.format_move(_RULES[joker_as], move)


@cache
def named_in(text: str) -> frozenset[str]:
    """The cards for which the jokers of a play stand by name."""
    return frozenset(word[3:] for word in text.split() if word.startswith("JK="))


# --- one position -----------------------------------------------------------------------------------------------


def compare_moves(options: Options, rules: Any, state: Any, expected: Position) -> dict[str, int]:
    """The legal moves by their text, once they are those of the twin, and those that a search sees are too."""
    moves = moves_of(rules, state)
    by_text = {text_of(options["joker_as"], move): move for move in moves}
    agree(len(by_text), len(moves), "moves that are written the same", options, expected)
    legal = twin.legal(options, expected)
    if by_text.keys() != legal:
        raise Difference(
            f"too much {by_text.keys() - legal}, too little {legal - by_text.keys()}: {options}, {expected}"
        )
    hand = expected["hands"][expected["turn"]].split()
    seen = [int(move) for move in MOVES.list[: search_moves(rules, state, MOVES)]]
    expected_seen = [move for text, move in by_text.items() if named_in(text).isdisjoint(hand)]
    agree(sorted(seen), sorted(expected_seen), "moves for a search", options, expected)
    return by_text


def compare_read_again(options: Options, rules: Any, state: Any, expected: Position) -> None:
    """The position read from its text is the same position, with the same moves."""
    again = GAME.parse_state(rules, expected)
    agree(GAME.format_state(rules, again), expected, "read again", options)
    agree(moves_of(rules, again), moves_of(rules, state), "moves when read again", options, expected)


def compare_state(options: Options, rules: Any, state: Any, expected: Position, *where: Any) -> None:
    """All that the text of a position says, and how many cards everybody is said to have."""
    agree(GAME.format_state(rules, state), expected, options, *where)
    sizes = [len(hand.split()) for hand in expected["hands"]]
    agree(state.sizes[: rules.players].tolist(), sizes, "sizes", options, *where)
    agree(int(state.sizes[ASIDE]), len(expected["aside"].split()), "size of the cards aside", options, *where)


def compare_end(options: Options, rules: Any, state: Any, expected: Position, *where: Any) -> None:
    """The order, how each came to its place, lots among those still in, and the points with and without the bonus."""
    answer = GAME.format_state(rules, state)
    keys = ("turn", "ranking", "reasons", "out", "sunk", "aside", "revolution")
    agree([answer[key] for key in keys], [expected[key] for key in keys], options, *where)
    order = state.ranking[: rules.players].tolist()
    agree(sorted(order), list(range(rules.players)), "seats in the order", options, *where)
    for last_of_set in (False, True):
        state.last_of_set = last_of_set
        won = [payoff(rules, state, seat) for seat in range(rules.players)]
        agree(won, twin.points(options, order, last_of_set), "points", options, *where)


# --- plays ------------------------------------------------------------------------------------------------------


@cache
def form_of(text: str) -> tuple[str, int, int]:
    """Kind, number of jokers and number of cards."""
    return text[0], text.count("JK"), text.count(" ") + 1


@cache
def is_rare(text: str) -> bool:
    """Whether it is a group of five or more, or a sequence with a joker beyond an end, or one that counts as 8 or J."""
    kind, _, size = form_of(text)
    return (kind == "G" and size >= 5) or (kind == "Q" and any(card[1] in "<>8J" for card in named_in(text)))


def choose(source: random.Random, texts: list[str], passing: float) -> str:
    """A pass so often, else each kind of play, of a kind each number of jokers, and of these each size equally often.

    Those that are seldom legal are preferred.
    """
    plays = [text for text in texts if text != twin.PASS]
    if not plays or (len(plays) < len(texts) and source.random() < passing):
        return twin.PASS
    rare = [text for text in plays if is_rare(text)]
    if rare and source.random() < 0.3:
        return source.choice(rare)
    for part in range(3):
        form = source.choice(sorted({form_of(text)[part] for text in plays}))
        plays = [text for text in plays if form_of(text)[part] == form]
    return source.choice(plays)


def choose_lively(source: random.Random, options: Options, before: Position, texts: list[str], passing: float) -> str:
    """A play that is no single and can be followed, if one is found soon, else any."""
    rich = [text for text in texts if text[0] in "GQ"]
    for _ in range(4 if rich else 0):
        text = choose(source, rich, 0)
        after = twin.apply(options, before, text)
        if after["turn"] is not None and after["field"] and len(twin.legal(options, after)) > 1:
            return text
    return choose(source, texts, passing)


def play_out(
    source: random.Random,
    options: Options,
    state: Any,
    begin: Position,
    most: int,
    lively: bool = False,
    dealt: Deal | None = None,
) -> Iterator[Step]:
    """Play a game out, `most` plays at most, on the state itself and on the twin, and compare them all the way."""
    rules, before = GAME.options.parse(options), begin
    passing = source.choice([0.05, 0.15, 0.7])
    for number in range(most):
        by_text = compare_moves(options, rules, state, before)
        if number % 8 == 0:
            compare_read_again(options, rules, state, before)
        texts = sorted(by_text)
        text = choose_lively(source, options, before, texts, passing) if lively else choose(source, texts, passing)
        move = GAME.parse_move(rules, state, text)
        agree(move, by_text[text], "a move read from its text", text, options, before)
        after = twin.apply(options, before, text)
        play(rules, state, move)
        compare = compare_state if after["turn"] is not None else compare_end
        compare(options, rules, state, after, before, text)
        yield Step(options, before, set(by_text), text, after, dealt if number == 0 else None)
        if after["turn"] is None:
            return
        before = after


def random_begin(source: random.Random, options: Options, most: int) -> Position:
    """A position in which somebody is to lead, often with a revolution, and with ranks."""
    players = options["players"]
    hands = [twin.write_cards(hand.split()) for hand in random_hands(source, players, options["jokers"], most)]
    return position(
        *hands,
        turn=source.randrange(players),
        revolution=options["revolution"] and source.random() < 0.4,
        previous=source.sample(range(players), players) if source.random() < 0.6 else None,
    )


def on_a_field(source: random.Random, options: Options, begin: Position) -> Position:
    """A position in which somebody follows: after a lead, with a lock, J-back and passes as if more had been played."""
    text = choose_lively(source, options, begin, sorted(twin.legal(options, begin)), 0)
    where = twin.apply(options, begin, text)
    field = where["field"]
    if where["turn"] is None or field is None:
        return begin
    lying = twin.parse(field["play"])
    if options["lock"] and source.random() < 0.5:
        own = {card[0] for card in lying.cards}
        others = [suit for suit in twin.SUITS if suit not in own]
        more = 0 if lying.kind == "Q" else min(lying.size, 4) - len(own)  # those of wild jokers
        own.update(source.sample(others, more))
        field["lock"] = "".join(suit for suit in twin.SUITS if suit in own)
    where["jback"] = where["jback"] or (options["j_back"] and source.random() < 0.3)
    waiting = [seat for seat in twin.still_in(where) if seat not in (where["turn"], field["owner"])]
    where["passed"] = [seat for seat in waiting if source.random() < 0.2]
    if options["pass_limit"]:
        where["passes_in_row"] = source.randrange(options["pass_limit"])
    return where


# --- whole games ------------------------------------------------------------------------------------------------


def hands_of(state: Any, players: int) -> list[str]:
    """The hands as text."""
    return [format_cards(hand) for hand in state.hands[:players]]


def compare_deal(options: Options, state: Any, number: int, before: Any) -> Deal:
    """What a deal settles (D1.1, D2, D9.3): `before` is the finished game before it, of which game 0 has none."""
    players, where = options["players"], ("deal", number, options)
    seats_every, ranks_every = options["seats_every"], options["ranks_every"]
    ranked = number > 0 and (ranks_every == 0 or number % ranks_every > 0)
    agree(bool(state.ranked), ranked, "ranked", *where)
    agree(bool(state.last_of_set), ranks_every > 0 and (number + 1) % ranks_every == 0, "last of its set", *where)
    seated, previous = state.seated[:players].tolist(), state.previous[:players].tolist() if ranked else None
    agree(sorted(seated), list(range(players)), "seats", *where)
    reseated = number > 0 and seated != before.seated[:players].tolist()
    if number > 0 and (seats_every == 0 or number % seats_every > 0):
        agree(reseated, False, "new seats", *where)
    if previous is not None:
        participants = [before.seated[seat] for seat in before.ranking[:players]]
        agree([seated[seat] for seat in previous], participants, "ranks of the game before", *where)
        if options["deal_from"] == "daifugo":
            agree(int(state.dealt_from), previous[0], "first of the dealing order", *where)
    hands, blind = hands_of(state, players), format_cards(state.hands[BLIND])
    pack = PACK + ["JK"] * options["jokers"]
    agree(sorted(" ".join([*hands, blind]).split()), sorted(pack), "the pack", *where)
    agree(("JK" in blind, len(blind.split())), (False, options["blind"]), "the blind", *where)
    each, more = divmod(len(pack) - options["blind"], players)
    sizes = [len(hands[(state.dealt_from + index) % players].split()) for index in range(players)]
    agree(sizes, [each + 1] * more + [each] * (players - more), "sizes in dealing order", *where)
    return Deal(number, hands, blind, previous, reseated, [], hands)


def play_tribute(source: random.Random, options: Options, state: Any, dealt: Deal) -> Deal:
    """Make a tribute at random on the state itself and on the twin, and compare (D9.2)."""
    rules, previous, where = GAME.options.parse(options), dealt.previous or [], ("tribute", options, dealt)
    returned: list[str] = []
    for pair in twin.tribute(options, previous, dealt.hands, None)["exchange"]:
        agree((int(state.phase), int(state.turn)), (TRIBUTE, pair["receiver"]), "who chooses", *where)
        agree(format_cards(state.given[len(returned)]), pair["given"], "given", *where)
        agree(hands_of(state, rules.players), dealt.hands, "hands before all have chosen", *where)
        moves = {format_cards(move): move for move in moves_of(rules, state)}
        agree(sorted(moves), pair["legal_returns"], "what may be returned", *where)
        agree(search_moves(rules, state, MOVES), len(moves), "returns for a search", *where)
        diamond = [text for text in pair["legal_returns"] if "D3" in text]
        chosen = diamond if diamond and source.random() < 0.3 else pair["legal_returns"]
        returned.append(source.choice(chosen))
        play(rules, state, GAME.parse_move(rules, state, returned[-1]))
    made = twin.tribute(options, previous, dealt.hands, returned)
    agree(hands_of(state, rules.players), made["after"], "hands after the tribute", *where)
    return dealt._replace(exchange=made["exchange"], after=made["after"])


def match(source: random.Random, options: Options, games: int) -> Iterator[Step]:
    """Games of a match that the kernels deal, tributes too, as long as they come to an end."""
    rules, state, before = GAME.options.parse(options), blank(GAME.state_dtype), None
    for number in range(games):
        deal(rules, state, number, source.getrandbits(63))
        dealt = compare_deal(options, state, number, before)
        if dealt.previous:
            dealt = play_tribute(source, options, state, dealt)
        leader = twin.first_leader(options, dealt.after, dealt.previous)
        drawn = int(state.turn) if leader is None else leader
        begin = twin.new_game(options, dealt.after, dealt.blind, drawn, dealt.previous)
        compare_state(options, rules, state, begin, "first lead", dealt)
        yield from play_out(source, options, state, begin, MOST_PLAYS, dealt=dealt)
        if state.turn >= 0:
            return
        order = state.ranking[: rules.players].tolist()
        places = [order.index(seat) + 1 for seat in range(rules.players)]
        agree([seat["place"] for seat in GAME.outcome(rules, state)], places, "places", dealt)
        before = state.copy()


def walk(source: random.Random, options: Options) -> Iterator[Step]:
    """Play something out under some options: a match, the end of a game, its beginning, or the whole of it."""
    rules = GAME.options.parse(options)
    agree(GAME.options.format(rules), options, "rules read from text")
    kind, players = source.random(), options["players"]
    if kind < 0.025:
        yield from match(source, options, source.randint(2, MOST_GAMES))
        return
    if kind < 0.22:
        begin, most = random_begin(source, options, source.choice([2, 3, 4]) * players), 30
    elif kind < 0.96:
        begin, most = random_begin(source, options, source.choice([20, 32, 52])), 6
    else:
        begin, most = random_begin(source, options, 36), MOST_PLAYS
    if source.random() < 0.5:
        begin = on_a_field(source, options, begin)
    state = GAME.parse_state(rules, begin)
    yield from play_out(source, options, state, begin, most, lively=source.random() < 0.5)


def draw_options(source: random.Random) -> Options:
    """A preset in one case of five, else any options."""
    return source.choice(list(PRESET_OPTIONS.values())) if source.random() < 0.2 else random_options(source)


def steps(seed: int, part: int, positions: int) -> Iterator[Step]:
    """Walks, one after the other, until there were so many positions; each part of a long run has its own."""
    source, left = random.Random(f"{seed} {part}"), positions
    while left > 0:
        for step in walk(source, draw_options(source)):
            left -= 1
            yield step
