"""The greedy player of Voodoo Prince."""

from ..sim.kernels import kernel
from ..sim.voodoo_prince.rules import Rules
from .greedy import greedy_move


@greedy_move.register(Rules)
@kernel
def voodoo_greedy_move(rules, state, moves, count):
    """Return a move."""
    return moves.list[0]
