"""The options of a game: what kinds there are, and how their values are read, written and checked.

A value is written in JSON (or as text, in a command) as people say it, and is a small number in the Rules of a game, as
kernels read it.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from .errors import InputError, shorten


class Kind(Protocol):
    """A kind of option."""

    def read(self, name: str, text: str) -> Any:
        """Return the value, as in JSON, that a text means."""

    def parse(self, name: str, value: Any, players: int) -> Any:
        """Return a value in JSON as it stands in the Rules."""

    def format(self, value: Any, players: int) -> Any:
        """Return what stands in the Rules as a value in JSON."""

    def values(self) -> Any:
        """Return the values there are, as in JSON: a list of them, or ``{"from", "to"}``."""


class Word(NamedTuple):
    """One word out of some; a kernel sees its index."""

    words: tuple[str, ...]

    def read(self, name: str, text: str) -> Any:
        """Return the word in small letters."""
        return text.lower()

    def parse(self, name: str, value: Any, players: int) -> Any:
        """Return the index of a word; false is `off`, and what `on` means the ruleset says (games.set_options)."""
        if value is False:
            value = "off"
        if value not in self.words:
            raise InputError(f"option {name}: {value!r} is none of {', '.join(self.words)}")
        return self.words.index(value)

    def format(self, value: Any, players: int) -> Any:
        """Return the word of an index."""
        return self.words[value]

    def values(self) -> Any:
        """Return the words."""
        return list(self.words)


class Switch(NamedTuple):
    """On or off; a kernel sees 1 or 0."""

    def read(self, name: str, text: str) -> Any:
        """Return what on, off, true or false means."""
        if text.lower() not in ("on", "off", "true", "false"):
            raise InputError(f"option {name}={shorten(text)}: say on or off")
        return text.lower() in ("on", "true")

    def parse(self, name: str, value: Any, players: int) -> Any:
        """Return 1 for true, 0 for false."""
        if not isinstance(value, bool):
            raise InputError(f"option {name}: {value!r} is neither true nor false")
        return int(value)

    def format(self, value: Any, players: int) -> Any:
        """Return a number as a truth value."""
        return bool(value)

    def values(self) -> Any:
        """Return both."""
        return [True, False]


class Count(NamedTuple):
    """A whole number from `lowest` to `highest`."""

    lowest: int
    highest: int

    def read(self, name: str, text: str) -> Any:
        """Return a number; a list of them is none, but `parse` says so better."""
        numbers = _whole_numbers(name, text)
        return numbers if len(numbers) > 1 else numbers[0]

    def parse(self, name: str, value: Any, players: int) -> Any:
        """Return the number."""
        if isinstance(value, bool) or not isinstance(value, int) or not self.lowest <= value <= self.highest:
            raise InputError(f"option {name}: {value!r} is no whole number from {self.lowest} to {self.highest}")
        return value

    def format(self, value: Any, players: int) -> Any:
        """Return the number."""
        return value

    def values(self) -> Any:
        """Return the ends of the range."""
        return {"from": self.lowest, "to": self.highest}


class Fraction(NamedTuple):
    """A number from `lowest` to `highest`, a float64 in kernels."""

    lowest: float
    highest: float

    def read(self, name: str, text: str) -> Any:
        """Return the number that a text says."""
        try:
            return float(text)
        except ValueError:
            raise InputError(f"option {name}={shorten(text)}: not a number") from None

    def parse(self, name: str, value: Any, players: int) -> Any:
        """Return the number as a float."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not self.lowest <= value <= self.highest:
            raise InputError(f"option {name}: {value!r} is no number from {self.lowest:g} to {self.highest:g}")
        return float(value)

    def format(self, value: Any, players: int) -> Any:
        """Return the number."""
        return value

    def values(self) -> Any:
        """Return the ends of the range."""
        return {"from": self.lowest, "to": self.highest}


class Points(NamedTuple):
    """Whole points for each place, at most `most` either way; a kernel sees a tuple of `length`, filled up with 0."""

    most: int
    length: int

    def read(self, name: str, text: str) -> Any:
        """Return the numbers of a text such as 6,4,2,0."""
        return _whole_numbers(name, text)

    def parse(self, name: str, value: Any, players: int) -> Any:
        """Return the points as a tuple."""
        if (
            not isinstance(value, list | tuple)
            or len(value) != players
            or any(isinstance(each, bool) or not isinstance(each, int) or abs(each) > self.most for each in value)
        ):
            raise InputError(f"option {name}: {value!r} is no list of {players} whole numbers, one for each place")
        return tuple(value) + (0,) * (self.length - len(value))

    def format(self, value: Any, players: int) -> Any:
        """Return the points of the places that there are."""
        return list(value[:players])

    def values(self) -> Any:
        """Return the ends of the range."""
        return {"from": -self.most, "to": self.most}


def _whole_numbers(name: str, text: str) -> list[int]:
    try:
        return [int(word) for word in text.split(",")]
    except ValueError:
        raise InputError(f"option {name}={shorten(text)}: not a whole number") from None


def _anything(rules: Any) -> Any:
    return rules


class Options(NamedTuple):
    """The options of a game, one for each field of its Rules, `players` among them.

    `check` returns rules that can be played, and raises an InputError that says why others cannot. What is
    `left_out` of rules in JSON has the value that is given there: rules are older than these options.
    """

    rules_class: Any
    kinds: Mapping[str, Kind]
    check: Callable[[Any], Any] = _anything
    left_out: Mapping[str, Any] = {}

    def parse(self, values: dict[str, Any]) -> Any:
        """Return the rules written as a dict of all options, as in JSON."""
        names = self.rules_class._fields
        if not isinstance(values, dict):
            raise InputError(f"rules must be an object of options, not {values!r}")
        values = {**self.left_out, **values}
        unknown = sorted(set(values) - set(names))
        missing = [name for name in names if name not in values]
        if unknown:
            raise InputError(f"rules: unknown option {unknown[0]!r}; the options are {', '.join(names)}")
        if missing:
            raise InputError(f"rules: option {missing[0]!r} is missing")
        return self.check(self.rules_class(**self._parse_values(values, values["players"])))

    def format(self, rules: Any) -> dict[str, Any]:
        """Return rules as a dict of all options, as in JSON: the inverse of `parse`."""
        return {name: self.kinds[name].format(value, rules.players) for name, value in rules._asdict().items()}

    def set(self, rules: Any, values: Mapping[str, Any]) -> Any:
        """Return the rules with options set, to text as in ``--set points=6,4,2,0`` or to values as in JSON."""
        names = self.rules_class._fields
        for name in values:
            if name not in names:
                raise InputError(f"unknown option {shorten(repr(name))}; the options are {', '.join(names)}")
        read = {
            name: self.kinds[name].read(name, value) if isinstance(value, str) else value
            for name, value in values.items()
        }
        return self.check(rules._replace(**self._parse_values(read, read.get("players", rules.players))))

    def values(self) -> dict[str, Any]:
        """Return the values that each option can have, as in JSON: a list of them, or ``{"from", "to"}``."""
        return {name: self.kinds[name].values() for name in self.rules_class._fields}

    def _parse_values(self, values: Mapping[str, Any], players: Any) -> dict[str, Any]:
        players = self.kinds["players"].parse("players", players, 0)
        return {name: self.kinds[name].parse(name, value, players) for name, value in values.items()}
