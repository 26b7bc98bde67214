"""Reading JSON objects that people or programs wrote: every error names the field."""

from collections.abc import Callable
from typing import Any, TypeVar

from .errors import InputError

Parsed = TypeVar("Parsed")


def is_seat(value: Any, players: int) -> bool:
    """Return whether a JSON value is the number of a seat."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < players


class Reader:
    """Reads one JSON object; every error names the field, within the object `name` where that is not empty."""

    def __init__(self, values: Any, name: str, keys: tuple[str, ...] | list[str]) -> None:
        if not isinstance(values, dict):
            raise InputError(f"{name}: must be an object, not {values!r}")
        self.values, self.name = values, name
        for key in keys:
            if key not in values:
                raise self.fail(key, "is missing")

    def path(self, key: str) -> str:
        return f"{self.name}.{key}" if self.name else key

    def fail(self, key: str, problem: str) -> InputError:
        return InputError(f"{self.path(key)}: {problem}")

    def parsed(self, key: str, text: Any, parse: Callable[[str], Parsed]) -> Parsed:
        if not isinstance(text, str):
            raise self.fail(key, f"must be text, not {text!r}")
        try:
            return parse(text)
        except InputError as error:
            raise self.fail(key, str(error)) from None

    def read(self, key: str, parse: Callable[[str], Parsed]) -> Parsed:
        return self.parsed(key, self.values[key], parse)

    def flag(self, key: str) -> int:
        if not isinstance(self.values[key], bool):
            raise self.fail(key, f"must be true or false, not {self.values[key]!r}")
        return int(self.values[key])

    def count(self, key: str, highest: int) -> int:
        value = self.values[key]
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= highest:
            raise self.fail(key, f"must be a whole number from 0 to {highest}, not {value!r}")
        return value

    def seat(self, key: str, players: int) -> int:
        return self.count(key, players - 1)

    def seats(self, key: str, players: int) -> list[int]:
        value = self.values[key]
        if not isinstance(value, list) or not all(is_seat(seat, players) for seat in value):
            raise self.fail(key, f"must be a list of seats 0 … {players - 1}, not {value!r}")
        if len(set(value)) < len(value):
            raise self.fail(key, f"names a seat twice: {value!r}")
        return value
