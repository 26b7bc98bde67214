"""What a play does (D5–D8): effects, clearing the field, turns, going out, and the end of the game."""

import numpy as np

from ..cards import CARDS, EACH_RANK, JOKER, NATURALS
from ..game import PASS, payoff, play
from ..kernels import kernel, popcount, small_kernel, trailing_zeros
from ..rng import advance, below
from ..seats import next_seat
from .moves import LINE, groups_with_at_least, in_reverse, size_of, windows
from .rules import (
    DISJOINT,
    EIGHT_ANY,
    EIGHT_GROUPS,
    EIGHT_OFF,
    FOUL_BELOW,
    FOUL_FEDERATION,
    FOUL_HOUSE,
    FOUL_OFF,
    LEAD_DIAMOND3,
    LEAD_DIAMOND3_ALWAYS,
    WILD,
    Rules,
)
from .state import ASIDE, FALL, FOUL, KIND, LAST, LOT, LOW_SHIFT, OUT, SEQUENCE, SINGLE, SUITS_SHIFT, TRIBUTE
from .tribute import choose_return

SPADE_3 = 1 << 0
DIAMOND_3 = 1 << 2
THREES = 15
EIGHT, JACK = 5, 8  # ranks
EIGHTS = 15 << 4 * EIGHT
TWOS = 15 << 48


@small_kernel
def suits_of(rules, move):
    """Return the suits of a play as a mask, what can make a lock; 0 with a wild joker and for jokers alone (D5.1)."""
    if move >> 52 & 3 and (rules.joker_as == WILD or move & NATURALS == 0):
        return np.int64(0)
    lowest = trailing_zeros(move)
    if move & KIND == SEQUENCE:
        return np.int64(1) << (lowest & 3)
    return (move >> (lowest & ~3) | move >> SUITS_SHIFT) & 15


@small_kernel
def counts_as(rules, move, rank):
    """Return whether a play has a natural card of a rank (0: 3 … 12: 2), or a joker that counts as one (D3.4)."""
    if move & np.int64(15) << (4 * rank):
        return True
    if rules.joker_as == WILD or move & KIND != SEQUENCE:  # a group has a natural card of its rank
        return False
    low = move >> LOW_SHIFT
    return low <= rank + 1 and rank + 1 < low + size_of(move)


@small_kernel
def usable_against(rules, move, locked, reverse):
    """Return what can beat `move` under an order and a lock (D4, D5.2).

    For singles and groups the natural cards that may be used, for sequences the places (bits of a line) at
    which one may begin.
    """
    naturals = move & NATURALS
    kind = move & KIND
    if naturals == 0:
        return np.int64(SPADE_3 if kind == SINGLE and rules.spade3 else 0)
    if kind == SEQUENCE:
        low = move >> LOW_SHIFT
        length = size_of(move)
        if reverse:
            bound = 4 * (low - length + 1 if rules.sequence_compare == DISJOINT else low)
            usable = (np.int64(1) << bound) - 1 if bound > 0 else np.int64(0)
        else:
            bound = 4 * (low + length if rules.sequence_compare == DISJOINT else low + 1)
            usable = np.int64(LINE) & np.int64(-1) << bound
        return usable & np.int64(locked) * (EACH_RANK | EACH_RANK << 8) if locked else usable
    rank_bits = trailing_zeros(naturals) & ~3
    usable = (np.int64(1) << rank_bits) - 1 if reverse else np.int64(NATURALS) & np.int64(-16) << rank_bits
    return usable & np.int64(locked) * EACH_RANK if locked else usable


@small_kernel
def set_usable(rules, state, move):
    """Keep ready for the generator what can beat `move`, which lies on the field now."""
    state.usable = usable_against(rules, move, state.locked, in_reverse(state))
    state.jokers_ok = 1 if move & NATURALS else 0


@small_kernel
def beaten_by(rules, move, usable, cards, reverse):
    """Return whether some play from a set of cards beats `move`, where `usable` is what can (`usable_against`)."""
    kind = move & KIND
    jokers = cards >> 52
    if kind == SEQUENCE:
        return windows(rules, cards & NATURALS, size_of(move), jokers, reverse) & usable != 0
    if kind == SINGLE:
        return usable & cards != 0 or (jokers > 0 and move & NATURALS != 0)
    size = size_of(move)
    if size == 2 and jokers == 2:
        return True
    needed = max(size - jokers, 1)
    return needed <= 4 and groups_with_at_least(usable & cards, needed) != 0


@small_kernel
def is_foul(rules, move, revolution):
    """Return whether going out with `move` is forbidden (D8.2); `revolution` is the one in force before the play."""
    if rules.foul_finish == FOUL_OFF:
        return False
    kind = move & KIND
    if move >> 52 & 3 or move & (THREES if revolution else TWOS):
        return True
    if rules.foul_finish == FOUL_FEDERATION:
        return (kind != SEQUENCE and move & EIGHTS != 0) or (kind == SINGLE and move & SPADE_3 != 0)
    if rules.foul_finish == FOUL_HOUSE:
        return (rules.eight_cut != EIGHT_OFF and move & EIGHTS != 0) or makes_revolution(rules, move)
    return False


@small_kernel
def cuts(rules, move):
    """Return whether a play is an eight-cut (D6.4)."""
    if not counts_as(rules, move, EIGHT):
        return False
    return rules.eight_cut == EIGHT_ANY or (rules.eight_cut == EIGHT_GROUPS and move & KIND != SEQUENCE)


@small_kernel
def makes_revolution(rules, move):
    """Return whether a play makes a revolution (D6.1)."""
    size = size_of(move)
    if move & KIND == SEQUENCE:
        return rules.revolution != 0 and rules.sequence_revolution != 0 and size >= rules.sequence_revolution
    return rules.revolution != 0 and size >= 4


@small_kernel
def sink(state, seat, reason):
    """Take a seat out of the game to a place at the end."""
    state.sunk[state.sunk_count] = seat
    state.sunk_reason[state.sunk_count] = reason
    state.sunk_count += 1
    state.alive &= ~(1 << seat)


@kernel
def leave(rules, state, seat, foul):
    """Take a seat that emptied its hand out of the game, and let the former first fall where that is due (D8)."""
    if foul:
        sink(state, seat, FOUL)
        return
    state.out[state.out_count] = seat
    state.out_count += 1
    state.alive &= ~(1 << seat)
    if rules.fall and state.ranked and state.out_count == 1:
        top = np.int64(state.previous[0])
        if state.alive >> top & 1:
            sink(state, top, FALL)
            state.hands[ASIDE] = state.hands[top]
            state.sizes[ASIDE] = state.sizes[top]
            state.hands[top] = 0
            state.sizes[top] = 0


@kernel
def finish(rules, state):
    """End the game: write the final order of the seats and how each came to its place (D8.4).

    More than one player still in means that the pass limit was reached: their places are drawn by lot (D7.5).
    """
    place = state.out_count
    for index in range(place):
        state.ranking[index] = state.out[index]
        state.reasons[index] = OUT
    by_lot = popcount(state.alive) > 1
    stream = state.key
    while state.alive:
        stream = advance(stream)
        remaining = state.alive
        for _ in range(below(stream, popcount(remaining))):
            remaining &= remaining - 1
        seat = trailing_zeros(remaining)
        state.alive &= ~(1 << seat)
        state.ranking[place] = seat
        state.reasons[place] = LOT if by_lot else LAST
        place += 1
    if rules.sunk_order == FOUL_BELOW:
        for index in range(state.sunk_count):
            if state.sunk_reason[index] == FALL:
                state.ranking[place] = state.sunk[index]
                state.reasons[place] = FALL
                place += 1
    for index in range(state.sunk_count - 1, -1, -1):
        if rules.sunk_order != FOUL_BELOW or state.sunk_reason[index] != FALL:
            state.ranking[place] = state.sunk[index]
            state.reasons[place] = state.sunk_reason[index]
            place += 1
    state.turn = -1


@small_kernel
def clear(rules, state, seat):
    """Clear the field and give the lead to `seat`, or to the next player still in after it (D7.3)."""
    state.field = 0
    state.suits = 0
    state.locked = 0
    state.jback = 0
    state.passed = 0
    state.jokers_ok = 1
    if not state.alive >> seat & 1:
        seat = next_seat(rules, state.alive, seat)
    state.turn = seat


@small_kernel
def pass_on(rules, state, seat):
    """Give the turn to the next player who may still follow `seat`'s action, or clear the field (D7.1–D7.3)."""
    waiting = state.alive & ~state.passed
    if state.field == 0:
        if waiting == 0:  # the next player still in is the one who had the lead
            state.passed = 0
            waiting = state.alive
        state.turn = next_seat(rules, waiting, seat)
        return
    owner_bit = np.int64(1) << state.owner
    others = waiting & ~owner_bit
    if others:
        state.turn = next_seat(rules, others, seat)
    elif rules.owner_continues and waiting:
        state.turn = state.owner
    else:
        clear(rules, state, state.owner)


@play.register(Rules)
@small_kernel
def daifugo_play(rules, state, move):
    """Make the legal `move` of ``state.turn``: a play, a pass, or the choice of what to give back (D5–D8, D9.2)."""
    if state.phase == TRIBUTE:
        choose_return(rules, state, move)
        if state.phase != TRIBUTE:
            begin_play(rules, state)
        return
    seat = state.turn
    if move == PASS:
        state.passed |= np.int64(1) << seat
        if rules.pass_limit:
            state.passes += 1
            if state.passes >= rules.pass_limit:
                finish(rules, state)
                return
        pass_on(rules, state, seat)
        return
    cards = move & CARDS
    hand = state.hands[seat] - cards
    state.hands[seat] = hand
    state.sizes[seat] -= size_of(move)
    was_revolution = state.revolution
    on_joker_alone = state.field == SINGLE | JOKER
    suits = suits_of(rules, move)
    if move >> 52 & 3:
        state.jokers_shown[seat] += move >> 52 & 3
    if makes_revolution(rules, move):
        state.revolution ^= 1
    if rules.j_back and counts_as(rules, move, JACK):
        state.jback = 1
    if rules.lock and suits and suits == state.suits:
        state.locked = suits
    state.suits = suits
    state.field = move
    state.owner = seat
    state.passes = 0
    if not rules.pass_sits_out:
        state.passed = 0
    set_usable(rules, state, move)
    clears = on_joker_alone or cuts(rules, move)
    if rules.clear_unbeatable and not clears:
        others = (NATURALS & ~move) + (rules.jokers - (move >> 52 & 3)) * JOKER
        clears = not beaten_by(rules, move, state.usable, others, in_reverse(state))
    if hand == 0:
        leave(rules, state, seat, is_foul(rules, move, was_revolution))
        state.passed &= state.alive
        if state.alive & (state.alive - 1) == 0:
            finish(rules, state)
            return
    if clears:
        clear(rules, state, seat)
    else:
        pass_on(rules, state, seat)


@kernel
def begin_play(rules, state):
    """Let the first leader lead (D9.4); ``state.first_leader`` holds the seat that was drawn for a random one."""
    seat = state.first_leader
    if rules.first_lead == LEAD_DIAMOND3_ALWAYS or (rules.first_lead == LEAD_DIAMOND3 and not state.ranked):
        for other in range(rules.players):
            if state.hands[other] & DIAMOND_3:
                seat = np.int64(other)
    elif state.ranked:
        seat = np.int64(state.previous[rules.players - 1])
    state.first_leader = seat
    state.turn = seat


@payoff.register(Rules)
@small_kernel
def daifugo_payoff(rules, state, seat):
    """Return the points of `seat` in a finished game (D9.5), float64."""
    place = 0
    while state.ranking[place] != seat:
        place += 1
    points = rules.points[place]
    if place == 0 and state.last_of_set:
        points += rules.set_bonus
    return np.float64(points)
