"""What the program costs: move generation, games, playouts, start-up; each beside the naive twin in the same run.

All figures are for one core, in CPU time of the thread (start-up: by the clock on the wall), after one call that loads
or compiles the kernel. Position sets are fresh positions of uniformly random games (uniform over the listed moves, a
pass included): each is generated from once, in batches that fit the second-level cache and are read once before, since
a search has its position in the cache too. Figures are the lower quartile of the times of batches, since what else a
shared machine does only adds; those of generation are less what an empty call from Python takes.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from statistics import median
from time import thread_time
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from ..agents.match import play_match
from ..agents.policies import POLICIES, RandomAgent
from ..agents.registry import AGENTS
from ..agents.view import View, view_of
from ..sim.game import Game, blank, deal, decision_kind, hand_size, legal_moves, moves_dtype, play
from ..sim.games import Ruleset
from ..sim.kernels import copy_record, kernel
from ..sim.perft import perft
from ..sim.rng import advance, below, derive, key_of

BATCH = 2048
ALL = -1
ENOUGH = 100_000  # games from which a set of positions is picked; what is rarer is left out
SEED = 7
TWIN_SECONDS = 1.0


class Figure(NamedTuple):
    """One measured figure; `twin` is the same thing done by the naive twin, in the same unit."""

    name: str
    value: float
    unit: str
    twin: float | None
    of: str  # on what it was measured

    @property
    def ratio(self) -> float | None:
        """How many times faster than the twin."""
        if self.twin is None:
            return None
        return self.twin / self.value if self.unit in ("ns", "s") else self.value / self.twin


class Generation(NamedTuple):
    """What move generation costs in a set of positions."""

    kind: str  #: of the decision, out of `Game.decision_kinds`; "all": any
    cards: int | None  #: how many the seat to act holds, None: any number
    positions: int  #: how many there are
    moves: float  #: legal moves of a position, mean
    nanoseconds: float  #: that the moves of a position take
    twin: float | None  #: the same of the naive twin, None where it is not there

    def figure(self) -> Figure:
        """Return it as a figure of the benchmark."""
        name = f"generation, {self.kind}" + ("" if self.cards is None else f", {self.cards} cards")
        of = f"{self.positions:,} positions of random games, seed {SEED}, {self.moves:.1f} moves each"
        return Figure(name, self.nanoseconds, "ns", self.twin, of)


@kernel
def random_games(rules, state, moves, games, key):
    """Deal and play uniformly random games; return the number of decisions."""
    decisions = 0
    for game in range(games):
        stream = derive(key, game)
        deal(rules, state, 0, stream)
        while state.turn >= 0:
            count = legal_moves(rules, state, moves)
            stream = advance(stream)
            play(rules, state, moves.list[below(stream, count)])
            decisions += 1
    return decisions


@kernel
def collect(rules, state, moves, key, positions, kind, size):
    """Fill `positions` from random games with those of a kind of decision and a hand size (`ALL`: any).

    Returns how many were found in `ENOUGH` games.
    """
    found = 0
    for game in range(ENOUGH):
        stream = derive(key, game)
        deal(rules, state, 0, stream)
        while state.turn >= 0:
            fits = kind == ALL or decision_kind(rules, state) == kind
            if fits and (size == ALL or hand_size(rules, state, state.turn) == size):
                copy_record(positions[found], state)
                found += 1
                if found == len(positions):
                    return found
            count = legal_moves(rules, state, moves)
            stream = advance(stream)
            play(rules, state, moves.list[below(stream, count)])
    return found


@kernel
def generate(rules, positions, moves):
    """Generate the moves of each position; return how many there are in all."""
    total = 0
    for index in range(len(positions)):
        total += legal_moves(rules, positions[index], moves)
    return total


@kernel
def touch(positions, state):
    """Read each position, so that it lies in the cache; `state` is room."""
    for index in range(len(positions)):
        copy_record(state, positions[index])


class PythonRandom:
    """A random agent in Python, for what an agent in Python costs."""

    def choose(self, view: View) -> int:
        """Return any legal move, by the decision's key."""
        return int(view.moves[view.key % len(view.moves)])


def lower_quartile(times: list[float]) -> float:
    """Return the time that a quarter of the times are below."""
    return sorted(times)[len(times) // 4]


def naive_twin(game: Game) -> ModuleType | None:
    """Return the naive twin of a game in the tests, None where the program is installed without them."""
    path = Path(__file__).parent.parent / "tests" / "naive" / f"{game.name}.py"
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location("agari_naive_twin", path)
    assert spec is not None
    assert spec.loader is not None
    twin = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(twin)
    return twin


class Bench:
    """The measurements of one ruleset."""

    def __init__(self, ruleset: Ruleset, positions: int, games: int) -> None:
        self.ruleset, self.rules, self.game = ruleset, ruleset.rules, ruleset.game
        self.positions, self.games = positions, games
        self.state, self.moves = blank(self.game.state_dtype), blank(moves_dtype(self.game.max_moves))
        self.twin = naive_twin(self.game)
        self.twin_rules = self.game.options.format(self.rules)

    def figures(self) -> Iterator[Figure]:
        """Yield the figures, one after the other."""
        yield from (generation.figure() for generation in self.generations())
        yield from self.random_play()
        yield self.perft_nodes()
        yield from self.agent_games()
        yield from self.playouts()
        yield from start_up(self.ruleset)

    def generations(self) -> Iterator[Generation]:
        """Yield what generation costs in the position sets: by kind of decision, and by hand size too."""
        deal(self.rules, self.state, 0, key_of(SEED, 0))
        largest = max(int(hand_size(self.rules, self.state, seat)) for seat in range(self.rules.players))
        kinds = range(len(self.game.decision_kinds))
        for kind in (ALL, *kinds):
            yield from self.generation_of(kind, ALL, self.positions)
        for kind, size in product(kinds, range(1, largest + 1)):
            yield from self.generation_of(kind, size, self.positions // 8)

    def generation_of(self, kind: int, size: int, wanted: int) -> Iterator[Generation]:
        """Yield what generation costs in one set of positions, nothing where there are too few of them."""
        positions = np.zeros(min(BATCH, max(1, wanted)), self.game.state_dtype)
        batches = max(1, wanted // len(positions))
        elapsed, moves = [], 0
        generate(self.rules, positions[:0], self.moves)
        for batch in range(batches):
            key = key_of(SEED, batch)
            if collect(self.rules, self.state, self.moves, key, positions, kind, size) < len(positions):
                return
            touch(positions, self.state)  # rare positions took so long to find that they have left the cache
            began = thread_time()
            moves += generate(self.rules, positions, self.moves)
            elapsed.append(thread_time() - began)
        count = batches * len(positions)
        cost = lower_quartile(elapsed) - self.empty_call(positions)
        yield Generation(
            kind="all" if kind == ALL else self.game.decision_kinds[kind],
            cards=None if size == ALL else size,
            positions=count,
            moves=moves / count,
            nanoseconds=cost / len(positions) * 1e9,
            twin=self.twin_time(positions, TWIN_SECONDS if size == ALL else TWIN_SECONDS / 10),
        )

    def empty_call(self, positions: np.ndarray) -> float:
        """Return the seconds that timing and calling a kernel from Python take, with nothing to do."""
        elapsed = []
        for _ in range(200):
            began = thread_time()
            generate(self.rules, positions[:0], self.moves)
            elapsed.append(thread_time() - began)
        return lower_quartile(elapsed)

    def twin_time(self, positions: np.ndarray, seconds: float) -> float | None:
        """Return nanoseconds that the twin takes for one generation, over as many positions as the time allows."""
        if self.twin is None:
            return None
        most = int(2000 * seconds / TWIN_SECONDS)
        states = [self.game.format_state(self.rules, position) for position in positions[:most]]
        began, done = thread_time(), 0
        for state in states:
            self.twin.legal(self.twin_rules, state)
            done += 1
            if thread_time() - began > seconds:
                break
        return (thread_time() - began) / done * 1e9

    def random_play(self) -> Iterator[Figure]:
        """Yield games, decisions and moves a second in uniformly random games, dealt and played in one kernel."""
        parts = 20
        random_games(self.rules, self.state, self.moves, 1, 0)
        games = max(1, self.games // parts)
        elapsed, decisions = [], 0
        for part in range(parts):
            began = thread_time()
            decisions += random_games(self.rules, self.state, self.moves, games, key_of(SEED, part))
            elapsed.append(thread_time() - began)
        each = decisions / (games * parts)
        of = f"{games * parts:,} games, seed {SEED}, {each:.1f} decisions a game"
        rate = games / lower_quartile(elapsed)
        twin_games = self.twin_rate(None)
        yield Figure("random games, dealt and played", rate, "games/s", twin_games, of)
        yield Figure(
            "random games, decisions", rate * each, "moves/s", None if not twin_games else twin_games * each, of
        )

    def twin_rate(self, positions: np.ndarray | None) -> float | None:
        """Return random games a second of the twin, from positions (None: from deals, which are not timed)."""
        if self.twin is None:
            return None
        elapsed, games = 0.0, 0
        while elapsed < TWIN_SECONDS:
            if positions is None:
                deal(self.rules, self.state, 0, key_of(SEED, games))
            begin = self.state if positions is None else positions[games % len(positions)]
            state, stream = self.game.format_state(self.rules, begin), key_of(SEED, games, 1)
            began = thread_time()
            while state["turn"] is not None:
                legal = sorted(self.twin.legal(self.twin_rules, state))
                stream = int(advance(stream))
                state = self.twin.apply(self.twin_rules, state, legal[int(below(stream, len(legal)))])
            elapsed += thread_time() - began
            games += 1
        return games / elapsed

    def perft_nodes(self) -> Figure:
        """Return perft nodes a second from a deal."""
        deal(self.rules, self.state, 0, key_of(SEED, 0))
        depth, twin_depth = 6, 3
        perft(self.rules, self.state, 2)
        began = thread_time()
        nodes = int(sum(perft(self.rules, self.state, depth)))
        rate = nodes / (thread_time() - began)
        twin = None
        if self.twin is not None:
            began = thread_time()
            counts = self.twin.perft(self.twin_rules, self.game.format_state(self.rules, self.state), twin_depth)
            twin = sum(counts) / (thread_time() - began)
        return Figure("perft", rate, "nodes/s", twin, f"depth {depth} from deal {SEED}/0, {nodes:,} nodes")

    def agent_games(self) -> Iterator[Figure]:
        """Yield games a second as a tournament plays them: with policies, and with agents in Python."""
        twin = self.twin_rate(None)
        for name, agent in (("policies", RandomAgent()), ("agents in Python", PythonRandom())):
            games = max(4, self.games // 1000)
            agents = [agent] * self.rules.players
            for number in (1, games):
                began = thread_time()
                list(play_match(self.game, self.rules, agents, ["random"] * len(agents), number, key_of(SEED)))
                rate = number / (thread_time() - began)
            of = f"{games} games of one match; the twin's are single random games"
            yield Figure(f"tournament games, {name}", rate, "games/s", twin, of)

    def playouts(self) -> Iterator[Figure]:
        """Yield playouts a second of the searches, from the deal and from the middle of games."""
        for search, policy in product(("mc", "ismcts"), POLICIES):
            agent: Any = AGENTS[search](playouts=1000, policy=policy)
            for name in ("from the deal", "from half-played hands"):
                positions = np.zeros(20, self.game.state_dtype)
                for index in range(len(positions)):
                    deal(self.rules, positions[index], 0, key_of(SEED, index))
                if name != "from the deal":
                    half = int(hand_size(self.rules, positions[0], 0)) // 2
                    collect(self.rules, self.state, self.moves, key_of(SEED), positions, ALL, half)
                done, elapsed = 0, 0.0
                for index, position in enumerate(positions):
                    view = view_of(self.game, self.rules, position, index)
                    if index == 0:
                        agent.think(view)
                    began = thread_time()
                    done += int(agent.think(view).playouts.sum())
                    elapsed += thread_time() - began
                of = f"{len(positions)} decisions of 1,000 playouts, worlds included"
                twin = self.twin_rate(positions) if (search, policy) == ("mc", "random") else None
                yield Figure(f"{search} playouts, policy {policy}, {name}", done / elapsed, "playouts/s", twin, of)


def start_up(ruleset: Ruleset) -> Iterator[Figure]:
    """Yield the time of one `agari legal` as a process: with no kernel compiled yet, and with all of them on disk."""
    state = blank(ruleset.game.state_dtype)
    deal(ruleset.rules, state, 0, key_of(SEED, 0))
    rules, dealt = ruleset.game.options.format(ruleset.rules), ruleset.game.format_state(ruleset.rules, state)
    line = json.dumps({"id": 1, "rules": rules, "state": dealt})
    command = [sys.executable, "-m", "agari.experiments.cli", "legal", "--game", ruleset.name, "-"]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for name, runs in (("cold", 1), ("warm", 5)):
            elapsed = []
            for _ in range(runs):
                began = time.perf_counter()
                subprocess.run(command, input=line, text=True, env=environment, check=True, capture_output=True)
                elapsed.append(time.perf_counter() - began)
            of = f"`agari legal` on one position as a process, {runs} run(s)"
            yield Figure(f"start-up, {name}", median(elapsed), "s", None, of)


def peers(seconds: float = 2.0) -> Iterator[Figure]:
    """Yield random games and moves a second of the nearest games of OpenSpiel and RLCard, where they are installed."""
    for name, maker in (
        ("OpenSpiel dou_dizhu", _open_spiel("dou_dizhu")),
        ("OpenSpiel crazy_eights", _open_spiel("crazy_eights")),
        ("OpenSpiel hearts", _open_spiel("hearts")),
        ("RLCard doudizhu", _rlcard("doudizhu")),
    ):
        if maker is None:
            continue
        play_one = maker()
        games = moves = 0
        began = thread_time()
        while thread_time() - began < seconds:
            moves += play_one()
            games += 1
        elapsed = thread_time() - began
        of = f"{games} random games from Python, {moves / games:.1f} moves a game"
        yield Figure(f"{name}, games", games / elapsed, "games/s", None, of)
        yield Figure(f"{name}, moves", moves / elapsed, "moves/s", None, of)
    if importlib.util.find_spec("pyspiel") is not None:
        yield _open_spiel_search(seconds)


def _open_spiel_search(seconds: float) -> Figure:
    """Return playouts a second of OpenSpiel's own IS-MCTS, which is C++, at the first decision of a deal of hearts."""
    import pyspiel

    playouts, random = 1000, np.random.default_rng(SEED)
    state = pyspiel.load_game("hearts(pass_cards=false)").new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) == 1:  # the deal, and the card that has to be led
        actions = state.legal_actions()
        state.apply_action(actions[random.integers(len(actions))])
    bot = pyspiel.ISMCTSBot(SEED, pyspiel.RandomRolloutEvaluator(1, SEED), 2.0, playouts)
    began, done = thread_time(), 0
    while thread_time() - began < seconds:
        bot.step(state)
        done += playouts
    of = f"decisions of {playouts:,} random playouts in hearts, worlds included"
    return Figure("OpenSpiel ismcts playouts", done / (thread_time() - began), "playouts/s", None, of)


def _open_spiel(name: str) -> Callable[[], Callable[[], int]] | None:
    if importlib.util.find_spec("pyspiel") is None:
        return None

    def make() -> Callable[[], int]:
        import pyspiel

        game, random = pyspiel.load_game(name), np.random.default_rng(SEED)

        def play_one() -> int:
            state, moves = game.new_initial_state(), 0
            while not state.is_terminal():
                actions = state.legal_actions()
                moves += not state.is_chance_node()
                state.apply_action(actions[random.integers(len(actions))])
            return moves

        return play_one

    return make


def _rlcard(name: str) -> Callable[[], Callable[[], int]] | None:
    if importlib.util.find_spec("rlcard") is None:
        return None

    def make() -> Callable[[], int]:
        import rlcard

        environment, random = rlcard.make(name, config={"seed": SEED}), np.random.default_rng(SEED)

        def play_one() -> int:
            state, _ = environment.reset()
            moves = 0
            while not environment.is_over():
                actions = list(state["legal_actions"])
                state, _ = environment.step(actions[random.integers(len(actions))])
                moves += 1
            return moves

        return play_one

    return make
