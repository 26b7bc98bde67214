"""A table to test Daifugo at: rules by name, positions and plays as text, random rules, deals and games."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from agari.agents.view import View
from agari.sim.cards import RANKS, SUITS
from agari.sim.daifugo.rules import SWITCHES, WORDS, Rules
from agari.sim.game import blank, deal, legal_moves, moves_dtype, observe, play, redeal
from agari.sim.games import ruleset
from agari.sim.rng import key_of

GAME = ruleset("federation").game
MOVES = blank(moves_dtype(GAME.max_moves))  # room for one list of legal moves at a time
PACK = [suit + rank for rank in RANKS for suit in SUITS]

Options = dict[str, Any]
Position = dict[str, Any]

# The values of every option but `points` that random options are drawn from, each as likely as the others.
DRAWN: dict[str, list[Any]] = {
    "players": [3, 4, 5, 6],
    "jokers": [0, 1, 2],
    "blind": [0, 2, 4, 9, 30],
    "sequence_revolution": [0, 3, 4, 5],
    "pass_limit": [0, 1, 3, 20],
    "seats_every": [0, 1, 2, 3, 4],
    "ranks_every": [0, 1, 2, 3, 4],
    "set_bonus": [0, 1, 2, 3],
    **{option: list(words) for option, words in WORDS.items()},
    **{switch: [False, True] for switch in SWITCHES},
}


def federation(players: int = 4, **options: Any) -> Rules:
    """The rules of the federation with some options changed, in words."""
    rules = GAME.presets["federation"].by_players[players]
    return GAME.options.parse(GAME.options.format(rules) | options)


def uecda(**options: Any) -> Rules:
    """The rules of the UEC contest, for four players, with some options changed, in words."""
    four = {"players": 4, "points": [4, 3, 2, 1]}
    return GAME.options.parse(GAME.options.format(GAME.presets["uecda"].by_players[5]) | four | options)


def position(*hands: str, turn: int | None = 0, **changes: Any) -> Position:
    """A position in JSON: these hands, `turn` to lead, nothing in force but `changes`."""
    return {
        "hands": list(hands), "blind": "", "aside": "", "field": None, "revolution": False, "jback": False,
        "passed": [], "passes_in_row": 0, "out": [], "sunk": [], "turn": turn, "previous": None,
    } | changes  # fmt: skip


def moves_of(rules: Rules, state: Any) -> list[int]:
    """The legal moves of a state."""
    return [int(move) for move in MOVES.list[: legal_moves(rules, state, MOVES)]]


def legal_texts(rules: Rules, state: Any) -> list[str]:
    """The legal moves of a state as text."""
    return [GAME.format_move(rules, move) for move in moves_of(rules, state)]


def play_text(rules: Rules, state: Any, *texts: str) -> Any:
    """The state itself after some moves, each of which must be legal where it is made."""
    for text in texts:
        move = GAME.parse_move(rules, state, text)
        assert move in moves_of(rules, state), f"{text} is not legal: {GAME.why_illegal(rules, state, move)}"
        play(rules, state, move)
    return state


def legal(rules: Rules, where: Position) -> set[str]:
    """The legal plays of a position."""
    texts = legal_texts(rules, GAME.parse_state(rules, where))
    assert len(set(texts)) == len(texts)
    return set(texts)


def after(rules: Rules, where: Position, *texts: str) -> Position:
    """The position after some plays, each of which must be legal where it is made."""
    return GAME.format_state(rules, play_text(rules, GAME.parse_state(rules, where), *texts))


def fields(record: Any) -> dict[str, Any]:
    """What stands in a record, by field: its bytes hold padding too."""
    return {name: record[name].tolist() for name in record.dtype.names}


def observed(rules: Rules, state: Any, seat: int) -> Any:
    """What a seat knows of a state."""
    observation = blank(GAME.state_dtype)
    observe(rules, state, seat, observation)
    return observation


def redealt(rules: Rules, observation: Any, key: int) -> Any:
    """A world drawn for an observation."""
    world = blank(GAME.state_dtype)
    redeal(rules, observation, world, key)
    return world


def view_of(rules: Rules, state: Any, key: int = 0) -> View:
    """What the seat to act is shown when it is asked."""
    moves = np.array(moves_of(rules, state), np.int64)
    return View(GAME, rules, observed(rules, state, state.turn), moves, key)


def random_options(source: random.Random) -> Options:
    """Options drawn at random over `DRAWN`."""
    options: Options = {name: source.choice(values) for name, values in DRAWN.items()}
    return options | {"points": [source.randint(-3, 9) for _ in range(options["players"])]}


def random_hands(source: random.Random, players: int, jokers: int, most: int = 52) -> list[str]:
    """Hands of about the same size, with `most` natural cards at most: any, full of runs or groups, near cards."""
    order = source.choice(["fair", "runs", "groups", "near runs", "near groups", "whole ranks"])
    if order == "whole ranks" and most >= 4 * players:
        return _whole_ranks(source, players, jokers, most)
    pack = list(PACK) if not order.endswith("runs") else [suit + rank for suit in SUITS for rank in RANKS]
    if order == "fair":
        source.shuffle(pack)
    count = source.randint(2 * players, most)
    begin = source.choice([0, source.randint(0, len(pack) - count), len(pack) - count])
    pack = pack[begin : begin + count]
    if order.startswith("near"):
        source.shuffle(pack)
    for _ in range(source.randrange(6)):  # not too orderly
        one, other = source.randrange(count), source.randrange(count)
        pack[one], pack[other] = pack[other], pack[one]
    together = source.random() < 0.5
    at = source.choice([0, source.randint(0, count), count])
    for _ in range(jokers):
        pack.insert(at if together else source.randint(0, count), "JK")
    cuts = [len(pack) * seat // players for seat in range(players + 1)]
    hands = [" ".join(pack[cuts[seat] : cuts[seat + 1]]) for seat in range(players)]
    source.shuffle(hands)
    return hands


def _whole_ranks(source: random.Random, players: int, jokers: int, most: int) -> list[str]:
    """Hands that hold all four cards of each of their ranks."""
    hands: list[list[str]] = [[] for _ in range(players)]
    for index, rank in enumerate(source.sample(RANKS, source.randint(players, min(most // 4, len(RANKS))))):
        hands[index % players] += [suit + rank for suit in SUITS]
    for _ in range(jokers):
        source.choice(hands).append("JK")
    return [" ".join(hand) for hand in hands]


def decisions(rules: Rules, seed: int, games: int = 4) -> Iterator[Any]:
    """Every state of a match of random games in which somebody has to act, tributes too; each is a copy."""
    source = random.Random(seed)
    state = blank(GAME.state_dtype)
    for number in range(games):
        deal(rules, state, number, key_of(seed, number))
        while state.turn >= 0:
            yield state.copy()
            moves = moves_of(rules, state)
            play(rules, state, source.choice(moves))
