"""What the policy `greedy` is: declared here, and defined for each game in a module of its own."""

from ..sim.game import generic


@generic
def greedy_move(rules, state, moves, count):
    """Return the move (int64) of a sensible rule-based player among the first `count` of ``moves.list``."""
