"""The command `agari`: what commands there are, and how their errors are told.

Imports nothing that takes time: a command's module is loaded when the command is asked for, what is heavy when it runs.
"""

import functools
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import click

from ..sim.errors import InputError

INTERRUPTED = 130  # the exit code of Ctrl-C, as shells have it


class Entry(NamedTuple):
    """A command: where it is defined, under its own name, what it does, and whether it runs kernels."""

    module: str
    help: str
    compiles: bool = False


COMMANDS = {
    "pit": Entry("tournaments", "Play a tournament into a directory.", True),
    "standings": Entry("tournaments", "Show who won, by how much, and how sure that is."),
    "plot": Entry("tournaments", "Draw standings, seat advantage and tribute advantage."),
    "export": Entry("tournaments", "Write a run's tables as CSV."),
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


class Failure(click.ClickException):
    """Something that a person gave cannot be done: one line on standard error."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the line."""
        click.echo(self.message, file, err=True)


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

    def invoke(self, context: click.Context) -> Any:
        """Run a command."""
        try:
            with _no_interrupt_lost():
                return super().invoke(context)
        except click.UsageError as error:
            command = (error.ctx or context).command_path
            raise Failure(f"{command}: {error.format_message()}") from error
        except InputError as error:
            raise Failure(f"agari: {error}") from error
        except BrokenPipeError:
            raise  # click ends quietly
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise Failure(f"agari: {where}{error.strerror or error}") from error
        except KeyboardInterrupt:
            click.echo("agari: interrupted", err=True)
            context.exit(INTERRUPTED)


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
    """Import a command; one with kernels says so when they have to be compiled."""
    entry = COMMANDS[name]
    command: click.Command = getattr(importlib.import_module(f".commands.{entry.module}", __package__), name)
    if entry.compiles and command.callback is not None:
        command.callback = _saying_compiling(command.callback)
    return command


def _saying_compiling(callback: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(callback)
    def run(*arguments: Any, **options: Any) -> Any:
        from ..sim.kernels import on_first_compilation

        process = os.getpid()  # a worker that is forked from it keeps quiet
        on_first_compilation(lambda: click.echo("compiling, once", err=True) if os.getpid() == process else None)
        return callback(*arguments, **options)

    return run


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="agari")
def main() -> None:
    """Pit card-game agents against each other, and see what a seat or a tribute is worth."""


if __name__ == "__main__":
    main()
