"""The contract of a game: generic kernels, and the text and shape that go with them.

A game is a `Rules` NamedTuple (options as data), a record dtype for its state, and kernels registered here for its
Rules class. `legal_moves(rules, state, moves)` is one name everywhere: called from Python it looks up the type of
`rules`; inside a kernel numba does so at compile time and inlines the game's own code. A search, a playout or a whole
match is therefore written once.

Every state has the fields ``turn`` (int64, the seat to act, −1 when the game is over), ``observer`` (int64, −1, or the
seat whose observation this is) and ``seated`` (int8, which participant of the match sits in each seat). An
observation is a record of the same dtype in which all that its seat cannot know is blank. ``PASS`` is the move 0.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from .kernels import overload

PASS = 0


def generic(declaration: Callable[..., Any]) -> Any:
    """Make a declared function generic in the type of its first argument, for Python and for kernels alike.

    ``name.register(Class)`` decorates a kernel that implements it for a NamedTuple class.
    """
    implementations: dict[type, Any] = {}

    @functools.wraps(declaration)
    def dispatch(first, *arguments):
        return implementations[type(first)](first, *arguments)

    def register(first_class: type) -> Callable[[Any], Any]:
        def keep(implementation: Any) -> Any:
            implementations[first_class] = implementation
            return implementation

        return keep

    @overload(dispatch, strict=False, jit_options={"forceinline": True})
    def specialise(first, *arguments):
        implementation = implementations.get(getattr(first, "instance_class", None))
        return None if implementation is None else getattr(implementation, "py_func", implementation)

    dispatch.register = register  # type: ignore[attr-defined]
    dispatch.implementations = implementations  # type: ignore[attr-defined]
    return dispatch


@generic
def deal(rules, state, game, key):
    """Deal game number `game` (0-based) of a match into `state`, which is blank or holds the finished game before.

    All chance comes from streams of `key` (int64), so that a deal does not depend on who plays.
    """


@generic
def legal_moves(rules, state, moves):
    """Write the legal moves of the seat to act into ``moves.list`` (int64), each once, and return how many (int64)."""


@generic
def search_moves(rules, state, moves):
    """Write like `legal_moves` those that a search has to look at: without such as are no better than another one."""


@generic
def play(rules, state, move):
    """Make a legal move (int64) in `state`, with everything that follows from it, up to the next decision."""


@generic
def payoff(rules, state, seat):
    """Return what a finished game is worth to a seat (float64), in the points of the rules."""


@generic
def observe(rules, state, seat, observation):
    """Write into `observation` what `seat` knows of `state`; the rest is blank."""


@generic
def redeal(rules, observation, world, key):
    """Write into `world` a full state drawn from those that are consistent with everything an observation knows."""


class Game(NamedTuple):
    """What a game has besides its kernels: shapes, presets and text. One value per game, in `games.py`."""

    name: str
    rules_class: type
    state_dtype: np.dtype
    max_moves: int  # no state has more legal moves
    presets: dict[str, Any]  # ruleset name -> Preset
    place_names: dict[int, tuple[str, ...]]  # number of players -> what the places are called, best first
    parse_rules: Callable[[dict[str, Any]], Any]
    format_rules: Callable[[Any], dict[str, Any]]
    set_options: Callable[[Any, Mapping[str, Any]], Any]  # (rules, option -> text, or value as in JSON) -> rules
    option_values: Callable[[], dict[str, Any]]  # option -> its values: a list, or {"from", "to"}
    parse_state: Callable[..., Any]  # (rules, JSON, name for errors) -> state
    format_state: Callable[[Any, Any], dict[str, Any]]
    parse_move: Callable[[Any, Any, str], int]  # (rules, state, text) -> move
    format_move: Callable[[Any, int], str]
    format_hand: Callable[[Any, Any, int], str]  # (rules, state, seat) -> text
    why_illegal: Callable[[Any, Any, int], str | None]  # (rules, state, move) -> clause and reason
    outcome: Callable[[Any, Any], list[dict[str, Any]]]  # (rules, finished state) -> columns of the results, by seat
    record: Callable[[Any, Any, list[int]], dict[str, Any]]  # (rules, finished state, moves) -> JSON that replays
    replay: Callable[..., dict[str, Any]]  # (rules, JSON, name for errors) -> ranking, reasons, points
    tribute: Callable[..., dict[str, Any]]  # (rules, JSON, name for errors) -> exchange, after, leader


def option_text(value: Any) -> str:
    """Return the value of an option as it is written in a command: on or off, 6,4,2,0, or the word or number itself."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def moves_dtype(max_moves: int) -> np.dtype:
    """Return the dtype of a moves buffer: a record, since a record costs no reference counting in kernels."""
    return np.dtype((np.record, np.dtype([("list", "i8", (max_moves,))], align=True)))


def blank(dtype: np.dtype) -> Any:
    """Return a zeroed record of a dtype."""
    return np.zeros(1, dtype)[0]
