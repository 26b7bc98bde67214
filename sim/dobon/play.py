"""What a move does (B2–B6): drawing, shooting, effects, turns, the end of a deal and its score."""

import numpy as np

from ..game import PASS, payoff, play
from ..kernels import kernel, popcount, small_kernel, trailing_zeros
from ..rng import advance, below, derive, unit
from ..seats import next_seat
from .cards import EIGHT, JACK, NINE, PACK, TWO
from .facts import add_fact, take_from_facts
from .moves import fitting_cards, top_of
from .rules import CHAIN, UNITS, Rules
from .state import (
    DOBON,
    DRAW,
    DRAWN,
    OUT,
    OVER,
    RETURN,
    RETURNED,
    SHOOT,
    SHOOTING,
    STOPPED,
    SUIT_SHIFT,
    TURN,
)

CALLS = 7  # the stream that says who calls first


@small_kernel
def seat_after(rules, seat, steps):
    """Return the seat `steps` (0 or more) clockwise from one."""
    return (seat + steps) % rules.players


@kernel
def refill(rules, state):
    """Make the pile without its top card the new stock, if it has more (B2.4)."""
    top = np.int64(1) << state.top
    cards = state.pile & ~top
    if cards == 0:
        return
    if state.staged:
        state.left = state.staged
        state.staged = 0
        cards = np.int64(0)
        for index in range(state.next, state.next + state.left):
            cards |= np.int64(1) << state.stock[index]
    else:
        state.ordered = 0
        state.next = 0
        count = 0
        rest = cards
        while rest:
            state.stock[count] = trailing_zeros(rest)
            rest &= rest - 1
            count += 1
        state.left = count
    state.pile = top
    state.stock_from = cards
    state.refills += 1
    for seat in range(rules.players):
        add_fact(state, seat, cards)


@small_kernel
def draw_card(rules, state, seat):
    """Let `seat` draw a card; return its index, −1 if there is none."""
    if state.left == 0:
        refill(rules, state)
        if state.left == 0:
            return np.int64(-1)
    place = np.int64(state.next)
    card = np.int64(state.stock[place])
    if not state.ordered:
        state.stream = advance(state.stream)
        other = place + below(state.stream, state.left)
        state.stock[place] = state.stock[other]
        state.stock[other] = card
        card = np.int64(state.stock[place])
    state.next = place + 1
    state.left -= 1
    state.hands[seat] |= np.int64(1) << card
    state.sizes[seat] += 1
    state.sums[seat] += (card >> 2) + 1
    begin = seat * np.int64(state.facts_each)
    for index in range(begin, begin + state.facts[seat]):
        room = state.room[index]
        state.room[index] = room + 1
        if state.share[index] < 1.0:
            state.share[index] = (state.share[index] * room + 1.0) / (room + 1)
    return card


@small_kernel
def qualifies(hand, total, play_cards):
    """Return whether a hand whose values add up to `total` may shoot cards just put down (B5.1)."""
    number = trailing_zeros(play_cards) >> 2
    count = popcount(play_cards)
    if total == count * (number + 1):
        return True
    return count == 1 and hand != 0 and hand & ~(np.int64(15) << 4 * number) == 0


@small_kernel
def finish(state, end):
    """End the deal."""
    state.end = end
    state.phase = OVER
    state.turn = -1
    state.drawn = 0


@small_kernel
def end_turn(rules, state, steps):
    """Let the turn go on by so many seats, or stop the deal (B6.4)."""
    state.turns += 1
    state.drawn = 0
    state.phase = TURN
    seat = np.int64(state.player)
    seat = seat + steps if state.direction > 0 else seat + (rules.players - 1) * steps
    while seat >= rules.players:
        seat -= rules.players
    state.player = seat
    state.turn = seat
    if state.turns >= rules.max_turns:
        finish(state, STOPPED)


@kernel
def call(rules, state, seat):
    """Let `seat`, which has come down to one card, call it (B4)."""
    if rules.call_caught > 0.0 and unit(derive(derive(state.key, CALLS), state.turns)) < rules.call_caught:
        draw_card(rules, state, seat)
        return
    for steps in range(1, rules.players):
        for _ in range(rules.call_draw):
            draw_card(rules, state, seat_after(rules, seat, steps))


@small_kernel
def settle(rules, state):
    """Do what the last play does once nobody has shot it: going out, the call, the effect, the next turn."""
    seat = np.int64(state.player)
    size = state.sizes[seat]
    if size == 0:
        finish(state, OUT)
        return
    if size == 1:
        call(rules, state, seat)
    number = top_of(state.last) >> 2
    steps = 1
    if number == TWO:
        state.pending += 2 * popcount(state.last & PACK)
    elif number == NINE:
        if rules.players > 2:
            state.direction = -state.direction
    elif number == JACK:
        steps += popcount(state.last & PACK)
    end_turn(rules, state, steps)


@small_kernel
def put_down(rules, state, move):
    """Put cards of ``state.turn`` down, and ask who may shoot them (B5)."""
    seat = state.turn
    cards = move & PACK
    count = popcount(cards)
    top = top_of(move)
    number = top >> 2
    value = number + 1
    total = count * value
    state.hands[seat] ^= cards
    state.sizes[seat] -= count
    state.sums[seat] -= total
    state.pile |= cards
    state.top = top
    state.suit = move >> SUIT_SHIFT if number == EIGHT else top & 3
    state.last = move
    state.drawn = 0
    if state.facts[seat]:
        take_from_facts(state, seat, cards)
    asked = np.int64(0)
    for other in range(rules.players):
        if state.sums[other] == total:
            asked |= np.int64(1) << other
    if count == 1:
        others = ~(np.int64(15) << 4 * number)
        for other in range(rules.players):
            if state.hands[other] & others == 0:
                asked |= np.int64(1) << other
    asked &= ~(np.int64(1) << seat)
    if asked:
        state.phase = SHOOTING
        state.asked = asked
        state.waiting = asked
        state.shooters = 0
        state.turn = next_seat(rules, asked, seat)
    else:
        settle(rules, state)


@kernel
def answer(rules, state, shoots):
    """Take the answer of ``state.turn`` to whether it shoots, or shoots back (B5.3, B5.4)."""
    player = np.int64(state.player)
    if state.phase == RETURN:
        finish(state, RETURNED if shoots else DOBON)
        return
    seat = np.int64(1) << state.turn
    state.waiting &= ~seat
    if shoots:
        state.shooters |= seat
    if state.waiting:
        state.turn = next_seat(rules, state.waiting, player)
    elif state.shooters == 0:
        state.asked = 0
        settle(rules, state)
    elif state.sizes[player] and qualifies(state.hands[player], state.sums[player], state.last & PACK):
        state.phase = RETURN
        state.turn = player
    else:
        finish(state, DOBON)


@kernel
def draw(rules, state):
    """Let ``state.turn`` draw, for 2s or because it does not play (B2.2, B3.1)."""
    seat = state.turn
    fitting = fitting_cards(rules, state)
    if not rules.voluntary_draw:
        add_fact(state, seat, fitting)
    if state.pending:
        for _ in range(state.pending):
            draw_card(rules, state, seat)
        state.pending = 0
        end_turn(rules, state, 1)
        return
    card = draw_card(rules, state, seat)
    if card >= 0:
        partners = np.int64(1) << card
        if rules.multi == CHAIN:
            partners = state.hands[seat] & np.int64(15) << (card & ~3)
        if fitting & partners:
            state.phase = DRAWN
            state.drawn = np.int64(1) << card
            return
    end_turn(rules, state, 1)


@play.register(Rules)
@small_kernel
def dobon_play(rules, state, move):
    """Make the legal `move` of ``state.turn``, and all that follows from it."""
    if move & PACK:
        put_down(rules, state, move)
    elif move == DRAW:
        draw(rules, state)
    elif move == PASS:
        end_turn(rules, state, 1)
    else:
        answer(rules, state, move == SHOOT)


@payoff.register(Rules)
@small_kernel
def dobon_payoff(rules, state, seat):
    """Return what a finished deal scores for `seat` (B6.2), float64."""
    players = rules.players
    player = np.int64(state.player)
    units = rules.scoring == UNITS
    points = np.int64(0)
    if state.end == OUT:
        if seat != player:
            points = -(np.int64(1) if units else np.int64(state.sums[seat]))
        else:
            for other in range(players):
                points += np.int64(1) if units else np.int64(state.sums[other])
            if units:
                points -= 1
    elif state.end == DOBON or state.end == RETURNED:
        put = popcount(state.last & PACK) * ((top_of(state.last) >> 2) + 1)
        for shooter in range(players):
            if state.shooters >> shooter & 1 and seat in (player, shooter):
                if state.end == DOBON:
                    paid = np.int64(players - 1) if units else 2 * (np.int64(state.sums[player]) + put)
                    points += paid if seat == shooter else -paid
                else:
                    paid = np.int64(2 * (players - 1)) if units else 2 * (np.int64(state.sums[shooter]) + put)
                    points += paid if seat == player else -paid
    return np.float64(points)
