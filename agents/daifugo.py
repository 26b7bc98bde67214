"""The greedy player of Daifugo: sheds weak cards and long plays first, and keeps what wins the lead for later."""

import numpy as np

from ..sim.cards import CARDS, EACH_RANK, NATURALS
from ..sim.daifugo.moves import in_reverse, size_of
from ..sim.daifugo.observe import unseen_cards
from ..sim.daifugo.play import (
    EIGHTS,
    JACK,
    SPADE_3,
    THREES,
    TWOS,
    beaten_by,
    counts_as,
    cuts,
    is_foul,
    makes_revolution,
    usable_against,
)
from ..sim.daifugo.rules import EIGHT_OFF, FOUL_FEDERATION, FOUL_OFF, Rules
from ..sim.daifugo.state import PLAY
from ..sim.game import PASS
from ..sim.kernels import kernel, popcount, small_kernel, trailing_zeros
from .greedy import greedy_move

# What a card of each strength (0 weakest … 12 strongest under the order in force) is worth keeping.
KEEP = np.array([0.0, 0.3, 0.7, 1.1, 1.6, 2.2, 2.9, 3.7, 4.6, 5.7, 7.0, 9.5, 14.0])
KEEP_EIGHT = 8.0
KEEP_JOKER = 16.0
KEEP_WEIGHT = 0.05  # per turn that the rest of the hand needs, up to six
TURN = 10.0  # what one turn less to empty the hand is worth
WINNING = 250.0  # a play that nobody can beat, with one clean play left after it
SAFE_LEAD = 8.0  # such a play with two left
NEVER = 1000.0


@small_kernel
def turns_to_empty(hand):
    """Return about how many plays a hand needs: its ranks, runs of three or more in a suit counted as one."""
    cards = hand & NATURALS
    middles = cards << 4 & cards & cards >> 4
    in_runs = middles | middles << 4 | middles >> 4
    starts = in_runs & ~(in_runs << 4)
    rest = cards & ~in_runs
    ranks = (rest | rest >> 1 | rest >> 2 | rest >> 3) & EACH_RANK
    return popcount(ranks) + popcount(starts)


@small_kernel
def keeping_value(rules, cards, reverse):
    """Return what the cards of a play are worth to their holder if kept (float64): those that win the lead are dear."""
    worth = KEEP_JOKER * (cards >> 52 & 3)
    naturals = cards & NATURALS
    while naturals:
        card = trailing_zeros(naturals)
        naturals &= naturals - 1
        rank = card >> 2
        if rank == 5 and rules.eight_cut != EIGHT_OFF:
            worth += KEEP_EIGHT
        else:
            worth += KEEP[12 - rank if reverse else rank]
    return worth


@small_kernel
def forbidden_last(rules, revolution):
    """Return the cards that make a foul when nothing else goes with them, jokers as 3 << 52 (D8.2)."""
    if rules.foul_finish == FOUL_OFF:
        return np.int64(0)
    cards = np.int64(CARDS & ~NATURALS) | (THREES if revolution else TWOS)
    if rules.foul_finish == FOUL_FEDERATION:
        return cards | EIGHTS | SPADE_3
    return cards | EIGHTS if rules.eight_cut != EIGHT_OFF else cards


@small_kernel
def reverse_after(rules, state, move):
    """Return whether the order is reversed once `move` lies on the field (D6.1, D6.2)."""
    jback = state.jback != 0 or (rules.j_back != 0 and counts_as(rules, move, JACK))
    return (state.revolution ^ makes_revolution(rules, move)) != jback


@small_kernel
def keeps_lead(rules, state, move, unseen):
    """Return whether the player of `move` surely leads next: it clears, or no unseen card can beat it."""
    others = state.alive & ~state.passed & ~(1 << state.turn)
    if cuts(rules, move) or others == 0:
        return True
    reverse = reverse_after(rules, state, move)
    return not beaten_by(rules, move, usable_against(rules, move, state.locked, reverse), unseen, reverse)


@greedy_move.register(Rules)
@kernel
def daifugo_greedy_move(rules, state, moves, count):
    """Return the play with the best balance of turns saved against strength spent; a pass counts as 0.

    A lead is never passed. A clean last play comes first, then one that surely leads to it. A foul one, and one that
    leaves only cards that would make it foul, come last.
    """
    hand = state.hands[state.turn]
    choosing = state.phase != PLAY
    reverse = in_reverse(state)
    turns = turns_to_empty(hand)
    forbidden, turned = forbidden_last(rules, state.revolution), forbidden_last(rules, state.revolution ^ 1)
    unseen = unseen_cards(rules, state, state.turn) if turns <= 3 else np.int64(0)
    best, best_score = moves.list[0], -1e9
    for index in range(count):
        move = moves.list[index]
        cards = move & CARDS
        rest = hand - cards
        if choosing:
            # What came with the tribute is not in the hand yet; a card that goes back may be one of those.
            score = TURN * (turns - turns_to_empty(hand & ~cards)) - 2.0 * keeping_value(rules, cards, False)
        elif move == PASS:  # with `lead_pass`, players who all pass the lead would go on for ever
            score = 0.0 if state.field else -2 * NEVER
        elif rest == 0:
            score = -NEVER if is_foul(rules, move, state.revolution) else NEVER
        else:
            left = turns_to_empty(rest)
            score = TURN * (turns - left) + size_of(move)
            score -= KEEP_WEIGHT * min(left, 6) * keeping_value(rules, cards, reverse)
            if rest & ~(turned if makes_revolution(rules, move) else forbidden) == 0:
                score -= NEVER / 2
            elif left <= 2 and rest >> 52 == 0 and keeps_lead(rules, state, move, unseen):
                score += WINNING if left == 1 else SAFE_LEAD
        if score > best_score:
            best, best_score = move, score
    return best
