"""Faults that come upon `agari pit` at random moments, and what has to come of each.

A run is started with ``--resume`` again and again, and each time something happens to it. It has to end with at most
one line on standard error, leave no process behind, and keep every chunk that was done. When all is played its rows
have to be those of a run that nothing disturbed.
"""

import ctypes
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from agari.experiments.store import finished_chunks
from agari.experiments.tournament import LOG

from ..experiments import players
from ..experiments.rows import rows_of

AGARI = [sys.executable, "-c", "from agari.experiments.cli import program; program()"]
AGENTS = "players:Anything(seconds=0.0001),random"
MATCHES = 24
GIVEN = ["--agents", AGENTS, "--matches", str(MATCHES), "--seed", "5", "--workers", "2"]
RUN = "a run"
ENOUGH_SECONDS = 120.0  # for anything, on any machine
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1

KINDS = {
    "runner": "SIGKILL of the runner",
    "busy": "SIGKILL of a worker amid play",
    "idle": "SIGKILL of a worker that waits",
    "full": "no more room on the disk",
    "unwritable": "no permission to write",
    "truncated": "a part cut off",
    "second": "a second run on the same directory",
}


class Mishandled(Exception):
    """A fault had another outcome than it should have."""


class Trial:
    """Runs in a folder, with what has happened to them.

    Args:
        folder: an empty one.
        seed: of the moments.
        kinds: which faults, in turn.
    """

    def __init__(self, folder: Path, seed: int, kinds: Sequence[str]) -> None:
        self.folder, self.kinds, self.random = folder, kinds, random.Random(seed)
        self.hits: Counter[str] = Counter()
        self.misses = self.runs = self.moments = 0
        shutil.copy(players.__file__, folder)
        compiling = [*AGARI, "pit", "--agents", AGENTS, "--matches", "1", "--out", "first", "--quiet"]
        subprocess.run(compiling, cwd=folder, stderr=subprocess.DEVNULL, check=True)
        began = time.monotonic()
        self.ended(self.start(), code=0)
        self.seconds = time.monotonic() - began
        played = re.search(r"played: \d+ matches in ([\d.]+) s", (folder / RUN / LOG).read_text())
        assert played
        self.playing_seconds = float(played[1])
        self.rows = rows_of(folder / RUN)
        shutil.rmtree(folder / RUN)

    @property
    def directory(self) -> Path:
        return self.folder / RUN

    def moment(self) -> str:
        """Have something happen to the run, and say what."""
        kind = self.kinds[self.moments % len(self.kinds)]
        self.moments += 1
        before = self.done()
        hit = getattr(self, kind)()
        lost = before - self.done() if kind != "truncated" else set()
        if lost:
            raise Mishandled(f"{kind}: chunks {sorted(lost)} were done before")
        self.hits[kind] += hit
        self.misses += not hit
        after = self.done()
        if len(after) == MATCHES:
            self.finish()
        told = KINDS[kind] if hit else f"too late for {KINDS[kind]}"
        return f"{told}: {len(before)} of {MATCHES} chunks were done, then {len(after)}"

    def finish(self) -> None:
        """Play what is left, and compare it with the run that nothing disturbed."""
        self.ended(self.start(), code=0)
        if rows_of(self.directory) != self.rows:
            raise Mishandled("the rows are not those of an unbroken run")
        if left := [*self.directory.glob("**/*.tmp"), *self.directory.glob("fault-*")]:
            raise Mishandled(f"{left[0]} was left behind")
        shutil.rmtree(self.directory)
        self.runs += 1

    def done(self) -> set[int]:
        """The chunks that are done."""
        return finished_chunks(self.directory) if (self.directory / "manifest.json").exists() else set()

    # Processes

    def start(self) -> subprocess.Popen[str]:
        """Start the run or go on with it, as one whom permissions bind even if it is root."""
        command = [*AGARI, "pit", *GIVEN, "--out", RUN, "--resume", "--quiet"]
        settings: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(command, cwd=self.folder, preexec_fn=_drop_override, **settings)

    def ended(self, process: subprocess.Popen[str], code: int, line: str = "") -> None:
        """Wait for the end of a run, which has to have this exit code and this line (a pattern) on standard error."""
        workers = children(process.pid)
        output, errors = process.communicate(timeout=ENOUGH_SECONDS)
        if process.returncode != code or output or not re.fullmatch(f"{line}\n" if line else "", errors):
            raise Mishandled(f"exit code {process.returncode} instead of {code}, {errors!r} instead of {line!r}")
        until(lambda: not any(map(alive, workers)))

    def some_time(self, process: subprocess.Popen[str]) -> bool:
        """Wait for a random moment of a run; return whether it still runs."""
        time.sleep(self.random.uniform(0, self.seconds))
        return process.poll() is None

    def playing(self, process: subprocess.Popen[str]) -> bool:
        """Wait until a run has workers, and a random moment more; return whether it still runs."""
        log, said = self.directory / LOG, f"MainProcess {process.pid}: played with"
        until(lambda: process.poll() is not None or (log.exists() and said in log.read_text()))
        time.sleep(self.random.uniform(0, 0.8 * self.playing_seconds))
        return process.poll() is None and len(children(process.pid)) > 0

    # Faults: each returns whether it hit

    def runner(self) -> bool:
        process = self.start()
        if not self.some_time(process):
            self.ended(process, code=0)
            return False
        process.kill()
        self.ended(process, code=-signal.SIGKILL)
        return True

    def busy(self) -> bool:
        return self._worker(lambda process: None)

    def idle(self) -> bool:
        def starve(process: subprocess.Popen[str]) -> None:
            process.send_signal(signal.SIGSTOP)
            until(lambda: not any(map(thinking, children(process.pid))))

        return self._worker(starve)

    def _worker(self, prepare: Callable[[subprocess.Popen[str]], None]) -> bool:
        process = self.start()
        hit = self.playing(process)
        if hit:
            prepare(process)
            workers = children(process.pid)
            hit = bool(workers)
            if hit:
                kill(self.random.choice(workers))
            process.send_signal(signal.SIGCONT)
        self.ended(process, code=0)
        return hit

    def full(self) -> bool:
        """A limit on the size of files stands for a full disk: writing fails in the same place."""
        process = self.start()
        hit = self.some_time(process)
        if hit:
            with suppress(ProcessLookupError):
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (100, 100))
        return self._refused(process, hit, "File too large")

    def unwritable(self) -> bool:
        process = self.start()
        hit = self.some_time(process)
        folders = [self.folder, self.directory, self.directory / "results", self.directory / "games"]
        there = [folder for folder in folders if hit and folder.exists()]
        for folder in there:
            folder.chmod(0o500)
        try:
            return self._refused(process, hit, "Permission denied")
        finally:
            for folder in there:
                folder.chmod(0o700)

    def _refused(self, process: subprocess.Popen[str], hit: bool, why: str) -> bool:
        """A run that can write no more ends with a line, unless all was written."""
        process.wait(ENOUGH_SECONDS)
        hit = hit and process.returncode != 0
        self.ended(process, *((2, rf"agari: (cannot .* )?\S*a run\S*( in order)?: {why}") if hit else (0,)))
        return hit

    def truncated(self) -> bool:
        """Cut off a part that is there, or one that a killed runner leaves."""
        parts = sorted(self.directory.glob("*/part-?????.parquet"))
        if not parts:
            self.runner()
            return False
        part = self.random.choice(parts)
        os.truncate(part, self.random.randrange(part.stat().st_size))
        damaged = rf"a run/{part.parent.name}/{part.name} is damaged \(.*\): not counted as played"
        alone = (self.directory / "results" / part.name).exists()
        self.ended(self.start(), code=0, line=damaged if alone else "")
        return True

    def second(self) -> bool:
        process = self.start()
        self.some_time(process)
        other = self.start()
        other.wait(ENOUGH_SECONDS)
        process.wait(ENOUGH_SECONDS)
        refusals = [one for one in (process, other) if one.returncode]
        for one in (process, other):
            at_work = r"agari: another process is at work in a run: .*|agari: a run already holds a run: .*"
            self.ended(one, *((2, f"({at_work})") if one in refusals else (0,)))
        if len(refusals) == 2:
            raise Mishandled("two runs on one directory, and both were refused")
        return bool(refusals)


def _drop_override() -> None:
    """Have permissions bind the command that is started, though root may start it."""
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE)


def children(pid: int) -> list[int]:
    """The processes that a process has started and that live."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        fields = _fields(int(stat.parent.name))
        if fields and int(fields[1]) == pid and fields[0] not in "ZX":
            found.append(int(stat.parent.name))
    return sorted(found)


def alive(pid: int) -> bool:
    """Whether a process lives."""
    return bool(fields := _fields(pid)) and fields[0] not in "ZX"


def thinking(pid: int) -> bool:
    """Whether a process has used the processor in the last moments."""
    before = _fields(pid)
    time.sleep(0.1)
    after = _fields(pid)
    return bool(before and after) and before[11:13] != after[11:13]


def _fields(pid: int) -> list[str]:
    """The fields of a process in /proc from its state on, none where there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def kill(pid: int) -> None:
    """End a process that may have ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def until(condition: Callable[[], Any]) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + ENOUGH_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise Mishandled("waited in vain")
        time.sleep(0.01)
