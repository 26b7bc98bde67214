"""What the tests of playing at the terminal use: commands with typed input, screens that type, terminals, all games."""

import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from fcntl import ioctl
from typing import Any

from agari.experiments.cli import main
from agari.experiments.plan import make_plan
from agari.experiments.terminal.board import Board, board_of
from agari.experiments.terminal.screen import Quit, Screen
from agari.experiments.terminal.session import Session
from agari.sim.games import ruleset
from click.testing import CliRunner, Result

from ..playing import Table

AGARI = [sys.executable, "-c", "from agari.experiments.cli import program; program()"]
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")

TABLES = {name: Table(ruleset(name).game) for name in ("federation", "voodoo_prince", "dobon")}  # by ruleset
PLAYERS = [(name, players) for name, table in TABLES.items() for players in sorted(table.game.presets[name].by_players)]


def rules_of(name: str, players: int | None = None) -> Any:
    """The rules of a ruleset for a number of players, by default its usual one."""
    by_players = TABLES[name].game.presets[name].by_players
    return by_players[players or next(iter(by_players))]


def board(name: str) -> Board:
    """The board of a ruleset."""
    return board_of(TABLES[name].game)


def agari(*arguments: object, typed: str = "") -> Result:
    """Call the command in this process; `typed` is its standard input."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=typed, prog_name="agari")


def one_line(result: Result) -> str:
    """The one line of a command that refused what it was given."""
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr


class Scripted(Screen):
    """A screen on which `answer` types, which is given the prompt and all that was written."""

    def __init__(self, answer: Callable[[str, str], str], shared: bool = False) -> None:
        super().__init__(shared)
        self.answer, self.text = answer, ""

    def ask(self, prompt: str) -> str:
        self._put(prompt)
        typed = self.answer(prompt, self.text)
        self._put(f"{typed}\n")
        if typed == "quit":
            raise Quit
        return typed

    def _put(self, text: str) -> None:
        self.text += text


def session_at(
    name: str, rules: Any, state: Any, people: list[int], answer: Callable[[str, str], str]
) -> tuple[Session, Scripted]:
    """A session of a ruleset that has come to a state, with people at these seats, and its screen."""
    screen = Scripted(answer, shared=len(people) > 1)
    plan = make_plan("random", 1, game=name)._replace(rules=rules)
    session = Session(plan, people, screen)
    seated = session.state.seated.copy()
    session.state = state.copy()
    session.state.seated = seated
    session._take_seats()
    return session, screen


def since_cleared(screen: Scripted) -> str:
    """What stands on a shared screen since it was cleared."""
    return screen.text.rpartition(f"\n{'─' * screen.width}\n")[2]


def answers_to(typed: str, name: str, rules: Any, state: Any) -> str:
    """What a person who is to act in a state reads after typing something, up to the next question."""
    typing = iter([typed, "quit"])
    session, screen = session_at(name, rules, state, [int(state.turn)], lambda *_: next(typing))
    with suppress(Quit):
        session._choose(session.people[0], TABLES[name].moves_of(rules, state))
    return screen.text.partition(f": {typed}\n")[2].rpartition("\n")[0]


class Terminal:
    """A command in a pseudo-terminal."""

    def __init__(self, *arguments: object, rows: int = 24, columns: int = 80, **environment: str) -> None:
        self.ours, theirs = pty.openpty()
        ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}

        def take_terminal() -> None:
            os.setsid()
            ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [*AGARI, *map(str, arguments)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            preexec_fn=take_terminal,
            env={**inherited, "TERM": "xterm-256color", **environment},
        )
        os.close(theirs)
        self.raw = ""

    def expect(self, text: str, press: str = "") -> str:
        """What was written since the last call, up to a text that has to come; `press` is typed while all is quiet.

        Python's input() leaves a signal that comes between its prompt and its wait for a key until the next key.
        """
        end = time.monotonic() + 120
        got = b""
        self.type(press)
        while text not in ESCAPES.sub("", got.decode(errors="replace")):
            ready, _, _ = select.select([self.ours], [], [], 5 if press else 1)
            if not ready:
                self.type(press)
            else:
                try:
                    got += os.read(self.ours, 4096)
                except OSError:
                    break
            assert time.monotonic() < end, got
        self.raw = got.decode(errors="replace").replace("\r", "")
        assert text in ESCAPES.sub("", self.raw), self.raw
        return ESCAPES.sub("", self.raw)

    def type(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def end(self) -> int:
        """The exit code."""
        code = self.process.wait(60)
        os.close(self.ours)
        return code
