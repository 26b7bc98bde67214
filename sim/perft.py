"""Perft: how many sequences of moves there are from a state. Written once for all games.

The number is a check of move generation and play together, and of nothing else: chance and hidden cards do not matter.
"""

from typing import Any

import numpy as np

from .game import legal_moves, moves_dtype, play
from .games import game_of
from .kernels import copy_record, kernel

SLICE_STEPS = 200_000  # of the walk, between two looks at Ctrl-C: some hundredths of a second


@kernel
def count_sequences(
    rules: Any, states: np.ndarray, moves: np.ndarray, left: np.ndarray, counts: np.ndarray, level: int, steps: int
) -> int:
    """Add to ``counts[:, 1:]`` how many sequences begin with each of the first moves, by their length.

    The walk keeps its own stack, one level for each move of the sequence, and the last level is counted, not played.
    It stops after so many steps and returns its level, from which it can be taken up again; −1 at its end.

    Args:
        states: records of shape (d,), the root state in ``states[0]``, else room.
        moves: moves buffers of shape (d,), the root's legal moves in ``moves[0]``, else room.
        left: int64 of shape (d,): moves of each level that are still to be tried, ``left[0]`` of the root.
        counts: int64 of shape (n, d), d ≥ 2, n the number of the root's legal moves.
        level: where the walk stands, 0 at its beginning.
        steps: how many to make at most.
    """
    depth = counts.shape[1]
    root = left[0]
    for _ in range(steps):
        if left[level] == 0:
            level -= 1
            if level < 0:
                break
            continue
        left[level] -= 1
        if level == 0:
            root = left[0]
        copy_record(states[level + 1], states[level])
        play(rules, states[level + 1], moves[level].list[left[level]])
        if states[level + 1].turn < 0:
            continue
        count = legal_moves(rules, states[level + 1], moves[level + 1])
        counts[root, level + 1] += count
        if level + 2 < depth:
            level += 1
            left[level] = count
    return level


def divide(rules: Any, state: Any, depth: int) -> tuple[np.ndarray, np.ndarray]:
    """Return how many sequences of moves there are from `state`, by first move and by length up to `depth` ≥ 1.

    A sequence that ends the game has no longer ones.

    Returns:
        The legal moves, int64 of shape (n,), and the counts, int64 of shape (n, depth).
    """
    game = game_of(rules)
    states, moves = np.zeros(depth, game.state_dtype), np.zeros(depth, moves_dtype(game.max_moves))
    copy_record(states[0], state)
    left = np.zeros(depth, np.int64)
    left[0] = legal_moves(rules, states[0], moves[0])
    first = moves[0].list[: left[0]].copy()
    counts = np.zeros((len(first), depth), np.int64)
    counts[:, 0] = 1
    level = 0 if depth > 1 else -1
    while level >= 0:
        level = count_sequences(rules, states, moves, left, counts, level, SLICE_STEPS)
    return first, counts


def perft(rules: Any, state: Any, depth: int) -> np.ndarray:
    """Return how many sequences of 1, 2 … `depth` moves there are from `state`: int64 of shape (depth,)."""
    return divide(rules, state, depth)[1].sum(axis=0)
