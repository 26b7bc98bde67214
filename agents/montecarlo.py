"""Monte Carlo with determinization: try every move in worlds that could be the true one, and play each out.

All moves meet the same worlds in the same order, so that luck of the deal does not come between them, and a bandit
spends the budget on the moves that still can be best (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the
multiarmed bandit problem", 2002; for card games see Ginsberg, "GIB", 2001). Written once for all games.
"""

import math
import time
from typing import Any, NamedTuple

import numpy as np

from ..sim.errors import InputError, shorten
from ..sim.game import blank, moves_dtype, payoff, play, redeal, search_moves
from ..sim.kernels import copy_record, kernel
from ..sim.rng import PLAYOUT, WORLD, advance, derive
from .policies import POLICIES, policy_move
from .view import View

LEAST_PLAYOUTS = 4  # every move gets as many before the bandit chooses, where the budget reaches
EXPLORATION = 1.0  # width of the bandit's bonus, in standard deviations of a playout's result
SLICE_SECONDS = 0.002  # between two looks at the clock
SLICE_PLAYOUTS = 10_000  # between two looks at Ctrl-C: some hundredths of a second
WORLDS_KEPT = 256  # for the moves that come later to them; others are drawn again


class Thoughts(NamedTuple):
    """What a search thinks of each legal move; arrays of shape (n,) in the order of the moves."""

    moves: np.ndarray  # int64
    mean: np.ndarray  # float64: mean payoff of the playouts, in points
    standard_error: np.ndarray  # float64, of that mean; NaN below two playouts
    playouts: np.ndarray  # int64


@kernel
def playout(rules, state, moves, policy, key):
    """Play a state out, all seats by one policy."""
    while state.turn >= 0:
        count = search_moves(rules, state, moves)
        key = advance(key)
        play(rules, state, policy_move(policy, rules, state, moves, count, key))


@kernel
def next_arm(visits, sums, squares, least, total):
    """Return the move to try next: one with fewer than `least` playouts, else the highest mean plus bonus."""
    arms = len(visits)
    best, best_bound = 0, -1e300
    spread = 0.0
    for arm in range(arms):
        if visits[arm] < least:
            return arm
        spread += squares[arm] - sums[arm] * sums[arm] / visits[arm]
    deviation = math.sqrt(max(spread, 0.0) / total)
    scale = EXPLORATION * deviation * math.sqrt(math.log(total))
    for arm in range(arms):
        bound = sums[arm] / visits[arm] + scale / math.sqrt(visits[arm])
        if bound > best_bound:
            best, best_bound = arm, bound
    return best


@kernel
def search(
    rules, observation, root_moves, playouts, least, policy, key, worlds, held, state, moves, visits, sums, squares
):
    """Spend `playouts` more playouts on the moves of an observation: the n-th of each move is played in world n.

    Args:
        root_moves: the legal moves, int64 of shape (n,).
        worlds, held: room for worlds, records of shape (w,), and which world each holds, −1: none.
        state, moves: room to play in.
        visits, sums, squares: what is known so far of each move, shape (n,); added to.
    """
    seat = observation.observer
    total = 0
    for arm in range(len(visits)):
        total += visits[arm]
    for _ in range(playouts):
        arm = next_arm(visits, sums, squares, least, max(total, 1))
        world = visits[arm]
        place = world % len(worlds)
        if held[place] != world:
            redeal(rules, observation, worlds[place], derive(derive(key, WORLD), world))
            held[place] = world
        copy_record(state, worlds[place])
        play(rules, state, root_moves[arm])
        playout(rules, state, moves, policy, derive(derive(key, PLAYOUT), world))
        result = payoff(rules, state, seat)
        visits[arm] += 1
        sums[arm] += result
        squares[arm] += result * result
        total += 1


class MonteCarloAgent:
    """Determinization Monte Carlo.

    Args:
        playouts: all that one decision may spend.
        milliseconds: thread CPU time of one decision instead; then the same seed need not give the same game.
        policy: who plays the playouts.
        seed: another seed, another agent of the same strength.
    """

    def __init__(
        self,
        playouts: int = 1000,
        milliseconds: float = 0.0,
        policy: str = "greedy",
        seed: int = 0,
    ) -> None:
        if policy not in POLICIES:
            raise InputError(f"policy={shorten(str(policy))}: the policies are {', '.join(POLICIES)}")
        if isinstance(playouts, bool) or not isinstance(playouts, int) or not 1 <= playouts <= 10**9:
            raise InputError(f"playouts={shorten(str(playouts))}: must be a whole number from 1 to {10**9}")
        if (
            isinstance(milliseconds, bool)
            or not isinstance(milliseconds, int | float)
            or not 0 <= milliseconds <= 10**9
        ):
            raise InputError(f"milliseconds={shorten(str(milliseconds))}: must be a number from 0 to {10**9}")
        if isinstance(seed, bool) or not isinstance(seed, int) or abs(seed) >= 2**63:
            raise InputError(f"seed={shorten(str(seed))}: must be a whole number of at most 63 bits")
        self.playouts, self.milliseconds, self.seed = playouts, milliseconds, seed
        self.playout_policy = POLICIES.index(policy)
        self._room: tuple[Any, Any, Any] | None = None

    def choose(self, view: View) -> int:
        """Return the move with the most playouts; of equals, the one with the best mean."""
        thoughts = self.think(view)
        return int(thoughts.moves[np.lexsort((thoughts.mean, thoughts.playouts))[-1]])

    def think(self, view: View) -> Thoughts:
        """Return what the search thinks of each legal move."""
        arms = len(view.moves)
        visits = np.zeros(arms, np.int64)
        sums, squares = np.zeros(arms), np.zeros(arms)
        if self._room is None:
            dtype = view.game.state_dtype
            self._room = np.zeros(WORLDS_KEPT, dtype), blank(dtype), blank(moves_dtype(view.game.max_moves))
        worlds, state, moves = self._room
        key = int(derive(view.key, self.seed))
        least = max(1, min(LEAST_PLAYOUTS, self.playouts // (2 * arms)))
        held = np.full(WORLDS_KEPT, -1, np.int64)

        def spend(count: int) -> None:
            search(
                view.rules, view.record, view.moves, count, least, self.playout_policy, key, worlds, held, state, moves,
                visits, sums, squares,
            )  # fmt: skip

        if self.milliseconds:
            self._spend_time(spend, arms)
        else:
            for spent in range(0, self.playouts, SLICE_PLAYOUTS):
                spend(min(SLICE_PLAYOUTS, self.playouts - spent))
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = sums / visits
            variance = np.maximum(squares / visits - mean**2, 0) * visits / (visits - 1)
            error = np.sqrt(variance / visits)
        return Thoughts(view.moves, mean, np.where(visits > 1, error, np.nan), visits)

    def _spend_time(self, spend: Any, arms: int) -> None:
        """Spend CPU time: in slices that grow until one takes `SLICE_SECONDS`."""
        end = time.thread_time() + self.milliseconds / 1000
        count = arms
        now = time.thread_time()
        while now < end:
            spend(count)
            before, now = now, time.thread_time()
            if now - before < SLICE_SECONDS / 2:
                count *= 2
