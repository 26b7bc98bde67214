"""What can go wrong in a run: bad agents, killed workers, killed runners, Ctrl-C. What is done stays, nothing hangs."""

import importlib
import json
import multiprocessing
import os
import random
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, wait
from pathlib import Path
from typing import Any

import pytest
from agari.agents.match import play_match
from agari.experiments import tournament
from agari.experiments.store import finished_chunks, load, lock_run
from agari.experiments.tournament import RunStopped, resume, run
from agari.experiments.workers import Processes
from agari.sim.errors import InputError
from agari.sim.games import ruleset
from agari.sim.rng import key_of

from . import players
from .rows import rows_of

FORK = multiprocessing.get_context("fork")
AGARI = [sys.executable, "-c", "from agari.experiments.cli import program; program()"]
SLOW = "players:Anything(seconds=0.0003),random"


def forked(work: Callable[[], object]) -> Any:
    process = FORK.Process(target=work)
    process.start()
    return process


def until(condition: Callable[[], Any], seconds: float = 30.0) -> Any:
    """What a condition yields once it holds."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
    return value


def workers_of(directory: Path) -> set[int]:
    """The processes that have said in the log of a run that they played a chunk."""
    log = directory / tournament.LOG
    return {int(pid) for pid in re.findall(r"Process-[\d:]+ (\d+): chunk", log.read_text() if log.exists() else "")}


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A run of ten matches that nothing disturbed."""
    folder = tmp_path_factory.mktemp("unbroken")
    (folder / "players.py").write_bytes(Path(players.__file__).read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield run(folder / "run", SLOW, 10, seed=3).directory


# Agents that fail


def key_in_match(number: int, rotation: int, seed: int) -> int:
    """What one decision is called in the second game of a match of four `First`."""
    _, game, rules = ruleset("federation", 4)
    agents = [players.First() for _ in range(4)]
    first, _ = list(play_match(game, rules, agents, ["first"] * 4, 2, key_of(seed, number), rotation))
    before = first.decisions[first.participants.index(0)]
    return agents[0].keys[before // 2 + 8]


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        ("error", "raised ValueError: lost my way"),
        ("exit", "raised SystemExit: enough"),
        ("illegal", "chose 'S:S3 S4', which is no legal move (legal: "),
        ("nothing", "chose None, which is no legal move (legal: "),
    ],
)
def test_an_agent_that_fails_ends_the_run_with_one_line(folder: Path, how: str, problem: str) -> None:
    key = key_in_match(5, rotation=2, seed=9)
    agent = f"players:First(key={key},how={how})"
    with pytest.raises(RunStopped) as stopped:
        run(folder / "run", agent, 8, seed=9, workers=2)
    line = str(stopped.value)
    assert "\n" not in line
    assert line.startswith(f"agent {agent} {problem}")
    found = re.search(r"; match 5, rotation 2, game (\d), deal seed (-?\d+); the position is in (.*\.json)$", line)
    assert found
    assert int(found[2]) == key_of(key_of(9, 5), int(found[1]))

    position = json.loads(Path(found[3]).read_text())
    assert position["id"] == f"{agent}: match 5, rotation 2, game {found[1]}, deal seed {found[2]}"
    game = ruleset("federation", 4).game
    assert game.parse_state(game.options.parse(position["rules"]), position["state"]).turn >= 0

    done = load(folder / "run")
    assert set(done.results["match"]) >= {0, 1, 2}
    assert 5 not in set(done.results["match"])
    assert len(done.results) == 64 * len(done.chunks)


@pytest.mark.parametrize(
    ("what", "problem"),
    [("error", "ValueError: lost my way"), ("exit", "SystemExit: enough"), ("interrupt", "KeyboardInterrupt")],
)
def test_an_agent_that_can_be_built_no_more(folder: Path, what: str, problem: str) -> None:
    """There is no position yet; the line says where it was, and what is done stays."""
    agent = f"players:Careless(when='built later',what={what})"
    with pytest.raises(RunStopped) as stopped:
        run(folder / "run", f"{agent},random", 8, seed=9, workers=1)
    line = str(stopped.value)
    found = re.fullmatch(
        rf"agent {re.escape(agent)}: raised {problem}; match 3, rotation 3, game 0, deal seed .*", line
    )
    assert found, line
    assert finished_chunks(folder / "run") == {0, 1, 2}
    assert not list((folder / "run").glob("fault-*"))


def test_agents_that_find_no_end_end_the_run_with_one_line(folder: Path) -> None:
    agent = "players:Careless(when='built later',what='pass')"
    with pytest.raises(RunStopped) as stopped:
        run(folder / "run", agent, 8, seed=9, workers=1, options=[("lead_pass", "on")])
    found = re.fullmatch(
        r"agents (.*): a game was not over after 32000 moves; where the lead may pass, set pass_limit; "
        r"match (\d), rotation (\d), game (\d), deal seed -?\d+; the position is in (.*\.json)",
        str(stopped.value),
    )
    assert found, stopped.value
    assert found[1] == ", ".join([agent] * 4)
    assert json.loads(Path(found[5]).read_text())["id"].startswith(f"{found[1]}: match {found[2]}, rotation {found[3]}")
    assert finished_chunks(folder / "run") == set(range(int(found[2]))) != set()


def test_a_run_goes_on_when_its_agent_is_mended(folder: Path) -> None:
    agent = f"players:First(key={key_in_match(2, 1, seed=9)},how=error)"
    with pytest.raises(RunStopped):
        run(folder / "run", agent, 4, seed=9)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)  # the runner imports no agents: only this makes it known to the workers
        patch.setattr(importlib.import_module("players").First, "fail", lambda self, view: view.legal[0])
        resume(folder / "run")
    run(folder / "other", "players:First", 4, seed=9)
    assert load(folder / "run").results["points"].equals(load(folder / "other").results["points"])


def test_an_error_that_is_nobodys(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(plan: Any, match: Any, *others: Any) -> Any:
        if match.number == 1:
            raise ZeroDivisionError("oh,\nno")
        return game_row(plan, match, *others)

    game_row = tournament._game_row
    monkeypatch.setattr(tournament, "_game_row", broken)
    with pytest.raises(RunStopped, match=r"^chunk 1 failed with ZeroDivisionError: oh, no; see .*run.log$"):
        run(folder / "run", "greedy", 3, seed=9)
    assert "in broken" in (folder / "run" / tournament.LOG).read_text()


def test_an_agent_may_not_interrupt(folder: Path) -> None:
    """Workers ignore Ctrl-C, so a KeyboardInterrupt there is the agent's."""
    agent = f"players:First(key={key_in_match(1, 0, seed=9)},how=interrupt)"
    with pytest.raises(RunStopped, match=r"^agent players:First.* raised KeyboardInterrupt; match 1, rotation 0"):
        run(folder / "run", agent, 3, seed=9)


def test_an_agent_that_ends_its_process_every_time_ends_the_run(folder: Path) -> None:
    agent = f"players:First(key={key_in_match(4, 2, seed=9)},how=die)"
    with pytest.raises(RunStopped) as stopped:
        run(folder / "run", agent, 12, seed=9, workers=3)
    assert str(stopped.value) == (
        "match 4: the process that played it died 3 times, by an agent or for want of memory; "
        f"what is done stays in {folder / 'run'}"
    )
    assert finished_chunks(folder / "run") >= {0, 1, 2, 3}
    assert 4 not in finished_chunks(folder / "run")
    log = (folder / "run" / tournament.LOG).read_text()
    assert log.count("a worker died: chunks ") == 3
    assert "a worker died: chunks [4] are played again" in log  # the last time it was alone
    assert "has ended with 3" in log


# Workers that die


@pytest.mark.parametrize("times", [1, 2])
def test_a_killed_worker_costs_nothing_but_its_chunk(folder: Path, times: int) -> None:
    agents = f"players:KillsItsProcess(path={str(folder / 'killed')!r},times={times}),random"
    broken = run(folder / "run", agents, 6, seed=5, workers=2)
    assert len(list(folder.glob("killed-*"))) == times
    again = run(folder / "again", agents, 6, seed=5, workers=2)  # nothing is left to be killed
    assert rows_of(broken.directory) == rows_of(again.directory)
    log = (folder / "run" / tournament.LOG).read_text()
    assert 1 <= log.count("a worker died: ") <= times  # both may be killed at once
    assert log.count("chunk 5, matches 5 to 5") == 1


def test_a_worker_killed_from_outside(unbroken: Path, folder: Path) -> None:
    process = forked(lambda: run(folder / "run", SLOW, 10, seed=3, workers=2))
    os.kill(until(lambda: workers_of(folder / "run")).pop(), signal.SIGKILL)
    process.join(60)
    assert process.exitcode == 0
    assert rows_of(folder / "run") == rows_of(unbroken)


def half_a_result() -> None:
    """Die in the middle of sending a result, as a worker may."""
    frame: Any = sys._getframe()
    while "result_queue" not in frame.f_locals:
        frame = frame.f_back
    os.write(frame.f_locals["result_queue"]._writer.fileno(), struct.pack("!i", 10_000) + b"half")
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_dies_amid_a_result_is_noticed_and_left(folder: Path) -> None:
    others = set(threading.enumerate())
    (folder / "lock").touch()
    with open(folder / "lock") as lock:
        crew = Processes(2, folder / "log", lock)
        future = crew.submit(half_a_result)
        until(crew.lost)
        assert not wait([future], timeout=0.3).done  # nothing but the crew knows
        began = time.monotonic()
        crew.abandon()
        assert time.monotonic() - began < 3
    until(lambda: not [thread for thread in set(threading.enumerate()) - others if not thread.daemon])
    with pytest.raises((BrokenExecutor, RuntimeError)):
        crew.submit(half_a_result)


def test_workers_do_not_keep_the_lock(folder: Path) -> None:
    with lock_run(folder) as lock:
        crew = Processes(1, folder / "log", lock)
        assert crew.submit(os.getpid).result() != os.getpid()
    with lock_run(folder):  # the worker is still there
        assert crew.submit(os.getppid).result() == os.getpid()
    crew.dismiss()


# Runners that die


def test_a_run_killed_at_random_moments_and_resumed_has_the_same_rows(unbroken: Path, folder: Path) -> None:
    directory = folder / "run"

    def work() -> None:
        if (directory / "manifest.json").exists():
            resume(directory, workers=2)
        else:
            run(directory, SLOW, 10, seed=3, workers=2)

    moments = random.Random(4)
    kills = attempts = 0
    while not directory.exists() or len(list(directory.glob("results/part-?????.parquet"))) < 10:
        attempts += 1
        process = forked(work)
        process.join(moments.uniform(0, 0.1 * attempts))  # longer and longer, so that slow machines get there too
        process.kill()
        process.join()
        kills += process.exitcode == -signal.SIGKILL
        until(lambda: not any(map(alive, workers_of(directory))), seconds=5)
    assert kills >= 3
    forked(work).join()
    assert rows_of(directory) == rows_of(unbroken)
    assert not list(directory.glob("**/*.tmp"))


def test_workers_end_with_the_runner_even_without_prctl(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agari.experiments.workers.PR_SET_PDEATHSIG", 0)  # no such thing: refused
    process = forked(lambda: run(folder / "run", SLOW, 1000, workers=3))
    pids = until(lambda: len(found := workers_of(folder / "run")) == 3 and found)
    process.kill()
    process.join()
    until(lambda: not any(map(alive, pids)), seconds=5)


# The command


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start `agari pit` on the run of `unbroken` in a process group of its own, as a terminal does."""
    command = [*AGARI, "pit", "--out", "a run", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    output, errors = process.communicate(timeout=120)
    return process.returncode, output, errors


GIVEN = ["--agents", SLOW, "--matches", "10", "--seed", "3", "--workers", "2"]


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(unbroken: Path, folder: Path) -> None:
    process = start(folder, *GIVEN)
    until(lambda: list((folder / "a run" / "results").glob("*.parquet")))
    pids = workers_of(folder / "a run")
    os.killpg(process.pid, signal.SIGINT)
    code, output, errors = finish(process)
    assert (code, output) == (130, "")
    found = re.fullmatch(r"agari: interrupted; (\d+) of 10 matches are done; to go on: agari (.*)\n", errors)
    assert found, errors
    assert len(finished_chunks(folder / "a run")) - int(found[1]) in (0, 1)  # one may be written and not yet counted
    assert shlex.split(found[2]) == ["pit", "--resume", "--out", "a run"]
    assert not any(map(alive, pids))
    code, output, errors = finish(start(folder, "--resume"))
    assert (code, errors) == (0, "")
    assert "10 matches" in output
    assert rows_of(folder / "a run") == rows_of(unbroken)


def test_killed_and_started_again_with_resume(unbroken: Path, folder: Path) -> None:
    process = start(folder, *GIVEN, "--resume")  # where there is nothing to resume yet, it starts
    until(lambda: workers_of(folder / "a run"))
    process.kill()
    finish(process)
    code, _, errors = finish(start(folder, *GIVEN, "--resume", "--quiet"))
    assert (code, errors) == (0, "")
    assert rows_of(folder / "a run") == rows_of(unbroken)


def test_a_second_process_on_the_same_run_is_refused(folder: Path) -> None:
    process = forked(lambda: run(folder / "run", SLOW, 1000, seed=3))
    until(lambda: workers_of(folder / "run"))
    with pytest.raises(InputError, match="another process is at work in"):
        resume(folder / "run")
    with pytest.raises(InputError, match="already holds a run"):
        run(folder / "run", SLOW, 1000, seed=3)
    assert process.is_alive()
    process.kill()
    process.join()


@pytest.mark.parametrize("when", ["built", "chooses", "imported"])
def test_an_agent_whose_threads_never_end(folder: Path, when: str) -> None:
    """The workers are killed soon after all is played, and the runner has no such thread."""
    if when == "imported":
        (folder / "threads.py").write_text(
            "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()\n"
            "from players import Anything\n"
        )
    agent = "threads:Anything" if when == "imported" else f"players:Careless(when={when},what=thread)"
    began = time.monotonic()
    code, output, errors = finish(start(folder, "--agents", f"{agent},random", "--matches", "2", "--workers", "2"))
    assert (code, errors) == (0, "")
    assert "2 matches" in output
    assert time.monotonic() - began < 30
    until(lambda: not any(map(alive, workers_of(folder / "a run"))))


@pytest.mark.parametrize("seconds", [0.0, 0.002, 0.01, 0.05, 0.5])
def test_ctrl_c_while_workers_are_waited_for(folder: Path, seconds: float) -> None:
    agent = "players:Careless(when=built,what=thread)"
    process = start(folder, "--agents", agent, "--matches", "2", "--workers", "2")
    log = folder / "a run" / tournament.LOG
    until(lambda: log.exists() and "all is played" in log.read_text())
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGINT)
    code, output, errors = finish(process)
    assert (code, output) == (130, "")
    assert re.fullmatch(r"agari: interrupted; 2 of 2 matches are done; to go on: agari .*\n", errors)
    assert not any(map(alive, workers_of(folder / "a run")))


def test_workers_that_end_are_not_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agari.experiments.workers.DISMISSED_SECONDS", 60)
    began = time.monotonic()
    run(folder / "run", "players:Anything,random", 2, workers=2)
    assert time.monotonic() - began < 30


@pytest.mark.parametrize(
    ("what", "problem"),
    [
        ("end", "its process ended with exit code 0 when it was imported and built"),
        ("kill", "its process ended with signal 9 when it was imported and built"),
        ("interrupt", "raised KeyboardInterrupt"),
    ],
)
@pytest.mark.parametrize("command", ["pit", "pit --resume", "analyze"])
def test_an_agent_that_ends_the_program_when_it_is_built(folder: Path, command: str, what: str, problem: str) -> None:
    """Not the program ends, but the process in which agents are examined."""
    agent = f"players:Careless(when=built,what={what})"
    (folder / "position").touch()
    if command == "pit --resume":
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(players.Careless, "do", lambda self: None)
            patch.setitem(sys.modules, "players", players)
            run(folder / "a run", f"greedy,{agent}", 2)
        (folder / "a run" / "results" / "part-00001.parquet").unlink()
        arguments = ["pit", "--resume", "--out", "a run"]
    elif command == "pit":
        arguments = ["pit", "--agents", f"greedy,{agent},random", "--out", "a run"]
    else:
        arguments = ["analyze", "--agent", agent, "position"]
    done = subprocess.run([*AGARI, *arguments], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(rf"agari: agent {re.escape(agent)}: {problem}\n", done.stderr), done.stderr


def test_an_agent_that_ends_the_program_when_it_is_imported(folder: Path) -> None:
    (folder / "ends.py").write_text("import os\nos._exit(0)\n")
    code, output, errors = finish(start(folder, "--agents", "random,ends:Agent"))
    assert (code, output) == (2, "")
    assert errors == "agari: agent ends:Agent: its process ended with exit code 0 when it was imported and built\n"
    assert not (folder / "a run").exists()


def test_the_runner_imports_no_agents(folder: Path) -> None:
    (folder / "mine.py").write_text("from players import Anything\n")
    run(folder / "run", "mine:Anything,random", 1)
    resume(folder / "run")
    assert "mine" not in sys.modules


def test_a_run_that_is_deleted_amid_play_ends_with_one_line(folder: Path) -> None:
    process = start(folder, "--agents", SLOW, "--matches", "3000", "--workers", "2")
    until(lambda: list((folder / "a run" / "results").glob("part-?????.parquet")))
    shutil.rmtree(folder / "a run", ignore_errors=True)
    while (folder / "a run").exists():  # something was just being written
        shutil.rmtree(folder / "a run", ignore_errors=True)
    code, output, errors = finish(process)
    assert (code, output) == (2, "")
    assert re.fullmatch(r"agari: cannot write a run/\w+/part-\d+.parquet: No such file or directory\n", errors), errors
    assert not (folder / "a run").exists()


def test_a_damaged_chunk_is_played_again(unbroken: Path, folder: Path) -> None:
    """Also where only what lies between the ends of its parts is damaged."""
    shutil.copytree(unbroken, folder / "a run")
    for name in ("results/part-00002", "games/part-00004", "games/part-00005"):
        path = folder / "a run" / f"{name}.parquet"
        content = path.read_bytes()
        path.write_bytes(content[:200] + bytes(50) + content[250:])
    code, output, errors = finish(start(folder, "--resume"))
    assert code == 0
    assert "10 matches" in output
    assert re.fullmatch(
        r"3 parts \(first: a run/results/part-00002.parquet is damaged .*: not counted as played\n", errors
    )
    assert rows_of(folder / "a run") == rows_of(unbroken)


def test_an_agent_that_fails_in_the_command(folder: Path) -> None:
    agent = f"players:First(key={key_in_match(0, 1, seed=3)},how=illegal)"
    code, output, errors = finish(start(folder, "--agents", agent, "--matches", "2", "--seed", "3"))
    assert (code, output) == (1, "")
    assert re.fullmatch(r"agari: agent players:First.* chose 'S:S3 S4'.*; the position is in (.*)\n", errors)
    position = errors.split(" is in ")[1].strip()
    done = subprocess.run([*AGARI, "legal", position], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["id"].startswith(f"{agent}: match 0, rotation 1, game ")
    assert answer["legal"]
