"""What a seat knows (V4), and worlds that are consistent with it."""

import numpy as np

from ..game import hand_size, observe, redeal
from ..kernels import copy_record, kernel, popcount, scratch64, scratch128, small_kernel, trailing_zeros
from ..rng import CHANCE, advance, below, derive, unit
from .deal import draw_cards
from .rules import HIGHEST, Rules
from .state import COLOURS

ASIDE = 5  # the holder, beside the seats, of what was not dealt
HOLDERS = 6
TRIES = 256  # draws of a world before one of them is taken though none was accepted

# Where in a plan (int64) things stand, each by colour 1–5 or by holder.
CARDS, BARRED, BOUND, ORDER, ROOM, LEFT = 0, 8, 16, 24, 32, 40


@observe.register(Rules)
@kernel
def voodoo_observe(rules, state, seat, observation):
    """Write what `seat` knows of a state: the other hands are blank, and of these `dealt` keeps the cards shown."""
    copy_record(observation, state)
    for half in range(2 * rules.players):
        if half >> 1 != seat:
            observation.dealt[half] &= ~state.hands[half]
            observation.hands[half] = 0
    observation.observer = seat


@hand_size.register(Rules)
@small_kernel
def voodoo_hand_size(rules, state, seat):
    """Return how many cards a seat holds, which all know; none once it has left."""
    return np.int64(state.sizes[seat] if state.alive >> seat & 1 else 0)


@small_kernel
def whole_colours(rules):
    """Return all ranks of the deck at once in three colours beside each other, lowest bits first."""
    ranks = (np.int64(2) << HIGHEST[rules.players]) - 1
    return ranks | ranks << 16 | ranks << 32


@small_kernel
def deck_half(rules, half):
    """Return a half of the deck, the set of all cards."""
    three = whole_colours(rules)
    return three if half else three << 16 & 0xFFFFFFFF0000


@small_kernel
def unseen_half(rules, state, seat, half):
    """Return a half of the cards that `seat` cannot locate: other hands, those laid aside and those not dealt."""
    return deck_half(rules, half) & ~(state.seen[half] | state.hands[2 * seat + half])


@small_kernel
def unseen_ranks(rules, state, seat, colour):
    """Return the ranks of a colour that `seat` cannot locate."""
    half = np.int64(colour >= 3)
    return unseen_half(rules, state, seat, half) >> (16 * (colour - 3 * half)) & 0xFFFF


@small_kernel
def open_places(plan, barred):
    """Return how many cards the holders that are not in the mask `barred` can still take."""
    places = np.int64(0)
    for holder in range(HOLDERS):
        if not barred >> holder & 1:
            places += plan[LEFT + holder]
    return places


@kernel
def make_plan(rules, observation, plan):
    """Write into `plan` what is to be dealt, by whom each colour is barred, and in which order the colours go.

    A holder is barred from a colour that it failed to follow, whether it is still in or not. Colours from which
    somebody is barred go first, of these the one with the fewest places for its cards; the other cards are dealt last.
    `BOUND` is how many places a colour of those can have at most when its turn comes. Returns how many those are.
    """
    seat = observation.observer
    total = np.int64(0)
    for colour in range(1, COLOURS + 1):
        plan[CARDS + colour] = unseen_ranks(rules, observation, seat, colour)
        plan[BARRED + colour] = 0
        total += popcount(plan[CARDS + colour])
    for holder in range(HOLDERS):
        plan[ROOM + holder] = 0
    for holder in range(rules.players):
        if holder != seat:
            room = np.int64(observation.sizes[holder])
            plan[ROOM + holder] = room
            total -= room
            if room:
                for colour in range(1, COLOURS + 1):
                    plan[BARRED + colour] |= np.int64(observation.lacks[holder] >> colour & 1) << holder
    plan[ROOM + ASIDE] = total
    constrained = 0
    for holder in range(HOLDERS):
        plan[LEFT + holder] = plan[ROOM + holder]
    for colour in range(1, COLOURS + 1):
        cards = popcount(plan[CARDS + colour])
        if plan[BARRED + colour] == 0 or cards == 0:
            continue
        places = open_places(plan, plan[BARRED + colour])
        place = constrained
        while place > 0:
            other = plan[ORDER + place - 1]
            if popcount(plan[CARDS + other]) * places >= cards * open_places(plan, plan[BARRED + other]):
                break
            plan[ORDER + place] = other
            place -= 1
        plan[ORDER + place] = colour
        constrained += 1
    for index in range(constrained):
        barred = plan[BARRED + plan[ORDER + index]]
        before, hidden, reached = np.int64(0), np.int64(0), np.int64(0)
        for earlier in range(index):
            colour = plan[ORDER + earlier]
            cards = popcount(plan[CARDS + colour])
            room = np.int64(0)
            for holder in range(HOLDERS):
                if (barred & ~plan[BARRED + colour]) >> holder & 1:
                    room += plan[ROOM + holder]
            before += cards
            hidden += min(cards, room)
            reached |= barred & ~plan[BARRED + colour]
        most = np.int64(0)
        for holder in range(HOLDERS):
            if reached >> holder & 1:
                most += plan[ROOM + holder]
        plan[BOUND + plan[ORDER + index]] = open_places(plan, barred) - before + min(hidden, most)
    return constrained


@small_kernel
def give(world, holder, colour, rank):
    """Add a card to the hidden hand of a seat; what lies aside is nowhere in a state."""
    if holder < ASIDE:
        half = np.int64(colour >= 3)
        world.hands[2 * holder + half] |= np.int64(1) << (16 * (colour - 3 * half) + rank)


@small_kernel
def draw_holder(plan, barred, drawn):
    """Return the holder of place number `drawn` of the open ones that are not barred, and take that place."""
    holder = 0
    while True:
        if not barred >> holder & 1:
            if drawn < plan[LEFT + holder]:
                break
            drawn -= plan[LEFT + holder]
        holder += 1
    plan[LEFT + holder] -= 1
    return holder


@small_kernel
def clear_hands(rules, world, plan):
    """Empty the hidden hands."""
    for holder in range(HOLDERS):
        plan[LEFT + holder] = plan[ROOM + holder]
    for holder in range(rules.players):
        if holder != world.observer:
            world.hands[2 * holder] = 0
            world.hands[2 * holder + 1] = 0


@kernel
def deal_barred(rules, world, plan, constrained, key):
    """Deal the cards of each colour from which somebody is barred to the places open for it, all equally likely.

    Returns the weight of what came out (float64, 0 … 1): in how many ways the cards could have been placed, out of the
    most. Worlds that are accepted with this probability are uniform. 0: the places ran out.
    """
    clear_hands(rules, world, plan)
    stream = key
    weight = 1.0
    for index in range(constrained):
        colour = plan[ORDER + index]
        cards, barred, bound = plan[CARDS + colour], plan[BARRED + colour], plan[BOUND + colour]
        places = open_places(plan, barred)
        if places < popcount(cards):
            return 0.0
        while cards:
            stream = advance(stream)
            give(world, draw_holder(plan, barred, below(stream, places)), colour, trailing_zeros(cards))
            weight *= places / bound
            cards &= cards - 1
            places -= 1
            bound -= 1
    return weight


@kernel
def all_fit(plan):
    """Return whether the cards that are left can be dealt: for any colours, their holders have room (Hall)."""
    for colours in range(1 << COLOURS):
        cards, barred = np.int64(0), np.int64(-1)
        for colour in range(1, COLOURS + 1):
            if colours >> (colour - 1) & 1:
                cards += popcount(plan[CARDS + colour])
                barred &= plan[BARRED + colour]
        if cards > open_places(plan, barred):
            return False
    return True


@kernel
def deal_carefully(rules, world, plan, constrained, key):
    """Deal the same cards so that the places never run out; every world can come, but not all equally often.

    The cards are taken out of the plan.
    """
    clear_hands(rules, world, plan)
    stream = key
    for index in range(constrained):
        colour = plan[ORDER + index]
        while plan[CARDS + colour]:
            rank = trailing_zeros(plan[CARDS + colour])
            plan[CARDS + colour] &= plan[CARDS + colour] - 1
            barred = plan[BARRED + colour]
            for holder in range(HOLDERS):
                if plan[LEFT + holder]:
                    plan[LEFT + holder] -= 1
                    if not all_fit(plan):
                        barred |= 1 << holder
                    plan[LEFT + holder] += 1
            stream = advance(stream)
            give(world, draw_holder(plan, barred, below(stream, open_places(plan, barred))), colour, rank)


@small_kernel
def deal_rest(rules, world, plan, key):
    """Deal the cards that anybody may hold to the places that are left, all deals equally likely."""
    pack = scratch128()
    total = np.int64(0)
    for colour in range(1, COLOURS + 1):
        cards = np.int64(0) if plan[BARRED + colour] else plan[CARDS + colour]
        first = 16 * colour
        while cards:
            pack[total] = first + trailing_zeros(cards)
            cards &= cards - 1
            total += 1
    place = np.int64(0)
    stream = key
    for holder in range(rules.players):
        near, far, stream = draw_cards(pack, place, total, plan[LEFT + holder], stream)
        place += plan[LEFT + holder]
        world.hands[2 * holder] |= near
        world.hands[2 * holder + 1] |= far


@redeal.register(Rules)
@kernel
def voodoo_redeal(rules, observation, world, key):
    """Write into `world` a full state drawn from those consistent with an observation, all equally likely.

    Colours that somebody failed to follow are dealt one after the other to those who may hold them, and the world is
    accepted with the probability that makes up for how many places there were. When none of `TRIES` is accepted, one
    of them is taken, by the same weight: then the worlds are uniform but for a little.
    """
    copy_record(world, observation)
    plan = scratch64()
    constrained = make_plan(rules, observation, plan)
    chosen, sum_of_weights = -1, 0.0
    accepted = False
    for attempt in range(TRIES):
        stream = derive(key, attempt)
        weight = deal_barred(rules, world, plan, constrained, stream)
        stream = derive(stream, CHANCE)
        if unit(stream) < weight:
            accepted = True
            break
        sum_of_weights += weight
        if unit(advance(stream)) * sum_of_weights < weight:
            chosen = attempt
    if not accepted:
        if chosen >= 0:
            deal_barred(rules, world, plan, constrained, derive(key, chosen))
        else:
            deal_carefully(rules, world, plan, constrained, derive(key, TRIES))
    deal_rest(rules, world, plan, derive(key, TRIES + 1))
    for half in range(2 * rules.players):
        if half >> 1 != observation.observer:
            world.dealt[half] |= world.hands[half]
    world.observer = -1
