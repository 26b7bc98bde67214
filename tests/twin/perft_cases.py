"""Perft cases for every ruleset, counted by the slow twin: ``python -m tests.twin.perft_cases`` makes the file anew.

The file has the format of `daifugo_perft.json` (docs/formats.md), and the kernels are checked against it.
"""

import json
import random
from collections.abc import Iterator
from typing import Any

from ..case_files import CASES
from ..daifugo_table import Options, Position, random_options
from ..naive import daifugo as twin
from .walk import PRESET_OPTIONS, on_a_field, random_begin

PATH = CASES / "own_perft.json"
MIXES = 8
MOST_SEQUENCES = 40_000  # of the greatest length, so that the twin counts them in seconds
LONGEST = 10
MOST_GAMES = 100_000
DRAWN = 12  # deals, of which the one with most to play is taken

Case = dict[str, Any]


def counted(number: int, name: str, options: Options, state: Position, whole: bool) -> Case:
    """A case with the numbers of sequences of plays, and with `whole` that of whole games where it is not too great."""
    perft: list[int] = []
    memo: dict[tuple[int | None, str], int] = {}
    while len(perft) < LONGEST:
        perft.append(twin.count(options, state, len(perft) + 1, memo))
        if perft[-1] * 3 > MOST_SEQUENCES:
            break
    while perft[-1] == 0:
        perft.pop()
    games = twin.games(options, state) if whole else MOST_GAMES + 1
    return {
        "id": number,
        "name": name,
        "rules": options,
        "state": state,
        "perft": perft,
        "divide": twin.divide(options, state, len(perft)),
        "games": games if games <= MOST_GAMES else None,
    }


def begins(source: random.Random, options: Options) -> Iterator[tuple[str, Position, bool]]:
    """Positions with what they are called, and whether the games from there are short enough to be counted."""
    players = options["players"]

    def richest(follow: bool) -> Position:
        drawn = [random_begin(source, options, 5 * players) for _ in range(DRAWN)]
        if follow:
            drawn = [on_a_field(source, options, begin) for begin in drawn]
        return max(drawn, key=lambda begin: twin.count(options, begin, 3, {}))

    whole = not options["lead_pass"]  # else games may go on for very long
    few = random_begin(source, options, 2 * players)
    yield f"{2 * players} cards", few, whole
    yield "to lead", richest(follow=False), False
    yield "to follow", richest(follow=True), False


def make_cases() -> Iterator[Case]:
    """The cases, always the same: some for each preset and each number of players, and for random options."""
    number = 0
    source = random.Random("perft cases")
    mixes = {f"mix {index + 1}": random_options(source) for index in range(MIXES)}
    for name, options in (PRESET_OPTIONS | mixes).items():
        for what, state, whole in begins(random.Random(name), options):
            yield counted(number, f"{name}: {what}", options, state, whole)
            number += 1


def main() -> None:
    cases = ",\n".join(json.dumps(case, separators=(",", ":")) for case in make_cases())
    PATH.write_text(f"[\n{cases}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
