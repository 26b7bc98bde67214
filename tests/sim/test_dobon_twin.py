"""The kernels of Dobon against the slow twin: legal moves, what every move does, and how deals end."""

import random
from collections import Counter
from typing import Any

import pytest
from agari.sim.dobon.record import new_stock
from agari.sim.game import blank, deal, play, search_moves
from agari.sim.games import ruleset
from agari.sim.rng import key_of
from hypothesis import given, settings
from hypothesis import strategies as st

from ..dobon_table import DRAWN, GAME, MOVES, NUMBERS, PACK, Position, legal_texts, random_options
from ..naive import dobon as twin

Seen = Counter[str]


def compare(rules: Any, options: dict[str, Any], state: Any, position: Position, move: str, seen: Seen) -> Position:
    """Make a move in the kernels and in the twin; return the state after it, which is the same."""
    refills = int(state.refills)
    play(rules, state, GAME.parse_move(rules, state, move))
    after = GAME.format_state(rules, state)
    stocks = [[PACK[card] for card in new_stock(state)]] if state.refills > refills else []
    seen["reshuffle"] += len(stocks)
    chances = [None] if options["call_caught"] in (0.0, 1.0) else [False, True]
    answers = [
        twin.shown(twin.apply(options, position, move, [list(stock) for stock in stocks], caught)) for caught in chances
    ]
    assert twin.shown(after) in answers, (options, position, move)
    seen[after["end"] or after["phase"]] += 1
    return after


def look(rules: Any, options: dict[str, Any], state: Any, position: Position, seen: Seen) -> list[str]:
    """The legal moves, which are the same in the kernels and in the twin, each once."""
    legal = legal_texts(rules, state)
    assert sorted(legal) == sorted(twin.legal(options, position)), (options, position)
    searched = {GAME.format_move(rules, move) for move in MOVES.list[: search_moves(rules, state, MOVES)].tolist()}
    assert {text.partition(":")[0] for text in searched} == {text.partition(":")[0] for text in legal}
    assert searched <= set(legal)
    seen["positions"] += 1
    seen["more than one move"] += len(legal) > 1
    for text in legal:
        seen[kind_of(text)] += 1
    return legal


def kind_of(move: str) -> str:
    """A word for a move."""
    if move in ("draw", "pass", "shoot", "no"):
        return move
    return "several cards" if "+" in move else "named suit" if ":" in move else "one card"


def match(options: dict[str, Any], seed: int, deals: int, seen: Seen) -> None:
    """Whole deals of random moves; shooting and not shooting are as likely."""
    rules, source = GAME.options.parse(options), random.Random(seed)
    state = blank(GAME.state_dtype)
    for number in range(deals):
        deal(rules, state, number, key_of(seed, number))
        position = GAME.format_state(rules, state)
        while state.turn >= 0:
            legal = look(rules, options, state, position, seen)
            move = source.choice(["shoot", *legal] if "shoot" in legal else legal)
            position = compare(rules, options, state, position, move, seen)


def composed(options: dict[str, Any], source: random.Random) -> Position:
    """A position that no play may have led to: hands of any size, rich in equal cards, a stock that may be short."""
    players = options["players"]
    pack = list(PACK)
    source.shuffle(pack)
    if source.random() < 0.1:
        return equal_cards(options, source)
    if source.random() < 0.5:
        pack.sort(key=lambda card: NUMBERS.index(card[1]) + source.random() * 3)
    sizes = [source.choice([1, 1, 2, 3, 4, 5, 8]) for _ in range(players)]
    near = source.random() < 0.5  # then a hand has cards that lie together
    hands = [[pack.pop(0 if near else source.randrange(len(pack))) for _ in range(size)] for size in sizes]
    source.shuffle(hands)
    if near and source.random() < 0.7:
        pack.append(pack.pop(0))
    pile = [pack.pop() for _ in range(source.choice([1, 1, 2, 5, len(pack)]))] if len(pack) > 5 else [pack.pop()]
    if source.random() < 0.2 and (twos := [card for card in pile if card[1] == "2"]):
        pile.sort(key=lambda card: card == twos[0])
    stacked = 2 * sum(card[1] == "2" for card in pile)
    pending = source.choice([0, stacked, stacked + 8]) if pile[-1][1] == "2" else 0
    if source.random() < 0.2 and len(pile) > 6:
        pack, pile = pack + pile[:-3], pile[-3:]
    turn = source.randrange(players)
    return {
        "first": source.randrange(players), "hands": hands, "pile": pile,
        "suit": source.choice("SHDC") if pile[-1][1] == "8" else pile[-1][0], "stock": pack,
        "direction": 1 if players == 2 else source.choice([1, -1]), "turn": turn, "pending": pending, "drawn": None,
        "phase": "turn", "put_down": [], "asked": [], "answers": [], "turns": source.choice([0, 38, 39]),
        "end": None, "scores": None,
    }  # fmt: skip


def equal_cards(options: dict[str, Any], source: random.Random) -> Position:
    """A position in which a card can be shot, and the shot be returned, by hands of cards of the same number."""
    players, number = options["players"], source.choice(NUMBERS)
    pack = [card for card in PACK if card[1] != number]
    source.shuffle(pack)
    suits = source.sample("SHDC", 4)
    mine = source.choice([2, 3])
    hands = [[suit + number for suit in suits[:mine]], [suit + number for suit in suits[mine:]]]
    hands += [[pack.pop() for _ in range(5)] for _ in range(players - 2)]
    pile = [pack.pop() for _ in range(8)]
    pile.sort(key=lambda card: card[0] == suits[0])
    return {
        "first": 0, "hands": hands, "pile": pile, "suit": suits[0] if pile[-1][1] == "8" else pile[-1][0],
        "stock": pack, "direction": 1, "turn": 0, "pending": 0, "drawn": None, "phase": "turn", "put_down": [],
        "asked": [], "answers": [], "turns": 0, "end": None, "scores": None,
    }  # fmt: skip


ANY_OPTIONS = st.fixed_dictionaries(
    {option: st.sampled_from(values) for option, values in DRAWN.items()} | {"call_caught": st.just(0.5)}
) | st.fixed_dictionaries({option: st.sampled_from(values) for option, values in DRAWN.items()})


def test_twenty_thousand_positions() -> None:
    """Under options that hypothesis draws: whole deals, and composed positions played on for some moves."""
    seen: Seen = Counter()

    @settings(max_examples=260)
    @given(ANY_OPTIONS, st.integers(0, 2**32))
    def walk(options: dict[str, Any], seed: int) -> None:
        match(options, seed, 1, seen)
        source = random.Random(seed)
        rules = GAME.options.parse(options)
        for _ in range(12):
            position = composed(options, source)
            state = GAME.parse_state(rules, position)
            for _ in range(3):
                if state.turn < 0:
                    break
                legal = look(rules, options, state, position, seen)
                assert all(
                    GAME.why_illegal(rules, state, GAME.parse_move(rules, state, text)) is None for text in legal
                )
                position = compare(
                    rules, options, state, position, "shoot" if "shoot" in legal else source.choice(legal), seen
                )

    walk()
    assert seen["positions"] >= 20_000, seen
    for what in ("reshuffle", "stopped", "out", "dobon", "return", "shoot", "several cards", "named suit", "pass"):
        assert seen[what] >= 40, (what, seen)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_ruleset(players: int) -> None:
    """Deals by the rules as they are."""
    options = GAME.options.format(ruleset("dobon", players).rules)
    seen: Seen = Counter()
    match(options, players, 6, seen)
    assert seen["positions"] > 100


def test_random_options_take_every_value() -> None:
    source, taken = random.Random(1), set[tuple[str, Any]]()
    for _ in range(200):
        taken |= set(random_options(source).items())
    assert taken == {(option, value) for option, values in DRAWN.items() for value in values}


def test_illegal_moves_are_told_apart() -> None:
    """Every move of a list of all moves is either legal or has a clause that forbids it."""
    source, answers = random.Random(5), Counter[bool]()
    for seed in range(250):
        options = random_options(source)
        rules = GAME.options.parse(options)
        position = composed(options, source)
        state = GAME.parse_state(rules, position)
        if seed % 3 == 0 and (plays := [text for text in legal_texts(rules, state) if text != "draw"]):
            play(rules, state, GAME.parse_move(rules, state, plays[0]))
            if state.turn < 0:
                continue
        legal = set(legal_texts(rules, state))
        tried = ["draw", "pass", "shoot", "no"]
        for hand in [*position["hands"], position["pile"]]:
            tried += twin.plays(options | {"eight_wild": True}, position | {"pending": 0}, hand)
            tried += [card + (":S" if card[1] == "8" else "") for card in hand]
            pairs = [[one, other] for one in hand for other in hand if one[1] == other[1] and one != other]
            tried += [twin.write(pair, pair[1], "C" if pair[0][1] == "8" else None) for pair in pairs]
        for text in tried:
            why = GAME.why_illegal(rules, state, GAME.parse_move(rules, state, text))
            assert (why is None) == (text in legal), (text, why, options, position)
            assert why is None or why[0] == "B"
            answers[why is None] += 1
    assert min(answers.values()) > 500
