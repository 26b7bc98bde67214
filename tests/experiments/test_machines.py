"""Runs over Dask: real schedulers and workers as processes, which come and go, and what cannot be played so."""

import importlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from agari.experiments import machines, tournament
from agari.experiments.machines import crew_opener
from agari.experiments.store import finished_chunks
from agari.experiments.tournament import RunStopped, run
from agari.sim.errors import InputError

from . import players
from .rows import rows_of
from .test_faults import AGARI, SLOW, alive, key_in_match, until

DASK = [sys.executable, "-m", "dask"]


@contextmanager
def process(folder: Path, *command: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process with a group of its own, which is killed with all that it started."""
    with open(folder / f"{command[-1].strip('-')}.errors".rpartition("/")[2], "w") as errors:
        settings: dict[str, Any] = {"cwd": folder, "env": os.environ | environment, "start_new_session": True}
        started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, **settings)
    try:
        yield started
    finally:
        with suppress(ProcessLookupError):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()


@contextmanager
def scheduler(folder: Path, allowed_failures: int) -> Iterator[str]:
    """The executor that names a scheduler without workers."""
    file = folder / "scheduler.json"
    command = [
        *DASK,
        "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(file),
    ]
    with process(folder, *command, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES=str(allowed_failures)):
        until(lambda: file.exists() and file.read_text().endswith("}"), 60)
        yield json.loads(file.read_text())["address"].replace("tcp", "dask")


def worker(folder: Path, executor: str, *options: str, **environment: str) -> Any:
    """A worker of the scheduler that an executor names; without a nanny it does not come again when it is killed."""
    address = executor.replace("dask", "tcp")
    given = options or ("--nthreads", "1", "--no-nanny")
    return process(folder, *DASK, "worker", "--host", "127.0.0.1", "--no-dashboard", *given, address, **environment)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the module `players`, where workers are started."""
    folder = tmp_path_factory.mktemp("place")
    (folder / "players.py").write_bytes(Path(players.__file__).read_bytes())
    return folder


@pytest.fixture(scope="module")
def executor(place: Path) -> Iterator[str]:
    """The executor that names a scheduler with a worker."""
    with scheduler(place, allowed_failures=3) as executor, worker(place, executor):
        yield executor


@pytest.fixture(scope="module")
def unbroken(place: Path) -> Path:
    """Ten matches that processes of this machine have played."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        return run(place / "unbroken", SLOW, 10, seed=3, workers=1).directory


def pit(folder: Path, executor: str, *arguments: str) -> Any:
    given = ["--agents", SLOW, "--matches", "10", "--seed", "3", "--out", "a run", "--executor", executor]
    return process(folder, *AGARI, "pit", *(arguments or given), "--quiet")


def chunks_of(directory: Path, of: subprocess.Popen[bytes]) -> Sequence[str]:
    """The chunks that a process has played, as the log of a run has it."""
    log = directory / tournament.LOG
    return re.findall(rf"tcp://[\d.:]+ {of.pid}: chunk (\d+)", log.read_text() if log.exists() else "")


def test_workers_come_and_go_and_one_is_killed(unbroken: Path, folder: Path) -> None:
    """There are none at first; the first is killed amid its work; the last has several threads, of which one plays."""
    directory = folder / "a run"
    with scheduler(folder, allowed_failures=3) as executor, pit(folder, executor) as running:
        until(lambda: (directory / tournament.LOG).exists(), 60)
        with worker(folder, executor) as first:
            until(lambda: chunks_of(directory, first), 60)
            first.send_signal(signal.SIGSTOP)  # so that something is left for the other
            with worker(folder, executor, "--nthreads", "3", "--no-nanny") as second:
                until(lambda: chunks_of(directory, second), 60)
                first.kill()
                assert running.wait(60) == 0
                assert len(chunks_of(directory, second)) >= 2
    assert rows_of(directory) == rows_of(unbroken)
    assert (folder / "quiet.errors").read_text() == ""
    log = (directory / tournament.LOG).read_text()
    assert log.count("of the 3 threads of this worker one plays: start more workers with --nthreads 1") == 1
    assert re.search(r"to play with 0 workers\n(.*\n)+.* has [12] workers\n", log)  # they are counted now and then
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} [A-Z]+ \S+ \d+: ", line) for line in log.splitlines())


@pytest.mark.parametrize("how", ["error", "illegal", "interrupt"])
def test_an_agent_that_fails_ends_the_run_as_it_does_here(folder: Path, executor: str, how: str) -> None:
    agent = f"players:First(key={key_in_match(2, rotation=2, seed=9)},how={how})"
    lines = []
    for directory, where in (("here", None), ("there", executor)):
        with pytest.raises(RunStopped) as stopped:
            run(folder / directory, agent, 4, seed=9, executor=where)
        line, _, path = str(stopped.value).partition("; the position is in ")
        lines.append((line, json.loads(Path(path).read_text())))
    assert lines[0] == lines[1]
    assert f"agent {agent} " in lines[1][0]
    if how == "error":
        assert "ValueError: lost my" in (folder / "there" / tournament.LOG).read_text()  # with its traceback


def test_an_agent_that_workers_do_not_have(folder: Path, executor: str) -> None:
    (folder / "only_here.py").write_text("from players import Anything\n")
    with pytest.raises(RunStopped) as stopped:
        run(folder / "run", "only_here:Anything,random", 4, executor=executor)
    assert re.fullmatch(
        r"agent only_here:Anything: cannot import only_here: No module named 'only_here'; match \d, rotation 0, "
        r"game 0, deal seed -?\d+; workers need the agent's module too, where they were started or on their PYTHONPATH",
        str(stopped.value),
    )


def test_workers_with_another_release(folder: Path, executor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    own = machines.release()
    monkeypatch.setattr(machines, "release", lambda: "9.9.9 (0123456789abcdef)")
    with pytest.raises(RunStopped) as stopped:
        run(folder / "run", "greedy", 4, executor=executor)
    assert re.fullmatch(
        rf"the worker tcp://127.0.0.1:\d+ has agari {re.escape(own)}, this runner 9.9.9 \(0123456789abcdef\): "
        rf"install the same for both; what is done stays in {folder / 'run'}",
        str(stopped.value),
    )


def test_workers_without_what_the_runner_has(folder: Path, executor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "only_here.py").write_text("def answer(*arguments):\n    return 1\n")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(machines, "_answer", importlib.import_module("only_here").answer)
    with pytest.raises(RunStopped) as stopped:
        run(folder / "run", "greedy", 4, executor=executor)
    assert str(stopped.value) == (
        f"the scheduler or a worker cannot load agari {machines.release()}, which this runner has: "
        f"ModuleNotFoundError: No module named 'only_here'; what is done stays in {folder / 'run'}"
    )


def test_an_agent_that_ends_its_worker_every_time_ends_the_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tournament, "DEADLY", 2)
    agent = f"players:First(key={key_in_match(1, 2, seed=9)},how=die)"
    with (
        scheduler(folder, allowed_failures=0) as executor,
        worker(folder, executor, "--nthreads", "1", "--nworkers", "2"),
        pytest.raises(RunStopped) as stopped,
    ):
        run(folder / "run", agent, 4, seed=9, executor=executor)
    assert str(stopped.value) == (
        "match 1: the process that played it died 2 times, by an agent or for want of memory; "
        f"what is done stays in {folder / 'run'}"
    )
    assert 1 not in finished_chunks(folder / "run") != set()


def test_a_scheduler_that_is_lost_ends_the_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machines, "CONNECT_SECONDS", 1.0)
    line = r"^no Dask scheduler answers at 127.0.0.1:\d+ \(.*\): start one with dask .*; what is done stays in .*run$"
    with ExitStack() as stack:
        executor = stack.enter_context(scheduler(folder, allowed_failures=3))
        stack.enter_context(worker(folder, executor))
        with pytest.raises(tournament.RunStopped, match=line):
            run(folder / "run", SLOW, 1000, executor=executor, tell=lambda told: told.matches_done and stack.close())
    assert finished_chunks(folder / "run")
    assert capfd.readouterr().err == ""  # what Dask says of it is in the log of the run


def test_ctrl_c_ends_a_cluster_of_this_machine(unbroken: Path, folder: Path) -> None:
    directory = folder / "a run"
    with pit(folder, "dask") as running:
        until(lambda: list(directory.glob("results/*.parquet")), 60)
        pids = set(re.findall(r"tcp://\S+ (\d+): chunk", (directory / tournament.LOG).read_text()))
        os.killpg(running.pid, signal.SIGINT)
        assert running.wait(30) == 130
        until(lambda: not any(alive(int(pid)) for pid in pids), 10)
    errors = (folder / "quiet.errors").read_text()
    found = re.fullmatch(r"agari: interrupted; (\d+) of 10 matches are done; to go on: agari (.*)\n", errors)
    assert found, errors
    with pit(folder, "dask", *shlex.split(found[2])[1:], "--executor", "dask", "--workers", "1") as running:
        assert running.wait(60) == 0
    assert rows_of(directory) == rows_of(unbroken)


NOT_EXECUTORS = "dusk dask: dask:// dask://host dask://host:port dask://:8786 dask://host:99999 dask://host:8786/ "
NOT_EXECUTORS += "dask://me@host:8786 tcp://host:8786 host:8786 dask://[::1:8786"


@pytest.mark.parametrize("executor", ["", *NOT_EXECUTORS.split()])
def test_what_is_no_executor(folder: Path, executor: str) -> None:
    with pytest.raises(InputError) as error:
        run(folder / "run", "greedy", 1, executor=executor)
    assert str(error.value) == (
        f"no executor {executor!r}: say dask for a cluster of this machine's processes, or dask://HOST:PORT"
    )
    assert not (folder / "run").exists()


def test_executors_are_refused_before_anything_is_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machines, "CONNECT_SECONDS", 0.3)
    with pytest.raises(InputError, match=r"^no Dask scheduler answers at 127.0.0.1:1 \(.*\): start one with dask sch"):
        run(folder / "run", "greedy", 1, executor="dask://127.0.0.1:1")
    with pytest.raises(InputError, match=r"^dask://a:1 plays with the workers that .* has: leave out --workers 2$"):
        run(folder / "run", "greedy", 1, executor="dask://a:1", workers=2)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r'^dask needs the extra dask: pip install "agari\[dask\]"$'):
        run(folder / "run", "greedy", 1, executor="dask")
    assert not (folder / "run").exists()
    assert crew_opener(None, 2)  # without Dask all else is as it was
