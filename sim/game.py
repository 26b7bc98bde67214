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
from .options import Options

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
def decision_kind(rules, state):
    """Return what kind of decision is to be made in a state: an index of `Game.decision_kinds` (int64)."""


@generic
def hand_size(rules, state, seat):
    """Return how many cards a seat holds (int64), in a state or in an observation, where it is public."""


@generic
def redeal(rules, observation, world, key):
    """Write into `world` a full state drawn from those that are consistent with everything an observation knows.

    The observation is that of the seat to act. All chance comes from `key` (int64), that of the game to come too.
    """


class Preset(NamedTuple):
    """A named ruleset.

    `match_games` are the numbers of games that a match may have, the default first; with `any_games` also any other.
    `switched_on` says for options that can be on in more than one way which one `on` means here.
    """

    description: str
    by_players: dict[int, Any]  #: number of players -> Rules, the usual number first
    match_games: tuple[int, ...]
    any_games: bool = False
    switched_on: dict[str, str] = {}  # noqa: RUF012  (nobody changes it)


class Column(NamedTuple):
    """A column of a table.

    `type` is pyarrow's name of the type, or "label": a text out of few (a dictionary in pyarrow, a category in pandas).
    `unit` is empty where there is none. Only a `nullable` column may hold nulls.
    """

    name: str
    type: str
    meaning: str
    unit: str = ""
    nullable: bool = False


class Staging(NamedTuple):
    """How a study deals a single game under conditions that else chance or the game before settles.

    A condition has levels 0, 1 …; `leader` is one in every game: the seat that leads or begins, in place of the one
    that the rules would have lead. Everything that is not set, the cards too, is as `deal` makes it of the same key.
    """

    conditions: Callable[[Any], dict[str, int]]  #: rules -> name of a condition -> how many levels it has
    deal: Callable[[Any, Any, int, Mapping[str, int]], None]  #: (rules, state, key, condition -> level)
    any_leader: Callable[[Any], Any] = lambda rules: rules  #: rules -> the same, but no card that says who leads


def staging_by_leader(lead: Callable[[Any, int], None]) -> Staging:
    """Return the staging of a game in which nothing but the leader can be set.

    ``lead(state, seat)`` makes a seat the one that leads or begins the first game of a match, which has been dealt.
    """

    def stage(rules: Any, state: Any, key: int, levels: Mapping[str, int]) -> None:
        deal(rules, state, 0, key)
        if "leader" in levels:
            lead(state, levels["leader"])

    return Staging(lambda rules: {"leader": rules.players}, stage)


class Game(NamedTuple):
    """What a game has besides its kernels: shapes, presets and text. One value per game, in `games.py`.

    What a *game* of the contract is, a deal or a round, its name says: several make a match.
    """

    name: str
    options: Options
    state_dtype: np.dtype
    max_moves: int  #: no state has more legal moves
    decision_kinds: tuple[str, ...]  #: what `decision_kind` tells apart
    presets: dict[str, Preset]  #: by name of the ruleset
    place_names: dict[int, tuple[str, ...]]  #: number of players -> names of the places, best first; may be empty
    reasons: dict[str, str]  #: how a seat came to its place, as in `outcome` -> the same in words
    last_game_decides: bool  #: between equal points of a match; else who has as many shares the place
    columns: tuple[Column, ...]  #: of the results table: what `outcome` tells beyond what every game tells
    parse_state: Callable[..., Any]  #: (rules, JSON, name for errors) -> state
    format_state: Callable[[Any, Any], dict[str, Any]]
    parse_move: Callable[[Any, Any, str], int]  #: (rules, state, text) -> move
    format_move: Callable[[Any, int], str]
    format_hand: Callable[[Any, Any, int], str]  #: (rules, state, seat) -> text
    format_field: Callable[[Any, Any], str | None]  #: (rules, state) -> what lies there to be answered, None: nothing
    why_illegal: Callable[[Any, Any, int], str | None]  #: (rules, state, move) -> clause and reason
    #: (rules, finished state) -> by seat: leader_distance, place, reason, points, and the game's own `columns`
    outcome: Callable[[Any, Any], list[dict[str, Any]]]
    record: Callable[[Any, Any, list[int]], dict[str, Any]]  #: (rules, finished state, moves) -> JSON that replays
    opening: Callable[[Any, dict[str, Any]], tuple[Any, list[str]]]  #: (rules, such JSON) -> state as dealt, all moves
    replay: Callable[..., dict[str, Any]]  #: (rules, JSON, name for errors) -> how it ends
    staging: Staging
    tribute: Callable[..., dict[str, Any]] | None = None  #: (rules, JSON, name for errors) -> exchange, after, leader


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
