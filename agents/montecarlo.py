"""Monte Carlo with determinization: try every move in worlds that could be the true one, and play each out.

All moves meet the same worlds in the same order, so that luck of the deal does not come between them, and a bandit
spends the budget on the moves that still can be best (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the
multiarmed bandit problem", 2002; for card games see Ginsberg, "GIB", 2001). Written once for all games.
"""

import math
import time
from typing import Any, NamedTuple

import numpy as np

from ..sim.errors import InputError
from ..sim.game import blank, legal_moves, moves_dtype, payoff, play, redeal
from ..sim.kernels import copy_record, kernel
from ..sim.rng import PLAYOUT, WORLD, advance, derive
from .policies import POLICIES, policy_move
from .view import View

LEAST_PLAYOUTS = 4  # every move gets as many before the bandit chooses, where the budget reaches
EXPLORATION = 1.0  # width of the bandit's bonus, in standard deviations of a playout's result
SLICE_SECONDS = 0.002  # between two looks at the clock
MAX_WORLDS = 128


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
        count = legal_moves(rules, state, moves)
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
    rules, observation, root_moves, playouts, least, policy, key, worlds, made, state, moves, visits, sums, squares
):
    """Spend `playouts` more playouts on the moves of an observation; return how many worlds there are now.

    Args:
        root_moves: the legal moves, int64 of shape (n,).
        worlds: room for worlds, records of shape (w,), of which `made` are drawn; more are drawn as they are met.
        state, moves: room to play in.
        visits, sums, squares: what is known so far of each move, shape (n,); added to.
    """
    seat = observation.observer
    total = 0
    for arm in range(len(visits)):
        total += visits[arm]
    for _ in range(playouts):
        arm = next_arm(visits, sums, squares, least, max(total, 1))
        visit = visits[arm]
        world = visit % len(worlds)
        if world >= made:
            redeal(rules, observation, worlds[world], derive(derive(key, WORLD), world))
            made += 1
        copy_record(state, worlds[world])
        play(rules, state, root_moves[arm])
        playout(rules, state, moves, policy, derive(derive(key, PLAYOUT), visit))
        result = payoff(rules, state, seat)
        visits[arm] += 1
        sums[arm] += result
        squares[arm] += result * result
        total += 1
    return made


class MonteCarloAgent:
    """Determinization Monte Carlo.

    Args:
        playouts: all that one decision may spend.
        milliseconds: thread CPU time of one decision instead; then the same seed need not give the same game.
        policy: who plays the playouts.
        worlds: how many worlds the playouts of one decision are spread over at most.
        seed: another seed, another agent of the same strength.
    """

    def __init__(
        self,
        playouts: int = 1000,
        milliseconds: float = 0.0,
        policy: str = "greedy",
        worlds: int = MAX_WORLDS,
        seed: int = 0,
    ) -> None:
        if policy not in POLICIES:
            raise InputError(f"policy={policy}: the policies are {', '.join(POLICIES)}")
        for name, value, kinds in (
            ("playouts", playouts, (int,)),
            ("worlds", worlds, (int,)),
            ("milliseconds", milliseconds, (int, float)),
        ):
            least = 0 if name == "milliseconds" else 1
            if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= 10**9:
                raise InputError(f"{name}={value}: must be a number from {least} to 1000000000")
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise InputError(f"seed={seed}: must be a whole number")
        self.playouts, self.milliseconds, self.worlds, self.seed = playouts, milliseconds, worlds, seed
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
            worlds = np.zeros(min(self.worlds, MAX_WORLDS), dtype)
            self._room = worlds, blank(dtype), blank(moves_dtype(view.game.max_moves))
        worlds, state, moves = self._room
        key = int(derive(view.key, self.seed))
        least = max(1, min(LEAST_PLAYOUTS, self.playouts // (2 * arms)))

        def spend(count: int, made: int) -> int:
            return search(
                view.rules, view.record, view.moves, count, least, self.playout_policy, key, worlds, made, state, moves,
                visits, sums, squares,
            )  # fmt: skip

        if self.milliseconds:
            self._spend_time(spend, arms)
        else:
            spend(self.playouts, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = sums / visits
            variance = np.maximum(squares / visits - mean**2, 0) * visits / (visits - 1)
            error = np.sqrt(variance / visits)
        return Thoughts(view.moves, mean, np.where(visits > 1, error, np.nan), visits)

    def _spend_time(self, spend: Any, arms: int) -> None:
        """Spend CPU time: in slices that grow until one takes `SLICE_SECONDS`."""
        end = time.thread_time() + self.milliseconds / 1000
        made, count = 0, arms
        now = time.thread_time()
        while now < end:
            made = spend(count, made)
            before, now = now, time.thread_time()
            if now - before < SLICE_SECONDS / 2:
                count *= 2
