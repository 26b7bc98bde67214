"""The columns of a run's two tables: what they are called, how they are typed and what they mean.

This is the one place that says so: the writer takes its schema from here, and so may whatever explains the data.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pyarrow as pa


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


_MATCH = Column("match", "int32", "the match, from 0: games that hang together through ranks and tribute")
_GAME = Column("game", "int32", "the game within its match, from 0")
_ROTATION = Column("rotation", "int8", "how far the agents have moved on round the table; each has the same deals")
_DEAL_SEED = Column("deal_seed", "int64", "the seed from which the cards of this game are dealt")

RESULTS = (
    _MATCH,
    Column("set", "int32", "the set of games within the match, from 0: seats and ranks begin anew with each"),
    _GAME,
    Column("deal", "int64", "the deal, match · games of a match + game: equal in all rotations"),
    _DEAL_SEED,
    _ROTATION,
    Column("seat", "int8", "the place at the table, from 0, clockwise"),
    Column("participant", "int8", "who of the match sits there, from 0; seats may change within a match"),
    Column("agent", "label", "who sits there; copies of one agent share a label"),
    Column("leader_distance", "int8", "how far clockwise from the seat that leads first, which is 0", "seats"),
    Column("hand_size", "int8", "cards held at the deal, before tribute", "cards"),
    Column("hand_strength", "float64", "strength of the hand at the deal, before tribute, as the game defines it"),
    Column("place_before", "int8", "place in the game before, 1 is first; null in a game without ranks", nullable=True),
    Column("gave", "string", "cards that went from here at the tribute, or as its return; empty: none"),
    Column("got", "string", "cards that came here at the tribute, or as its return; empty: none"),
    Column("place", "int8", "place in this game, 1 is first"),
    Column("reason", "label", "how that place came about: out, last, fall, foul or lot"),
    Column("points", "float64", "points won in this game, with the bonus of the set", "points"),
    Column("plays", "int16", "plays made, passes and tribute not counted", "plays"),
    Column("decisions", "int16", "decisions made, passes and tribute counted", "decisions"),
    Column("seconds", "float64", "time thought in this game, by the clock", "s"),
)
"""One row for each game and seat."""

GAMES = (
    _MATCH,
    _GAME,
    _ROTATION,
    _DEAL_SEED,
    Column("record", "large_string", "the game as JSON, from which it can be replayed"),
)
"""One row for each game and rotation."""

TABLES = {"results": RESULTS, "games": GAMES}

ORDER = {"results": ("match", "rotation", "game", "seat"), "games": ("match", "rotation", "game")}
"""The columns that tell the rows of a table apart; rows are kept sorted by them."""

CLOCK_COLUMNS = ("seconds",)
"""The columns that a second run from the same seed does not repeat."""


def arrow_schema(table: str) -> "pa.Schema":
    """Return the schema of the table called `table`."""
    import pyarrow as pa

    def arrow_type(name: Any) -> Any:
        return pa.dictionary(pa.int32(), pa.string()) if name == "label" else pa.type_for_alias(name)

    return pa.schema(pa.field(name, arrow_type(kind), nullable) for name, kind, _, _, nullable in TABLES[table])
