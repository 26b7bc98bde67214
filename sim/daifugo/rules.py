"""The options of Daifugo (rule clause D10): their values, and which can be played together.

`tribute` is ours: with it off a game with ranks is played without what D9.2 says, for studies and houses that do so.
"""

from typing import NamedTuple

from ..errors import InputError
from ..options import Count, Options, Points, Switch, Word

# Options whose values are words; a kernel sees the index of the word.
WORDS: dict[str, tuple[str, ...]] = {
    "deal_from": ("random", "daifugo"),
    "joker_as": ("wild", "card"),
    "joker_beyond": ("none", "top", "both"),
    "sequence_compare": ("lowest", "disjoint"),
    "eight_cut": ("off", "groups", "any"),
    "foul_finish": ("off", "federation", "house"),
    "sunk_order": ("foul_below", "time"),
    "first_lead": ("random", "diamond3", "diamond3_always"),
}
FROM_RANDOM, FROM_DAIFUGO = range(2)
WILD, CARD = range(2)
BEYOND_NONE, BEYOND_TOP, BEYOND_BOTH = range(3)
LOWEST, DISJOINT = range(2)
EIGHT_OFF, EIGHT_GROUPS, EIGHT_ANY = range(3)
FOUL_OFF, FOUL_FEDERATION, FOUL_HOUSE = range(3)
FOUL_BELOW, TIME = range(2)
LEAD_RANDOM, LEAD_DIAMOND3, LEAD_DIAMOND3_ALWAYS = range(3)

# Options that are on or off; a kernel sees 1 or 0.
SWITCHES = (
    "revolution",
    "spade3",
    "lock",
    "pass_sits_out",
    "lead_pass",
    "owner_continues",
    "fall",
    "j_back",
    "clear_unbeatable",
    "tribute",
    "tribute_blind",
)

# Options that are counts: the lowest and the highest value.
COUNTS: dict[str, tuple[int, int]] = {
    "players": (3, 6),
    "jokers": (0, 2),
    "blind": (0, 52),
    "sequence_revolution": (0, 15),
    "pass_limit": (0, 1000),
    "seats_every": (0, 1_000_000),
    "ranks_every": (0, 1_000_000),
    "set_bonus": (-1000, 1000),
}

MAX_PLAYERS = 6
MOST_POINTS = 10**6  # for a place, either way


class Rules(NamedTuple):
    """The options of D10, as small integers: words by their index in `WORDS`, switches as 0 or 1."""

    players: int
    jokers: int
    blind: int
    deal_from: int
    joker_as: int
    joker_beyond: int
    sequence_compare: int
    revolution: int
    sequence_revolution: int
    eight_cut: int
    spade3: int
    lock: int
    pass_sits_out: int
    lead_pass: int
    owner_continues: int
    pass_limit: int
    fall: int
    j_back: int
    foul_finish: int
    sunk_order: int
    clear_unbeatable: int
    tribute: int
    tribute_blind: int
    seats_every: int
    ranks_every: int
    first_lead: int
    points: tuple[int, int, int, int, int, int]  # by place, best first; 0 beyond the number of players
    set_bonus: int


def check_rules(rules: Rules) -> Rules:
    """Return the rules if they can be played; else raise an `InputError` that says why not."""
    cards = 52 + rules.jokers - rules.blind
    if cards < 2 * rules.players:
        raise InputError(f"blind={rules.blind} leaves {cards} cards for {rules.players} players: too few to play")
    return rules


OPTIONS = Options(
    Rules,
    {
        **{name: Word(words) for name, words in WORDS.items()},
        **{name: Switch() for name in SWITCHES},
        **{name: Count(lowest, highest) for name, (lowest, highest) in COUNTS.items()},
        "points": Points(MOST_POINTS, MAX_PLAYERS),
    },
    check_rules,
    left_out={"tribute": True},
)
