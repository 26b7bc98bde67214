"""The command study: what a tribute, a seat or a rule is worth."""

import logging
import os
import shlex
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from ...sim.errors import InputError
from ..cli import INTERRUPTED, Failure
from ..jsonl import print_rich, write_json, write_text
from .tournaments import NAMED_PATH, Bar, as_in_pit, asked_rules, records


@click.command(params=as_in_pit("game", "players", "options", "rules", "games", "seed", "workers", "executor"))
@click.argument("question")
@click.option("--agents", help="Who plays, as for agari pit.", show_default="greedy")
@click.option("--option", help="With the question rule: the option whose values are compared.")
@click.option("--value", "values", multiple=True, help="One of its values; repeatable.", show_default="all, if few")
@click.option(
    "--deals", type=int, help="With tribute and seat: single deals to play in every arm.", show_default="1000"
)
@click.option("--matches", type=int, help="With tribute and rule: matches to play in every arm.", show_default="200")
@click.option(
    "--out",
    type=NAMED_PATH,
    help="The directory of the study, which must be given with a question.",
    show_default="FILE without .toml",
)
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def study(
    question: str,
    out: Path | None,
    workers: int | None,
    executor: str | None,
    quiet: bool,
    as_json: bool,
    rules: Path | None,
    options: tuple[str, ...],
    **given: Any,
) -> None:
    """Answer a question, and report with a table and a figure.

    QUESTION is tribute (what is it worth to each place), seat (what is the distance from the leader worth, and an extra
    card), rule (what does an option change), or a TOML FILE that says all. The same deals are played in every arm of
    the comparison. A study that was interrupted goes on when it is asked for again.
    """
    os.environ["MPLBACKEND"] = "agg"
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    from ..plan import STUDY
    from ..studies.study import QUESTIONS, make_study, read_study

    given["values"] = given["values"] or None
    asked = asked_rules(rules, options, given)
    if question in QUESTIONS:
        what = make_study(question, **asked)
        if out is None:
            raise InputError(f"say where the study goes, as in --out studies/{question}")
    elif question.endswith(".toml"):
        if asked:
            raise InputError(f"{question} says all of the study: leave out --{next(iter(asked))}")
        what = read_study(question)
        file = Path(question)
        out = out or (file.parent if file.name == STUDY else file.with_suffix(""))
    else:
        raise InputError(f"unknown question {question!r}: it is {', '.join(QUESTIONS)}, or a file that ends in .toml")
    _run(what, out, workers, executor, quiet, as_json)


def _run(what: Any, out: Path, workers: int | None, executor: str | None, quiet: bool, as_json: bool) -> None:
    """Run a study and print its report."""
    from ..plan import STUDY
    from ..studies import report
    from ..tables import WholeTable
    from ..tournament import RunStopped

    bar = Bar(shown=not quiet)
    try:
        with closing(bar):
            table = report.run_study(what, out, workers, lambda part, progress: bar.tell(progress, part), executor)
    except RunStopped as stopped:
        raise Failure(str(stopped), 1) from None
    except KeyboardInterrupt:
        if bar.told is None:
            raise
        again = f"agari study {shlex.quote(str(out / STUDY))}"
        raise Failure(f"interrupted; what is done stays; to go on: {again}", INTERRUPTED) from None
    if as_json:
        write_json({"study": report.heading(what), "table": records(table)})
    elif not quiet:
        write_text(f"{report.heading(what)}\n\n")
        print_rich(*(WholeTable(heads, rows, (), "right", title) for title, heads, rows in report.blocks(what, table)))
        write_text(
            f"The table is in {out / 'table.parquet'} and {out / 'table.md'}, the figure in {out / 'figure.png'}\n"
        )
