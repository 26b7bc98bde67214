"""How a game looks at a terminal: what each game brings, and what its seats are called.

A game called `name` brings a module `name.py` here with a value `BOARD`; all else at the terminal is the same for all
games. A board is given observations of the seat that looks on, or full states where all hands are open. So it cannot
show what that seat does not know. Nothing is shown while a move is made that this seat does not see, so it cannot tell
either from what is shown when, or from the time that it takes, whether there was one.
"""

import importlib.util
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rich.text import Text

from ...sim.errors import InputError
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

    def does(self, seat: int, it: str, you: str) -> str:
        """Return the name of a seat with what it does, in the words for `it` or for `you`."""
        return f"{self.names[seat]} {you if seat == self.you else it}"


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def nobody_unasked(rules: Any, before: Any, after: Any, names: Names) -> list[Text] | None:
    """Return the `unasked` of a game in which all see who is asked."""
    return None


class Board(NamedTuple):
    """How a game looks. A `record` is what is shown: an observation, or a full state."""

    situation: Callable[[Any, Any, Names], list[Text]]  # (rules, record, names): all that lies there, hand last
    dealt: Callable[[Any, Any, Names], list[Text]]  # (rules, record, names): how a game begins
    visible: Callable[[Any, Any], bool]  # (rules, record): whether the move to be made now will be seen
    # (rules, record before, move or None where it is not seen, record after, names): what a move was and what it did;
    # a line that only who looks on may read stands by itself
    told: Callable[[Any, Any, int | None, Any, Names], list[Text]]
    question: Callable[[Any, Any], str]  # (rules, record): what the seat to act is asked
    grouped: Callable[[list[str]], list[tuple[str, list[int]]]]  # moves as text -> headings, and which are under them
    move_text: Callable[[str], Text]  # a move as text, in colour
    matching: Callable[[str, list[str]], list[int]]  # (what somebody typed, moves as text): which are meant
    spelled: Callable[[Any, Any, str], str]  # (rules, record, what somebody typed): the move as `parse_move` reads it
    how_to_type: tuple[str, ...]  # lines of help
    # (rules, record before, record after, names): what to show who looks on where the move is followed by questions of
    # which others are not to see who is asked, and it might be asked for all they know; else None
    unasked: Callable[[Any, Any, Any, Names], list[Text] | None] = nobody_unasked


def board_of(game: Game) -> Board:
    """Return the board of a game; raises InputError where it brings none."""
    if importlib.util.find_spec(f".{game.name}", __package__) is None:
        raise InputError(f"{game.name} cannot be shown at a terminal: it has no board")
    board: Board = importlib.import_module(f".{game.name}", __package__).BOARD
    return board


def place_head(game: Game, players: int) -> tuple[str, ...]:
    """Return the head of the columns of `place_cells`."""
    return ("", "place") if players in game.place_names else ("place",)


def place_cells(game: Game, players: int, place: int) -> tuple[str, ...]:
    """Return a place (1 is first) as cells of a table: its number, and its name where places have names."""
    names = game.place_names.get(players)
    return (str(place), names[place - 1]) if names else (str(place),)
