"""What a seat knows (B7), and worlds drawn from everything that is consistent with it."""

import numpy as np

from ..game import observe, redeal
from ..kernels import copy_record, kernel, popcount, scratch64, small_kernel, trailing_zeros
from ..rng import CHANCE, advance, below, derive, unit
from ..seats import next_seat
from .cards import PACK
from .moves import fitting_cards
from .play import answer, end_turn, finish, qualifies, settle
from .rules import CHAIN, Rules
from .state import DOBON, DRAWN, RETURN, SHOOTING

STOCK = 6  # as a holder of cards, beside the seats
MIXING = 4  # exchanges that are tried for each hidden card, where hands are bounded
TRIES = 32  # worlds that are drawn until those who have shot could
EXCHANGES = 2000  # that are tried to let them, where no such world was drawn


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
    stock = observation.stock_from if observation.refills else np.int64(PACK)
    stream = advance(key)
    allowed, holders, counts = scratch64(), scratch64(), scratch64()
    classes = np.int64(0)
    bounded = observation.refills > 0
    for other in range(rules.players):
        if other == seat:
            continue
        begin = other * np.int64(observation.facts_each)
        facts = np.int64(observation.facts[other])
        # Cards drawn since the last reshuffle are of its stock. It is the newest fact that has all of that stock: the
        # sets of older ones have it too.
        since_refill = facts
        if observation.refills:
            for index in range(facts):
                if stock & ~observation.ruled[begin + index] == 0:
                    since_refill = np.int64(index)
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
            cards = lowest_free & stock if facts - 1 - back >= since_refill else lowest_free
            classes = add_class(classes, allowed, holders, counts, other, cards, room - newer)
            newer = room
            lowest_free = unseen & ~observation.ruled[index]
        classes = add_class(
            classes, allowed, holders, counts, other, lowest_free, np.int64(observation.sizes[other]) - newer
        )
    if bounded:
        classes = add_class(classes, allowed, holders, counts, STOCK, unseen & stock, np.int64(observation.left))
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


@kernel
def misfit(rules, observation, slots, slot_holder, slot_card):
    """Return a seat that has shot although its hand in the slots could not have, −1: there is none (B5.1)."""
    put = observation.last & PACK
    for seat in range(rules.players):
        if observation.shooters >> seat & 1 and seat != observation.observer:
            hand = hand_in(slots, slot_holder, slot_card, seat)
            if not qualifies(hand, sum_of(hand), put):
                return np.int64(seat)
    return np.int64(-1)


@kernel
def let_them_shoot(rules, observation, slots, slot_holder, slot_allowed, slot_card, key):
    """Exchange cards until all who have shot could: each exchange brings a hand no farther from the sum."""
    put = observation.last & PACK
    total = sum_of(put)
    stream = key
    for _ in range(EXCHANGES):
        seat = misfit(rules, observation, slots, slot_holder, slot_card)
        if seat < 0:
            return
        stream = advance(stream)
        one = below(stream, slots)
        stream = advance(stream)
        other = below(stream, slots)
        if slot_holder[one] != seat or slot_holder[other] == seat:
            continue
        holder = slot_holder[other]
        if holder != STOCK and observation.shooters >> holder & 1:
            hand = hand_in(slots, slot_holder, slot_card, holder)
            if qualifies(hand, sum_of(hand), put):
                continue
        before = abs(sum_of(hand_in(slots, slot_holder, slot_card, seat)) - total)
        exchanged = exchange(one, other, slot_allowed, slot_card)
        if exchanged and abs(sum_of(hand_in(slots, slot_holder, slot_card, seat)) - total) > before:
            exchange(one, other, slot_allowed, slot_card)


@kernel
def ask_in_world(rules, world, observer):
    """Ask in a world in the phase SHOOTING those whom it asks, the observer first if it is to answer now."""
    player = np.int64(world.player)
    put = world.last & PACK
    asked = np.int64(0)
    for seat in range(rules.players):
        if seat != player and qualifies(world.hands[seat], np.int64(world.sums[seat]), put):
            asked |= np.int64(1) << seat
    own = np.int64(1) << observer
    answered = world.asked & own and not world.waiting & own
    answers_now = world.turn == observer and observer != player
    world.asked = asked
    world.waiting = asked
    if asked == 0:
        settle(rules, world)
    elif answered:
        shoots = world.shooters & own
        world.shooters = 0
        world.turn = observer
        answer(rules, world, shoots)
    elif not answers_now:
        world.turn = next_seat(rules, asked, player)


@kernel
def draw_in_world(rules, world, observer, slots, slot_holder, slot_allowed, slot_card, key):
    """Say in a world which card another seat has just drawn, and let the turn go on where it cannot be played."""
    player = np.int64(world.player)
    widest = 0
    for slot in range(slots):
        if slot_holder[slot] == player:
            widest = max(widest, popcount(slot_allowed[slot]))
    seen = 0
    card = np.int64(0)
    stream = key
    for slot in range(slots):  # one of the newest slots
        if slot_holder[slot] == player and popcount(slot_allowed[slot]) == widest:
            seen += 1
            stream = advance(stream)
            if below(stream, seen) == 0:
                card = slot_card[slot]
    partners = card
    if rules.multi == CHAIN:
        partners = world.hands[player] & np.int64(15) << (trailing_zeros(card) & ~3)
    if fitting_cards(rules, world) & partners:
        world.drawn = card
    else:
        end_turn(rules, world, 1)


@redeal.register(Rules)
@kernel
def dobon_redeal(rules, observation, world, key):
    """Write into `world` a full state drawn from those consistent with an observation (`place_cards`).

    Who has shot could; who will be asked, and what its drawn card lets another do, follow from the hands of the world.
    Where the observer does not decide, the world may already be past what the observation cannot see.
    """
    slot_holder, slot_allowed, slot_card = scratch64(), scratch64(), scratch64()
    slots = np.int64(0)
    tries = TRIES if observation.phase == RETURN else 1
    for attempt in range(tries):
        slots = place_cards(rules, observation, slot_holder, slot_allowed, slot_card, True, derive(key, 16 + attempt))
        if slots == 0:
            slots = place_cards(
                rules, observation, slot_holder, slot_allowed, slot_card, False, derive(key, 64 + attempt)
            )
        if tries == 1 or misfit(rules, observation, slots, slot_holder, slot_card) < 0:
            break
        if attempt == tries - 1:
            let_them_shoot(rules, observation, slots, slot_holder, slot_allowed, slot_card, derive(key, 15))
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
    observer = observation.observer
    if observation.phase == SHOOTING:
        ask_in_world(rules, world, observer)
    elif observation.phase == DRAWN and observation.drawn == 0:
        draw_in_world(rules, world, observer, slots, slot_holder, slot_allowed, slot_card, derive(key, 2))
    elif observation.phase == RETURN and observation.player != observer:
        player = np.int64(world.player)
        if not qualifies(world.hands[player], np.int64(world.sums[player]), world.last & PACK):
            finish(world, DOBON)
