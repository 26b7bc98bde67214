"""The greedy player of Dobon: weighs how near a hand is to its end against the chance that a play is shot."""

import math

import numpy as np

from ..sim.dobon.cards import EACH_NUMBER, EIGHT, JACK, PACK, TWO
from ..sim.dobon.moves import top_of
from ..sim.dobon.rules import CHAIN, UNITS, Rules
from ..sim.dobon.state import DRAW, SHOOT, SUIT_SHIFT
from ..sim.kernels import kernel, popcount, small_kernel
from .greedy import greedy_move

MOST_CARDS = 16  # of a hand for which the chance of a sum is known; larger ones have higher sums
HIGHEST = 52  # value of a play: four Ks

# How far a hand is from its end, in cards of another player's hand, and what else counts.
GROUP = 1.0  # each number in the hand: its cards go together
CARD = 0.4  # each further card of a number
OTHER = 1.0  # each card of another player
SUM_HIT = 6.0  # the chance that the next card has the value of the whole hand, so that it could be shot
SUIT = 0.1  # each suit in the hand
AGAIN = 0.8  # the turn comes back at once
STEEP = 0.35  # how much nearer the end means how much more likely to be first there
DRAWS = 0.8  # a card that the next player may have to draw for a 2

NAMED = 1e-6  # worth of each card left that has the suit an 8 names: decides between plays that are else alike


def _sum_chances() -> np.ndarray:
    """Return the chance that so many cards of the pack add up to a sum: float64 of shape (17, 53)."""
    ways = np.zeros((MOST_CARDS + 1, 16 * 13 + 1))
    ways[0, 0] = 1
    for card in range(52):
        value = card // 4 + 1
        for count in range(MOST_CARDS, 0, -1):
            ways[count, value:] += ways[count - 1, : ways.shape[1] - value]
    return ways[:, : HIGHEST + 1] / ways.sum(axis=1, keepdims=True)


SUM_CHANCES = _sum_chances()


@small_kernel
def chance_of_sum(unseen, size, total):
    """Return the chance (float64) that a hidden hand of `size` cards adds up to the sum of a play."""
    if size == 1:
        if total > 13:
            return 0.0
        return popcount(unseen >> (4 * total - 4) & 15) / popcount(unseen)
    return SUM_CHANCES[min(size, MOST_CARDS), total]


@small_kernel
def distance(rules, hand, total, unseen):
    """Return how far a hand is from its end, in cards of another player's hand (float64)."""
    numbers = (hand | hand >> 1 | hand >> 2 | hand >> 3) & EACH_NUMBER
    cards = popcount(hand)
    groups = popcount(numbers) if rules.multi == CHAIN else cards
    far = GROUP * groups + CARD * (cards - groups)
    if total <= 13:
        far -= SUM_HIT * popcount(unseen >> (4 * total - 4) & 15) / popcount(unseen)
    for index in range(4):
        if hand >> index & EACH_NUMBER:
            far -= SUIT
    return far


@greedy_move.register(Rules)
@kernel
def dobon_greedy_move(rules, state, moves, count):
    """Return the move that is worth most: what the hand after it promises, less the chance that the play is shot.

    The promise is the chance to be the first at the end, from the distances of all, times what that scores. An 8 names
    the suit of which most cards are left. It shoots whenever it can.
    """
    if moves.list[0] == SHOOT:
        return moves.list[0]
    players = rules.players
    seat = state.turn
    hand = state.hands[seat]
    unseen = PACK & ~state.pile & ~hand
    units = rules.scoring == UNITS
    nearness = 0.0  # of all others together
    others_value = 0.0
    for other in range(players):
        if other != seat:
            nearness += math.exp(-STEEP * OTHER * state.sizes[other])
            others_value += 7.0 * state.sizes[other]
    shift = state.direction if state.direction > 0 else players - 1
    following = (seat + shift) % players
    following_near = math.exp(-STEEP * OTHER * state.sizes[following])
    best, best_worth = moves.list[0], -1e9
    for index in range(count):
        move = moves.list[index]
        cards = move & PACK
        rest = hand & ~cards
        number = top_of(move) >> 2
        plays = popcount(cards)
        total = plays * (number + 1)
        left = np.int64(state.sums[seat]) - total if cards else np.int64(state.sums[seat])
        near = nearness
        shots = 0.0  # expected number of players that shoot the play
        if cards:
            for other in range(players):
                if other != seat:
                    shots += chance_of_sum(unseen, np.int64(state.sizes[other]), total)
        if rest == 0:
            win = 1.0
        else:
            far = distance(rules, rest, left, unseen)
            if move == DRAW:
                far += 1.0 if state.pending == 0 else np.float64(state.pending)
            if cards:
                if popcount(rest) == 1:
                    near *= math.exp(-STEEP * OTHER * rules.call_draw)
                if number == TWO:
                    near -= following_near * (1.0 - math.exp(-STEEP * DRAWS * (2 * plays + state.pending)))
                elif number == JACK and (1 + plays) % players == 0:
                    far -= AGAIN
            own = math.exp(-STEEP * far)
            win = own / (own + near)
        if units:
            worth = win * (players - 1) - (1.0 - win)
            lost = np.float64(players - 1)
        else:
            worth = win * others_value - (1.0 - win) * left
            lost = 2.0 * (left + total)
        worth -= shots * (lost + worth)
        if number == EIGHT:
            worth += NAMED * popcount(rest >> (move >> SUIT_SHIFT) & EACH_NUMBER)
        if worth > best_worth:
            best, best_worth = move, worth
    return best
