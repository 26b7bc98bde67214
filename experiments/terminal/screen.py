"""The terminal itself: what is written to it and read from it. Where it is none, it is lines in and lines out."""

import re
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from rich.console import Console
from rich.text import Text

from ...sim.cards import SYMBOLS, plain
from ...sim.errors import InputError
from ..jsonl import write_text
from .cards import card_theme

WIDEST = 100
SHORT = 10  # columns: texts of a table that are not broken
LONGEST_LINE = 10_000  # that is read at once
FORGET = "\x1b[H\x1b[2J\x1b[3J"  # clears the screen, and then what has been scrolled out of it
WIPE = "\x1b[H\x1b[2J"
_BLANKS = re.compile(" *")
_HEAD = re.compile(r" *(\S.*?  +)?")  # of a line: what it is about, up to a gap


class Quit(Exception):
    """Somebody wants to stop, or there is no more input."""


class Screen:
    """Where people read and type.

    Args:
        shared: whether several people use it one after the other, so that it must not remember what they typed.
    """

    def __init__(self, shared: bool = False) -> None:
        if sys.stdout is None:
            raise InputError("cannot write to standard output: it is closed")
        for stream in (sys.stdin, sys.stdout):
            with suppress(AttributeError):  # what stands in for a stream may not be one of text
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        self.console = Console(markup=False, highlight=False, emoji=False)
        self.console.push_theme(card_theme(self.console.color_system))
        self.reads_terminal = sys.stdin is not None and sys.stdin.isatty()
        self.is_terminal = self.console.is_terminal
        self.letters = not _can_write(SYMBOLS)
        if self.reads_terminal:
            with suppress(ImportError):
                import readline

                readline.set_auto_history(not shared)

    @property
    def interactive(self) -> bool:
        """Whether somebody sits there who reads and types."""
        return self.is_terminal and self.reads_terminal

    @property
    def width(self) -> int:
        """How many columns there are to write in."""
        return min(self._size()[0] or WIDEST, WIDEST)

    @property
    def height(self) -> int | None:
        """How many lines there are; None where it does not matter."""
        return self._size()[1] if self.is_terminal else None

    def _size(self) -> tuple[int, int]:
        # Of a dumb terminal rich does not ask the size.
        return shutil.get_terminal_size() if self.console.is_dumb_terminal else self.console.size

    def write(self, *lines: Any) -> None:
        """Write lines of text, or what rich can show. What does not fit goes on in the next line, under the text."""
        with self.console.capture() as capture:
            for line in lines:
                self.console.print(self._wrapped(line) if isinstance(line, str | Text) else line, width=self.width)
        self._put(capture.get())

    def _wrapped(self, line: str | Text) -> Text:
        """Return a text as lines, all but the first indented to where the first one goes on after a gap."""
        text = Text(line) if isinstance(line, str) else line
        if text.cell_len <= self.width:
            return text
        blanks, head = (match.end() if match else 0 for match in (_BLANKS.match(text.plain), _HEAD.match(text.plain)))
        begin, indent = (head, head) if head <= self.width // 2 else (blanks, 2 * blanks)
        first, *others = text[begin:].wrap(self.console, self.width - indent)
        lines = [text[:begin] + first, *(Text(" " * indent) + other for other in others)]
        for each in lines:
            each.rstrip()
        return Text("\n").join(lines)

    def headline(self, text: str) -> None:
        """Write a line that begins something new."""
        self.write("", Text(f"── {text} ".ljust(self.width, "─")[: self.width], "bold"))

    def table(self, rows: Iterable[tuple[str, ...]]) -> None:
        """Write rows of a table, the first of them its head: numbers to the right, long texts broken if need be."""
        from rich.table import Table

        head, *others = rows
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for column, name in enumerate(head):
            numbers = all(row[column].replace("-", "").isdigit() for row in others)
            short = max(len(row[column]) for row in others) <= SHORT
            table.add_column(name, justify="right" if numbers else "left", no_wrap=short, overflow="fold")
        for row in others:
            table.add_row(*row)
        self.write(table)

    def clear(self, forget: bool = False) -> None:
        """Empty the screen; `forget`: also of what can be scrolled back to."""
        if not self.is_terminal:
            self.write("", "─" * self.width)
        elif self.console.is_dumb_terminal:
            self._put("\n" * self._size()[1])
        else:
            self._put(FORGET if forget else WIPE)

    def forget_typed(self) -> None:
        """Drop what was typed ahead: it was not meant for what is asked next."""
        if self.reads_terminal:
            with suppress(ImportError, OSError):
                import termios

                termios.tcflush(sys.stdin, termios.TCIFLUSH)

    def ask(self, prompt: str) -> str:
        """Return what somebody types, without blanks around it. Raises `Quit` at the end of input."""
        if self.interactive:
            try:
                return input(self._as_it_can_be_written(prompt)).strip()
            except EOFError:
                write_text("\n")
                raise Quit from None
        if sys.stdin is None:
            raise InputError("standard input is closed: moves are read from it")
        self._put(prompt)
        line = sys.stdin.readline(LONGEST_LINE)
        # Nobody else shows what was typed.
        self._put(line if line.endswith("\n") and not self.reads_terminal else "\n")
        if not line:
            raise Quit
        return line.strip()

    def _put(self, text: str) -> None:
        write_text(self._as_it_can_be_written(text))

    def _as_it_can_be_written(self, text: str) -> str:
        if not self.letters:
            return text
        return plain(text).translate(str.maketrans("─·–…▸’", "-.-.>'"))


def _can_write(text: str) -> bool:
    """Return whether standard output's encoding has some letters."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
