"""Counting the distinct positions of a comparison, also by the value of each option and by clause."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ..daifugo_table import DRAWN, Options
from .clauses import CLAUSES, met
from .walk import PRESET_OPTIONS, Step

VALUES = [(option, value) for option, values in DRAWN.items() for value in values]
_NUMBERS = {label: number for number, label in enumerate(CLAUSES)}

Value = tuple[str, int | str | bool]


class Seen(NamedTuple):
    """A position as a tally keeps it: a hash of options and position, its options' text, the numbers of its clauses."""

    key: int
    options: str
    clauses: bytes


def seen(steps: Iterable[Step]) -> list[Seen]:
    """The positions of some steps."""
    found: list[Seen] = []
    options: Options = {}
    text = ""
    for step in steps:
        if step.options is not options:
            options, text = step.options, json.dumps(step.options)
        key = hashlib.blake2b((text + json.dumps(step.before)).encode(), digest_size=8)
        found.append(Seen(int.from_bytes(key.digest(), "big"), text, bytes(_NUMBERS[label] for label in met(step))))
    return found


class Tally:
    """Distinct positions by the value of each option and by clause; of equal positions the first one counts."""

    def __init__(self) -> None:
        self.keys: set[int] = set()
        self.compared = 0
        self.by_options: Counter[str] = Counter()
        self.by_number: Counter[int] = Counter()

    @property
    def distinct(self) -> int:
        return len(self.keys)

    def add(self, positions: Iterable[Seen]) -> None:
        for key, options, clauses in positions:
            self.compared += 1
            if key not in self.keys:
                self.keys.add(key)
                self.by_options[options] += 1
                self.by_number.update(clauses)

    def values(self) -> dict[Value, int]:
        """How many positions were met under each value of each option, but `points`; 0 where there were none."""
        counts: Counter[Value] = Counter(dict.fromkeys(VALUES, 0))
        for text, count in self.by_options.items():
            for option, value in json.loads(text).items():
                if option != "points":
                    counts[option, value] += count
        return dict(counts)

    def presets(self) -> dict[str, int]:
        """How many positions were met under each preset, by name and number of players."""
        return {name: self.by_options[json.dumps(options)] for name, options in PRESET_OPTIONS.items()}

    def clauses(self) -> dict[str, int]:
        """How many positions each clause was met at."""
        return {label: self.by_number[number] for number, label in enumerate(CLAUSES)}

    def rare(self, enough: int) -> list[str]:
        """The values of options, the rulesets and the clauses that were met at fewer positions than `enough`."""
        values = self.values()
        rare = [f"{option}={value}" for option, value in VALUES if values[option, value] < enough]
        rare += [name for name, count in self.presets().items() if count < enough]
        return rare + [label for label, count in self.clauses().items() if count < enough]

    def report(self) -> str:
        """The figures as lines of text."""
        lines = [f"{self.distinct:,} distinct positions of {self.compared:,} compared", "", "by option:"]
        by_option: dict[str, list[str]] = {}
        for (option, value), count in self.values().items():
            by_option.setdefault(option, []).append(f"{json.dumps(value)} {count:,}")
        lines += [f"  {option:20} {' · '.join(counts)}" for option, counts in by_option.items()]
        lines += ["", "by ruleset:"] + [f"  {count:>9,}  {name}" for name, count in self.presets().items()]
        lines += ["", "by clause:"] + [f"  {count:>9,}  {label}" for label, count in self.clauses().items()]
        return "\n".join(lines)
