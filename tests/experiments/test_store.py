"""Runs as directories: what is written comes back, and whatever happens, no half part counts."""

import errno
import itertools
import json
import logging
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as parquet
import pytest
from agari.experiments import store
from agari.experiments.columns import CLOCK_COLUMNS, GAMES, ORDER, TABLES, arrow_schema, columns_of
from agari.experiments.store import create_run, export_csv, finished_chunks, load, lock_run, read_manifest
from agari.sim.errors import InputError
from agari.sim.games import ruleset

from .rows import write_part
from .synthetic import game_rows, result_rows

AGENTS = ["mc(playouts=200,policy=greedy)", "greedy", "random"]
GAME = ruleset("federation").game
RESULTS = columns_of(GAME, "results")
MANIFEST = {
    "game": "federation",
    "seed": 7,
    "matches": 6,
    "matches_per_chunk": 2,
    "agents": AGENTS,
    "rules": {"players": 4, "points": [6, 4, 2, 0]},
}
RESULT_ROWS = result_rows(6, AGENTS, players=3)
PER_CHUNK = [[row for row in RESULT_ROWS if row["match"] // 2 == chunk] for chunk in range(3)]
CHUNKS = [(rows, game_rows(rows)) for rows in PER_CHUNK]
FORK = multiprocessing.get_context("fork")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run without parts."""
    create_run(tmp_path / "run", MANIFEST)
    return tmp_path / "run"


def files(directory: Path) -> dict[str, bytes]:
    """The content of all files below a directory."""
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def one_line(error: pytest.ExceptionInfo[InputError]) -> str:
    assert "\n" not in str(error.value)
    return str(error.value)


def forked(work: Callable[[], None]) -> Any:
    process = FORK.Process(target=work)
    process.start()
    return process


# What is written comes back


def test_round_trip(run: Path) -> None:
    shuffled = random.Random(1)
    for chunk in (2, 0, 1):
        results, games = CHUNKS[chunk]
        write_part(run, GAME, chunk, shuffled.sample(results, len(results)), shuffled.sample(games, len(games)))
    loaded = load(run)
    assert loaded.manifest == MANIFEST == read_manifest(run)
    assert finished_chunks(run) == loaded.chunks == {0, 1, 2}
    for table, rows in (("results", RESULT_ROWS), ("games", game_rows(RESULT_ROWS))):
        frame = getattr(loaded, table)
        ordered = sorted(rows, key=itemgetter(*ORDER[table]))
        assert frame.astype(object).where(frame.notna(), None).to_dict("records") == ordered
        assert list(frame.columns) == [column.name for column in columns_of(GAME, table)]


def test_types_are_kept(run: Path) -> None:
    write_part(run, GAME, 0, *CHUNKS[0])
    results = load(run).results
    for column in RESULTS:
        if column.type == "label":
            assert results[column.name].dtype == "category"
            assert list(results[column.name].cat.categories) == sorted(set(results[column.name]))
        elif column.type != "string":
            assert str(results[column.name].dtype).lower() == column.type, column.name
    assert results["place_before"].isna().sum() == len(results) // 4  # the first of each match's four games
    assert results["gave"].eq("").any()
    assert results["gave"].notna().all()


def test_columns_are_documented() -> None:
    for columns in (RESULTS, GAMES):
        assert all(column.meaning for column in columns)
        assert len({column.name for column in columns}) == len(columns)
    assert [column.name for column in RESULTS if column.nullable] == ["place_before"]
    assert set(CLOCK_COLUMNS) <= {column.name for column in RESULTS}
    for table, key in ORDER.items():
        assert arrow_schema(GAME, table).names == [column.name for column in columns_of(GAME, table)]
        assert set(key) <= set(arrow_schema(GAME, table).names)


def test_columns_can_be_chosen(run: Path) -> None:
    for chunk, rows in enumerate(CHUNKS):
        write_part(run, GAME, chunk, *rows)
    whole = load(run)
    chosen = whole.table("results", ["points", "agent"])
    pd.testing.assert_frame_equal(chosen, whole.results[["points", "agent"]])
    with pytest.raises(InputError, match="no column 'score', only match, arm, game, deal") as error:
        whole.table("results", ["score"])
    one_line(error)


def test_a_run_without_parts_has_empty_typed_tables(run: Path) -> None:
    loaded = load(run)
    assert finished_chunks(run) == set()
    assert len(loaded.results) == len(loaded.games) == 0
    assert loaded.results["agent"].dtype == "category"
    assert loaded.results["place_before"].dtype == "Int8"


def test_same_rows_make_same_bytes(tmp_path: Path) -> None:
    contents = []
    for order in (1, -1):
        directory = tmp_path / str(order)
        create_run(directory, MANIFEST)
        for chunk, (results, games) in list(enumerate(CHUNKS))[::order]:
            write_part(directory, GAME, chunk, results[::order], games[::order])
        contents.append(files(directory))
    assert contents[0] == contents[1]
    assert set(contents[0]) == {"manifest.json", "run.lock"} | {
        f"{table}/part-0000{chunk}.parquet" for table in TABLES for chunk in range(3)
    }


def test_rows_that_do_not_fit_are_refused(run: Path) -> None:
    results, games = CHUNKS[0]
    without = [{key: value for key, value in row.items() if key != "points"} for row in results]
    for rows, fault in ((without, "points"), ([row | {"score": 1} for row in results], "score")):
        with pytest.raises(ValueError, match=f"wrong columns: .'{fault}'"):
            write_part(run, GAME, 0, rows, games)
    with pytest.raises(ValueError, match="a row of results has no place"):
        write_part(run, GAME, 0, [row | {"place": None} for row in results], games)
    with pytest.raises(ValueError, match="too large"):
        write_part(run, GAME, 0, [row | {"seat": 128} for row in results], games)
    assert set(files(run)) == {"manifest.json", "run.lock"}


def test_export_csv(run: Path, tmp_path: Path) -> None:
    for chunk, rows in enumerate(CHUNKS):
        write_part(run, GAME, chunk, *rows)
    paths = export_csv(run, tmp_path / "out")
    assert paths == [tmp_path / "out" / "results.csv", tmp_path / "out" / "games.csv"]
    loaded = load(run)
    results = pd.read_csv(paths[0], keep_default_na=False, na_values={"place_before": [""]})
    assert results["agent"].tolist() == loaded.results["agent"].tolist()
    assert results["gave"].tolist() == loaded.results["gave"].tolist()
    assert results["place_before"].astype("Int8").equals(loaded.results["place_before"])
    assert results["hand_strength"].tolist() == pytest.approx(loaded.results["hand_strength"].tolist(), rel=1e-15)
    assert results["deal_seed"].tolist() == loaded.results["deal_seed"].tolist()
    assert pd.read_csv(paths[1])["record"].map(json.loads).tolist() == loaded.games["record"].map(json.loads).tolist()


# Directories that are not ours


def test_a_directory_in_use_is_never_overwritten(run: Path, tmp_path: Path) -> None:
    before = files(run)
    with pytest.raises(InputError, match="already holds a run: resume it, or choose another") as error:
        create_run(run, {"seed": 8})
    one_line(error)
    assert files(run) == before

    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"not empty \(it holds notes.txt\)"):
        create_run(foreign, MANIFEST)
    assert files(foreign) == {"notes.txt": b"mine"}

    with pytest.raises(InputError, match=r"cannot make a run in .*notes.txt: File exists") as error:
        create_run(foreign / "notes.txt", MANIFEST)
    one_line(error)


def test_a_run_killed_at_its_very_start_can_start_again(tmp_path: Path) -> None:
    (tmp_path / "run.lock").touch()
    (tmp_path / "results").mkdir()
    (tmp_path / "manifest.json.123.tmp").write_text('{"form')
    create_run(tmp_path, MANIFEST)
    assert read_manifest(tmp_path) == MANIFEST
    assert set(files(tmp_path)) == {"run.lock", "manifest.json"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b'{\n"format": "agari-run-1",\n"seed" 7}',
            r"manifest.json, line 3: no valid JSON \(Expecting ':' delimiter\)",
        ),
        (b"", "manifest.json, line 1: no valid JSON"),
        (b"\xff\xfe{}", "no valid JSON .not UTF-8"),
        (b'{"name": "an app", "icons": []}', "not the manifest of a run that this version reads"),
        (b'{"format": "agari-run-99"}', "not the manifest of a run that this version reads"),
        (b"[]", "not the manifest of a run"),
        (b"[" * 100_000, "no manifest of a run .nested too deeply"),
        (b'{"seed": ' + b"9" * 5000 + b"}", "no manifest of a run .*too long a number"),
    ],
)
def test_broken_and_foreign_manifests(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "manifest.json").write_bytes(content)
    for read in (read_manifest, load):
        with pytest.raises(InputError, match=message) as error:
            read(tmp_path)
        assert str(tmp_path) in one_line(error)


@pytest.mark.parametrize("change", ["seed", "rules", "digest", "more"])
@pytest.mark.parametrize("value", [8, None, float("inf")])
def test_a_changed_manifest_is_refused(run: Path, change: str, value: object) -> None:
    """Also where it could be read: what was played is another run."""
    path = run / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps(dict(reversed(manifest.items()))))  # written in another way it is the same
    assert read_manifest(run) == MANIFEST
    path.write_text(json.dumps(manifest | {change: value}))
    for read in (read_manifest, load, finished_chunks):
        with pytest.raises(InputError, match=r"manifest.json was changed, .*: put back what was there") as error:
            read(run)
        one_line(error)


def test_a_manifest_without_its_digest_is_refused(run: Path) -> None:
    path = run / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["digest"]
    path.write_text(json.dumps(manifest))
    with pytest.raises(InputError, match="was changed"):
        read_manifest(run)


def test_directories_that_cannot_be_meant(run: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    before = files(tmp_path)
    for make in (lambda: create_run(tmp_path / "link", MANIFEST), lambda: export_csv(run, tmp_path / "link")):
        with pytest.raises(InputError, match="link is a symbolic link to nowhere, which does not exist") as error:
            make()
        one_line(error)
    for make in (lambda: create_run("", MANIFEST), lambda: export_csv(run, "")):
        with pytest.raises(InputError, match="the name of a directory is empty"):
            make()
    assert files(tmp_path) == before


def test_a_link_to_a_directory_is_one(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there")
    create_run(tmp_path / "link", MANIFEST)
    assert read_manifest(tmp_path / "there") == MANIFEST


def test_missing_runs(tmp_path: Path) -> None:
    for directory in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(InputError, match=r"not the directory of a run: it has no manifest.json") as error:
            load(directory)
        assert str(directory) in one_line(error)
    with pytest.raises(InputError, match="No such file"), lock_run(tmp_path / "nowhere"):
        pass
    (tmp_path / "manifest.json").mkdir()
    with pytest.raises(InputError, match=r"cannot read .*: Is a directory"):
        read_manifest(tmp_path)


# Parts that are damaged


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("kept", [0, 3, 0.5, -1])
def test_a_truncated_part_counts_as_missing(
    run: Path, caplog: pytest.LogCaptureFixture, table: str, kept: float
) -> None:
    for chunk, rows in enumerate(CHUNKS):
        write_part(run, GAME, chunk, *rows)
    path = run / table / "part-00001.parquet"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept) if isinstance(kept, float) else kept])
    with caplog.at_level(logging.WARNING):
        assert finished_chunks(run) == {0, 2}
    (message,) = caplog.messages
    assert re.sub(r"\(.*\)", "()", message) == f"{path} is damaged (): not counted as played"
    assert set(load(run).results["match"]) == {0, 1, 4, 5}
    write_part(run, GAME, 1, *CHUNKS[1])
    assert path.read_bytes() == whole
    assert finished_chunks(run) == {0, 1, 2}


def test_missing_games_and_strange_files(run: Path, caplog: pytest.LogCaptureFixture) -> None:
    for chunk, rows in enumerate(CHUNKS):
        write_part(run, GAME, chunk, *rows)
    (run / "games" / "part-00000.parquet").unlink()
    (run / "results" / "part-x.parquet").write_bytes(b"")
    assert finished_chunks(run) == {1, 2}
    assert [message.split(" ", 1)[1] for message in caplog.messages] == ["is missing: not counted as played"]


@pytest.mark.parametrize("table", ["results", "games"])
def test_parts_of_another_version_are_refused_and_stay(run: Path, table: str) -> None:
    """Counted as not played, they would be overwritten by the next --resume."""
    write_part(run, GAME, 0, *CHUNKS[0])
    path = run / table / "part-00000.parquet"
    whole = parquet.read_table(path)
    parquet.write_table(whole.drop_columns([whole.column_names[-1]]), path)
    content = path.read_bytes()
    with pytest.raises(InputError, match="has other columns than this version writes") as error:
        finished_chunks(run)
    one_line(error)
    assert path.read_bytes() == content


def one_byte_changed(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 0x55]) + content[place + 1 :]


@pytest.mark.parametrize("table", TABLES)
def test_damage_anywhere_in_a_part_is_found_by_a_thorough_look(run: Path, table: str) -> None:
    """At its ends and among the values of every column: it is found, or it changes nothing."""
    write_part(run, GAME, 0, *CHUNKS[0])
    path = run / table / "part-00000.parquet"
    content, whole = path.read_bytes(), parquet.read_table(path)
    found = 0
    for place in range(0, len(content), 7):
        path.write_bytes(one_byte_changed(content, place))
        try:
            done = finished_chunks(run, thorough=True)
        except InputError as error:
            assert "has other columns" in str(error)  # noqa: PT017
            done = set()
        found += not done
        assert not done or parquet.read_table(path).equals(whole)
    assert found > len(content) / 7 / 2


def test_many_damaged_parts_are_one_warning(run: Path, caplog: pytest.LogCaptureFixture) -> None:
    for chunk, rows in enumerate(CHUNKS):
        write_part(run, GAME, chunk, *rows)
        path = run / "results" / f"part-{chunk:05}.parquet"
        path.write_bytes(one_byte_changed(path.read_bytes(), 30))
    assert finished_chunks(run) == {0, 1, 2}  # their ends are whole
    assert not caplog.messages
    assert finished_chunks(run, thorough=True) == set()
    (message,) = caplog.messages
    assert re.fullmatch(r"3 parts \(first: .*part-00000.parquet is damaged \(.*\)\): not counted as played", message)
    assert "\n" not in message


def test_parts_that_the_run_does_not_have_are_left_out(run: Path, caplog: pytest.LogCaptureFixture) -> None:
    for chunk, rows in enumerate(CHUNKS):
        write_part(run, GAME, chunk, *rows)
    before = load(run).results
    for number in ("00003", "00099", "9" * 200):
        for table in TABLES:
            shutil.copy(run / table / "part-00001.parquet", run / table / f"part-{number}.parquet")
    caplog.clear()
    again = load(run)
    assert again.results.equals(before)
    (message,) = caplog.messages
    assert re.fullmatch(r"3 parts \(first: .*part-00003.parquet\): of no chunk of this run, left out", message)


@pytest.mark.parametrize("table", TABLES)
def test_a_copy_of_another_part_does_not_count(run: Path, table: str) -> None:
    for chunk, rows in enumerate(CHUNKS):
        write_part(run, GAME, chunk, *rows)
    shutil.copy(run / table / "part-00001.parquet", run / table / "part-00002.parquet")
    assert finished_chunks(run, thorough=True) == {0, 1}
    with pytest.raises(InputError, match=r"part-00002.parquet: it holds other matches than its name says; agari pit"):
        load(run).arrow(table)


def test_a_run_that_was_deleted_does_not_come_back(run: Path) -> None:
    with lock_run(run):
        write_part(run, GAME, 0, *CHUNKS[0])
        shutil.rmtree(run)
        with pytest.raises(InputError, match=r"cannot write .*part-00001.parquet: No such file or directory") as error:
            write_part(run, GAME, 1, *CHUNKS[1])
        one_line(error)
    assert not run.exists()


def test_damage_inside_a_part_is_one_clear_line(run: Path) -> None:
    write_part(run, GAME, 0, *CHUNKS[0])
    path = run / "results" / "part-00000.parquet"
    content = bytearray(path.read_bytes())
    content[4:2000] = bytes(1996)
    path.write_bytes(content)
    loaded = load(run)
    with pytest.raises(InputError, match=r"cannot read .*part-00000.parquet") as error:
        _ = loaded.results
    one_line(error)


# Killed at any moment


def killed_before_step(directory: Path, step: int) -> int:
    """Write a part in a process that kills itself before its `step`-th fsync or renaming; return its exit code."""

    def work() -> None:
        steps = itertools.count()

        def deadly(call: Callable[..., Any]) -> Callable[..., Any]:
            return lambda *args: os.kill(os.getpid(), signal.SIGKILL) if next(steps) == step else call(*args)

        os.fsync, os.replace = deadly(os.fsync), deadly(os.replace)
        write_part(directory, GAME, 0, *CHUNKS[0])

    process = forked(work)
    process.join()
    return process.exitcode


@pytest.mark.parametrize("step", range(7))
def test_killed_at_each_step_of_a_part(run: Path, step: int) -> None:
    exit_code = killed_before_step(run, step)
    assert exit_code == (0 if step == 6 else -signal.SIGKILL)
    # Games to the disk, renamed, name to the disk, then the same for results: done with the second renaming.
    assert finished_chunks(run) == ({0} if step >= 5 else set())
    with lock_run(run):
        assert not [name for name in files(run) if name.endswith(".tmp")]
        write_part(run, GAME, 0, *CHUNKS[0])
    assert len(load(run).results) == len(CHUNKS[0][0])


def test_killed_at_random_moments_and_resumed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    unbroken = tmp_path / "unbroken"
    manifest = MANIFEST | {"matches": 120}
    create_run(unbroken, manifest)
    chunks = {3 * copy + chunk: rows for copy in range(20) for chunk, rows in enumerate(CHUNKS)}
    for chunk, rows in chunks.items():
        write_part(unbroken, GAME, chunk, *rows)

    run = tmp_path / "run"
    create_run(run, manifest)

    def work() -> None:
        with lock_run(run):
            for chunk in sorted(set(chunks) - finished_chunks(run)):
                write_part(run, GAME, chunk, *chunks[chunk])

    moments = random.Random(2)
    attempts = kills = 0
    while finished_chunks(run) != set(chunks):
        attempts += 1
        process = forked(work)
        process.join(moments.uniform(0, 0.01 * attempts))  # longer and longer, so that slow machines get there too
        process.kill()
        process.join()
        kills += process.exitcode == -signal.SIGKILL
        parts = {name for name in files(run) if re.fullmatch(r"(results|games)/part-\d{5}.parquet", name)}
        assert all((run / name).read_bytes() == (unbroken / name).read_bytes() for name in parts)
        assert finished_chunks(run) == {int(name[-13:-8]) for name in parts if name.startswith("results")}
    assert kills >= 3
    assert not caplog.messages
    with lock_run(run):
        assert files(run) == files(unbroken)


# A disk that refuses


def test_a_full_disk_leaves_nothing_half_written(run: Path, tmp_path: Path) -> None:
    write_part(run, GAME, 0, *CHUNKS[0])
    before = files(run)
    incompressible = [row | {"record": os.urandom(500).hex()} for row in CHUNKS[1][1]]
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))  # a write beyond raises OSError, as on a full disk
    try:
        with pytest.raises(InputError, match=r"cannot write .*part-00001.parquet: File too large") as error:
            write_part(run, GAME, 1, CHUNKS[1][0], incompressible)
        with pytest.raises(InputError, match=r"cannot write .*results.csv: File too large"):
            export_csv(run, tmp_path / "out")
        with pytest.raises(InputError, match=r"cannot write .*manifest.json: File too large"):
            create_run(tmp_path / "other", {"notes": "x" * 3000})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    one_line(error)
    assert files(run) == before
    assert files(tmp_path / "out") == {}
    assert set(files(tmp_path / "other")) == {"run.lock"}


@pytest.mark.parametrize("failing", ["replace", "fsync"])
def test_an_error_at_the_end_keeps_the_old_file(run: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    write_part(run, GAME, 0, *CHUNKS[0])
    before = files(run)

    def fail(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(InputError, match=r"cannot write .*: No space left on device"):
        write_part(run, GAME, 0, *CHUNKS[1])
    assert files(run) == before


def test_a_read_only_directory(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, *_: Any, **__: Any) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(store, "open", fail, raising=False)
    with pytest.raises(InputError, match=r"cannot write .*part-00000.parquet: Permission denied") as error:
        write_part(run, GAME, 0, *CHUNKS[0])
    one_line(error)
    with pytest.raises(InputError, match=r"cannot write .*run.lock: Permission denied"), lock_run(run):
        pass


def test_an_interrupted_write_leaves_nothing(run: Path) -> None:
    def write() -> None:
        with store.new_file(run / "results" / "part-00000.parquet") as file:
            file.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert set(files(run)) == {"manifest.json", "run.lock"}


# One writer


def test_two_processes_cannot_write_one_run(run: Path) -> None:
    refused = FORK.SimpleQueue()

    def work(inherited: Any) -> None:
        inherited.close()
        try:
            with lock_run(run):
                refused.put("")
        except InputError as error:
            refused.put(str(error))

    with lock_run(run) as lock:
        process = forked(lambda: work(lock))
        process.join()
        assert refused.get() == f"another process is at work in {run}: wait for it, or choose another directory"
        with pytest.raises(InputError, match="already holds a run"):
            create_run(run, MANIFEST)
    with lock_run(run):
        pass


def test_the_lock_ends_with_its_holder(run: Path) -> None:
    def hold() -> None:
        with lock_run(run):
            (run / "held").touch()
            time.sleep(60)

    process = forked(hold)
    while not (run / "held").exists():
        time.sleep(0.002)
    with pytest.raises(InputError, match="at work"), lock_run(run):
        pass
    process.kill()
    process.join()
    with lock_run(run):
        pass


def test_workers_do_not_keep_the_lock(run: Path) -> None:
    """A forked worker that closed its copy may outlive the runner, and so may a program; a careless worker holds on."""
    closed = FORK.Event()

    def work(lock: Any) -> None:
        lock.close()
        closed.set()
        time.sleep(60)

    with lock_run(run) as lock:
        worker = forked(lambda: work(lock))
        program = subprocess.Popen(["sleep", "60"])
        closed.wait()
    with lock_run(run):
        careless = forked(lambda: time.sleep(60))
    with pytest.raises(InputError, match="at work"), lock_run(run):
        pass
    for process in (worker, program, careless):
        process.kill()
    for process in (worker, careless):
        process.join()
    program.wait()
    with lock_run(run):
        pass


def test_the_lock_sweeps_leftovers_and_nothing_else(run: Path) -> None:
    write_part(run, GAME, 0, *CHUNKS[0])
    before = files(run)
    (run / "results" / "part-00001.parquet.77.tmp").touch()
    (run / "games" / "part-00001.parquet.77.tmp").touch()
    (run / "mine.tmp").touch()
    with lock_run(run):
        assert files(run) == before | {"mine.tmp": b""}


def test_importing_is_cheap() -> None:
    """`agari --help` must not wait for pandas, and plots never touch pyplot's state."""
    code = """
import sys
import agari.experiments
assert not {"pandas", "pyarrow", "matplotlib", "numpy"} & set(sys.modules)
assert callable(agari.experiments.load)
import agari.experiments.plots
assert "pandas" in sys.modules and "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
