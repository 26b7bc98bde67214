"""Monte Carlo with determinization: try every move in worlds that could be the true one, and play each out.

All moves meet the same worlds in the same order, so that luck of the deal does not come between them, and a bandit
spends the budget on the moves that still can be best (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the
multiarmed bandit problem", 2002; for card games see Ginsberg, "GIB", 2001). Written once for all games.
"""

import math

from ..sim.game import payoff, play
from ..sim.kernels import kernel
from ..sim.rng import PLAYOUT, derive
from .search import Found, SearchAgent, Spend, add_result, enter_world, playout
from .view import View

EXPLORATION = 1.0  # width of the bandit's bonus, in standard deviations of a playout's result


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
def search(rules, observation, root_moves, playouts, least, policy, key, room, found):
    """Spend `playouts` more playouts on the legal moves (int64) of an observation: the n-th of each is in world n."""
    _, _, state, moves = room
    visits, sums, squares = found
    seat = observation.observer
    total = 0
    for arm in range(len(visits)):
        total += visits[arm]
    for _ in range(playouts):
        arm = next_arm(visits, sums, squares, least, max(total, 1))
        world = visits[arm]
        enter_world(rules, observation, world, key, room)
        play(rules, state, root_moves[arm])
        playout(rules, state, moves, policy, derive(derive(key, PLAYOUT), world))
        result = payoff(rules, state, seat)
        add_result(found, arm, result)
        total += 1


class MonteCarloAgent(SearchAgent):
    """Determinization Monte Carlo.

    Args:
        playouts: all that one decision may spend.
        milliseconds: thread CPU time of one decision instead; then the same seed need not give the same game.
        policy: who plays the playouts.
        seed: another seed, another agent of the same strength.
    """

    def begin(self, view: View, key: int, found: Found) -> Spend:
        """Return what spends playouts on a decision."""
        room, least = self.room(view), self.least(len(view.moves))

        def spend(playouts: int) -> None:
            search(view.rules, view.record, view.moves, playouts, least, self.playout_policy, key, room, found)

        return spend
