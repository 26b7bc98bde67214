"""A run as a directory: a manifest, and two tables in parts that appear whole or not at all.

    run/manifest.json                 what was asked for: written once, before anything is played
    run/results/part-00000.parquet    one part for each chunk of matches; it is there: the chunk is done
    run/games/part-00000.parquet      the games of the same chunk
    run/run.lock                      held by the one process that writes

Only the holder of `lock_run` writes parts. Whatever kills it, what is there is whole, and a chunk is done or is not.
"""

import fcntl
import hashlib
import io
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
from ..sim.game import Game
from ..sim.games import game_with
from .columns import ORDER, TABLES, arrow_schema, columns_of

if TYPE_CHECKING:
    import pandas as pd

FORMAT = "agari-run-1"
MANIFEST = "manifest.json"
DIGEST = "digest"  # of the manifest's other fields
LOCK = "run.lock"
LEFT_MANIFEST = f"{MANIFEST}.*.tmp"
PART = r"part-(\d{5,})\.parquet"
LEFT_PART = "part-*.parquet.*.tmp"

DAMAGE = (OSError, ValueError, pa.ArrowException)  # what reading a damaged part may raise

Row = Mapping[str, Any]

logger = logging.getLogger(__name__)


@contextmanager
def _in_one_line(failure: str) -> Iterator[None]:
    """Turn an OSError of the block into an InputError that says what failed and why."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{failure}: {error.strerror or error}") from error


def _make_folder(folder: Path) -> None:
    """Make a folder and those above it, where they are not there yet."""
    if folder.is_symlink() and not folder.exists():
        raise InputError(f"{folder} is a symbolic link to {os.readlink(folder)}, which does not exist: make that first")
    folder.mkdir(parents=True, exist_ok=True)


@contextmanager
def new_file(path: Path, make_folder: bool = True) -> Iterator[BinaryIO]:
    """Open a file for writing that appears as `path`, in place of what is there, when the block ends well.

    Its folder is made if it is not there, but for the files of a run: one that was deleted must not come back in part.
    Killed at any moment, `path` is what it was before or whole and on the disk. An OSError becomes an InputError of one
    line; after any error nothing is left.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with _in_one_line(f"cannot write {path}"):
        try:
            if make_folder:
                _make_folder(path.parent)
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
    """Take a run for this process alone, make the folders of its parts, and sweep up what a killed one left behind.

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
        with _in_one_line(f"cannot put {directory} in order"):
            for table in TABLES:
                (directory / table).mkdir(exist_ok=True)
            for leftover in (*directory.glob(LEFT_MANIFEST), *directory.glob(f"*/{LEFT_PART}")):
                leftover.unlink()
        yield file


def create_run(directory: Path | str, manifest: Mapping[str, Any]) -> None:
    """Make a directory, which must be new or empty, into a run that has no parts yet.

    `manifest` holds what JSON can say; a digest of it is written with it, by which `read_manifest` knows it again.
    Raises InputError where the directory holds a run or anything else, or cannot be written.
    """
    directory = _named(directory)
    with _in_one_line(f"cannot make a run in {directory}"):
        _make_folder(directory)
        _refuse_occupied(directory)
    with lock_run(directory):
        _refuse_occupied(directory)  # again: another process may have been quicker
        fields = {"format": FORMAT, **manifest}
        text = json.dumps({**fields, DIGEST: _digest(fields)}, indent=2, ensure_ascii=False, allow_nan=False)
        with new_file(directory / MANIFEST, make_folder=False) as file:
            file.write(text.encode() + b"\n")


def _named(directory: Path | str) -> Path:
    """Return the directory that somebody named; an empty name would stand for the current one."""
    if not str(directory):
        raise InputError("the name of a directory is empty: the current one is named by .")
    try:
        str(directory).encode()
    except UnicodeEncodeError:  # the parts could not be read again
        raise InputError(f"the name {str(directory)!r} is not UTF-8 text: choose another directory") from None
    return Path(directory)


def _digest(fields: Mapping[str, Any]) -> str:
    """Return a hash of a manifest's other fields."""
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:16]


def _refuse_occupied(directory: Path) -> None:
    """Raise InputError unless a directory is empty, but for what a run killed at its very start leaves."""

    def left_at_the_start(path: Path) -> bool:
        empty_folder = path.name in TABLES and path.is_dir() and not any(path.iterdir())
        return path.name == LOCK or path.match(LEFT_MANIFEST) or empty_folder

    names = sorted(path.name for path in directory.iterdir() if not left_at_the_start(path))
    if MANIFEST in names:
        raise InputError(f"{directory} already holds a run: resume it, or choose another directory")
    if names:
        raise InputError(f"{directory} is not empty (it holds {names[0]}): choose a new directory")


def read_manifest(directory: Path | str) -> dict[str, Any]:
    """Return the manifest that `create_run` was given.

    Raises InputError where there is none, one of something else, or one that was changed.
    """
    path = Path(directory) / MANIFEST
    if not path.exists():
        raise InputError(f"{directory} is not the directory of a run: it has no {MANIFEST}")
    with _in_one_line(f"cannot read {path}"):
        content = path.read_bytes()
    try:
        manifest: Any = json.loads(content.decode())
        unchanged = isinstance(manifest, dict) and manifest.pop(DIGEST, None) == _digest(manifest)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: no valid JSON ({error.msg})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: no valid JSON (not UTF-8)") from None
    except (ValueError, RecursionError):
        raise InputError(f"{path}: no manifest of a run (nested too deeply, or too long a number)") from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise InputError(f'{path} is not the manifest of a run that this version reads: no "format": "{FORMAT}" in it')
    if not unchanged:
        raise InputError(
            f"{path} was changed, so the run may be another than it says: put back what was there, or start another run"
        )
    del manifest["format"]
    return manifest


def encode_part(game: Game, table: str, rows: Sequence[Row]) -> bytes:
    """Return the rows of a table of a game for one chunk as the parquet file that its part is to be.

    Rows are dicts with exactly the columns' names (ValueError else), in any order: the same rows make the same bytes.
    """
    file = io.BytesIO()
    parquet.write_table(_arrow_table(game, table, rows), file, compression="zstd", write_page_checksum=True)
    return file.getvalue()


def write_part(directory: Path | str, chunk: int, results: bytes, games: bytes) -> None:
    """Write both parts of one chunk, encoded, in place of those that are there; afterwards the chunk is done.

    Raises InputError where the disk refuses, and then the chunk is not done.
    """
    directory = Path(directory)
    # The part of the results is renamed last, by the outer block: it is what marks the chunk as done.
    with (
        new_file(_part(directory, "results", chunk), make_folder=False) as results_file,
        new_file(_part(directory, "games", chunk), make_folder=False) as games_file,
    ):
        results_file.write(results)
        games_file.write(games)


def drop_parts(directory: Path | str, last: int) -> None:
    """Delete the parts of all chunks after the last one that a run is to have."""
    directory = Path(directory)
    with _in_one_line(f"cannot delete parts in {directory}"):
        for table in TABLES:  # that of the results first: without it the chunk is not done
            for path in (directory / table).glob("part-*.parquet"):
                number = re.fullmatch(PART, path.name)
                if number and int(number[1]) > last:
                    path.unlink()


def _part(directory: Path, table: str, chunk: int) -> Path:
    return directory / table / f"part-{chunk:05}.parquet"


def _arrow_table(game: Game, table: str, rows: Sequence[Row]) -> pa.Table:
    """Return rows as a sorted table; pyarrow alone would let missing values and unknown columns pass."""
    schema = arrow_schema(game, table)
    names = set(schema.names)
    for row in rows:
        if row.keys() != names:
            raise ValueError(f"a row of {table} has wrong columns: {sorted(row.keys() ^ names)}")
    whole = pa.Table.from_pylist(sorted(rows, key=itemgetter(*ORDER[table])), schema=schema)
    for field, column in zip(whole.schema, whole.columns, strict=True):
        if column.null_count and not field.nullable:
            raise ValueError(f"a row of {table} has no {field.name}")
    return whole


def finished_chunks(directory: Path | str, thorough: bool = False) -> set[int]:
    """Return the numbers of the chunks that are done, both parts being there and whole.

    Reads the ends of the files only, which a truncated one lacks, or if it is to be `thorough` all that is in them.
    Logs one warning for all parts that are damaged or gone, and one for those of chunks that the run does not have.
    Raises InputError for a part with other columns: another version may have written it, and it must not be lost.
    """
    directory = Path(directory)
    manifest = read_manifest(directory)
    schemas = {table: arrow_schema(_game_of(manifest), table) for table in TABLES}
    finished = set()
    strays: list[str] = []
    faults: list[str] = []
    for path in sorted((directory / "results").glob("part-*.parquet")):
        number = re.fullmatch(PART, path.name)
        if not number:
            continue
        chunk = int(number[1])
        matches = _matches(manifest, chunk)
        if not matches:
            strays.append(str(path))
            continue
        found = [
            _fault(_part(directory, table, chunk), schema, matches if thorough else None)
            for table, schema in schemas.items()
        ]
        if any(found):
            faults += filter(None, found)
        else:
            finished.add(chunk)
    if faults:
        logger.warning("%s: not counted as played", _several(faults))
    if strays and not thorough:  # a run that is resumed is loaded at its end, and one line is enough
        logger.warning("%s: of no chunk of this run, left out", _several(strays))
    return finished


def _several(parts: Sequence[str]) -> str:
    """Return what is said of a part, or of several parts how many they are and what is said of the first."""
    return parts[0] if len(parts) == 1 else f"{len(parts)} parts (first: {parts[0]})"


def _game_of(manifest: Mapping[str, Any]) -> Game:
    """Return the game that a run is of."""
    try:
        return game_with(manifest.get("game"))
    except InputError as error:
        raise InputError(f"the manifest of the run: {error}") from None


def _matches(manifest: Mapping[str, Any], chunk: int) -> range:
    """Return the numbers of the matches of a chunk; none: the run has no such chunk."""
    per_chunk = manifest["matches_per_chunk"]
    return range(chunk * per_chunk, min((chunk + 1) * per_chunk, manifest["matches"]))


def _read_part(path: Path, columns: list[str] | None, matches: range) -> pa.Table:
    """Return columns of a part, the match among them; raises one of `DAMAGE` where it is not whole, or not of these."""
    with parquet.ParquetFile(path, page_checksum_verification=True) as file:
        part = file.read(columns=columns)
    found = part["match"]
    if not len(found) or (found[0].as_py(), found[-1].as_py()) != (matches[0], matches[-1]):
        raise ValueError("it holds other matches than its name says")
    return part


def _fault(path: Path, expected: pa.Schema, matches: range | None) -> str:
    """Return what is wrong with a part, empty: nothing. It is read whole where it is said which matches are in it."""
    try:
        schema = parquet.read_schema(path)
        if matches is not None and schema.equals(expected):
            _read_part(path, None, matches)
    except FileNotFoundError:
        return f"{path} is missing"
    except DAMAGE as error:
        return f"{path} is damaged ({str(error).splitlines()[0]})"
    if not schema.equals(expected):
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
        """One row for each game and seat, with the columns that `columns.columns_of` names."""
        return self.table("results")

    @cached_property
    def games(self) -> "pd.DataFrame":
        """One row for each game and rotation, with the columns `columns.GAMES`."""
        return self.table("games")

    def table(self, table: str, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """Return a table with the named columns (all by default), its rows sorted by `columns.ORDER`.

        Labels are categories in alphabetical order, integers that may be null are Int8.
        """
        frame = self.arrow(table, columns).to_pandas(split_blocks=True, self_destruct=True)
        for column in columns_of(_game_of(self.manifest), table):
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
        schema = arrow_schema(_game_of(self.manifest), table)
        names = schema.names if columns is None else list(columns)
        unknown = [name for name in names if name not in schema.names]
        if unknown:
            raise InputError(f"{table} have no column {unknown[0]!r}, only {', '.join(schema.names)}")
        needed = list(dict.fromkeys(["match", *names]))
        parts = [schema.empty_table().select(needed)]
        for chunk in sorted(self.chunks):
            path = _part(self.directory, table, chunk)
            try:
                parts.append(_read_part(path, needed, _matches(self.manifest, chunk)))
            except DAMAGE as error:
                problem = f"cannot read {path}: {str(error).splitlines()[0]}"
                raise InputError(f"{problem}; agari pit --resume plays its chunk again") from error
        return pa.concat_tables(parts).unify_dictionaries().select(names)  # sorted, as every part is


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
        path = _named(out) / f"{table}.csv"
        rows = run.arrow(table)
        with new_file(path) as file:
            csv.write_csv(rows, file)
        paths.append(path)
    return paths
