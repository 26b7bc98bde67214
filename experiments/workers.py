"""Those who play for a runner: what it asks of a crew of workers, and the crew of this machine's processes.

Processes are started together, watched, and left at once when one of them dies. Where it is safe they are forked, so
that they have the runner's kernels and modules from the start. Workers on other machines are in `machines.py`.
"""

import ctypes
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from logging.handlers import QueueHandler, QueueListener
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import IO, Any, Protocol

from multiprocessing_logging import MultiProcessingHandler

CONTEXT = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
LOG_FORMAT = "%(asctime)s %(levelname)s %(processName)s %(process)d: %(message)s"
LAST_LINES_SECONDS = 2.0
DISMISSED_SECONDS = 3.0  # for workers that have nothing left to do; one with a thread that runs on would never end

PR_SET_PDEATHSIG = 1

logger = logging.getLogger(__name__)


class Crew(Protocol):
    """Workers that play for a runner, and the log to which they and the runner write from the crew's beginning on."""

    advice: str
    """What to add to an error in what only a worker has: an agent that can be had here, but not there."""

    @property
    def workers(self) -> int:
        """How many there are now."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a function called by a worker; raises BrokenExecutor where one has died.

        The future raises what the function raises, BrokenExecutor where its worker has died, and `Unfit`.
        """

    def lost(self) -> bool:
        """Return whether a worker has died of which no future may ever tell."""

    def dismiss(self) -> None:
        """Leave workers that have nothing left to do."""

    def abandon(self) -> None:
        """Leave workers at once, whatever they do, and wait for nothing that may never come."""


class Unfit(Exception):
    """A worker cannot play what this runner would have it play; the message is one line for people."""


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Processes:
    """A crew of processes on this machine: a new crew has a new queue for its lines too.

    Each ignores Ctrl-C, which is the runner's, and ends when the runner does, however that ends.

    Args:
        workers: how many.
        log: the file to which lines of all levels from INFO on are appended.
        lock: an open file of the runner that no worker may keep open.
    """

    advice = ""

    def __init__(self, workers: int, log: Path, lock: IO[str]) -> None:
        self.workers = workers
        self._lines = _Lines(log)
        forked = CONTEXT.get_start_method() == "fork"
        given = (lock, None) if forked else (None, self._lines.queue)
        self._pool = ProcessPoolExecutor(workers, CONTEXT, _begin_work, given)
        self._processes: MutableMapping[int, Any] = self._pool._processes  # which it forgets when it is shut down

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a function called by a worker; raises BrokenExecutor where one has died."""
        return self._pool.submit(function, *arguments)

    def lost(self) -> bool:
        """Return whether a worker has died.

        The pool's futures say so too, but not if it died amid sending a result: then the pool waits for the rest.
        """
        return bool(wait([process.sentinel for process in list(self._processes.values())], timeout=0))

    def dismiss(self) -> None:
        """Let the workers end, which have nothing left to do, and kill those that do not soon."""
        end = time.monotonic() + DISMISSED_SECONDS
        try:
            self._pool.shutdown(wait=False)
            for process in self._processes.values():
                wait([process.sentinel], end - time.monotonic())
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Kill the workers, and wait for nothing that may never come: what a killed one held is locked for ever."""
        workers, self._processes = list(self._processes.values()), {}
        results = self._pool._result_queue
        for process in workers:
            if process.exitcode:
                logger.warning("worker %d has ended with %d", process.pid, process.exitcode)
            process.kill()
        self._pool.shutdown(wait=False, cancel_futures=True)
        # The pool's thread may be waiting for the rest of a result; without a writer it sees that none will come.
        if results is not None:
            results._writer.close()  # type: ignore[attr-defined]
        self._lines.close()


class ProcessEnded(Exception):
    """A process ended before it had answered; the message says how."""


def apart(function: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
    """Yield what a function returns for each item, called in one process apart: whatever else it does stays there.

    Raises the first error that the function raises, and `ProcessEnded` where it ends the process.
    """
    receiver, sender = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_answer_apart, args=(sender, function, items))
    process.start()
    sender.close()
    try:
        for _ in items:
            value, error = receiver.recv()
            if error is not None:
                raise error
            yield value
    except EOFError:
        process.join()
        code = process.exitcode or 0
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        raise ProcessEnded(f"its process ended with {how}") from None
    finally:
        process.kill()
        process.join()
        receiver.close()


def _answer_apart(sender: Connection, function: Callable[[Any], Any], items: Iterable[Any]) -> None:
    _follow_runner()
    try:
        for item in items:
            sender.send((function(item), None))
    except Exception as error:
        sender.send((None, error))
    os._exit(0)  # at once, whatever threads are left


class LogFile(logging.FileHandler):
    """A log that keeps quiet on a full disk, of which the run itself complains."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, encoding="utf-8")
        self.setFormatter(logging.Formatter(LOG_FORMAT))

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  (the name is logging's)
        """Drop a line that cannot be written."""

    def close(self) -> None:
        """Close the file."""
        with suppress(OSError):
            super().close()


class _Lines:
    """Carries the log lines of all processes to one file: by `multiprocessing_logging` where workers are forked."""

    def __init__(self, path: Path) -> None:
        self._file = LogFile(path)
        self._handler: logging.Handler
        if CONTEXT.get_start_method() == "fork":
            self._handler = carrier = MultiProcessingHandler("agari-log", self._file)
            self.queue, self._stop = carrier.queue, carrier.close
        else:
            self.queue = CONTEXT.Queue()
            listener = QueueListener(self.queue, self._file)
            listener.start()
            self._handler, self._stop = QueueHandler(self.queue), listener.stop
        self._level = logging.getLogger("agari").level
        send_lines_to(self._handler)

    def close(self) -> None:
        """Write all lines, but do not wait long for them: a killed process may have left the queue locked."""
        if self._handler not in logging.getLogger().handlers:
            return
        logging.getLogger().removeHandler(self._handler)
        logging.getLogger("agari").setLevel(self._level)
        self.queue.cancel_join_thread()
        finishing = threading.Thread(target=self._finish, daemon=True)
        finishing.start()
        finishing.join(LAST_LINES_SECONDS)

    def _finish(self) -> None:
        self._stop()
        self._file.close()


def send_lines_to(handler: logging.Handler) -> None:
    """Log to a handler: our own lines from INFO on, and those of an agent's modules as they have set it."""
    logging.getLogger().addHandler(handler)
    logging.getLogger("agari").setLevel(logging.INFO)


def _begin_work(lock: IO[str] | None, lines: Any) -> None:
    """Prepare a worker: called in it before anything else."""
    if lock is not None:
        lock.close()
    _follow_runner()
    if lines is not None:
        send_lines_to(QueueHandler(lines))


def _follow_runner() -> None:
    """Leave Ctrl-C to the process that started this one, and end when it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_runner, daemon=True).start()
    if sys.platform == "linux":  # sure to work even while an agent keeps this process's threads from running
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _end_with_runner() -> None:
    """Wait for the end of the process that started this one, and end this one."""
    runner = multiprocessing.parent_process()
    if runner is not None:
        runner.join()
        os._exit(1)
