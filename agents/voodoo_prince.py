"""The greedy player of Voodoo Prince: weighs what a trick is worth to each seat, and what a card is worth later.

What a seat may expect of a round is read from its tricks and those of the others (`EXPECTED`): to leave while these
have few is dear, and so is being left over. A card is worth what comes of the trick with it, by who may still beat it
and would want to, less what it is worth to keep. The weights come from play against itself.
"""

import math
from functools import cache

import numpy as np

from ..sim.kernels import highest_bit, kernel, popcount, small_kernel, trailing_zeros
from ..sim.seats import next_seat
from ..sim.voodoo_prince.moves import ranks_of
from ..sim.voodoo_prince.observe import unseen_half, unseen_ranks
from ..sim.voodoo_prince.play import best_rank, trick_worth
from ..sim.voodoo_prince.rules import HIGHEST, MAX_PLAYERS, NEED, OWN, Rules
from ..sim.voodoo_prince.state import NAME
from .greedy import greedy_move

# By number of players: how much likelier a seat wins the next trick for each point that this is worth to it, and how
# many of the tricks count as two.
EAGERNESS = {2: 0.65, 3: 0.36, 4: 0.22, 5: 0.14}
DOUBLE = {2: 0.57, 3: 0.35, 4: 0.18, 5: 0.03}

# The weights of everything else, in points, with 2, 3, 4 and 5 players.
WEIGHTS = np.zeros((MAX_PLAYERS + 1, 17))
WEIGHTS[2:] = np.array(
    [
        (-0.64, 0.28, 0.33, -0.49),  # WILL: how likely a seat that can beat a card does so
        (1.18, 0.57, 0.30, 0.24),  # WILL_BY_GAIN: more for each point that it gains by that
        (0.42, 0.08, 0.16, 0.18),  # LEAST_WILL: but at least
        (-0.08, 0.58, 0.55, 1.08),  # HEIGHT: what a card is worth if it wins for sure, not if it loses
        (1.01, 0.00, 0.30, 1.45),  # HEIGHT_LED: more of that in the hand of who leads
        (0.04, 0.55, 0.55, -0.11),  # EXTREME: if it does one of both for sure
        (0.00, -0.12, -0.15, -0.08),  # EXTREME_BY_NEED: more of that for each trick still needed
        (0.16, 0.34, 0.34, 0.77),  # TRUMP: if it is trump
        (0.47, 0.74, 1.45, 1.57),  # TRUMP_HEIGHT: and wins for sure
        (-0.05, -0.01, -0.01, 0.33),  # TRUMP_BY_NEED: and for each trick still needed
        (-0.22, -0.53, -0.53, -0.71),  # TRUMP_LED: and in the hand of who leads
        (0.14, 0.25, 0.25, 0.14),  # WORTH_TWO: if it is a 5 or a 7
        (0.26, 0.02, 0.18, 0.63),  # ZERO: if it is a 0
        (-0.17, -0.08, -0.08, -0.60),  # ALONE: if it is the only one of its colour
        (0.22, 0.93, 0.93, 1.46),  # TRUMP_BY_RANK: a colour to name: any card counts 1, the highest rank so much more
        (0.42, 0.10, 0.10, -0.56),  # TRUMP_DOUBLE: so much more a 5 or a 7
        (-0.30, -0.31, -0.31, -0.26),  # TRUMP_ZERO: and a 0
    ]
).T
WILL, WILL_BY_GAIN, LEAST_WILL = range(3)
HEIGHT, HEIGHT_LED, EXTREME, EXTREME_BY_NEED = range(3, 7)
TRUMP, TRUMP_HEIGHT, TRUMP_BY_NEED, TRUMP_LED = range(7, 11)
WORTH_TWO, ZERO, ALONE = range(11, 14)
TRUMP_BY_RANK, TRUMP_DOUBLE, TRUMP_ZERO = range(14, 17)

# The rows of `EXPECTED`: the tricks of the seats are their digits to a base, with so many players. Two players of whom
# the last one scores its own tricks stand at 1.
BASE = np.array([0, 9, 9, 6, 5, 5], np.int64)
POWERS = np.array([[base**seat for seat in range(MAX_PLAYERS)] for base in BASE], np.int64)


def expected_scores(players: int, last_scores_own: bool) -> np.ndarray:
    """Return what each seat may expect to score, by the tricks of all: float32 of shape (rows, 5).

    The next trick is won by anybody who is still in, the likelier the more it gains by it, and so on to the end of the
    round.
    """
    need, base = int(NEED[players]), int(BASE[players])

    def after(mine: int, others: tuple[int, ...], winner: int) -> float:
        """What I may expect after a trick of another one, −1: of mine."""
        answer = 0.0
        for worth, chance in ((1, 1 - DOUBLE[players]), (2, DOUBLE[players])):
            if winner < 0:
                answer += chance * expected(mine + worth, others)
            else:
                changed = (*others[:winner], others[winner] + worth, *others[winner + 1 :])
                answer += chance * expected(mine, tuple(sorted(changed)))
        return answer

    @cache
    def gain(mine: int, others: tuple[int, ...]) -> float:
        """What I gain by winning the next trick."""
        losses = [after(mine, others, other) for other, tricks in enumerate(others) if tricks < need]
        return after(mine, others, -1) - sum(losses) / len(losses)

    @cache
    def expected(mine: int, others: tuple[int, ...]) -> float:
        """What I may expect; the tricks of the others are in order."""
        still_in = [other for other, tricks in enumerate(others) if tricks < need]
        if mine >= need:
            return float(sum(others))
        if not still_in:
            return float(mine if last_scores_own or players > 2 else need - mine)
        chances = [math.exp(EAGERNESS[players] * gain(mine, others))]
        values = [after(mine, others, -1)]
        for other in still_in:
            seen = tuple(sorted((*others[:other], *others[other + 1 :], mine)))
            chances.append(math.exp(EAGERNESS[players] * gain(others[other], seen)))
            values.append(after(mine, others, other))
        return sum(chance * value for chance, value in zip(chances, values, strict=True)) / sum(chances)

    tricks = np.arange(base**players)[:, None] // base ** np.arange(players) % base
    table = np.zeros((base**players, MAX_PLAYERS), np.float32)
    for seat in range(players):
        mine, others = tricks[:, seat], np.sort(np.delete(tricks, seat, 1))
        key = mine + others @ base ** np.arange(1, players)  # the same for what has the same value
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        values = [
            expected(int(mine[row]), tuple(others[row].tolist())) if min(mine[row], *others[row]) < need else 0.0
            for row in first
        ]
        table[:, seat] = np.array(values)[which]
    return table


_TABLES = [expected_scores(2, True), *(expected_scores(players, False) for players in (2, 3, 4, 5))]
FIRST_ROW = np.array([0, *np.cumsum([0, *map(len, _TABLES[:-1])])], np.int64)
EXPECTED = np.concatenate(_TABLES)


@small_kernel
def weight(rules, name):
    """Return a weight by its name."""
    return WEIGHTS[rules.players, name]


@small_kernel
def trump_to_name(rules, state):
    """Return the move that names the colour of which the hand has most, high cards and special ones more."""
    best, best_score = np.int64(1), -1.0
    for colour in range(1, 6):
        ranks = ranks_of(state.hands, state.turn, colour)
        score = 0.0
        while ranks:
            rank = trailing_zeros(ranks)
            ranks &= ranks - 1
            score += 1.0 + weight(rules, TRUMP_BY_RANK) * rank / HIGHEST[rules.players]
            if rank == 5 or rank == 7:
                score += weight(rules, TRUMP_DOUBLE)
            elif rank == 0:
                score += weight(rules, TRUMP_ZERO)
        if score > best_score:
            best, best_score = np.int64(colour), score
    return NAME + best


@small_kernel
def beating(rules, ranks, unseen):
    """Return which unseen ranks of a colour would win a trick with some ranks of it (V2.3)."""
    highest = HIGHEST[rules.players]
    if ranks >> highest & 1:
        return unseen & 1 & ~ranks
    return unseen & (np.int64(-2) << highest_bit(ranks)) & ~((ranks & 1) << highest)


@small_kernel
def none_held(share, cards):
    """Return the chance (float64) that a hand with a share of all unseen cards has none of so many of them."""
    chance, factor = 1.0, 1.0 - share
    while cards:
        if cards & 1:
            chance *= factor
        factor *= factor
        cards >>= 1
    return chance


@small_kernel
def value_of_trick(rules, state, row, powers, won, first, lead, trumped, higher, of_lead, trumps, unseen):
    """Return what the seat to act may expect (float64) when the seats from `first` on have still to play to a trick.

    Args:
        row: of `EXPECTED`, as it is now, and `won` if what lies there is not beaten.
        powers: row of `POWERS`.
        trumped: whether a trump wins so far that did not need to be played.
        higher: how many unseen cards beat that.
        of_lead, trumps, unseen: how many unseen cards there are of the lead colour, of trump, in all.
    """
    seat = state.turn
    leader = np.int64(state.leader) if state.lead else seat
    value, chance = 0.0, 1.0
    other = first
    while other != leader:
        share = min(1.0, state.sizes[other] / unseen)
        lacks = state.lacks[other]
        no_lead = 1.0 if lacks >> lead & 1 else none_held(share, of_lead)
        no_trump = lead == state.trump or lacks >> state.trump & 1
        can = 0.0
        if not trumped and not lacks >> lead & 1:
            can = 1.0 - none_held(share, higher)
        if not no_trump:
            can += no_lead * (1.0 - none_held(share, higher if trumped else trumps))
        if can > 0.0:
            taken = row + powers[other]
            gain = EXPECTED[taken, other] - EXPECTED[won, other]
            take = can * max(
                weight(rules, LEAST_WILL), min(1.0, weight(rules, WILL) + weight(rules, WILL_BY_GAIN) * gain)
            )
            value += chance * take * EXPECTED[taken, seat]
            chance *= 1.0 - take
        other = next_seat(rules, state.alive, other)
    return value + chance * EXPECTED[won, seat]


@small_kernel
def worth_keeping(rules, state, card, held, unseen, remaining):
    """Return what a card is worth in the hand (float64), by how many unseen cards of its colour are above and below.

    Args:
        held: how many cards of its colour the hand has.
        unseen: the unseen ranks of its colour.
        remaining: tricks that the seat still needs to leave.
    """
    rank = card & 15
    below = popcount(unseen & ((np.int64(1) << rank) - 1))
    height = (below + 1.0) / (popcount(unseen) + 2.0)  # 0 loses, 1 wins
    extreme = abs(2.0 * height - 1.0)
    leads = state.lead == 0
    worth = (
        weight(rules, HEIGHT) * height
        + weight(rules, EXTREME) * extreme * extreme
        + weight(rules, EXTREME_BY_NEED) * extreme * remaining
    )
    if leads:
        worth += weight(rules, HEIGHT_LED) * height
    if card >> 4 == state.trump:
        worth += weight(rules, TRUMP) + weight(rules, TRUMP_HEIGHT) * height + weight(rules, TRUMP_BY_NEED) * remaining
        if leads:
            worth += weight(rules, TRUMP_LED)
    if rank == 5 or rank == 7:
        worth += weight(rules, WORTH_TWO)
    elif rank == 0:
        worth += weight(rules, ZERO)
    if held == 1:
        worth += weight(rules, ALONE)
    return worth


@greedy_move.register(Rules)
@kernel
def voodoo_greedy_move(rules, state, moves, count):
    """Return the card with the best balance of what comes of the trick and what it is worth later, or a trump to name.

    Cards of which the same comes, since they win or lose alike, are weighed once.
    """
    if state.trump == 0:
        return trump_to_name(rules, state)
    seat, players = state.turn, rules.players
    kind = 1 if players == 2 and rules.two_player_last == OWN else players
    powers = POWERS[kind]
    row = FIRST_ROW[kind]
    for other in range(players):
        row += powers[other] * state.tricks[other]
    unseen = max(1, popcount(unseen_half(rules, state, seat, 0)) + popcount(unseen_half(rules, state, seat, 1)))
    unseen_trumps = unseen_ranks(rules, state, seat, state.trump)
    trumps = popcount(unseen_trumps)
    remaining = NEED[players] - state.tricks[seat]
    first = next_seat(rules, state.alive, seat)
    known, value = np.int64(-1), 0.0
    of_lead = np.int64(0)
    last_colour, held, unseen_here = np.int64(0), np.int64(0), np.int64(0)
    best, best_score = moves.list[0], -1e9
    for index in range(count):
        card = moves.list[index]
        colour = card >> 4
        if colour != last_colour:
            last_colour = colour
            held = popcount(ranks_of(state.hands, seat, colour))
            unseen_here = unseen_ranks(rules, state, seat, colour)
        bit = np.int64(1) << (card & 15)
        lead = np.int64(state.lead) if state.lead else colour
        ranks = np.int64(state.trump_ranks) | (bit if colour == state.trump else 0)
        trumped = ranks != 0
        if trumped:
            winner = 16 * state.trump + best_rank(rules, ranks)
            higher = popcount(beating(rules, ranks, unseen_trumps))
        else:
            ranks = np.int64(state.lead_ranks) | (bit if colour == lead else 0)
            winner = 16 * lead + best_rank(rules, ranks)
            unseen_of_lead = unseen_here if lead == colour else unseen_ranks(rules, state, seat, lead)
            higher = popcount(beating(rules, ranks, unseen_of_lead))
        worth = trick_worth(winner)
        alike = (higher << 8 | lead << 4 | winner >> 4) << 8 | worth << 1
        if winner == card:
            alike |= 1
        if alike != known:
            known = alike
            by = seat
            if winner != card:
                for other in range(players):
                    if state.table[other] == winner:
                        by = np.int64(other)
            of_lead = popcount(unseen_ranks(rules, state, seat, lead))
            won = row + worth * powers[by]
            led_trump = lead == state.trump
            value = value_of_trick(
                rules, state, row, powers, won, first, lead, trumped and not led_trump, higher, of_lead, trumps, unseen
            )
        score = value - worth_keeping(rules, state, card, held, unseen_here, remaining)
        if score > best_score:
            best, best_score = card, score
    return best
