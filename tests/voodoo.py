"""A table to test Voodoo Prince at: rules, positions and moves as text, random rounds."""

import random
from collections.abc import Iterator
from typing import Any

from agari.sim.game import blank, deal, legal_moves, moves_dtype, observe, play, redeal
from agari.sim.games import ruleset
from agari.sim.rng import key_of
from agari.sim.voodoo_prince.rules import Rules

GAME = ruleset("voodoo_prince").game
MOVES = blank(moves_dtype(GAME.max_moves))  # room for one list of legal moves at a time
EVERY_RULES = [
    GAME.options.parse({"players": players, "two_player_last": last})
    for players in (2, 3, 4, 5)
    for last in (("remainder", "own") if players == 2 else ("remainder",))
]

Position = dict[str, Any]


def rules_of(players: int, two_player_last: str = "remainder") -> Rules:
    """The rules for so many players."""
    rules: Rules = GAME.options.parse({"players": players, "two_player_last": two_player_last})
    return rules


def position(*hands: str, turn: int = 0, trick: str = "", **changes: Any) -> Position:
    """A position in JSON: these hands, blue is trump, a trick of seats with cards, ``3:R7 0:R4``."""
    pairs = [word.split(":") for word in trick.split()]
    players = len(hands)
    return {
        "trump": "B", "leader": int(pairs[0][0]) if pairs else turn, "turn": turn,
        "hands": [hand.split() for hand in hands], "trick": [[int(seat), card] for seat, card in pairs],
        "tricks": [0] * players, "left": [], "scores": [None] * players, "played": [],
    } | changes  # fmt: skip


def shown(state: Position) -> Position:
    """What of a state means something: the leader of a round that is over does not."""
    return {key: value for key, value in state.items() if key != "leader" or state["turn"] is not None}


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


def legal(where: Position, **options: Any) -> set[str]:
    """The legal moves of a position."""
    rules = rules_of(len(where["hands"]), **options)
    return set(legal_texts(rules, GAME.parse_state(rules, where)))


def after(where: Position, *texts: str, **options: Any) -> Position:
    """The position after some moves, each of which must be legal where it is made."""
    rules = rules_of(len(where["hands"]), **options)
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


def decisions(rules: Rules, seed: int, rounds: int = 5) -> Iterator[Any]:
    """Every state of a match of random rounds in which somebody has to act; each is a copy."""
    source = random.Random(seed)
    state = blank(GAME.state_dtype)
    for number in range(rounds):
        deal(rules, state, number, key_of(seed, number))
        while state.turn >= 0:
            yield state.copy()
            play(rules, state, source.choice(moves_of(rules, state)))
