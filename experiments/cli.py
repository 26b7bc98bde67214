"""The command `agari`: what commands there are, and how their errors are told.

Imports nothing that takes time: a command's module is loaded when the command is asked for, what is heavy when it runs.
"""

import functools
import importlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn

import click

from ..sim.errors import InputError, shorten
from .jsonl import complain, write_text

REFUSED = 2  # the exit code of what cannot be done as it was given, as click has it
INTERRUPTED = 130  # the exit code of Ctrl-C, as shells have it


class Entry(NamedTuple):
    """A command: where it is defined, under its own name, what it does, and whether it runs kernels."""

    module: str
    help: str
    compiles: bool = False


COMMANDS = {
    "pit": Entry("tournaments", "Play a tournament into a directory.", True),
    "standings": Entry("tournaments", "Show who won, by how much, and how sure that is."),
    "rate": Entry("ratings", "Rate agents by the finish orders of any number of runs."),
    "plot": Entry("tournaments", "Draw who won, what a seat is worth, and more of each game."),
    "export": Entry("tournaments", "Write a run's tables as CSV."),
    "study": Entry("study", "Say what a tribute, a seat or a rule is worth.", True),
    "play": Entry("play", "Play a match against agents, or against each other.", True),
    "watch": Entry("play", "Step through a recorded game.", True),
    "legal": Entry("positions", "List the legal plays of positions.", True),
    "apply": Entry("positions", "Make plays in positions.", True),
    "replay": Entry("positions", "Play recorded games again.", True),
    "tribute": Entry("positions", "Make tributes.", True),
    "perft": Entry("positions", "Count sequences of plays.", True),
    "analyze": Entry("positions", "Show what an agent thinks of each legal play.", True),
    "games": Entry("catalogue", "List the rulesets and their options."),
    "agents": Entry("catalogue", "List the agents and their options."),
    "bench": Entry("benchmark", "Measure speed.", True),
}


class Failure(Exception):
    """A command ends early: one line on standard error, and an exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Commands(click.Group):
    """All commands: loads each when it is asked for, and turns every error that is meant for people into one line."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of the commands, the most used ones first."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a command."""
        return _load(name) if name in COMMANDS else None

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands for ``--help``, without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """Read the command line; an empty one asks for help."""
        return super().parse_args(context, arguments or ["--help"])

    def invoke(self, context: click.Context) -> Any:
        """Run a command."""
        try:
            with _no_interrupt_lost():
                return super().invoke(context)
        except KeyboardInterrupt:  # here, since click would write an empty line
            raise Failure("interrupted", INTERRUPTED) from None

    def main(self, *arguments: Any, standalone_mode: bool = True, **settings: Any) -> Any:
        """Run a command line, and exit; of a pipe that nobody reads click takes care.

        With `standalone_mode` off it returns instead, and raises errors as they are.
        """
        run = functools.partial(super().main, *arguments, standalone_mode=False, **settings)
        return _exit_with(run) if standalone_mode else run()


def _exit_with(run: Callable[[], Any]) -> NoReturn:
    """Exit with what a command returns, or with one line about what went wrong."""
    try:
        sys.exit(run())
    except click.UsageError as error:
        _fail(f"{error.ctx.command_path if error.ctx else 'agari'}: {error.format_message()}")
    except Failure as failure:
        _fail(f"agari: {failure}", failure.code)
    except InputError as error:
        _fail(f"agari: {error}")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _fail(f"agari: {where}{error.strerror or error}")


def _fail(message: str, code: int = REFUSED) -> NoReturn:
    """Say what went wrong in one line of bounded length, whatever is quoted in it, and exit."""
    complain(shorten(message))
    sys.exit(code)


def _printing(*names: str, text: Callable[[click.Context], str], help: str) -> click.Option:
    """Return an option that prints a text and does nothing else; click's own would write past `write_text`."""

    def show(context: click.Context, option: click.Parameter, given: bool) -> None:
        if given and not context.resilient_parsing:
            write_text(text(context) + "\n")
            context.exit()

    return click.Option(names, is_flag=True, is_eager=True, expose_value=False, callback=show, help=help)


def _version(context: click.Context) -> str:
    from importlib.metadata import version

    return f"agari, version {version('agari')}"


VERSION = _printing("--version", text=_version, help="Show the version and exit.")
HELP = _printing("-h", "--help", text=click.Context.get_help, help="Show this message and exit.")


@contextmanager
def _not_waiting_for_threads() -> Iterator[None]:
    """Let a block that exits do so although an agent left a thread that may never end; all is written by then."""
    try:
        yield
    except SystemExit as end:
        main_thread = threading.main_thread()
        if any(not thread.daemon and thread is not main_thread for thread in threading.enumerate()):
            os._exit(end.code if isinstance(end.code, int) else 0)
        raise


@contextmanager
def _no_interrupt_lost() -> Iterator[None]:
    """Let Ctrl-C amid a compilation count: LLVM swallows the KeyboardInterrupt, and numba then raises another error."""
    interrupted = False
    before = sys.unraisablehook

    def swallowed(unraisable: Any) -> None:
        nonlocal interrupted
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            interrupted = True
        else:
            before(unraisable)

    sys.unraisablehook = swallowed
    try:
        yield
    except Exception as error:
        if interrupted:
            raise KeyboardInterrupt from error
        raise
    finally:
        sys.unraisablehook = before


@functools.cache
def _load(name: str) -> click.Command:
    """Import a command, which gets our help; one with kernels says so when they have to be compiled."""
    entry = COMMANDS[name]
    command: click.Command = getattr(importlib.import_module(f".commands.{entry.module}", __package__), name)
    command.params.append(HELP)
    command.add_help_option = False
    if entry.compiles and command.callback is not None:
        command.callback = _saying_compiling(command.callback)
    return command


def _saying_compiling(callback: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(callback)
    def run(*arguments: Any, **options: Any) -> Any:
        from ..sim.kernels import on_first_compilation

        process = os.getpid()  # a worker that is forked from it keeps quiet
        on_first_compilation(lambda: complain("compiling, once") if os.getpid() == process else None)
        return callback(*arguments, **options)

    return run


@click.group(cls=Commands, params=[VERSION, HELP], add_help_option=False)
def main() -> None:
    """Pit card-game agents against each other, and see what a seat or a tribute is worth."""


def program(*arguments: Any, **settings: Any) -> None:
    """Run a command line as a program of its own, and end the process, whatever threads are left in it."""
    with _not_waiting_for_threads():
        main(*arguments, **settings)


if __name__ == "__main__":
    program()
