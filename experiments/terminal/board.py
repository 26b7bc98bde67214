"""How a game looks at a terminal: what each game brings, and what its seats are called.

A game called `name` brings a module `name.py` here with a value `BOARD`; all else at the terminal is the same for all
games. A board is given observations of the seat that looks on, or full states where all hands are open. So it cannot
show what that seat does not know.
"""

import importlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rich.text import Text

from ...sim.game import Game

LONGEST_NAME = 24
YOU = "you"


class Names:
    """What the seats are called: by their number and label, one of them `you` where somebody looks on from there."""

    def __init__(self, labels: Sequence[str], you: int | None = None) -> None:
        self.labels, self.you = labels, you
        self.names = [YOU if seat == you else _cut(f"seat {seat} {label}") for seat, label in enumerate(labels)]
        self.width = max(map(len, self.names), default=0)

    def __getitem__(self, seat: int) -> str:
        return self.names[seat]

    def column(self, seat: int) -> str:
        """Return the name of a seat as wide as the longest."""
        return self.names[seat].ljust(self.width)


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


class Board(NamedTuple):
    """How a game looks. A `record` is what is shown: an observation, or a full state."""

    situation: Callable[[Any, Any, Names], list[Text]]  # (rules, record, names): all that lies there, hand last
    dealt: Callable[[Any, Any, Names], list[Text]]  # (rules, record, names): how a game begins
    visible: Callable[[Any, Any], bool]  # (rules, record): whether the move to be made now will be seen
    # (rules, record before, move or None where it is not seen, record after, names): what a move was and what it did
    told: Callable[[Any, Any, int | None, Any, Names], list[Text]]
    question: Callable[[Any, Any], str]  # (rules, record): what the seat to act is asked
    grouped: Callable[[list[str]], list[tuple[str, list[int]]]]  # moves as text -> headings, and which are under them
    move_text: Callable[[str], Text]  # a move as text, in colour
    matching: Callable[[str, list[str]], list[int]]  # (what somebody typed, moves as text): which are meant
    spelled: Callable[[Any, Any, str], str]  # (rules, record, what somebody typed): the move as `parse_move` reads it
    how_to_type: tuple[str, ...]  # lines of help


def board_of(game: Game) -> Board:
    """Return the board of a game."""
    board: Board = importlib.import_module(f".{game.name}", __package__).BOARD
    return board
