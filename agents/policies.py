"""Policies: choices that are made inside kernels, quick enough for playouts.

A policy is known by a small integer, so that one compiled kernel plays any mixture of them. It is given a record whose
seat to act is ``state.turn`` and looks at nothing that this seat cannot see: it chooses the same from the full state as
from the observation.
"""

from ..sim.game import blank, moves_dtype
from ..sim.kernels import small_kernel
from ..sim.rng import advance, below
from . import daifugo, dobon, voodoo_prince  # noqa: F401  (they register their greedy players)
from .greedy import greedy_move
from .view import Agent, View

POLICIES = ("random", "greedy", "beginner")
RANDOM, GREEDY, BEGINNER = range(3)


@small_kernel
def policy_move(policy, rules, state, moves, count, key):
    """Return the move that a policy chooses among the first `count` legal moves in ``moves.list``."""
    if count == 1:
        return moves.list[0]
    if policy == GREEDY or (policy == BEGINNER and below(advance(key), 2)):
        return greedy_move(rules, state, moves, count)
    return moves.list[below(key, count)]


class PolicyAgent:
    """An agent that is a policy: whole games of such agents are played inside one kernel."""

    policy: int

    def choose(self, view: View) -> int:
        """Return the policy's move, the same as inside a kernel."""
        moves = blank(moves_dtype(view.game.max_moves))
        moves.list[: len(view.moves)] = view.moves
        return int(policy_move(self.policy, view.rules, view.record, moves, len(view.moves), view.key))


def policy_of(agent: Agent) -> int:
    """Return the policy that an agent is, −1 if it chooses in Python: one derived from such an agent may, too."""
    return agent.policy if isinstance(agent, PolicyAgent) and type(agent).choose is PolicyAgent.choose else -1


class RandomAgent(PolicyAgent):
    """Any legal move, all equally likely."""

    policy = RANDOM


class GreedyAgent(PolicyAgent):
    """A sensible rule-based player, without search."""

    policy = GREEDY
