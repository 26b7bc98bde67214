"""The sample client of the UEC contest, the contest's usual baseline, after its published behaviour.

It plays long sequences, then large groups, then weak cards, and never looks at what the others do. Written as an order
of the legal moves, so that it plays every ruleset of Daifugo; of moves that it would never make, a pass comes first.
"""

import numpy as np

from ..sim.cards import CARDS, EACH_RANK, JOKER, NATURALS
from ..sim.daifugo.moves import MAX_MOVES, groups_with_at_least, in_reverse, size_of
from ..sim.daifugo.state import GROUP, KIND, LOW_SHIFT, PLAY, SEQUENCE, SINGLE
from ..sim.game import PASS, blank, moves_dtype
from ..sim.kernels import kernel, popcount, small_kernel, trailing_zeros
from .view import View

NO_CHOICE = -1


@small_kernel
def together(cards):
    """Return the cards that belong to a group or, without jokers, to a sequence of a hand."""
    pairs = groups_with_at_least(cards, 2)
    middles = cards << 4 & cards & cards >> 4
    return cards & (pairs * 15 | middles | middles << 4 | middles >> 4)


@small_kernel
def lead_value(move, reverse):
    """Return how much it likes to lead a play: long sequences, then large groups, then singles; weak and ♠ first."""
    size, jokers, naturals = size_of(move), move >> 52 & 3, move & NATURALS
    kind = move & KIND
    if naturals == 0:
        return 3 - size
    lowest = trailing_zeros(naturals)
    rank = lowest >> 2
    if kind == SEQUENCE:
        low = move >> LOW_SHIFT
        high = low + size - 1
        if low == 0 or high == 14:  # a joker stands for a card that there is
            return NO_CHOICE
        weak = 14 - high if reverse else low
        return 1_000_000 + size * 10_000 + (14 - weak) * 100 + (3 - (lowest & 3)) * 10 - jokers
    weak = 12 - rank if reverse else rank
    if kind == GROUP:
        return 500_000 + size * 10_000 + (12 - weak) * 100 - (move >> LOW_SHIFT)
    return 100_000 + (12 - weak) * 100 + 3 - (lowest & 3)


@small_kernel
def follow_value(state, move, hand, reverse):
    """Return how much it likes to follow with a play: the weakest that breaks nothing, then one with a joker."""
    naturals, jokers = move & NATURALS, move >> 52 & 3
    kind = move & KIND
    if kind == SINGLE and naturals == 0:
        return 1
    if naturals == 0 or jokers > 1:
        return NO_CHOICE
    lowest = trailing_zeros(naturals)
    rank = lowest >> 2
    weak = 12 - rank if reverse else rank
    if kind == SINGLE:
        if naturals & together(hand & NATURALS) or state.field == SINGLE | JOKER:
            return NO_CHOICE
        return 100_000 + (12 - weak) * 100 + 3 - (lowest & 3)
    size = size_of(move)
    if kind == GROUP:
        usable = popcount(hand & state.usable & np.int64(15) << (4 * rank))
        if usable != size - jokers:
            return NO_CHOICE
        return (50_000 if jokers else 100_000) + (12 - weak) * 100 - (move >> LOW_SHIFT)
    low = move >> LOW_SHIFT
    high = low + size - 1
    if low == 0 or high == 14:
        return NO_CHOICE
    line = (hand & NATURALS) << 4
    suit = lowest & 3
    run = (np.int64(1) << (4 * (high + 1))) - (np.int64(1) << (4 * low))
    run &= (EACH_RANK | EACH_RANK << 8) << suit
    if jokers:
        if popcount(line & run) >= size:  # the joker would stand for a card of the hand
            return NO_CHOICE
        return 50_000 + (14 - (14 - high if reverse else low)) * 100 + 3 - suit
    # Only runs that are no longer than the field's, of the cards that are strong enough.
    before = line >> (4 * (low - 1) + suit) & 1 and (reverse or state.usable >> (4 * (low - 1) + suit) & 1)
    after = line >> (4 * (high + 1) + suit) & 1 and (not reverse or state.usable >> (4 * (low + 1) + suit) & 1)
    if before or after:
        return NO_CHOICE
    return 100_000 + (14 - (14 - high if reverse else low)) * 100 + 3 - suit


@kernel
def uecda_default_move(rules, state, moves, count):
    """Return the sample client's choice among the first `count` legal moves in ``moves.list``."""
    hand = state.hands[state.turn]
    reverse = in_reverse(state) != 0
    best, best_value = moves.list[0], np.int64(0)
    for index in range(count):
        move = moves.list[index]
        if state.phase != PLAY:  # the lowest cards, never a joker while there are others
            cards = move & CARDS
            value = -(cards & NATURALS) - (cards >> 52 << 54)
        elif move == PASS:
            value = np.int64(0 if state.field else -2)
        elif state.field == 0:
            value = lead_value(move, reverse)
        else:
            value = follow_value(state, move, hand, reverse)
        if index == 0 or value > best_value:
            best, best_value = move, value
    return best


class UecdaDefaultAgent:
    """The sample client of the UEC contest: long sequences, large groups, weak cards; looks at nobody else."""

    games = ("daifugo",)

    def __init__(self) -> None:
        self._moves = blank(moves_dtype(MAX_MOVES))

    def choose(self, view: View) -> int:
        """Return its move."""
        self._moves.list[: len(view.moves)] = view.moves
        return int(uecda_default_move(view.rules, view.record, self._moves, len(view.moves)))
