"""The columns of a run's two tables: what they are called, how they are typed and what they mean.

This is the one place that says so, for all games; what a game tells beyond it stands in its `Game.columns`. The writer
takes its schema from here, and so may whatever explains the data.
"""

from typing import TYPE_CHECKING, Any

from ..sim.game import Column, Game

if TYPE_CHECKING:
    import pyarrow as pa

_MATCH = Column("match", "int32", "the match, from 0: games in a row, of which one may depend on those before")
_GAME = Column("game", "int32", "the game within its match, from 0: a round or a deal, as the game calls it")
_ARM = Column("arm", "int16", "the arm of a study, as its manifest numbers them; 0 in a tournament")
_ROTATION = Column("rotation", "int8", "how far the agents have moved on round the table; each has the same deals")
_DEAL_SEED = Column("deal_seed", "int64", "the seed from which the cards of this game are dealt")

BEFORE = (
    _MATCH,
    _ARM,
    _GAME,
    Column("deal", "int64", "the deal, match · games of a match + game: equal in all rotations"),
    _DEAL_SEED,
    _ROTATION,
    Column("seat", "int8", "the place at the table, from 0, clockwise"),
    Column("participant", "int8", "who of the match sits there, from 0; seats may change within a match"),
    Column("agent", "label", "who sits there; copies of one agent share a label"),
    Column("leader_distance", "int8", "how far clockwise from the seat that leads or begins, which is 0", "seats"),
)
"""Of the results, the columns before the game's own."""

AFTER = (
    Column("place", "int8", "place in this game, 1 is first"),
    Column("reason", "label", "how that place came about, in a word that the page of the game explains"),
    Column("points", "float64", "points won in this game", "points"),
    Column("plays", "int16", "moves made that are no passes", "plays"),
    Column("decisions", "int16", "moves made, passes and forced ones too", "decisions"),
    Column("seconds", "float64", "time thought in this game, by the clock", "s"),
)
"""Of the results, the columns after the game's own."""

GAMES = (
    _MATCH,
    _ARM,
    _GAME,
    _ROTATION,
    _DEAL_SEED,
    Column("record", "large_string", "the game as JSON, from which it can be replayed"),
)
"""One row for each game and rotation."""

ORDER = {"results": ("match", "arm", "rotation", "game", "seat"), "games": ("match", "arm", "rotation", "game")}
"""The columns that tell the rows of a table apart; rows are kept sorted by them."""

TABLES = tuple(ORDER)

CLOCK_COLUMNS = ("seconds",)
"""The columns that a second run from the same seed does not repeat."""


def columns_of(game: Game, table: str) -> tuple[Column, ...]:
    """Return the columns of a table for a game: `results` has one row for each game and seat."""
    return GAMES if table == "games" else (*BEFORE, *game.columns, *AFTER)


def arrow_schema(game: Game, table: str) -> "pa.Schema":
    """Return the schema of a table for a game."""
    import pyarrow as pa

    def arrow_type(name: Any) -> Any:
        return pa.dictionary(pa.int32(), pa.string()) if name == "label" else pa.type_for_alias(name)

    return pa.schema(
        pa.field(name, arrow_type(kind), nullable) for name, kind, _, _, nullable in columns_of(game, table)
    )
