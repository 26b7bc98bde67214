"""Look for the first difference between the kernels and the twin: ``python -m tests.twin.find SEED POSITIONS``.

Prints as JSON at which position it showed, counted from 1, and how; or that there was none in so many.
"""

import json
import sys
from itertools import count
from typing import NamedTuple

from .walk import steps

PART = 1000


class Answer(NamedTuple):
    """Whether a difference was found, at which position or among how many, what it was, and whose kernels these are."""

    caught: bool
    position: int
    what: str
    kernels: str


def find(seed: int, positions: int) -> Answer:
    """Compare so many positions, or up to the first at which the two differ or a kernel fails."""
    from agari.sim.daifugo import play

    compared = 0
    for part in count():
        try:
            for _ in steps(seed, part, PART):
                compared += 1
                if compared == positions:
                    return Answer(False, compared, "", str(play.__file__))
        except Exception as error:
            return Answer(True, compared + 1, f"{type(error).__name__}: {error}"[:500], str(play.__file__))
    raise AssertionError


if __name__ == "__main__":
    print(json.dumps(find(int(sys.argv[1]), int(sys.argv[2]))))
