"""Which workers play a run: processes of this machine, or those of a Dask cluster, which may be on any machines.

Dask is an optional extra (``agari[dask]``). Its scheduler hands chunks to the workers that it has at the moment; they
may come and go, and what a lost one had in work another plays. A worker returns rows and log lines, and writes nothing.
"""

import importlib
import logging
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib.metadata import version
from logging.handlers import QueueHandler
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any, NamedTuple
from urllib.parse import urlsplit

from ..sim.errors import InputError, shorten, told
from ..sim.kernels import source_hash
from .workers import Crew, LogFile, Processes, Unfit, cores, send_lines_to

LOCAL = "dask"
CONNECT_SECONDS = 20.0  # so long may a scheduler take to answer: a batch job may start it beside the runner
LEAVE_SECONDS = 5.0  # for a cluster that does not answer, or workers that do not end
COUNT_SECONDS = 2.0  # how often the workers of a cluster are counted

OpenCrew = Callable[[int, Path, IO[str]], Crew]
"""Opens a crew for so many chunks, with the path of its log and the lock file that it may not keep open."""

logger = logging.getLogger(__name__)


def crew_opener(executor: str | None = None, workers: int | None = None) -> OpenCrew:
    """Return what opens the crews of a run.

    Args:
        executor: None: processes of this machine; ``dask``: a Dask cluster of such processes; ``dask://HOST:PORT``: the
            cluster of the scheduler there.
        workers: how many processes of this machine, by default one for each core.

    Raises:
        InputError: there is no such executor, the extra is not installed, or no scheduler answers.
    """
    if executor is None:
        return lambda chunks, log, lock: Processes(min(workers or cores(), chunks), log, lock)
    address = _address_of(executor)
    if address and workers:
        raise InputError(f"{executor} plays with the workers that its scheduler has: leave out --workers {workers}")
    try:
        importlib.import_module("distributed")
    except ImportError:
        raise InputError(f'{executor} needs the extra dask: pip install "agari[dask]"') from None
    if address:
        _connect(address).close()
        return lambda chunks, log, lock: DaskCrew(partial(_connect, address), log)
    return lambda chunks, log, lock: DaskCrew(partial(_local_cluster, min(workers or cores(), chunks)), log)


def _address_of(executor: str) -> str:
    """Return the address of the scheduler that an executor names, as Dask writes it; empty: a cluster of our own."""
    if executor == LOCAL:
        return ""
    with suppress(ValueError):  # such as of a port that is no number
        parts = urlsplit(executor)
        place = f"{parts.hostname}:{parts.port}"
        if parts.hostname and parts.port and executor.replace("[", "").replace("]", "").lower() == f"dask://{place}":
            return f"tcp://{parts.netloc}"
    raise InputError(
        f"no executor {shorten(executor)!r}: say dask for a cluster of this machine's processes, or dask://HOST:PORT"
    )


def _connect(address: str) -> Any:
    """Return a client of the scheduler at an address; raises InputError where none answers."""
    from distributed import Client

    try:
        with _dask_kept_quiet():
            return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        place = address.removeprefix("tcp://")
        problem = f"no Dask scheduler answers at {place} ({told(error)})"
        raise InputError(f"{problem}: start one with dask scheduler, or correct the address") from None


def _local_cluster(workers: int) -> Any:
    """Return a client of a cluster of processes of this machine, which ends with the client or this process."""
    from distributed import Client

    with _dask_kept_quiet():
        return Client(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,
            dashboard_address=None,
            preload=__name__,
            silence_logs=logging.CRITICAL,
            set_as_default=False,
        )


@contextmanager
def _dask_kept_quiet() -> Iterator[None]:
    """Have what Dask says in this process, warnings of the block too, go to the log of the run and nowhere else."""
    import distributed  # noqa: F401  (it sets its loggers up when it is imported)

    for name in [*logging.root.manager.loggerDict]:  # some of its modules have handlers of their own
        if name.partition(".")[0] in ("distributed", "tornado"):
            its_logger = logging.getLogger(name)
            its_logger.handlers[:] = [logging.NullHandler()]
            its_logger.propagate = True
            its_logger.setLevel(logging.WARNING)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        yield
    for warning in said:
        logger.warning("%s", " ".join(str(warning.message).split()))


class DaskCrew:
    """The workers of a Dask cluster, each of which plays one chunk at a time, whatever threads it has.

    Dask gives a chunk to another worker where one is lost, some times (`distributed.scheduler.allowed-failures`). Only
    then, or where the scheduler itself is lost, do futures raise BrokenExecutor.

    Args:
        connect: returns a client.
        log: the file to which lines of all levels from INFO on are appended, those of a worker when its chunk is done.
    """

    advice = "; workers need the agent's module too, where they were started or on their PYTHONPATH"

    def __init__(self, connect: Callable[[], Any], log: Path) -> None:
        self._log = LogFile(log)
        self._level = logging.getLogger("agari").level
        send_lines_to(self._log)
        try:
            self._client = connect()
        except BaseException:
            self._close_log()
            raise
        self._executor: Executor = self._client.get_executor(pure=False)
        self._workers, self._counted = 0, float("-inf")

    @property
    def workers(self) -> int:
        """How many there are now, or were a moment ago; a line in the log says when they have become others."""
        if time.monotonic() - self._counted > COUNT_SECONDS:
            self._counted = time.monotonic()
            with suppress(Exception):  # of a scheduler that is gone the futures tell
                found = len(self._client.nthreads())
                if found != self._workers:
                    logger.info("the scheduler has %d workers", found)
                self._workers = found
        return self._workers

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a function called by a worker."""
        answered: Future[Any] = Future()
        try:
            asked = self._executor.submit(_answer, release(), function, *arguments)
        except Exception as error:  # Dask has many for a connection that is closed
            raise BrokenExecutor(told(error)) from error
        asked.add_done_callback(partial(_hand_on, answered))
        return answered

    def lost(self) -> bool:
        """Return False: of lost workers the scheduler knows, and of a lost scheduler the client."""
        return False

    def dismiss(self) -> None:
        """Leave the cluster."""
        self.abandon()

    def abandon(self) -> None:
        """Leave the cluster: chunks that wait are played by nobody, and what comes of others is not kept."""
        leaving = threading.Thread(target=self._leave, daemon=True)
        leaving.start()
        try:
            leaving.join(LEAVE_SECONDS)
        finally:
            self._close_log()

    def _leave(self) -> None:
        with suppress(Exception):
            self._executor.shutdown(wait=False)
        with suppress(Exception):
            self._client.close(LEAVE_SECONDS)

    def _close_log(self) -> None:
        logging.getLogger().removeHandler(self._log)
        logging.getLogger("agari").setLevel(self._level)
        self._log.close()


def _hand_on(answered: Future[Any], asked: Future[Any]) -> None:
    """Settle a future of a crew when that of Dask is."""
    from distributed import KilledWorker

    try:
        answer = asked.result()
    except (CancelledError, KilledWorker) as error:
        answered.set_exception(BrokenExecutor(told(error)))
    except Unfit as error:
        answered.set_exception(error)
    except Exception as error:  # the function could not even be loaded, or what it returned
        problem = told(error.__cause__ or error)
        line = f"the scheduler or a worker cannot load agari {release()}, which this runner has: {problem}"
        answered.set_exception(Unfit(line))
    else:
        for record in answer.lines:
            logging.getLogger(record.name).handle(record)
        if answer.error is None:
            answered.set_result(answer.value)
        else:
            answered.set_exception(answer.error)


@cache
def release() -> str:
    """Return the version of this package, and a hash of the sources from which this process has it."""
    return f"{version('agari')} ({source_hash('experiments')})"


# In a worker


def dask_setup(worker: Any) -> None:
    """Leave Ctrl-C to the runner: Dask calls this at the start of a worker that preloads this module."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class _Answer(NamedTuple):
    value: Any
    error: BaseException | None
    lines: list[logging.LogRecord]


_playing = threading.Lock()


def _answer(wanted: str, function: Callable[..., Any], *arguments: Any) -> _Answer:
    """Call a function and return what comes of it, be it an error: Dask would have it run away with the log lines.

    Agents know of no other threads, so of several threads of a worker the others wait. Raises Unfit where this worker
    has another release than wanted.
    """
    if release() != wanted:
        raise Unfit(f"the worker {_own_name()} has agari {release()}, this runner {wanted}: install the same for both")
    with _playing, _log_lines() as lines:
        value = problem = None
        try:
            value = function(*arguments)
        except BaseException as error:
            logger.info("stopped by an error", exc_info=error)
            problem = error
    return _Answer(value, problem, [lines.get() for _ in range(lines.qsize())])


class _Lines(QueueHandler):
    """Puts log lines into a queue, as they can be sent, in the name of this worker."""

    def prepare(self, record: logging.LogRecord) -> Any:
        """Return a line as it can be sent."""
        prepared = super().prepare(record)
        prepared.processName = _own_name()
        return prepared


@contextmanager
def _log_lines() -> Iterator[SimpleQueue[logging.LogRecord]]:
    """Put what is logged in a block into a queue."""
    lines: SimpleQueue[logging.LogRecord] = SimpleQueue()
    handler = _Lines(lines)
    send_lines_to(handler)
    try:
        _warn_of_threads()
        yield lines
    finally:
        logging.getLogger().removeHandler(handler)


@cache
def _warn_of_threads() -> None:
    from distributed import get_worker

    threads = get_worker().state.nthreads
    if threads > 1:
        logger.warning("of the %d threads of this worker one plays: start more workers with --nthreads 1", threads)


def _own_name() -> str:
    from distributed import get_worker

    return get_worker().address
