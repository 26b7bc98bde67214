"""What a seat knows (D2.1, D9.2), and worlds drawn from everything that is consistent with it."""

import numpy as np

from ..cards import JOKER, NATURALS
from ..game import hand_size, observe, redeal
from ..kernels import copy_record, kernel, popcount, scratch64, small_kernel, trailing_zeros
from ..rng import CHANCE, advance, below, derive
from .moves import size_of
from .play import DIAMOND_3
from .rules import LEAD_DIAMOND3, LEAD_DIAMOND3_ALWAYS, Rules
from .state import ASIDE, BLIND, FALL, TRIBUTE
from .tribute import giver, pair_count, receiver, strongest, tribute_size

# How often a world is drawn again when a tribute that others made could not have been in it.
TRIBUTE_TRIES = 20


@small_kernel
def fallen_seat(state):
    """Return the seat that fell, −1 for none."""
    for index in range(state.sunk_count):
        if state.sunk_reason[index] == FALL:
            return np.int64(state.sunk[index])
    return np.int64(-1)


@observe.register(Rules)
@kernel
def daifugo_observe(rules, state, seat, observation):
    """Write what `seat` knows of a state: other hands, the blind and what was set aside are blank.

    Of a hidden hand ``dealt`` keeps the cards it has shown; ``sizes`` are public. Tribute cards are known to
    the two players of the pair alone, and with `tribute_blind` to the receiver only after it chose.
    """
    copy_record(observation, state)
    fallen = fallen_seat(state)
    if fallen >= 0:
        observation.dealt[fallen] -= state.hands[ASIDE]
    for other in range(rules.players):
        if other != seat:
            observation.dealt[other] -= state.hands[other]
            observation.hands[other] = 0
    for holder in (BLIND, ASIDE):
        observation.hands[holder] = 0
        observation.dealt[holder] = 0
    choosing = state.phase == TRIBUTE
    for pair in range(2):
        gives = state.ranked and pair < pair_count(rules) and giver(rules, state, pair) == seat
        receives = state.ranked and pair < pair_count(rules) and receiver(rules, state, pair) == seat
        if not (gives or (receives and not (choosing and rules.tribute_blind))):
            observation.given[pair] = 0
        if not (receives or (gives and not choosing)):
            observation.returned[pair] = 0
        if choosing and pair < pair_count(rules) and not receives:
            observation.pending |= 1 << pair  # whoever chooses unseen may as well choose later
    if choosing:
        observation.first_leader = 0
    observation.key = 0
    observation.observer = seat


@small_kernel
def shown_cards(rules, state):
    """Return all cards that have been played, in a full state and in an observation alike."""
    shown = state.gone - state.hands[ASIDE]
    for seat in range(rules.players):
        shown += state.dealt[seat] - state.hands[seat]
    return shown


@kernel
def unseen_cards(rules, state, seat):
    """Return the cards that `seat` cannot locate: other hands, the blind and what was set aside together."""
    return NATURALS + rules.jokers * JOKER - shown_cards(rules, state) - state.hands[seat]


@small_kernel
def tribute_strength(card):
    """Return the strength of one card in the order of tribute: jokers above ♠2 > ♥2 > … > ♣3 (D9.2)."""
    if card >> 52:
        return np.int64(52)
    index = trailing_zeros(card)
    return (index | 3) - (index & 3)


@small_kernel
def not_weaker(card):
    """Return the natural cards that are at least as strong in the order of tribute as one natural card."""
    index = trailing_zeros(card)
    same_rank = (np.int64(2) << index) - (np.int64(1) << (index & ~3))
    return same_rank | (NATURALS & (np.int64(-16) << (index & ~3)))


@small_kernel
def weakest_of(cards, count):
    """Return the weakest of `count` cards in the order of tribute."""
    return cards - strongest(cards, count - 1)


@kernel
def tribute_possible(rules, world, pair):
    """Return whether some tribute between these hands could have been made: the giver kept nothing stronger.

    Where the received cards may be given back (`tribute_blind` off), it is taken that nobody does so.
    """
    count = tribute_size(rules, pair)
    giving = world.dealt[giver(rules, world, pair)]
    if size_of(giving) == count:
        return True
    up = weakest_of(strongest(world.dealt[receiver(rules, world, pair)], count), count)
    kept = weakest_of(strongest(giving, count + 1), count + 1)
    return tribute_strength(kept) <= tribute_strength(up)


@small_kernel
def leads_by_diamond3(rules, state):
    """Return whether the first leader of a game that is known from the deal on was the holder of ♦3 (D9.4)."""
    by_rule = rules.first_lead == LEAD_DIAMOND3_ALWAYS or (rules.first_lead == LEAD_DIAMOND3 and not state.ranked)
    return by_rule and state.phase != TRIBUTE and state.gone == 0


@kernel
def fill_hands(rules, observation, world, key):
    """Deal the unseen cards into the hidden hands of `world`: uniform over all ways that fit what is known.

    The cards that are known to lie somewhere go there first, ♦3 where it made somebody lead, then the jokers (never
    into the blind), then the hand of a giver whose strongest cards the observer has seen, from the cards weaker than
    those, then the rest.
    """
    players = rules.players
    seat = observation.observer
    unseen = unseen_cards(rules, observation, seat)
    fallen = fallen_seat(observation)
    room = scratch64()
    for holder in range(8):
        room[holder] = observation.sizes[holder]
    for holder in range(players, BLIND):
        room[holder] = 0
    room[seat] = 0

    bounded = np.int64(-1)  # the giver whose hand is bounded by what the observer received from it
    forbidden = np.int64(0)
    jokers_forbidden = False
    if observation.ranked:
        for pair in range(pair_count(rules)):
            giving, receiving = giver(rules, observation, pair), receiver(rules, observation, pair)
            given, returned = observation.given[pair], observation.returned[pair]
            known, holder = np.int64(0), np.int64(-1)
            if observation.phase == TRIBUTE:
                if receiving == seat and given:
                    known, holder = given, giving
            elif giving == seat:
                known, holder = given & NATURALS & ~returned, receiving
                known += max(np.int64(0), (given >> 52) - (returned >> 52)) * JOKER
            elif receiving == seat:
                known, holder = returned, giving
            if holder >= 0:
                jokers = max(np.int64(0), (known >> 52) - observation.jokers_shown[holder])
                known = (known & unseen & NATURALS) + min(jokers, unseen >> 52) * JOKER
                if holder == fallen:
                    holder = np.int64(ASIDE)
                world.hands[holder] += known
                room[holder] -= popcount(known & NATURALS) + (known >> 52)
                unseen -= known
            if receiving == seat and given:
                bounded = giving
                weakest = weakest_of(given, tribute_size(rules, pair))
                if weakest & NATURALS:
                    forbidden = not_weaker(weakest)
                    jokers_forbidden = True

    stream = advance(key)
    if leads_by_diamond3(rules, observation) and unseen & DIAMOND_3:
        # It is what the first leader led by, or it is blind, and then that seat was one of all to be drawn.
        leader = np.int64(ASIDE if observation.first_leader == fallen else observation.first_leader)
        by_card = room[leader] * players
        if by_card + room[BLIND] > 0:
            holder = leader if below(stream, by_card + room[BLIND]) < by_card else np.int64(BLIND)
            world.hands[holder] += DIAMOND_3
            room[holder] -= 1
            unseen -= DIAMOND_3

    for _ in range(unseen >> 52):
        open_places = np.int64(0)
        for holder in range(8):
            if holder != BLIND and not (jokers_forbidden and holder == bounded):
                open_places += room[holder]
        stream = advance(stream)
        drawn = below(stream, open_places)
        for holder in range(8):
            if holder != BLIND and not (jokers_forbidden and holder == bounded):
                if drawn < room[holder]:
                    world.hands[holder] += JOKER
                    room[holder] -= 1
                    break
                drawn -= room[holder]

    # The bounded hand may take the first `eligible` cards of the pack.
    pack = scratch64()
    total = 0
    naturals = unseen & NATURALS
    part = naturals & ~forbidden
    while part:
        pack[total] = part & -part
        part &= part - 1
        total += 1
    eligible = total
    part = naturals & forbidden
    while part:
        pack[total] = part & -part
        part &= part - 1
        total += 1
    if bounded >= 0:
        wanted = min(room[bounded], eligible)
        for index in range(wanted):
            stream = advance(stream)
            other = index + below(stream, eligible - index)
            card = pack[other]
            pack[other] = pack[index]
            pack[index] = card
            world.hands[bounded] += card
        room[bounded] -= wanted
        first = wanted
    else:
        first = np.int64(0)
    for holder in range(8):
        for _ in range(room[holder]):
            stream = advance(stream)
            other = first + below(stream, total - first)
            world.hands[holder] += pack[other]
            pack[other] = pack[first]
            first += 1
    for other in range(players):
        if other != seat:
            world.dealt[other] = observation.dealt[other] + world.hands[other]
    if fallen >= 0:
        world.dealt[fallen] += world.hands[ASIDE]
    world.dealt[BLIND] = world.hands[BLIND]


@redeal.register(Rules)
@kernel
def daifugo_redeal(rules, observation, world, key):
    """Write into `world` a full state drawn from those consistent with an observation (`fill_hands`).

    A tribute between two others bounds their hands too, without its cards being known: worlds in which it could not
    have been made are drawn again, `TRIBUTE_TRIES` times at most. Returns that others have chosen unseen are still to
    be chosen in the world, after the observer's own.
    """
    for attempt in range(TRIBUTE_TRIES):
        copy_record(world, observation)
        fill_hands(rules, observation, world, derive(key, attempt))
        # A record that did not begin with the deal says nothing of what was held then.
        if observation.phase == TRIBUTE or not observation.ranked or observation.gone:
            break
        possible = True
        for pair in range(pair_count(rules)):
            mine = (
                giver(rules, world, pair) == observation.observer
                or receiver(rules, world, pair) == observation.observer
            )
            if not mine and not tribute_possible(rules, world, pair):
                possible = False
        if possible:
            break
    world.observer = -1
    world.key = derive(key, CHANCE)
    if observation.phase == TRIBUTE:
        world.first_leader = below(derive(key, TRIBUTE_TRIES), rules.players)
        for pair in range(pair_count(rules)):
            world.given[pair] = strongest(world.hands[giver(rules, world, pair)], tribute_size(rules, pair))


@hand_size.register(Rules)
@small_kernel
def daifugo_hand_size(rules, state, seat):
    """Return how many cards a seat holds, which all know."""
    return np.int64(state.sizes[seat])
