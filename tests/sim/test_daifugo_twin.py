"""The kernels against the slow twin: legal plays, what every play does, and how games end."""

import random
from typing import Any

import pytest
from agari.sim.game import payoff, play

from ..naive import daifugo as twin
from ..table import GAME, Options, Position, legal_texts, moves_of, position, random_hands, random_options

MOST_PLAYS = 400  # of one game; with `lead_pass` and no limit a game may go on for ever


def how_it_ended(state: Position) -> Position:
    """What of a finished state has to agree."""
    return {key: state[key] for key in ("turn", "ranking", "reasons")}


def play_out(options: Options, begin: Position, choose: Any) -> int:
    """Play a position out on the kernels and on the twin, compare them all the way, and return the number of plays."""
    rules = GAME.parse_rules(options)
    assert GAME.format_rules(rules) == options
    state, expected = GAME.parse_state(rules, begin), begin
    for plays in range(MOST_PLAYS):
        assert GAME.format_state(rules, state) == expected
        texts = legal_texts(rules, state)
        assert sorted(texts) == sorted(twin.legal(rules_text := options, expected)), (rules_text, expected)
        read_again = GAME.parse_state(rules, expected)
        assert moves_of(rules, read_again) == moves_of(rules, state), (options, expected)
        text = choose(sorted(texts))
        before = expected
        expected = twin.apply(options, expected, text)
        play(rules, state, GAME.parse_move(rules, state, text))
        if expected["turn"] is None:
            assert how_it_ended(GAME.format_state(rules, state)) == how_it_ended(expected), (options, before, text)
            points = twin.points(options, expected["ranking"], last_of_set=False)
            for seat in range(rules.players):
                assert points[seat] in (None, payoff(rules, state, seat))
            assert sorted(state.ranking[: rules.players]) == list(range(rules.players))
            return plays + 1
        assert GAME.format_state(rules, state) == expected, (options, before, text)
    return MOST_PLAYS


def random_begin(source: random.Random, options: Options, most: int) -> Position:
    """A position in which somebody is to lead, often with a revolution, and with ranks."""
    players = options["players"]
    hands = [twin.write_cards(hand.split()) for hand in random_hands(source, players, options["jokers"], most)]
    seats = list(range(players))
    source.shuffle(seats)
    return position(
        *hands,
        turn=source.randrange(players),
        revolution=bool(options["revolution"]) and source.random() < 0.3,
        previous=seats if source.random() < 0.6 else None,
    )


def random_play_outs(seed: int, positions: int, most: int) -> int:
    source = random.Random(seed)
    checked = 0

    def choose(texts: list[str]) -> str:
        plays = [text for text in texts if text != "-"]
        if plays and source.random() < 0.75:  # not too many passes; long plays as often as singles
            size = source.choice(sorted({text.count(" ") for text in plays}))
            return source.choice([text for text in plays if text.count(" ") == size])
        return source.choice(texts)

    while checked < positions:
        options = random_options(source)
        checked += play_out(options, random_begin(source, options, most), choose)
    return checked


def test_few_cards() -> None:
    """Small hands full of jokers, close ranks and few suits: locks, revolutions, fouls, falls, lots."""
    assert random_play_outs(seed=1, positions=3000, most=24) >= 3000


def test_full_deals() -> None:
    assert random_play_outs(seed=2, positions=1000, most=52) >= 1000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_long(seed: int) -> None:
    assert random_play_outs(seed=100 + seed, positions=20_000, most=24 if seed % 3 else 52) >= 20_000
