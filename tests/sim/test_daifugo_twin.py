"""The kernels against the slow twin: legal plays, what every play does, and how games end."""

import random
from collections import Counter
from collections.abc import Callable

import pytest
from agari.sim.game import payoff, play
from hypothesis import given, settings
from hypothesis import strategies as st

from ..naive import daifugo as twin
from ..table import GAME, Options, Position, moves_of, position, random_hands, random_options

MOST_PLAYS = 400  # of one game; with `lead_pass` and no limit a game may go on for ever


def how_it_ended(state: Position) -> Position:
    """What of a finished state has to agree."""
    return {key: state[key] for key in ("turn", "ranking", "reasons")}


def play_out(
    options: Options, begin: Position, choose: Callable[[list[str]], str], met: Counter[str], plays: int = MOST_PLAYS
) -> None:
    """Play a position out on the kernels and on the twin, and compare them all the way; count in `met` what was met."""
    rules = GAME.parse_rules(options)
    assert GAME.format_rules(rules) == options
    state, expected = GAME.parse_state(rules, begin), begin
    for _ in range(plays):
        met["positions"] += 1
        moves = moves_of(rules, state)
        texts = sorted(GAME.format_move(rules, move) for move in moves)
        assert texts == sorted(twin.legal(options, expected)), (options, expected)
        read_again = GAME.parse_state(rules, expected)
        assert GAME.format_state(rules, read_again) == expected
        assert moves_of(rules, read_again) == moves, (options, expected)
        text = choose(texts)
        before, expected = expected, twin.apply(options, expected, text)
        play(rules, state, GAME.parse_move(rules, state, text))
        answer = GAME.format_state(rules, state)
        note(met, before, text, expected)
        if expected["turn"] is not None:
            assert answer == expected, (options, before, text)
            continue
        assert how_it_ended(answer) == how_it_ended(expected), (options, before, text)
        for last_of_set in (False, True):
            state.last_of_set = last_of_set
            points = twin.points(options, expected["ranking"], last_of_set)
            assert GAME.outcome(rules, state)
            assert all(points[seat] in (None, payoff(rules, state, seat)) for seat in range(rules.players))
        assert sorted(state.ranking[: rules.players]) == list(range(rules.players))
        return


def note(met: Counter[str], before: Position, text: str, after: Position) -> None:
    """Count what is special about a play, to see that the comparison meets it."""
    if after["turn"] is None:
        met.update(f"ends by {reason}" for reason in set(after["reasons"]))
        return
    if text != "-":
        met[f"{text[0]} with {text.count('JK')} jokers"] += 1
        met["spade 3 on a joker"] += text == "S:S3" and (before["field"] or {}).get("play") == "S:JK"
        met["clears at once"] += after["field"] is None
    elif after["field"] is None:
        met["clears by passes" if before["field"] else "passes on an empty field"] += 1
    if after["field"]:
        met["beyond an end"] += bool({"<3", ">2"} & set(after["field"]["span"] or ()))
        met[f"locked to {len(after['field']['lock'])}"] += 1
        met["owner asked again"] += after["field"]["owner"] == after["turn"]
    met["revolution"] += after["revolution"]
    met["J-back"] += after["jback"]
    met["both"] += after["jback"] and after["revolution"]


def random_begin(source: random.Random, options: Options, most: int) -> Position:
    """A position in which somebody is to lead, often with a revolution, and with ranks."""
    players = options["players"]
    hands = [twin.write_cards(hand.split()) for hand in random_hands(source, players, options["jokers"], most)]
    return position(
        *hands,
        turn=source.randrange(players),
        revolution=options["revolution"] and source.random() < 0.3,
        previous=source.sample(range(players), players) if source.random() < 0.6 else None,
    )


def form_of(text: str) -> tuple[str, int, int]:
    """Kind, number of cards and number of jokers."""
    return text[0], text.count(" "), text.count("JK")


def random_play_outs(seed: int, positions: int, most: int) -> Counter[str]:
    source, met = random.Random(seed), Counter[str]()

    def choose(texts: list[str]) -> str:
        plays = [text for text in texts if text != "-"]
        if plays and source.random() < 0.75:  # not too many passes; each form of play as often as singles
            form = source.choice(sorted({form_of(text) for text in plays}))
            return source.choice([text for text in plays if form_of(text) == form])
        return source.choice(texts)

    while met["positions"] < positions:
        options = random_options(source)
        plays = MOST_PLAYS if source.random() < 0.3 else 8  # mostly the beginning, where hands are rich
        play_out(options, random_begin(source, options, most), choose, met, plays)
    return met


SPECIAL = [f"ends by {reason}" for reason in ("out", "last", "lot", "fall", "foul")]
SPECIAL += [
    f"{kind} with {jokers} jokers" for kind, most in (("S", 1), ("G", 2), ("Q", 2)) for jokers in range(most + 1)
]
SPECIAL += ["spade 3 on a joker", "clears at once", "clears by passes", "passes on an empty field", "beyond an end"]
SPECIAL += ["locked to 1", "locked to 2", "owner asked again", "revolution", "J-back", "both"]


def test_few_cards() -> None:
    """Small hands full of jokers, close ranks and few suits: locks, revolutions, fouls, falls, lots."""
    met = random_play_outs(seed=1, positions=10_000, most=24)
    assert [special for special in SPECIAL if met[special] < 3] == []


def test_full_deals() -> None:
    met = random_play_outs(seed=2, positions=3000, most=52)
    assert met["positions"] >= 3000


@settings(max_examples=60)
@given(st.randoms(use_true_random=False))
def test_what_hypothesis_finds(source: random.Random) -> None:
    options = random_options(source)
    play_out(options, random_begin(source, options, most=18), source.choice, Counter())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_long(seed: int) -> None:
    met = random_play_outs(seed=100 + seed, positions=20_000, most=24 if seed % 3 else 52)
    assert met["positions"] >= 20_000
