"""The options of Daifugo (rule clause D10): their values, read, written and checked."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..errors import InputError, shorten

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
    tribute_blind: int
    seats_every: int
    ranks_every: int
    first_lead: int
    points: tuple[int, int, int, int, int, int]  # by place, best first; 0 beyond the number of players
    set_bonus: int


def parse_rules(values: dict[str, Any]) -> Rules:
    """Return the rules written as a dict of all options, as in JSON: words, booleans, counts, `points` a list."""
    if not isinstance(values, dict):
        raise InputError(f"rules must be an object of options, not {values!r}")
    unknown = sorted(set(values) - set(Rules._fields))
    missing = [name for name in Rules._fields if name not in values]
    if unknown:
        raise InputError(f"rules: unknown option {unknown[0]!r}; the options are {', '.join(Rules._fields)}")
    if missing:
        raise InputError(f"rules: option {missing[0]!r} is missing")
    players = _parse_value("players", values["players"], 0)
    return check_rules(Rules(**{name: _parse_value(name, value, players) for name, value in values.items()}))


def format_rules(rules: Rules) -> dict[str, Any]:
    """Return rules as a dict of words, booleans, counts and the list `points`: the inverse of `parse_rules`."""
    return {name: _format_value(rules, name, value) for name, value in rules._asdict().items()}


def set_options(rules: Rules, values: Mapping[str, Any]) -> Rules:
    """Return the rules with options set, to text as in ``--set points=6,4,2,0`` or to values as in JSON."""
    for name in values:
        if name not in Rules._fields:
            raise InputError(f"unknown option {shorten(repr(name))}; the options are {', '.join(Rules._fields)}")
    players = _parse_value("players", _from_text("players", values.get("players", rules.players)), 0)
    changes = {name: _parse_value(name, _from_text(name, value), players) for name, value in values.items()}
    return check_rules(rules._replace(**changes))


def _from_text(name: str, value: Any) -> Any:
    """Return the value that a text means; what is no text is a value already."""
    if name in WORDS:
        if value is False:  # what `on` means the ruleset says, games.set_options
            return "off"
        return value.lower() if isinstance(value, str) else value
    if not isinstance(value, str):
        return value
    if name in SWITCHES:
        if value.lower() not in ("on", "off", "true", "false"):
            raise InputError(f"option {name}={shorten(value)}: say on or off")
        return value.lower() in ("on", "true")
    try:
        numbers = [int(word) for word in value.split(",")]
    except ValueError:
        raise InputError(f"option {name}={shorten(value)}: not a number") from None
    return numbers if name == "points" or len(numbers) > 1 else numbers[0]


def check_rules(rules: Rules) -> Rules:
    """Return the rules if they can be played; else raise an `InputError` that says why not."""
    cards = 52 + rules.jokers - rules.blind
    if cards < 2 * rules.players:
        raise InputError(f"blind={rules.blind} leaves {cards} cards for {rules.players} players: too few to play")
    return rules


def _parse_value(name: str, value: Any, players: int) -> Any:
    if name in WORDS:
        if value not in WORDS[name]:
            raise InputError(f"option {name}: {value!r} is none of {', '.join(WORDS[name])}")
        return WORDS[name].index(value)
    if name in SWITCHES:
        if not isinstance(value, bool):
            raise InputError(f"option {name}: {value!r} is neither true nor false")
        return int(value)
    if name == "points":
        if (
            not isinstance(value, list | tuple)
            or len(value) != players
            or any(
                isinstance(points, bool) or not isinstance(points, int) or abs(points) > MOST_POINTS for points in value
            )
        ):
            raise InputError(f"option points: {value!r} is no list of {players} whole numbers, one for each place")
        return tuple(value) + (0,) * (MAX_PLAYERS - len(value))
    lowest, highest = COUNTS[name]
    if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
        raise InputError(f"option {name}: {value!r} is no whole number from {lowest} to {highest}")
    return value


def _format_value(rules: Rules, name: str, value: Any) -> Any:
    if name in WORDS:
        return WORDS[name][value]
    if name in SWITCHES:
        return bool(value)
    if name == "points":
        return list(value[: rules.players])
    return value


def option_values() -> dict[str, Any]:
    """Return the values that each option can have, as in JSON: a list of them, or ``{"from", "to"}``."""
    values: dict[str, Any] = {name: list(words) for name, words in WORDS.items()}
    values |= {name: [True, False] for name in SWITCHES}
    values |= {name: {"from": lowest, "to": highest} for name, (lowest, highest) in COUNTS.items()}
    values["points"] = {"from": -MOST_POINTS, "to": MOST_POINTS}
    return {name: values[name] for name in Rules._fields}
