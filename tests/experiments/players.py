"""Agents as a user may write them, good and bad ones; the tests copy this file to where a command runs."""

import logging
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numba


class Anything:
    """Any legal move, after some time."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def choose(self, view: Any) -> int:
        time.sleep(self.seconds)
        return view.moves[view.random.integers(len(view.moves))]


class First:
    """The first legal move, as text; remembers what its decisions are called, and fails at one of them."""

    def __init__(self, key: int | None = None, how: str = "") -> None:
        self.key, self.how, self.keys = key, how, []

    def choose(self, view: Any) -> str:
        self.keys.append(view.key)
        return self.fail(view) if view.key == self.key else view.legal[0]

    def fail(self, view: Any) -> Any:
        match self.how:
            case "error":
                raise ValueError("lost my\nway")
            case "exit":
                sys.exit("enough")
            case "die":
                os._exit(3)
            case "interrupt":
                raise KeyboardInterrupt
            case "illegal":
                return "S:S3 S4"
            case "nothing":
                return None


class KillsItsProcess(Anything):
    """Ends its process with SIGKILL, as many times as told: files at a path count them."""

    def __init__(self, path: str, times: int) -> None:
        super().__init__()
        self.path, self.times = Path(path), times

    def choose(self, view: Any) -> int:
        for number in range(self.times):
            mark = self.path.with_name(f"{self.path.name}-{number}")
            if not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(view)


class Talks(Anything):
    """Warns in the log."""

    def choose(self, view: Any) -> int:
        logging.getLogger("players").warning("seat %d holds %s", view.seat, view.hand)
        return super().choose(view)


class Picky(Anything):
    """Refuses its option."""

    def __init__(self, depth: int = 1) -> None:
        super().__init__()
        if depth < 1:
            raise ValueError("depth must be positive")


class Careless(Anything):
    """Does what nobody should: when it is built for the first time in a process, later, or when it chooses."""

    built = 0

    def __init__(self, when: str, what: str) -> None:
        super().__init__()
        Careless.built += 1
        self.when, self.what, self.passes = when, what, False
        if when == "built" or (when == "built later" and Careless.built > 30):
            self.do()

    def choose(self, view: Any) -> int:
        if self.when == "chooses":
            self.when = ""
            self.do()
        return 0 if self.passes and 0 in view.moves else super().choose(view)

    def do(self) -> None:
        match self.what:
            case "thread":
                threading.Thread(target=time.sleep, args=(1000,)).start()
            case "pass":
                self.passes = True
            case "end":
                os._exit(0)
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "interrupt":
                raise KeyboardInterrupt
            case "exit":
                sys.exit("enough")
            case "error":
                raise ValueError("lost my\nway")


class Compiles(Anything):
    """Has a kernel of its own."""

    def __init__(self) -> None:
        super().__init__()
        numba.njit(lambda number: number + 1)(1)
