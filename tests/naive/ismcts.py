"""Information-set Monte Carlo tree search, slowly: the tree is nested dicts, and every step is taken from Python."""

import math

import numpy as np
from agari.agents.ismcts import EXPLORATION, WIDENING
from agari.agents.montecarlo import next_arm
from agari.agents.policies import POLICIES, policy_move
from agari.agents.search import playout
from agari.agents.view import View
from agari.sim.game import blank, moves_dtype, payoff, play, redeal, search_moves
from agari.sim.rng import PLAYOUT, WORLD, advance, below, derive


class Node:
    """What follows a sequence of moves: children by the seat that moves and its move."""

    def __init__(self, actor: int) -> None:
        self.actor = actor
        self.children: dict[tuple[int, int], Node] = {}
        self.visits, self.available, self.sum = 0, 0, 0.0


def think(view: View, playouts: int, least: int, policy: str, seed: int, most: int = 10**9) -> list[tuple[int, float]]:
    """How many playouts each move got, and the sum of their results; with room for `most` nodes below the moves."""
    rules, game = view.rules, view.game
    number, key = POLICIES.index(policy), int(derive(view.key, seed))
    state, moves = blank(game.state_dtype), blank(moves_dtype(game.max_moves))
    arms = [Node(view.seat) for _ in view.moves]
    results: list[list[float]] = [[] for _ in arms]
    added = 0
    for _ in range(playouts):
        visits = np.array([len(each) for each in results])
        sums = np.array([sum(each, 0.0) for each in results])
        squares = np.array([sum((one * one for one in each), 0.0) for each in results])
        total = int(visits.sum())
        arm = int(next_arm(visits, sums, squares, least, max(total, 1)))
        mean = sums.sum() / max(total, 1)
        spread = EXPLORATION * math.sqrt(max(squares.sum() / max(total, 1) - mean * mean, 0.0))
        world = len(results[arm])
        redeal(rules, view.record, state, derive(derive(key, WORLD), world))
        play(rules, state, view.moves[arm])
        stream = derive(derive(key, PLAYOUT), world)
        path = [arms[arm]]
        while state.turn >= 0 and path[-1].visits > 0:
            stream = advance(stream)
            legal = [int(move) for move in moves.list[: search_moves(rules, state, moves)]]
            node, seat = path[-1], int(state.turn)
            tried = {move: node.children[seat, move] for move in legal if (seat, move) in node.children}
            for child in tried.values():
                child.available += 1
            fresh = [move for move in legal if move not in tried]
            if fresh and not (tried and len(tried) > WIDENING * math.sqrt(node.visits)):
                if added == most:
                    break
                draw, move = stream, legal[0]
                for count, other in enumerate(fresh, 1):  # each is as likely as the others
                    draw = advance(draw)
                    move = other if below(draw, count) == 0 else move
                if not tried:
                    move = int(policy_move(number, rules, state, moves, len(legal), draw))
                node.children[seat, move] = child = Node(seat)
                child.available = 1
                added += 1
            else:
                bounds = {
                    move: child.sum / child.visits + spread * math.sqrt(math.log(child.available) / child.visits)
                    for move, child in tried.items()
                }
                move = max(bounds, key=bounds.__getitem__)
                child = tried[move]
            path.append(child)
            play(rules, state, move)
        playout(rules, state, moves, number, stream)
        for node in path:
            node.visits += 1
            node.sum += payoff(rules, state, node.actor)
        results[arm].append(float(payoff(rules, state, view.seat)))
    return [(len(each), sum(each)) for each in results]
