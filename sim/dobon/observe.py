"""What a seat knows (B7), and worlds drawn from everything that is consistent with it."""

import math

import numpy as np

from ..game import observe, redeal
from ..kernels import copy_record, kernel, popcount, scratch64, small_kernel, trailing_zeros
from ..rng import CHANCE, advance, below, derive, unit
from .cards import PACK
from .play import qualifies
from .rules import Rules
from .state import RETURN, SHOOTING

STOCK = 6  # as a holder of cards, beside the seats
MIXING = 4  # exchanges that are tried for each hidden card, where hands are bounded
TRIES = 32  # worlds that are drawn until those who have shot could
RESTARTS = 32  # more of them in which cards are exchanged to let them
EXCHANGES = 2000  # that are tried in each
SLACK = 2.0  # by how many points of its sum an exchange may well take a hand away from what could shoot
OTHER_NUMBER = 3  # points that a card of another number counts, where a hand of one number may shoot


@observe.register(Rules)
@kernel
def dobon_observe(rules, state, seat, observation):
    """Write what `seat` knows of a state: other hands, the stock and all chance are blank.

    While another seat is asked, ``turn`` is that of the player, since nobody sees who is asked; of the answers a seat
    knows its own until all have answered. Of another's drawn card only that it was drawn is known.
    """
    copy_record(observation, state)
    for other in range(rules.players):
        if other != seat:
            observation.hands[other] = 0
            observation.sums[other] = 0
    for place in range(52):
        observation.stock[place] = 0
    observation.next = 0
    observation.ordered = 0
    observation.staged = 0
    observation.key = 0
    observation.stream = 0
    observation.observer = seat
    if state.turn == seat:
        if state.phase == SHOOTING:
            observation.shooters = 0
    elif state.turn >= 0:
        observation.turn = state.player
        observation.drawn = 0
    own = np.int64(1) << seat
    if state.phase == SHOOTING:
        observation.asked &= own
        observation.waiting &= own
        observation.shooters &= own
    else:  # who has shot is seen when all have answered, who could have is not
        observation.asked = state.shooters


@small_kernel
def chosen_bit(cards, number):
    """Return the bit number `number` (0: the lowest) of a set of cards."""
    for _ in range(number):
        cards &= cards - 1
    return cards & -cards


@kernel
def add_class(classes, allowed, holders, counts, holder, cards, count):
    """Add `count` places of a holder for which only some cards come into question; return how many classes there are.

    They are kept in the order of the number of cards, the fewest first.
    """
    if count <= 0:
        return classes
    size = popcount(cards)
    place = classes
    while place > 0 and popcount(allowed[place - 1]) > size:
        allowed[place] = allowed[place - 1]
        holders[place] = holders[place - 1]
        counts[place] = counts[place - 1]
        place -= 1
    allowed[place] = cards
    holders[place] = holder
    counts[place] = count
    return classes + 1


@kernel
def fill_by_exchange(slot, slots, slot_allowed, slot_card, free):
    """Give a slot a card although none of the free ones may go there, by moving others on; return that free card.

    The shortest such chain is found by breadth; 0 if there is none.
    """
    came_from = scratch64()  # by card: the slot that wants it
    seen = np.int64(0)
    frontier = np.int64(0)
    rest = slot_allowed[slot]
    while rest:
        came_from[trailing_zeros(rest)] = slot
        frontier |= rest & -rest
        rest &= rest - 1
    seen = frontier
    while frontier:
        found = frontier & free
        if found:
            free_card = found & -found
            card = free_card
            while True:
                wanting = came_from[trailing_zeros(card)]
                before = slot_card[wanting]
                slot_card[wanting] = card
                if wanting == slot:
                    return free_card
                card = before
        reached = np.int64(0)
        for other in range(slots):
            if slot_card[other] & frontier:
                fresh = slot_allowed[other] & ~seen & ~reached
                reached |= fresh
                while fresh:
                    came_from[trailing_zeros(fresh)] = other
                    fresh &= fresh - 1
        seen |= reached
        frontier = reached
    return np.int64(0)


@kernel
def place_cards(rules, observation, slot_holder, slot_allowed, slot_card, likely, key):
    """Lay the unseen cards into slots, one for each hidden card of a seat or of the stock; return how many there are.

    The slots with the fewest cards to choose from are filled first; then pairs are exchanged at random where both may
    be, so that the ways to fill all slots come out about equally likely.

    Args:
        slot_holder, slot_allowed, slot_card: room for 64: whose slot it is, which cards may lie there, which one does.
        likely: whether of the cards drawn since a fact only so many are there as its share says; else as many as can.

    Returns 0 if the cards do not go into the slots so.
    """
    seat = observation.observer
    unseen = PACK & ~observation.pile & ~observation.hands[seat]
    stream = advance(key)
    allowed, holders, counts = scratch64(), scratch64(), scratch64()
    classes = np.int64(0)
    bounded = observation.refills > 0
    for other in range(rules.players):
        if other == seat:
            continue
        begin = other * np.int64(observation.facts_each)
        facts = np.int64(observation.facts[other])
        # Of how many cards drawn since each fact there still are; newer facts have fewer.
        newer = np.int64(0)
        lowest_free = unseen
        for back in range(facts):
            index = begin + facts - 1 - back
            bounded = True
            room = np.int64(observation.room[index])
            share = observation.share[index]
            if likely and share < 1.0:
                drawn = np.int64(0)
                for _ in range(room):
                    stream = advance(stream)
                    if unit(stream) < share:
                        drawn += 1
                room = drawn
            room = max(room, newer)
            # The cards that came after this fact and before the next one.
            classes = add_class(classes, allowed, holders, counts, other, lowest_free, room - newer)
            newer = room
            lowest_free = unseen & ~observation.ruled[index]
        classes = add_class(
            classes, allowed, holders, counts, other, lowest_free, np.int64(observation.sizes[other]) - newer
        )
    if bounded:  # the hands leave nothing but cards of it to a stock, unless a fact of the reshuffle was forgotten
        stock = unseen & observation.stock_from if observation.refills else unseen
        classes = add_class(classes, allowed, holders, counts, STOCK, stock, np.int64(observation.left))
    slots = np.int64(0)
    free = unseen
    for place in range(classes):
        for _ in range(counts[place]):
            slot_holder[slots] = holders[place]
            slot_allowed[slots] = allowed[place]
            here = free & allowed[place]
            if here:
                stream = advance(stream)
                card = chosen_bit(here, below(stream, popcount(here)))
                slot_card[slots] = card
            else:
                slot_card[slots] = 0
                card = fill_by_exchange(slots, slots, slot_allowed, slot_card, free)
                if card == 0:
                    return np.int64(0)
            free ^= card
            slots += 1
    if bounded:
        for _ in range(MIXING * slots):
            stream = advance(stream)
            one, other = below(stream, slots), np.int64(0)
            stream = advance(stream)
            other = below(stream, slots)
            exchange(one, other, slot_allowed, slot_card)
    while free:  # in the stock anything may lie that is left
        slot_holder[slots] = STOCK
        slot_allowed[slots] = unseen
        slot_card[slots] = free & -free
        free &= free - 1
        slots += 1
    return slots


@small_kernel
def exchange(one, other, slot_allowed, slot_card):
    """Exchange the cards of two slots where both may lie in the other; return whether they could be."""
    first, second = slot_card[one], slot_card[other]
    fits = slot_allowed[one] & second and slot_allowed[other] & first
    if fits:
        slot_card[one] = second
        slot_card[other] = first
    return fits


@kernel
def hand_in(slots, slot_holder, slot_card, holder):
    """Return the cards of a holder."""
    hand = np.int64(0)
    for slot in range(slots):
        if slot_holder[slot] == holder:
            hand |= slot_card[slot]
    return hand


@small_kernel
def sum_of(cards):
    """Return the values of a set of cards, added up."""
    total = np.int64(0)
    while cards:
        total += (trailing_zeros(cards) >> 2) + 1
        cards &= cards - 1
    return total


@small_kernel
def lacking(hand, put):
    """Return how far a hand is from one that may shoot cards put down (B5.1), 0: it may."""
    far = abs(sum_of(hand) - sum_of(put))
    if popcount(put) == 1:
        far = min(far, OTHER_NUMBER * popcount(hand & ~(np.int64(15) << (trailing_zeros(put) & ~3))))
    return far


@kernel
def all_lacking(rules, observation, slots, slot_holder, slot_card):
    """Return how far the hands of all who have shot are from such as could have, 0: they could."""
    far = np.int64(0)
    for seat in range(rules.players):
        if observation.shooters >> seat & 1:
            far += lacking(hand_in(slots, slot_holder, slot_card, seat), observation.last & PACK)
    return far


@kernel
def let_them_shoot(rules, observation, slots, slot_holder, slot_allowed, slot_card, key):
    """Exchange cards until all who have shot could; return whether they can.

    An exchange that takes their hands farther from that is taken back, but not always, so that no hand is stuck.
    """
    stream = key
    far = all_lacking(rules, observation, slots, slot_holder, slot_card)
    for _ in range(EXCHANGES):
        if far == 0:
            return True
        stream = advance(stream)
        one = below(stream, slots)
        stream = advance(stream)
        other = below(stream, slots)
        if slot_holder[one] == slot_holder[other] or not exchange(one, other, slot_allowed, slot_card):
            continue
        now = all_lacking(rules, observation, slots, slot_holder, slot_card)
        stream = advance(stream)
        if now <= far or unit(stream) < math.exp((far - now) / SLACK):
            far = now
        else:
            exchange(one, other, slot_allowed, slot_card)
    return far == 0


@kernel
def ask_in_world(rules, world):
    """Ask those whom a world lets shoot; the observer is the first to answer, the answers of others are open."""
    put = world.last & PACK
    asked = np.int64(0)
    for seat in range(rules.players):
        if seat != world.player and qualifies(world.hands[seat], np.int64(world.sums[seat]), put):
            asked |= np.int64(1) << seat
    world.asked = asked
    world.waiting = asked


@redeal.register(Rules)
@kernel
def dobon_redeal(rules, observation, world, key):
    """Write into `world` a full state drawn from those consistent with an observation (`place_cards`).

    Who has shot could; who is asked follows from the hands of the world.
    """
    slot_holder, slot_allowed, slot_card = scratch64(), scratch64(), scratch64()
    slots = np.int64(0)
    for attempt in range(TRIES + RESTARTS):
        slots = place_cards(rules, observation, slot_holder, slot_allowed, slot_card, True, derive(key, 16 + attempt))
        if slots == 0:
            slots = place_cards(
                rules, observation, slot_holder, slot_allowed, slot_card, False, derive(key, 128 + attempt)
            )
        if observation.phase != RETURN:
            break
        if attempt < TRIES:
            if all_lacking(rules, observation, slots, slot_holder, slot_card) == 0:
                break
        elif let_them_shoot(
            rules, observation, slots, slot_holder, slot_allowed, slot_card, derive(key, 256 + attempt)
        ):
            break
    copy_record(world, observation)
    count = 0
    for slot in range(slots):
        holder = slot_holder[slot]
        card = slot_card[slot]
        index = trailing_zeros(card)
        if holder == STOCK:
            world.stock[count] = index
            count += 1
        else:
            world.hands[holder] |= card
            world.sums[holder] += (index >> 2) + 1
    world.observer = -1
    world.key = derive(key, 1)
    world.stream = derive(key, CHANCE)
    if observation.phase == SHOOTING:
        ask_in_world(rules, world)
