"""A table to test Dobon at: positions and moves as text, random rules, deals and games."""

import random
from collections.abc import Iterator
from typing import Any

from agari.sim.dobon.rules import Rules
from agari.sim.game import blank, deal, legal_moves, moves_dtype, observe, play, redeal
from agari.sim.games import ruleset
from agari.sim.rng import key_of

GAME = ruleset("dobon").game
MOVES = blank(moves_dtype(GAME.max_moves))  # room for one list of legal moves at a time
NUMBERS = "A23456789TJQK"
PACK = [suit + number for number in NUMBERS for suit in "SHDC"]

Options = dict[str, Any]
Position = dict[str, Any]

# The values of every option that random options are drawn from, each as likely as the others.
DRAWN: dict[str, list[Any]] = {
    "players": [2, 3, 4, 5, 6],
    "multi": ["off", "pon", "chain"],
    "eight_wild": [False, True],
    "voluntary_draw": [False, True],
    "call_draw": [0, 1, 2],
    "call_caught": [0.0, 1.0],
    "scoring": ["units", "cards"],
    "max_turns": [2000, 2000, 40],
}


def dobon(players: int = 4, **options: Any) -> Rules:
    """The rules of Dobon with some options changed, in words."""
    rules = GAME.presets["dobon"].by_players[players]
    return GAME.options.parse(GAME.options.format(rules) | options)


def random_options(source: random.Random) -> Options:
    """Options drawn at random over `DRAWN`."""
    return {name: source.choice(values) for name, values in DRAWN.items()}


def moves_of(rules: Rules, state: Any) -> list[int]:
    """The legal moves of a state."""
    return [int(move) for move in MOVES.list[: legal_moves(rules, state, MOVES)]]


def legal_texts(rules: Rules, state: Any) -> list[str]:
    """The legal moves of a state as text."""
    return [GAME.format_move(rules, move) for move in moves_of(rules, state)]


def shown(state: Position) -> Position:
    """A state in an order that does not matter where no order does; once the deal is over only how it ended."""
    state = dict(state)
    if state["phase"] == "over":
        state = {key: state[key] for key in ("hands", "pile", "stock", "first", "end", "scores")}
    else:
        state["put_down"] = [*sorted(state["put_down"][:-1]), *state["put_down"][-1:]]
    state["hands"] = [sorted(hand) for hand in state["hands"]]
    state["pile"] = [*sorted(state["pile"][:-1]), state["pile"][-1]]
    return state


def play_text(rules: Rules, state: Any, *texts: str) -> Any:
    """The state itself after some moves, each of which must be legal where it is made."""
    for text in texts:
        move = GAME.parse_move(rules, state, text)
        assert move in moves_of(rules, state), f"{text} is not legal: {GAME.why_illegal(rules, state, move)}"
        assert GAME.why_illegal(rules, state, move) is None
        play(rules, state, move)
    return state


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


def fields(record: Any) -> dict[str, Any]:
    """What stands in a record, by field: its bytes hold padding too."""
    return {name: record[name].tolist() for name in record.dtype.names}


def decisions(rules: Rules, seed: int, games: int = 4) -> Iterator[Any]:
    """Every state of a match of random deals in which somebody has to act; each is a copy."""
    source = random.Random(seed)
    state = blank(GAME.state_dtype)
    for number in range(games):
        deal(rules, state, number, key_of(seed, number))
        while state.turn >= 0:
            yield state.copy()
            play(rules, state, source.choice(moves_of(rules, state)))
