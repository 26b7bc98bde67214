"""The commands for whole tournaments: pit, standings, plot, export."""

import logging
import math
import os
import shlex
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...sim.errors import InputError
from ..cli import INTERRUPTED, Failure
from ..jsonl import print_rich, write_json, write_text

if TYPE_CHECKING:
    import pandas as pd

    from ..sequential import Answer
    from ..store import Run
    from ..tournament import Progress

MATCHES = 100


class _NamedPath(click.Path):
    """A path that is not empty: that one would stand for the current directory."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        if not str(value):
            self.fail("the name of a directory is empty: the current one is named by .", parameter, context)
        return super().convert(value, parameter, context)


NAMED_PATH = _NamedPath(path_type=Path)

run_argument = click.argument("directory", type=NAMED_PATH)


@click.command()
@click.option("--agents", help='Who plays, as in "mc(playouts=200),greedy,random,random" or my_module:MyAgent.')
@click.option("--game", help="The ruleset; `agari games` lists them.", show_default="federation")
@click.option(
    "--players", type=int, help="Seats at the table.", show_default="the usual number, the first in agari games"
)
@click.option(
    "--set", "options", multiple=True, metavar="OPTION=VALUE", help="Change an option of the rules; repeatable."
)
@click.option("--rules", type=NAMED_PATH, help="A TOML file with game, players and options, which --set may change.")
@click.option("--games", type=int, help="Games in a match.", show_default="as the game has it; federation 4")
@click.option(
    "--matches", type=int, help="Each is played once for each rotation of its agents.", show_default=str(MATCHES)
)
@click.option("--seed", type=int, help="The same seed gives the same results.", show_default="0")
@click.option("--until", metavar='"A > B"', help="End the run when it is clear whether agent A wins more than B.")
@click.option("--alpha", type=float, help="How probable a wrong answer to --until may be.", show_default="0.05")
@click.option("--workers", type=click.IntRange(1), help="Processes.", show_default="all cores")
@click.option(
    "--executor",
    metavar="dask|dask://HOST:PORT",
    help="Who plays: a Dask cluster of this machine's processes, or that of a scheduler.",
    show_default="processes of this machine",
)
@click.option("--out", type=NAMED_PATH, required=True, help="The directory of the run: a new one.")
@click.option("--resume", is_flag=True, help="Go on with the run in --out; what else is given must be as it was.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def pit(
    out: Path,
    workers: int | None,
    executor: str | None,
    resume: bool,
    quiet: bool,
    rules: Path | None,
    options: tuple[str, ...],
    **given: Any,
) -> None:
    """Play a tournament into a directory.

    Every match is played once for each rotation of its agents through the seats, with the same cards. Fewer agents than
    seats repeat; of more, each match has some, all equally often. With --until, --matches are the most that are played.
    """
    from .. import plan, store, tournament

    asked = asked_rules(rules, options, given)
    bar = Bar(shown=not quiet)
    try:
        with closing(bar):
            if resume and (out / store.MANIFEST).exists():
                manifest = store.read_manifest(out)
                plan.tournament_of(out, manifest)
                plan.refuse_other_plan(manifest, **asked)
                run = tournament.resume(out, workers, bar.tell, executor)
            elif "agents" not in asked:
                nothing = f"there is no run in {out} to resume; " if resume else ""
                raise InputError(f'{nothing}say who plays, as in --agents "mc(playouts=200),greedy,random,random"')
            else:
                asked = {"matches": MATCHES, **asked}
                run = tournament.run(out, workers=workers, executor=executor, tell=bar.tell, **asked)
    except tournament.RunStopped as stopped:
        raise Failure(str(stopped), 1) from None
    except KeyboardInterrupt:
        if bar.told is None:
            raise
        done = f"{bar.told.matches_done:,} of {bar.told.matches:,} matches are done"
        message = f"interrupted; {done}; to go on: agari pit --resume --out {shlex.quote(str(out))}"
        raise Failure(message, INTERRUPTED) from None
    if not quiet:
        print_rich(*_tables(run))
        write_text(f"The run is in {out}; for plots: agari plot {shlex.quote(str(out))}\n")


def as_in_pit(*names: str) -> list[click.Parameter]:
    """Return the declarations of options that `agari pit` has too."""
    declared = {parameter.name: parameter for parameter in pit.params}
    return [declared[name] for name in names]


def asked_rules(rules: Path | None, options: tuple[str, ...], given: dict[str, Any]) -> dict[str, Any]:
    """Return what is given on the command line, with a file of rules where that says more; None is not given."""
    from ..rules_file import RulesFile, read_rules_file

    file = read_rules_file(rules) if rules else RulesFile()
    asked = {"game": file.game, "players": file.players, **{k: v for k, v in given.items() if v is not None}}
    asked["options"] = [*file.options, *map(_parse_option, options)]
    return {name: value for name, value in asked.items() if value not in (None, [])}


def _parse_option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InputError(f"--set {text}: write it as option=value")
    return name.strip(), value.strip()


class Bar:
    """The progress bar, where standard error is a terminal. The runner draws it: threads and forks go ill together."""

    def __init__(self, shown: bool) -> None:
        from rich import progress
        from rich.console import Console

        console = Console(stderr=True)
        text = "{task.completed:,.0f} of {task.fields[most]}{task.total:,.0f} {task.fields[what]}  {task.fields[left]}"
        self.bar = progress.Progress(
            progress.BarColumn(),
            progress.TextColumn(text),
            console=console,
            auto_refresh=False,
            transient=True,
            disable=not (shown and console.is_terminal),
        )
        self.told: Progress | None = None

    def close(self) -> None:
        """Take it away."""
        self.bar.stop()

    def tell(self, progress: "Progress", what: str = "matches") -> None:
        """Show how far the run has come; it appears when there is something to show."""
        if self.told is None:
            most = "at most " if progress.answer else ""
            self.task = self.bar.add_task("", total=progress.matches, most=most, left="", what=what)
            self.bar.start()
        self.told = progress
        left = "" if progress.seconds_left is None else f"{_duration(progress.seconds_left)} left"
        if progress.answer and math.isfinite(progress.answer.reach):
            left = f"{progress.answer.difference:+.2f} ±{progress.answer.reach:.2f}  {left}"
        done, total = progress.matches_done, progress.matches
        self.bar.update(self.task, completed=done, total=total, left=left, what=what, refresh=True)


def _duration(seconds: float) -> str:
    """Return a duration as 45 s, 3:20 min or 2:05 h."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02} h"


@click.command()
@run_argument
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def standings(directory: Path, as_json: bool) -> None:
    """Show mean points, shares of places and differences of the agents in the run in DIRECTORY.

    Intervals are 95 % intervals by matches. A run that is still being played is shown as far as it is.
    """
    from .. import statistics, store
    from ..plan import tournament_of

    run = store.load(directory)
    game = tournament_of(directory, run.manifest).game
    if as_json:
        results = run.table("results", statistics.STANDINGS_COLUMNS)
        tables = {
            "standings": statistics.standings(results),
            "matches_won": statistics.matches_won(results, game.last_game_decides),
            "pairwise": statistics.pairwise(results),
        }
        answer = _answer(run)
        question = {"until": _shown_answer(answer)} if answer else {}
        shown = {name: records(table) for name, table in tables.items()}
        write_json({"matches": _matches(results), **shown, **question})
    else:
        print_rich(*_tables(run))


def _matches(results: "pd.DataFrame") -> int:
    return int(results["match"].nunique())


def _answer(run: "Run") -> "Answer | None":
    from ..tournament import trial_of

    trial = trial_of(run)
    return None if trial is None else trial.answer


def _shown_answer(answer: "Answer") -> dict[str, Any]:
    """Return an answer for JSON; what is not known yet is null."""
    numbers = {"difference": answer.difference, "low": answer.low, "high": answer.high}
    return {
        "question": str(answer.question),
        "alpha": answer.question.alpha,
        "verdict": answer.verdict,
        "matches": answer.matches,
        **{name: number if math.isfinite(number) else None for name, number in numbers.items()},
    }


def _answer_line(answer: "Answer") -> str:
    """Return an answer in a line; the reach is that of the confidence sequence."""
    line = f"{answer.question}: {answer.verdict}, after {answer.matches:,} matches that both played"
    if math.isfinite(answer.reach):
        level = f"{100 * (1 - answer.question.alpha):.4g} % at any time"
        line += f"; {answer.difference:+.2f} ±{answer.reach:.2f} points a game, {level}"
    return line


def records(table: "pd.DataFrame") -> list[dict[str, Any]]:
    """Return the rows of a frame for JSON, which has no NaN."""
    rows = table.to_dict("records")
    return [
        {str(key): None if isinstance(value, float) and math.isnan(value) else value for key, value in row.items()}
        for row in rows
    ]


def _tables(run: "Run") -> list[Any]:
    """Return the tables of the standings, or a line where there are none yet."""
    from .. import statistics
    from ..plan import plan_of
    from ..tables import WholeTable

    plan, results = plan_of(run.manifest), run.table("results", statistics.STANDINGS_COLUMNS)
    matches, players = plan.matches, plan.rules.players
    if results.empty:
        return [f"None of {matches:,} matches has been played yet."]
    done = _matches(results)
    answer = _answer(run)
    if done == matches:
        played = f"{done:,} {'match' if done == 1 else 'matches'}"
    else:
        played = f"{done:,} of {'at most ' if answer else ''}{matches:,} matches"
    title = f"{plan.title}: {played}, all rotations"
    ranking = statistics.standings(results)
    places = range(1, players + 1)
    won = statistics.matches_won(results, plan.game.last_game_decides).set_index("agent")["won"]
    headings = ["agent", "points\na game", "95 %", "games", *map(_ordinal, places), "matches\nwon"]
    rows = []
    for row in ranking.to_dict("records"):
        shares = [f"{row[f'place_{place}']:.0%}" for place in places]
        shares.append(f"{won[row['agent']]:.0%}")
        rows.append([row["agent"], f"{row['mean']:.2f}", _reach(row, "mean"), f"{row['games']:,}", *shares])
    table = WholeTable(headings, rows, ("agent",), "right", title)
    lines = [_answer_line(answer)] if answer else []
    pairs = statistics.pairwise(results)
    if pairs.empty:
        return [table, *lines]
    headings, rows = ["agent", "less", "points\na game", "95 %", "matches"], []
    for row in pairs.to_dict("records"):
        difference = "–" if math.isnan(row["difference"]) else f"{row['difference']:+.2f}"
        rows.append([row["agent"], row["other"], difference, _reach(row, "difference"), f"{row['matches']:,}"])
    return [table, WholeTable(headings, rows, ("agent", "less"), "right", "Differences, paired by match"), *lines]


def _ordinal(place: int) -> str:
    return f"{place}" + {1: "st", 2: "nd", 3: "rd"}.get(place, "th")


def _reach(row: dict[Any, Any], estimate: str) -> str:
    reach = row["high"] - row[estimate]
    return "–" if math.isnan(reach) else f"±{reach:.2f}"


@click.command()
@run_argument
@click.option("--out", type=NAMED_PATH, help="Where to write.", show_default="DIRECTORY/plots")
def plot(directory: Path, out: Path | None) -> None:
    """Draw the figures of the run in DIRECTORY as PNGs, and print their paths."""
    # Figures go to files: a backend that would show them, or may not exist, is of no matter, nor what it cannot cache.
    os.environ["MPLBACKEND"] = "agg"
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    from .. import plots

    for path in plots.plot_run(directory, out):
        write_text(f"{path}\n")


@click.command()
@run_argument
@click.argument("out", type=NAMED_PATH, required=False)
def export(directory: Path, out: Path | None) -> None:
    """Write the tables of the run in DIRECTORY as CSV files into OUT, and print their paths.

    OUT is DIRECTORY/csv unless it is given.
    """
    from .. import store

    for path in store.export_csv(directory, out or directory / "csv"):
        write_text(f"{path}\n")
