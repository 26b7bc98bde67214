"""A tournament: what is to be played, the chunks that workers play, and the runner, which alone writes.

A run is a directory (`store.py`). Its rows follow from its plan alone, whatever the number of workers, and a chunk is
done or is not: so a run that was stopped in any way goes on with the chunks that it lacks.
"""

import json
import logging
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from ..agents.match import AgentFault, EndlessGame, PlayedGame, play_match
from ..agents.registry import AGENTS, describe_options, is_foreign, parse_agent, plays
from ..sim.errors import InputError, shorten
from ..sim.rng import key_of
from .columns import TABLES
from .machines import OpenCrew, crew_opener
from .plan import Plan, examine, make_plan, manifest_of, plan_of, versions
from .schedule import Match, match_of
from .sequential import Answer, Trial, differences
from .store import (
    Row,
    Run,
    create_run,
    drop_parts,
    encode_part,
    finished_chunks,
    load,
    lock_run,
    new_file,
    read_manifest,
    write_part,
)
from .workers import Crew, Unfit

LOG = "run.log"
TICK_SECONDS = 0.25  # how often the runner looks up while it waits
DEADLY = 3  # so many times may the worker of a chunk die before the run ends

logger = logging.getLogger(__name__)


class RunStopped(Exception):
    """A run ended before its time; the message is one line for people. What is done stays."""


class Deal(NamedTuple):
    """A game of a tournament."""

    match: int
    arm: str  # its name, empty in a tournament
    rotation: int
    game: int
    seed: int

    @property
    def name(self) -> str:
        """Return what tells it apart in its run."""
        arm = f", {self.arm}" if self.arm else ""
        return f"match {self.match}{arm}, rotation {self.rotation}, game {self.game}"

    def __str__(self) -> str:
        return f"{self.name}, deal seed {self.seed}"


class DealFault(Exception):
    """Agents failed in a deal: raised in a worker, and pickled on its way to the runner.

    There is no position where an agent failed before the cards were dealt.
    """

    def __init__(self, deal: Deal, problem: str, position: dict[str, Any] | None) -> None:
        super().__init__(deal, problem, position)
        self.deal, self.problem, self.position = deal, problem, position

    def __str__(self) -> str:
        return f"{self.problem}; {self.deal}"


class Progress(NamedTuple):
    """How far a run has come."""

    matches_done: int
    matches: int
    seconds_left: float | None  #: None: nothing is known yet
    answer: Answer | None = None  #: so far, to the question that ends the run


class Chunk(NamedTuple):
    """The rows of a chunk."""

    results: list[Row]
    games: list[Row]


class Parts(NamedTuple):
    """What a worker returns: both parts of a chunk, encoded, and the seconds that they took it."""

    results: bytes
    games: bytes
    differences: list[float]  # what the matches say to the question of the run, if it has one
    seconds: float


def run(
    directory: Path | str,
    agents: str,
    matches: int,
    *,
    game: str = "federation",
    players: int | None = None,
    options: Iterable[tuple[str, str]] = (),
    games: int | None = None,
    seed: int = 0,
    until: str | None = None,
    alpha: float | None = None,
    workers: int | None = None,
    tell: Callable[[Progress], None] | None = None,
    executor: str | None = None,
) -> Run:
    """Play a tournament into a new directory, and return what there is then.

    Args:
        agents: such as ``mc(playouts=200),greedy,random``. Fewer than the seats repeat; of more, each match has some.
        matches: how many; each is played once for each rotation of its agents.
        game: name of a ruleset, with `options` of it set to other values (text).
        games: in a match; by default the ruleset's first choice.
        until: a question ``A > B`` about two agents; the run ends when the answer is clear, or with the last match.
        alpha: the probability with which that answer may be wrong, by default 0.05.
        workers: processes; by default one for each core that this process may use. The rows do not depend on it.
        tell: called with the progress several times a second.
        executor: who plays: by default processes of this machine; ``dask`` or ``dask://HOST:PORT`` (`machines.py`).

    Raises:
        InputError: something given is impossible, or the directory cannot be used.
        RunStopped: agents failed, or a chunk ended its worker again and again. What is done stays.
    """
    plan = make_plan(agents, matches, game, players, options, games, seed, until, alpha)
    return run_plan(directory, plan, workers, tell, executor)


def run_plan(
    directory: Path | str,
    plan: Plan,
    workers: int | None = None,
    tell: Callable[[Progress], None] | None = None,
    executor: str | None = None,
) -> Run:
    """Play what a plan says into a new directory; the other arguments and errors as for `run`."""
    open_crew = crew_opener(executor, workers)
    _warm_up(plan)
    create_run(directory, manifest_of(plan))
    return _play(Path(directory), plan, open_crew, tell)


def resume(
    directory: Path | str,
    workers: int | None = None,
    tell: Callable[[Progress], None] | None = None,
    executor: str | None = None,
) -> Run:
    """Play what a run still lacks, and return what there is then; arguments and errors as for `run`."""
    plan = plan_of(read_manifest(directory))
    examine(plan.agents, plan.game)
    open_crew = crew_opener(executor, workers)
    _warm_up(plan)
    return _play(Path(directory), plan, open_crew, tell)


_warm: set[tuple[Any, ...]] = set()  # rules and agents whose kernels this process has


def _warm_up(plan: Plan) -> None:
    """Compile or load the kernels that the agents need, once in a process: in the runner before workers are forked.

    Only our own agents play here, all of them where others take part: those may be built upon any of ours.
    """
    if (plan.ruleset, plan.rules, plan.agents) in _warm:
        return
    for name, agent_class in AGENTS.items():
        wanted = name == "random" or any(is_foreign(label) or label.partition("(")[0] == name for label in plan.agents)
        if wanted and plays(agent_class, plan.game.name):
            agents = (_at_its_quickest(name), "random")
            play_chunk(plan._replace(agents=agents, games=1, matches=1, arms=plan.arms[:1]), 0)
    _warm.add((plan.ruleset, plan.rules, plan.agents))


def _at_its_quickest(name: str) -> str:
    """Return an agent that has the kernels of one of ours: a search with a single playout, since games may be long."""
    for search, agent_class in AGENTS.items():
        if issubclass(AGENTS[name], agent_class) and "playouts" in describe_options(agent_class):
            return f"{search}(playouts=1)"
    return name


# In a worker


def play_in_worker(plan: Plan, chunk: int) -> Parts:
    """Play a chunk in a worker, which may have no kernels yet; raises `DealFault` where agents fail."""
    _warm_up(plan)
    began = time.perf_counter()
    played = play_chunk(plan, chunk)
    results, games = (encode_part(plan.game, table, rows) for table, rows in zip(TABLES, played, strict=True))
    answers = differences(played.results, plan.until).tolist() if plan.until else []
    seconds = time.perf_counter() - began
    numbers = plan.numbers(chunk)
    logger.info("chunk %d, matches %d to %d: %.2f s", chunk, numbers[0], numbers[-1], seconds)
    return Parts(results, games, answers, seconds)


def play_chunk(plan: Plan, chunk: int) -> Chunk:
    """Play the matches of a chunk in all arms and rotations; raises `DealFault` where agents fail."""
    results: list[Row] = []
    games: list[Row] = []
    seats = plan.rules.players
    for number in plan.numbers(chunk):
        match = match_of(number, len(plan.agents), seats, plan.seed)
        # In a study, rotations that only change copies of an agent for each other would add games, but no other ones.
        rotations = match.rotations(plan.agents) if plan.is_study else seats
        for arm, rotation in product(range(len(plan.arms)), range(rotations)):
            for played, labels in _play_rotation(plan, match, arm, rotation):
                results += _result_rows(plan, match, arm, rotation, played, labels)
                games.append(_game_row(plan, match, arm, rotation, played))
    return Chunk(results, games)


def _play_rotation(plan: Plan, match: Match, arm: int, rotation: int) -> Iterator[tuple[PlayedGame, list[str]]]:
    """Yield each game of a match in one arm and rotation, with the labels of the agents by seat."""
    labels = [plan.agents[agent] for agent in match.seated(rotation)]
    _, rules, staged = plan.arms[arm]
    number = 0

    def fault(problem: str, who: str = "", position: dict[str, Any] | None = None) -> DealFault:
        deal = Deal(match.number, plan.arms[arm].name, rotation, number, key_of(match.key, number))
        return DealFault(deal, problem, position and {"id": f"{who}: {deal}", **position})

    try:
        agents = [_spec_of(label).build() for label in labels]
        for played in play_match(plan.game, rules, agents, labels, plan.games, match.key, rotation, staged):
            yield played, [labels[participant] for participant in played.participants]
            number += 1
    except AgentFault as error:
        problem = f"agent {shorten(error.agent)} {error.problem}"
        if error.__cause__ is not None:
            logger.error("%s", problem, exc_info=error.__cause__)
        raise fault(problem, error.agent, error.position) from error
    except EndlessGame as error:
        who = ", ".join(labels)
        raise fault(f"agents {shorten(who)}: {error}", who, error.position) from error
    except InputError as error:  # from an agent that could be built before and now cannot
        raise fault(str(error)) from error


_spec_of = cache(parse_agent)


def _result_rows(
    plan: Plan, match: Match, arm: int, rotation: int, played: PlayedGame, labels: Sequence[str]
) -> Iterator[Row]:
    """Yield the row of each seat (`columns.columns_of`)."""
    for seat, outcome in enumerate(plan.game.outcome(plan.arms[arm].rules, played.state)):
        yield {
            "match": match.number,
            "arm": arm,
            "game": played.number,
            "deal": match.number * plan.games + played.number,
            "deal_seed": played.deal_key,
            "rotation": rotation,
            "seat": seat,
            "participant": played.participants[seat],
            "agent": labels[seat],
            **outcome,
            "plays": played.plays[seat],
            "decisions": played.decisions[seat],
            "seconds": played.seconds[seat],
        }


def _game_row(plan: Plan, match: Match, arm: int, rotation: int, played: PlayedGame) -> Row:
    """Return the row of a game (`columns.GAMES`)."""
    _, rules, _ = plan.arms[arm]
    deal = Deal(match.number, plan.arms[arm].name, rotation, played.number, played.deal_key)
    return {
        "match": match.number,
        "arm": arm,
        "game": played.number,
        "rotation": rotation,
        "deal_seed": played.deal_key,
        "record": json.dumps({"id": deal.name, **plan.game.record(rules, played.state, played.moves)}),
    }


# The runner


def _play(directory: Path, plan: Plan, open_crew: OpenCrew, tell: Callable[[Progress], None] | None) -> Run:
    """Play the chunks that a run lacks, or those up to the one with which its question is answered."""
    with lock_run(directory) as lock:
        finished = finished_chunks(directory, thorough=True)
        trial = trial_of(Run(directory, read_manifest(directory), frozenset(finished)))
        missing = [chunk for chunk in range(plan.chunks) if chunk not in finished]
        if missing and not (trial and trial.answered):
            opened = partial(open_crew, len(missing), directory / LOG, lock)
            _Runner(directory, plan, missing, trial, opened, tell).play()
        if trial and trial.last is not None:
            drop_parts(directory, trial.last)
    return load(directory)


def trial_of(run: Run) -> Trial | None:
    """Return what the matches of a run say to its question, None if it has none."""
    plan = plan_of(run.manifest)
    if plan.until is None:
        return None
    trial = Trial(plan.until)
    found = differences(run.table("results", ["match", "agent", "points"]), plan.until)
    for chunk in sorted(run.chunks):
        numbers = plan.numbers(chunk)
        trial.note(chunk, found.loc[numbers[0] : numbers[-1]])
    return trial


class _Runner:
    """Hands chunks to a crew and writes what comes back; has another crew do again what a dead one lost."""

    def __init__(
        self,
        directory: Path,
        plan: Plan,
        missing: Sequence[int],
        trial: Trial | None,
        open_crew: Callable[[], Crew],
        tell: Callable[[Progress], None] | None,
    ) -> None:
        self.directory, self.plan, self.open_crew = directory, plan, open_crew
        self.tell = tell or (lambda progress: None)
        self.trial = trial
        self.fresh = iter(missing)
        self.lost: list[int] = []  # chunks to be done again
        self.deaths: Counter[int] = Counter()  # by chunk: how many crews were lost while it was in work
        self.at_work: dict[Future[Parts], int] = {}
        self.faults: dict[int, BaseException] = {}  # by chunk
        self.forecast = _Forecast(plan, missing)

    def play(self) -> None:
        """Play all; raises RunStopped where that is not possible."""
        self.crew = self.open_crew()
        try:
            logger.info("%d matches to play with %d workers", self.forecast.matches_left, self.crew.workers)
            logger.info("played with %s", ", ".join(f"{name} {version}" for name, version in versions().items()))
            self._tell()
            while self.forecast.matches_left and not (self.trial and self.trial.answered):
                self._hand_out()
                self._collect()
                self.forecast.pass_time(self.crew.workers)
                self._tell()
            logger.info("played: %s", self.forecast.summary())
            if self.trial and self.trial.answered:
                logger.info("%s: %s", self.trial.question, self.trial.answer.verdict)
                self.crew.abandon()  # whatever is still at work is not wanted
            else:
                logger.info("all is played")
                self.crew.dismiss()
        except BaseException as error:
            logger.info("stopped: %s", " ".join(f"{type(error).__name__} {error}".split()))
            self.crew.abandon()
            raise

    def _tell(self) -> None:
        progress = self.forecast.progress(self.crew.workers)
        self.tell(progress._replace(answer=self.trial.answer) if self.trial else progress)

    def _hand_out(self) -> None:
        """Give the crew what it can have now."""
        while len(self.at_work) < 2 * max(self.crew.workers, 1) and (chunk := self._next()) is not None:
            try:
                self.at_work[self.crew.submit(play_in_worker, self.plan, chunk)] = chunk
            except BrokenExecutor:
                self.lost.insert(0, chunk)
                self._renew()

    def _next(self) -> int | None:
        """Return the chunk to play next, None if it has to wait or there is none.

        One that was in work when two crews were lost is played alone: if it is lost once more, it is the culprit.
        """

        def suspect(chunk: int) -> bool:
            return self.deaths[chunk] == DEADLY - 1

        if any(map(suspect, self.at_work.values())):
            return None
        if not self.lost:
            return next(self.fresh, None)
        return None if suspect(self.lost[0]) and self.at_work else self.lost.pop(0)

    def _collect(self) -> None:
        """Write the chunks that are done by now; wait a moment for one."""
        done, _ = wait(self.at_work, TICK_SECONDS, FIRST_COMPLETED)
        broken = self.crew.lost()
        for future in sorted(done, key=self.at_work.__getitem__):
            error = future.exception()
            if isinstance(error, BrokenExecutor):
                broken = True
                continue
            chunk = self.at_work.pop(future)
            if error is not None:
                self.faults[chunk] = error
                continue
            began = time.perf_counter()
            played = future.result()
            write_part(self.directory, chunk, played.results, played.games)
            self.forecast.note(chunk, played.seconds, time.perf_counter() - began)
            if self.trial:
                self.trial.note(chunk, played.differences)
        for chunk, error in self.faults.items():
            if self.trial and (self.trial.answered or chunk != self.trial.next):
                continue  # the run has ended before it, or may still
            raise self._stopped_by(chunk, error) from error
        if broken:
            self._renew()

    def _renew(self) -> None:
        """Leave a crew that has lost a worker, and open another for what it had in work."""
        self.crew.abandon()
        chunks = sorted(self.at_work.values())
        self.at_work.clear()
        self.deaths.update(chunks)
        try:
            self.crew = self.open_crew()
        except InputError as error:  # such as no scheduler any more
            raise RunStopped(f"{error}; what is done stays in {self.directory}") from error
        logger.warning("a worker died: chunks %s are played again by new workers", chunks)
        for chunk in chunks:
            if self.deaths[chunk] >= DEADLY:
                numbers = self.plan.numbers(chunk)
                matches = f"match {numbers[0]}" if len(numbers) == 1 else f"matches {numbers[0]} to {numbers[-1]}"
                raise RunStopped(
                    f"{matches}: the process that played it died {DEADLY} times, by an agent or for want of memory; "
                    f"what is done stays in {self.directory}"
                )
        # Those that may be the culprit come last, so that little has to wait while they are played alone.
        self.lost = sorted({*self.lost, *chunks}, key=lambda chunk: (self.deaths[chunk], chunk))

    def _stopped_by(self, chunk: int, error: BaseException) -> RunStopped:
        """Return the error that ends the run after an error in a chunk."""
        if isinstance(error, Unfit):
            return RunStopped(_one_line(f"{error}; what is done stays in {self.directory}"))
        if not isinstance(error, DealFault):
            logger.error("chunk %d failed", chunk, exc_info=error)
            problem = _one_line("".join(traceback.format_exception_only(error)))
            return RunStopped(f"chunk {chunk} failed with {problem}; see {self.directory / LOG}")
        if error.position is None:
            return RunStopped(_one_line(f"{error}{self.crew.advice}"))
        deal = error.deal
        path = self.directory / f"fault-match-{deal.match}-rotation-{deal.rotation}-game-{deal.game}.json"
        with new_file(path, make_folder=False) as file:
            file.write(json.dumps(error.position).encode() + b"\n")
        return RunStopped(_one_line(f"{error}; the position is in {path}"))


def _one_line(text: str) -> str:
    return " ".join(text.split())


class _Forecast:
    """Knows what is left to play, and from the times measured how long it may take."""

    def __init__(self, plan: Plan, missing: Iterable[int]) -> None:
        self.plan = plan
        self.chunks_left = self.matches_left = self.matches_played = 0
        for chunk in missing:
            self.chunks_left += 1
            self.matches_left += len(plan.numbers(chunk))
        self.playing = self.writing = 0.0  # seconds, in all workers and in the runner
        self.offered = 0.0  # seconds, those of each worker that was there
        self.began = self.last = self.now = time.monotonic()

    def note(self, chunk: int, playing: float, writing: float) -> None:
        """Take note of a chunk that is done and of the seconds that it took."""
        matches = len(self.plan.numbers(chunk))
        self.chunks_left -= 1
        self.matches_left -= matches
        self.matches_played += matches
        self.playing += playing
        self.writing += writing
        self.last = time.monotonic()

    def pass_time(self, workers: int) -> None:
        """Take note that so many workers were there until now."""
        before, self.now = self.now, time.monotonic()
        self.offered += (self.now - before) * workers

    def summary(self) -> str:
        """Return what was played and how busy it kept the workers: a worker is busy while it has a chunk."""
        busy = f", workers busy {self.playing / self.offered:.1%}" if self.offered else ""
        return f"{self.matches_played} matches in {self.now - self.began:.1f} s{busy}"

    def progress(self, workers: int) -> Progress:
        """Return how far the run has come, with so many workers."""
        return Progress(self.plan.matches - self.matches_left, self.plan.matches, self._seconds_left(workers))

    def _seconds_left(self, workers: int) -> float | None:
        if self.matches_left == 0:
            return 0.0
        if self.matches_played == 0 or workers == 0:
            return None
        # It waits either for the workers, as many as still have something to do, or for the one that writes.
        seconds = max(self.playing / min(workers, self.chunks_left), self.writing) / self.matches_played
        return max(self.matches_left * seconds - (time.monotonic() - self.last), 0.0)
