"""A run as a directory: a manifest, and two tables in parts that appear whole or not at all.

    run/manifest.json                 what was asked for: written once, before anything is played
    run/results/part-00000.parquet    one part for each chunk of matches; it is there: the chunk is done
    run/games/part-00000.parquet      the games of the same chunk
    run/run.lock                      held by the one process that writes

Only the holder of `lock_run` writes parts. Whatever kills it, what is there is whole, and a chunk is done or is not.
"""

import fcntl
import json
import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as parquet

from ..sim.errors import InputError
from .columns import ORDER, TABLES, arrow_schema

if TYPE_CHECKING:
    import pandas as pd

FORMAT = "agari-run-1"
MANIFEST = "manifest.json"
LOCK = "run.lock"
LEFT_MANIFEST = f"{MANIFEST}.*.tmp"
LEFT_PART = "part-*.parquet.*.tmp"

Row = Mapping[str, Any]

logger = logging.getLogger(__name__)


@contextmanager
def _in_one_line(failure: str) -> Iterator[None]:
    """Turn an OSError of the block into an InputError that says what failed and why."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{failure}: {error.strerror or error}") from error


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that appears as `path`, in place of what is there, when the block ends well.

    Killed at any moment, `path` is what it was before or whole and on the disk. An OSError becomes an InputError of one
    line; after any error nothing is left.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with _in_one_line(f"cannot write {path}"):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(temporary, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
            _sync_folder(path.parent)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise


def _sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def lock_run(directory: Path | str) -> Iterator[IO[str]]:
    """Take a run for this process alone, and sweep up what a killed one left behind.

    Yields the open lock file. The lock lasts as long as any process has it open: exec closes it, a fork does not, so a
    forked worker closes it first of all. Raises InputError where another process has the run.
    """
    directory = Path(directory)
    path = directory / LOCK
    with _in_one_line(f"cannot write {path}"):
        file = open(path, "a", encoding="utf-8")  # noqa: SIM115
    with file:
        with _in_one_line(f"cannot lock {path}"):
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                message = f"another process is at work in {directory}: wait for it, or choose another directory"
                raise InputError(message) from None
        with _in_one_line(f"cannot clear up {directory}"):
            for leftover in (*directory.glob(LEFT_MANIFEST), *directory.glob(f"*/{LEFT_PART}")):
                leftover.unlink()
        yield file


def create_run(directory: Path | str, manifest: Mapping[str, Any]) -> None:
    """Make a directory, which must be new or empty, into a run that has no parts yet.

    `manifest` holds what JSON can say. Raises InputError where the directory holds a run or anything else, or cannot be
    written.
    """
    directory = Path(directory)
    with _in_one_line(f"cannot make a run in {directory}"):
        directory.mkdir(parents=True, exist_ok=True)
        _refuse_occupied(directory)
    with lock_run(directory):
        _refuse_occupied(directory)  # again: another process may have been quicker
        text = json.dumps({"format": FORMAT, **manifest}, indent=2, ensure_ascii=False, allow_nan=False)
        with new_file(directory / MANIFEST) as file:
            file.write(text.encode() + b"\n")


def _refuse_occupied(directory: Path) -> None:
    """Raise InputError unless a directory is empty, but for what a run killed at its very start leaves."""
    names = sorted(path.name for path in directory.iterdir() if path.name != LOCK and not path.match(LEFT_MANIFEST))
    if MANIFEST in names:
        raise InputError(f"{directory} already holds a run: resume it, or choose another directory")
    if names:
        raise InputError(f"{directory} is not empty (it holds {names[0]}): choose a new directory")


def read_manifest(directory: Path | str) -> dict[str, Any]:
    """Return the manifest that `create_run` wrote; raises InputError where there is none, or one of something else."""
    path = Path(directory) / MANIFEST
    if not path.exists():
        raise InputError(f"{directory} is not the directory of a run: it has no {MANIFEST}")
    try:
        with _in_one_line(f"cannot read {path}"):
            manifest: Any = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: no valid JSON ({error.msg})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: no valid JSON (not UTF-8)") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise InputError(f'{path} is not the manifest of a run that this version reads: no "format": "{FORMAT}" in it')
    del manifest["format"]
    return manifest


def write_part(directory: Path | str, chunk: int, results: Sequence[Row], games: Sequence[Row]) -> None:
    """Write the rows of one chunk, in place of those that are there; afterwards the chunk is done.

    Rows are dicts with exactly the columns' names (ValueError else), in any order: the same rows make the same bytes.
    Raises InputError where the disk refuses, and then the chunk is not done.
    """
    directory = Path(directory)
    # The part of the results is renamed last, by the outer block: it is what marks the chunk as done.
    with (
        new_file(_part(directory, "results", chunk)) as results_file,
        new_file(_part(directory, "games", chunk)) as games_file,
    ):
        parquet.write_table(_arrow_table("results", results), results_file, compression="zstd")
        parquet.write_table(_arrow_table("games", games), games_file, compression="zstd")


def _part(directory: Path, table: str, chunk: int) -> Path:
    return directory / table / f"part-{chunk:05}.parquet"


def _arrow_table(table: str, rows: Sequence[Row]) -> pa.Table:
    """Return rows as a sorted table; pyarrow alone would let missing values and unknown columns pass."""
    names = {column.name for column in TABLES[table]}
    for row in rows:
        if row.keys() != names:
            raise ValueError(f"a row of {table} has wrong columns: {sorted(row.keys() ^ names)}")
    whole = pa.Table.from_pylist(sorted(rows, key=itemgetter(*ORDER[table])), schema=arrow_schema(table))
    for field, column in zip(whole.schema, whole.columns, strict=True):
        if column.null_count and not field.nullable:
            raise ValueError(f"a row of {table} has no {field.name}")
    return whole


def finished_chunks(directory: Path | str) -> set[int]:
    """Return the numbers of the chunks that are done, both parts being there and whole.

    Reads the ends of the files only, which a truncated one lacks. Logs a warning for each part that is damaged or gone.
    Raises InputError for a part with other columns: another version may have written it, and it must not be lost.
    """
    directory = Path(directory)
    finished = set()
    for path in sorted((directory / "results").glob("part-*.parquet")):
        number = re.fullmatch(r"part-(\d{5,})\.parquet", path.name)
        if not number:
            continue
        chunk = int(number[1])
        faults = [fault for table in TABLES if (fault := _fault(directory, table, chunk))]
        for fault in faults:
            logger.warning("%s: chunk %d counts as not played", fault, chunk)
        if not faults:
            finished.add(chunk)
    return finished


def _fault(directory: Path, table: str, chunk: int) -> str:
    """Return what is wrong with a part, empty: nothing that its end shows."""
    path = _part(directory, table, chunk)
    try:
        schema = parquet.read_schema(path)
    except FileNotFoundError:
        return f"{path} is missing"
    except (OSError, pa.ArrowException) as error:
        return f"{path} is damaged ({str(error).splitlines()[0]})"
    if not schema.equals(arrow_schema(table)):
        raise InputError(f"{path} has other columns than this version writes: use the version that the manifest names")
    return ""


@dataclass(frozen=True)
class Run:
    """A run as it was when it was loaded: its manifest, and its tables as pandas frames, read at their first use."""

    directory: Path
    manifest: dict[str, Any]
    chunks: frozenset[int]

    @cached_property
    def results(self) -> "pd.DataFrame":
        """One row for each game and seat, with the columns `columns.RESULTS`."""
        return self.table("results")

    @cached_property
    def games(self) -> "pd.DataFrame":
        """One row for each game and rotation, with the columns `columns.GAMES`."""
        return self.table("games")

    def table(self, table: str, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """Return a table with the named columns (all by default), its rows sorted by `columns.ORDER`.

        Labels are categories in alphabetical order, integers that may be null are Int8.
        """
        frame = self.arrow(table, columns).to_pandas()
        for column in TABLES[table]:
            if column.name not in frame:
                continue
            if column.type == "label":
                labels = frame[column.name].cat
                frame[column.name] = labels.set_categories(sorted(labels.categories))
            elif column.nullable:
                frame = frame.astype({column.name: column.type.capitalize()})
        return frame

    def arrow(self, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the same as a pyarrow table; raises InputError for an unknown column or a part that cannot be read."""
        schema = arrow_schema(table)
        names = schema.names if columns is None else list(columns)
        unknown = [name for name in names if name not in schema.names]
        if unknown:
            raise InputError(f"{table} have no column {unknown[0]!r}, only {', '.join(schema.names)}")
        needed = list(dict.fromkeys([*ORDER[table], *names]))
        parts = [schema.empty_table().select(needed)]
        for chunk in sorted(self.chunks):
            path = _part(self.directory, table, chunk)
            try:
                parts.append(parquet.ParquetFile(path).read(columns=needed))
            except (OSError, pa.ArrowException) as error:
                problem = f"cannot read {path}: {str(error).splitlines()[0]}"
                raise InputError(f"{problem}; delete it, and --resume plays its chunk again") from error
        whole = pa.concat_tables(parts).unify_dictionaries()
        return whole.sort_by([(name, "ascending") for name in ORDER[table]]).select(names)


def load(directory: Path | str) -> Run:
    """Return the run in a directory, with the chunks that are done; raises InputError where there is no run."""
    manifest = read_manifest(directory)
    return Run(Path(directory), manifest, frozenset(finished_chunks(directory)))


def export_csv(directory: Path | str, out: Path | str) -> list[Path]:
    """Write a run's tables as `results.csv` and `games.csv` into the directory `out`, and return their paths.

    Nulls are empty and unquoted, empty texts are quoted. Raises InputError where there is no run, or the disk refuses.
    """
    from pyarrow import csv

    run = load(directory)
    paths = []
    for table in TABLES:
        path = Path(out) / f"{table}.csv"
        rows = run.arrow(table)
        with new_file(path) as file:
            csv.write_csv(rows, file)
        paths.append(path)
    return paths
