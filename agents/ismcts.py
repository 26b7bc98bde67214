"""Information-set Monte Carlo tree search: one tree of what may follow a decision, for all worlds that it may be in.

Single-observer ISMCTS (Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search", IEEE Transactions on
Computational Intelligence and AI in Games 4(2), 2012). A node is a sequence of moves from the decision on; which moves
follow it depends on the world, so a move is judged by how often it was there to be chosen. Every seat is taken to see
what anybody does: secret moves of others, of which games have few, are told apart. Written once for all games: the tree
is a record for each node and a hash table of these, in arrays made beforehand.

Two things differ from the paper. The moves of the decision itself are chosen as `mc` does, in the same worlds in the
same order. Below it a node opens up slowly, at first with the move that the policy would make, then with others as its
visits grow (progressive widening: Chaslot et al., "Progressive strategies for Monte-Carlo tree search", 2008), since a
seat may have a hundred moves and most are bad.
"""

import math
from typing import NamedTuple

import numpy as np

from ..sim.game import payoff, play, search_moves
from ..sim.kernels import kernel, small_kernel
from ..sim.rng import PLAYOUT, advance, below, derive, scramble
from .montecarlo import next_arm
from .policies import policy_move
from .search import Found, SearchAgent, Spend, add_result, enter_world, playout
from .view import View

EXPLORATION = 1.0  # width of the bonus, in standard deviations of a playout's result
WIDENING = 0.5  # a node opens up to as many moves as this times the root of its visits
MOST_NODES = 1 << 18  # about 12 MB; beyond, playouts begin where the tree ends
NODES_PER_MILLISECOND = 2000  # no game is played out quicker

NODE_DTYPE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("move", "i8"),  # that leads here
                ("sum", "f8"),  # of the results, for the seat that made it
                ("visits", "i4"),
                ("available", "i4"),  # how often it could have been chosen
                ("parent", "i4"),  # −1: the decision itself
                ("actor", "i4"),  # the seat that made it
            ],
            align=True,
        ),
    )
)


class Tree(NamedTuple):
    """A tree, whose first nodes are the legal moves of the decision."""

    used: np.ndarray  # int64 of shape (1,): how many nodes there are
    nodes: np.ndarray  # room for them, `NODE_DTYPE`
    table: np.ndarray  # a hash table, int32, a power of two: the node that stands there, −1: none


@small_kernel
def slot_of(nodes, table, parent, actor, move):
    """Return where in the hash table a child stands, or would stand: there the table holds −1."""
    mask = len(table) - 1
    slot = np.int64(scramble(move * 64 + actor ^ parent << 40)) & mask
    while table[slot] >= 0:
        node = table[slot]
        if nodes[node].move == move and nodes[node].parent == parent and nodes[node].actor == actor:
            break
        slot = (slot + 1) & mask
    return slot


@kernel
def descend(rules, state, moves, count, policy, key, tree, parent, spread):
    """Choose the move of the seat to act in a node, of the first `count` of ``moves.list``, and make it.

    Returns the child, −1 where the tree is full; it is new where it has no visits.
    """
    used, nodes, table = tree
    actor = state.turn
    best, best_bound = np.int64(-1), -1e300
    untried, chosen = 0, moves.list[0]
    for index in range(count):
        move = moves.list[index]
        node = np.int64(table[slot_of(nodes, table, parent, actor, move)])
        if node < 0:
            untried += 1
            key = advance(key)
            if below(key, untried) == 0:
                chosen = move
        else:
            nodes[node].available += 1
            visits = nodes[node].visits
            bound = nodes[node].sum / visits + spread * math.sqrt(math.log(nodes[node].available) / visits)
            if bound > best_bound:
                best, best_bound = node, bound
    tried = count - untried
    if untried == 0 or (tried > 0 and tried > WIDENING * math.sqrt(nodes[parent].visits)):
        play(rules, state, nodes[best].move)
        return best
    if used[0] == len(nodes):
        return np.int64(-1)
    if tried == 0:
        chosen = policy_move(policy, rules, state, moves, count, key)
    node = np.int64(used[0])
    used[0] += 1
    table[slot_of(nodes, table, parent, actor, chosen)] = node
    nodes[node].move, nodes[node].parent, nodes[node].actor = chosen, parent, actor
    nodes[node].sum, nodes[node].visits, nodes[node].available = 0.0, 0, 1
    play(rules, state, chosen)
    return node


@kernel
def search(rules, observation, root_moves, playouts, least, policy, key, room, tree, found):
    """Spend `playouts` more playouts, each from a leaf of the tree: the n-th of each legal move is in world n."""
    _, _, state, moves = room
    visits, sums, squares = found
    nodes = tree[1]
    seat = observation.observer
    total, total_sum, total_squares = 0, 0.0, 0.0
    for arm in range(len(visits)):
        total += visits[arm]
        total_sum += sums[arm]
        total_squares += squares[arm]
    for _ in range(playouts):
        arm = next_arm(visits, sums, squares, least, max(total, 1))
        world = visits[arm]
        enter_world(rules, observation, world, key, room)
        play(rules, state, root_moves[arm])
        mean = total_sum / max(total, 1)
        spread = EXPLORATION * math.sqrt(max(total_squares / max(total, 1) - mean * mean, 0.0))
        stream = derive(derive(key, PLAYOUT), world)
        leaf = np.int64(arm)
        while state.turn >= 0 and nodes[leaf].visits > 0:
            count = search_moves(rules, state, moves)
            stream = advance(stream)
            node = descend(rules, state, moves, count, policy, stream, tree, leaf, spread)
            if node < 0:
                break
            leaf = node
        playout(rules, state, moves, policy, stream)
        while leaf >= 0:
            nodes[leaf].visits += 1
            nodes[leaf].sum += payoff(rules, state, nodes[leaf].actor)
            leaf = np.int64(nodes[leaf].parent)
        result = payoff(rules, state, seat)
        add_result(found, arm, result)
        total += 1
        total_sum += result
        total_squares += result * result


class IsmctsAgent(SearchAgent):
    """Information-set Monte Carlo tree search.

    Args:
        playouts: all that one decision may spend.
        milliseconds: thread CPU time of one decision instead; then the same seed need not give the same game.
        policy: who plays the playouts.
        seed: another seed, another agent of the same strength.
    """

    def __init__(self, playouts: int = 1000, milliseconds: float = 0.0, policy: str = "greedy", seed: int = 0) -> None:
        super().__init__(playouts, milliseconds, policy, seed)
        self._nodes, self._table = np.zeros(0, NODE_DTYPE), np.zeros(0, np.int32)

    def begin(self, view: View, key: int, found: Found) -> Spend:
        """Return what spends playouts on a decision."""
        room, least, tree = self.room(view), self.least(len(view.moves)), self._plant(view)

        def spend(playouts: int) -> None:
            search(view.rules, view.record, view.moves, playouts, least, self.playout_policy, key, room, tree, found)

        return spend

    def _plant(self, view: View) -> Tree:
        """Return a tree in which the legal moves stand and nothing else, with room for what the budget may add."""
        arms = len(view.moves)
        playouts = int(self.milliseconds * NODES_PER_MILLISECOND) or self.playouts
        size = arms + min(playouts, MOST_NODES)
        slots = 1 << (2 * size).bit_length()
        if len(self._table) < slots:
            self._nodes, self._table = np.zeros(slots // 2, NODE_DTYPE), np.zeros(slots, np.int32)
        nodes, table = self._nodes[:size], self._table[:slots]
        table[:] = -1
        roots = nodes[:arms]
        roots["move"], roots["parent"], roots["actor"] = view.moves, -1, view.record.turn
        roots["sum"], roots["visits"] = 0.0, 0
        return Tree(np.array([arms]), nodes, table)
