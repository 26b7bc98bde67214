"""Named levels of play, each of which beats the one below it (docs/agents.md says by how much)."""

from .montecarlo import MonteCarloAgent
from .policies import BEGINNER, GREEDY, PolicyAgent


class BeginnerAgent(PolicyAgent):
    """Plays like greedy, but half of the time just anything that is legal."""

    policy = BEGINNER


class IntermediateAgent(PolicyAgent):
    """Plays like greedy: sensible, without search."""

    policy = GREEDY


class AdvancedAgent(MonteCarloAgent):
    """Determinization Monte Carlo with 2,000 playouts a decision.

    Args:
        seed: another seed, another agent of the same strength.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__(playouts=2000, seed=seed)
