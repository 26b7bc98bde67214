"""The legal moves as a numbered list, and which of them somebody means."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from ...sim.errors import InputError
from ...sim.game import PASS, Game
from .board import Board
from .cards import PASSES

FEWEST_LINES = 6  # of a list, however low the screen
GAP = 3  # columns between moves
MOST_DIGITS = 9  # that are read of a number


class Menu:
    """The legal moves of a decision, numbered from 1 in groups; to pass is 0.

    Args:
        observation: what the seat to act knows.
        moves: its legal moves.
    """

    def __init__(self, board: Board, game: Game, rules: Any, observation: Any, moves: Sequence[int]) -> None:
        self.board, self.game, self.rules, self.observation = board, game, rules, observation
        plays = [move for move in moves if move != PASS]
        texts = [game.format_move(rules, move) for move in plays]
        groups = board.grouped(texts)
        order = [index for _, indices in groups for index in indices]
        self.moves = [plays[index] for index in order]  # number n is the (n − 1)-th
        self.texts = [texts[index] for index in order]
        self.headings = [(heading, len(indices)) for heading, indices in groups]
        self.can_pass = PASS in moves

    def lines(self, width: int, height: int | None = None) -> list[Text]:
        """Return the list; the last groups fold into a line each where it has more lines than `height`."""
        groups = []
        first = 1
        for heading, count in self.headings:
            numbers = range(first, first + count)
            groups.append((self._folded(heading, numbers), [Text(f"{heading}:"), *self._entries(numbers, width)]))
            first += count
        passing = [Text(" 0) pass")] if self.can_pass else []
        room = None if height is None else max(height, FEWEST_LINES) - len(passing)
        shown = [unfolded for _, unfolded in groups]
        for index in reversed(range(len(groups))):
            if room is None or sum(map(len, shown)) <= room:
                break
            folded, unfolded = groups[index]
            if len(unfolded) > 2:
                shown[index] = [folded]
        return [line for group in shown for line in group] + passing

    def _folded(self, heading: str, numbers: range) -> Text:
        return Text(f"{heading}: {numbers[0]} to {numbers[-1]}; m lists them, or type the cards")

    def _entries(self, numbers: Sequence[int], width: int) -> Iterator[Text]:
        """Yield lines with these moves in columns."""
        entries = [self.entry(number) for number in numbers]
        column = max(entry.cell_len for entry in entries) + GAP
        in_line = max(1, (width + GAP) // column)
        for begin in range(0, len(entries), in_line):
            line = Text()
            for entry in entries[begin : begin + in_line]:
                entry.pad_right(column - entry.cell_len)
                line.append_text(entry)
            line.rstrip()
            yield line

    def entry(self, number: int) -> Text:
        """Return a move with its number."""
        digits = len(str(len(self.moves)))
        return Text(f" {number:{digits}}) ").append_text(self.board.move_text(self.texts[number - 1]))

    def described(self, number: int) -> Text:
        """Return a move with its number and its heading, since moves of the same cards may be two."""
        headings = [heading for heading, count in self.headings for _ in range(count)]
        return self.entry(number).append(f"  ({headings[number - 1]})")

    def read(self, typed: str) -> list[int]:
        """Return the numbers of the moves that somebody means: one, or several where it is not clear which.

        A number alone is that of a move in the list. Raises InputError, which says why, where no legal move is meant.
        """
        if typed.isdecimal():
            number = int(typed[:MOST_DIGITS])
            if number > len(self.moves) or (number == 0 and not self.can_pass):
                lowest = 0 if self.can_pass else 1
                raise InputError(f"the list has the numbers {lowest} to {len(self.moves)}, not {number}")
            return [number]
        if self.can_pass and typed.upper() in PASSES:
            return [0]
        found = [index + 1 for index in self.board.matching(typed, self.texts)]
        if not found:
            text = self.board.spelled(self.rules, self.observation, typed)
            move = self.game.parse_move(self.rules, self.observation, text)
            why = self.game.why_illegal(self.rules, self.observation, move)
            raise InputError(why or f"{typed!r} is none of the moves in the list")
        return found

    def move(self, number: int) -> int:
        """Return the move with a number."""
        return self.moves[number - 1] if number else PASS
