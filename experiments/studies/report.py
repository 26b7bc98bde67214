"""A study is played, and reports: its table as parquet and as text, its figure, and the file that it follows from.

study/study.toml      what was asked, in full: agari study on this file goes on with it
study/deals/          a run for each part (store.py)
study/matches/
study/table.parquet   every estimate (tables.COLUMNS)
study/table.md        the same for people
study/figure.png
"""

import io
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as parquet

from ...sim.errors import InputError
from ...sim.game import Game
from ..plan import STUDY, plan_of
from ..plots.drawing import note, ordinal
from ..store import MANIFEST, new_file, read_manifest
from ..tournament import Progress, resume, run_plan
from .study import QUESTIONS, Study, format_study, read_study
from .tables import COLUMNS

LEFT_STUDY = f"{STUDY}.*.tmp"  # what a process killed at the very start leaves

MEASURES = {"points": "Points a game", "kept": "Share that keep their place", "moves": "Moves in a game"}

LEVELS = {
    "place_before": "place before",
    "leader_distance": "distance from the leader",
    "leader_distance and hand": "distance from the leader",
    "agent": "agent",
    "all": "games",
}


class Block(NamedTuple):
    """A part of the table for people: texts."""

    title: str
    headings: list[str]
    rows: list[list[str]]


def run_study(
    study: Study,
    directory: Path | str,
    workers: int | None = None,
    tell: Callable[[str, Progress], None] | None = None,
    executor: str | None = None,
) -> pd.DataFrame:
    """Play what a study lacks, write its report, and return its table (`tables.COLUMNS`).

    Args:
        directory: a new one, or that of the same study, which is gone on with.
        workers, executor: who plays, as for `tournament.run`.
        tell: called with a part's name and its progress.

    Raises:
        InputError: the directory holds something else, or cannot be used.
        RunStopped: agents failed. What is done stays.
    """
    directory, plans = Path(directory), study.plans
    _claim(study, directory)
    found: list[pd.DataFrame] = []
    for part, plan in plans.items():
        folder = directory / part

        def told(progress: Progress, part: str = part) -> None:
            if tell:
                tell(part, progress)

        if (folder / MANIFEST).exists():
            if plan_of(read_manifest(folder)) != plan:
                raise InputError(f"{folder} holds another run than {directory / STUDY} says: choose another directory")
            run = resume(folder, workers, told, executor)
        else:
            run = run_plan(folder, plan, workers, told, executor)
        found += QUESTIONS[study.question].tables(study, part, plan, run.results)
    table: pd.DataFrame = pd.concat(found, ignore_index=True)
    _write_report(study, directory, table)
    return table


def _claim(study: Study, directory: Path) -> None:
    """Make a directory that of a study, or see that it is."""
    path, text = directory / STUDY, format_study(study)
    if path.exists():
        if format_study(read_study(path)) != text:
            raise InputError(f"{directory} holds another study, {path}: choose another directory")
        return
    held = [entry.name for entry in directory.iterdir() if not entry.match(LEFT_STUDY)] if directory.is_dir() else []
    if held:
        raise InputError(f"{directory} holds {held[0]}, but no {STUDY}: choose a new directory")
    with new_file(path) as file:
        file.write(text.encode())


def _write_report(study: Study, directory: Path, table: pd.DataFrame) -> None:
    """Write the table and the figure."""
    with new_file(directory / "table.parquet") as file:
        parquet.write_table(pa.Table.from_pandas(table, preserve_index=False), file, compression="zstd")
    with new_file(directory / "table.md") as file:
        file.write(_markdown(study, table).encode())
    with new_file(directory / "figure.png") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a letter that the font lacks: the figure shows it
        figure = QUESTIONS[study.question].figure(study, table)
        units = " and ".join(study.counts)
        note(
            figure, f"{study.played} · all agents · bars: 95 % intervals by {units} · dashed: mean, or no difference"
        ).savefig(file, format="png", dpi=200)


def heading(study: Study) -> str:
    """Return what a study is about, in one line."""
    about = f"{study.question} {study.option}".strip()
    return f"{about} · {study.title} · {study.played}"


def blocks(study: Study, table: pd.DataFrame) -> list[Block]:
    """Return the table for people: a block for each measure, with the arms side by side."""
    found = []
    for names, rows in table.groupby(["part", "measure", "by", "agent"], sort=False):
        part, measure, by, agent = map(str, names)
        fewest, most = rows["games"].min(), rows["games"].max()
        counts = f"{rows['matches'].max():,} {part}, {f'{fewest:,} to ' if fewest < most else ''}{most:,} rows"
        title = f"{f'{agent}: ' if agent else ''}{MEASURES[measure]}, {counts}"
        arms = list(dict.fromkeys(rows["arm"]))
        compared = rows["difference"].notna().groupby(rows["arm"]).any()
        headings = [LEVELS[by]]
        for arm in arms:
            headings += [arm or "mean", "95 %"]
            if compared[arm]:
                headings += [f"difference from {arms[0] or 'the mean'}", "95 %"]
        lines = []
        for level, cells in rows.groupby("level", sort=False):
            line = [_level(study.game, study.rules.players, by, str(level))]
            for arm in arms:
                (cell,) = cells[cells["arm"] == arm].to_dict("records") or [dict.fromkeys(COLUMNS, math.nan)]
                line += [_number(cell["mean"]), _reach(cell["high"], cell["mean"])]
                if compared[arm]:
                    line += [_number(cell["difference"], "+"), _reach(cell["difference_high"], cell["difference"])]
            lines.append(line)
        found.append(Block(title, headings, lines))
    return found


def _level(game: Game, players: int, by: str, level: str) -> str:
    """Return what a level is called."""
    if by == "place_before":
        names = game.place_names.get(players)
        return f"{ordinal(int(level))} {names[int(level) - 1]}" if names else ordinal(int(level))
    return "0, leader" if by.startswith("leader_distance") and level == "0" else level


def _number(value: float, sign: str = "") -> str:
    return "–" if math.isnan(value) else f"{value:{sign}.3f}"


def _reach(high: float, estimate: float) -> str:
    return "–" if math.isnan(high - estimate) else f"±{high - estimate:.3f}"


def _markdown(study: Study, table: pd.DataFrame) -> str:
    """Return the table as Markdown."""
    text = io.StringIO()
    text.write(f"# {heading(study)}\n")
    for title, headings, rows in blocks(study, table):
        text.write(f"\n{title}\n\n")
        for line in (headings, ["---"] * len(headings), *rows):
            text.write(f"| {' | '.join(line)} |\n")
    return text.getvalue()
