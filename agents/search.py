"""What searches have in common: budgets, playouts, and what they think of each legal move. For all games."""

import time
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..sim.errors import InputError, shorten
from ..sim.game import blank, moves_dtype, play, redeal, search_moves
from ..sim.kernels import copy_record, kernel, small_kernel
from ..sim.rng import WORLD, advance, derive
from .policies import POLICIES, policy_move
from .view import View

SLICE_SECONDS = 0.002  # between two looks at the clock
SLICE_PLAYOUTS = 10_000  # between two looks at Ctrl-C: some hundredths of a second
LEAST_PLAYOUTS = 4  # every move gets as many before the bandit chooses, where the budget reaches
WORLDS_KEPT = 256  # for the moves that come later to them; others are drawn again


class Thoughts(NamedTuple):
    """What a search thinks of each legal move; arrays of shape (n,) in the order of the moves."""

    moves: np.ndarray  #: int64
    mean: np.ndarray  #: float64: mean payoff of the playouts, in points
    standard_error: np.ndarray  #: float64, of that mean; NaN below two playouts
    playouts: np.ndarray  #: int64


@kernel
def playout(rules, state, moves, policy, key):
    """Play a state out, all seats by one policy."""
    while state.turn >= 0:
        count = search_moves(rules, state, moves)
        key = advance(key)
        play(rules, state, policy_move(policy, rules, state, moves, count, key))


@small_kernel
def enter_world(rules, observation, world, key, room):
    """Make the room's state a copy of world number `world` of the observation; it is drawn if it is not held."""
    worlds, held, state, _ = room
    place = world % len(worlds)
    if held[place] != world:
        redeal(rules, observation, worlds[place], derive(derive(key, WORLD), world))
        held[place] = world
    copy_record(state, worlds[place])


@small_kernel
def add_result(found, arm, result):
    """Add the result of a playout to what is known of a move."""
    visits, sums, squares = found
    visits[arm] += 1
    sums[arm] += result
    squares[arm] += result * result


class Found(NamedTuple):
    """What playouts have found of each legal move; arrays of shape (n,) in the order of the moves."""

    visits: np.ndarray  #: int64: playouts that began with it
    sums: np.ndarray  #: float64: of their results, in points
    squares: np.ndarray  #: float64: of the squares of these


class Room(NamedTuple):
    """What the kernels of a search work in, so that they allocate nothing."""

    worlds: np.ndarray  #: records of shape (w,)
    held: np.ndarray  #: int64 of shape (w,): the number of the world that each holds, −1: none
    state: Any
    moves: Any


class Spend(Protocol):
    """Spends so many more playouts on the moves of a decision."""

    def __call__(self, playouts: int) -> None:
        """Spend them."""


class SearchAgent:
    """An agent that plays games out to see what its moves are worth.

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

    def room(self, view: View) -> Room:
        """Return room to play in, in which no world is held yet."""
        if self._room is None:
            dtype = view.game.state_dtype
            self._room = np.zeros(WORLDS_KEPT, dtype), blank(dtype), blank(moves_dtype(view.game.max_moves))
        worlds, state, moves = self._room
        return Room(worlds, np.full(len(worlds), -1, np.int64), state, moves)

    def least(self, arms: int) -> int:
        """Return how many playouts each of so many moves gets before the bandit chooses."""
        return max(1, min(LEAST_PLAYOUTS, self.playouts // (2 * arms)))

    def begin(self, view: View, key: int, found: Found) -> Spend:
        """Return what spends playouts on a decision.

        Args:
            key: names the random streams of the decision.
            found: what is known of each move so far; added to.
        """
        raise NotImplementedError

    def choose(self, view: View) -> int:
        """Return the move with the most playouts; of equals, the one with the best mean."""
        thoughts = self.think(view)
        return int(thoughts.moves[np.lexsort((thoughts.mean, thoughts.playouts))[-1]])

    def think(self, view: View) -> Thoughts:
        """Return what the search thinks of each legal move."""
        began, arms = time.thread_time(), len(view.moves)
        visits, sums, squares = found = Found(np.zeros(arms, np.int64), np.zeros(arms), np.zeros(arms))
        spend = self.begin(view, int(derive(view.key, self.seed)), found)
        if self.milliseconds:
            self._spend_time(spend, began + self.milliseconds / 1000)
        else:
            for spent in range(0, self.playouts, SLICE_PLAYOUTS):
                spend(min(SLICE_PLAYOUTS, self.playouts - spent))
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = sums / visits
            variance = np.maximum(squares / visits - mean**2, 0) * visits / (visits - 1)
            error = np.sqrt(variance / visits)
        return Thoughts(view.moves, mean, np.where(visits > 1, error, np.nan), visits)

    def _spend_time(self, spend: Spend, end: float) -> None:
        """Spend the thread's CPU time until an end, but one playout at least.

        In slices that grow to `SLICE_SECONDS`, and of which the last ones are shorter.
        """
        count, now = 1, time.thread_time()
        while True:
            spend(count)
            before, now = now, time.thread_time()
            if now >= end:
                return
            fitting = count * min(SLICE_SECONDS, end - now) / max(now - before, 1e-6)
            count = max(1, min(2 * count, int(fitting)))
