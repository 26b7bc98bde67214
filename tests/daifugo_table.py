"""A table to test Daifugo at: rules by name, positions and plays as text, random rules, deals and games."""

import random
from typing import Any

from agari.sim.cards import RANKS, SUITS
from agari.sim.daifugo.rules import SWITCHES, WORDS, Rules
from agari.sim.games import ruleset

from .playing import Table

GAME = ruleset("federation").game
TABLE = Table(GAME)
MOVES = TABLE.moves
moves_of, legal_texts, play_text, decisions = TABLE.moves_of, TABLE.legal_texts, TABLE.play_text, TABLE.decisions
observed, redealt, view_of = TABLE.observed, TABLE.redealt, TABLE.view_of
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


def legal(rules: Rules, where: Position) -> set[str]:
    """The legal plays of a position."""
    texts = legal_texts(rules, GAME.parse_state(rules, where))
    assert len(set(texts)) == len(texts)
    return set(texts)


def after(rules: Rules, where: Position, *texts: str) -> Position:
    """The position after some plays, each of which must be legal where it is made."""
    return GAME.format_state(rules, play_text(rules, GAME.parse_state(rules, where), *texts))


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
