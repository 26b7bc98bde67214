"""The options of Dobon, and the ruleset."""

from typing import Any, NamedTuple

from ..game import Preset
from ..options import Count, Fraction, Options, Switch, Word

OFF, PON, CHAIN = range(3)  # multi
UNITS, CARDS = range(2)  # scoring

MAX_PLAYERS = 6
HAND = 5  # cards that each player is dealt (B1.1)


class Rules(NamedTuple):
    """The options, as small integers: words by their index, switches as 0 or 1; `call_caught` is a float."""

    players: int
    multi: int
    eight_wild: int
    voluntary_draw: int
    call_draw: int
    call_caught: float
    scoring: int
    max_turns: int


OPTIONS = Options(
    Rules,
    {
        "players": Count(2, MAX_PLAYERS),
        "multi": Word(("off", "pon", "chain")),
        "eight_wild": Switch(),
        "voluntary_draw": Switch(),
        "call_draw": Count(0, 10),
        "call_caught": Fraction(0.0, 1.0),
        "scoring": Word(("units", "cards")),
        "max_turns": Count(1, 4000),
    },
)

DOBON: dict[str, Any] = {
    "multi": "chain",
    "eight_wild": False,
    "voluntary_draw": False,
    "call_draw": 1,
    "call_caught": 0.0,
    "scoring": "units",
    "max_turns": 2000,
}

PRESETS = {
    "dobon": Preset(
        "Dobon, a shedding game in which a hand can be shot (도봉)",
        {players: OPTIONS.parse({"players": players, **DOBON}) for players in (4, 2, 3, 5, 6)},
        match_games=(10,),
        any_games=True,
    ),
}
