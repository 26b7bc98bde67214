"""Move generation: which plays are legal (D3, D4, D5, D7.2)."""

import numpy as np

from ..cards import EACH_RANK, JOKER, NATURALS
from ..game import PASS, decision_kind, legal_moves, search_moves
from ..kernels import popcount, small_kernel, trailing_zeros
from .rules import BEYOND_BOTH, BEYOND_TOP, CARD, Rules
from .state import GROUP, KIND, LOW_SHIFT, PLAY, SEQUENCE, SINGLE, SUITS_SHIFT, TRIBUTE
from .tribute import legal_returns

# Room for the most plays that any hand can have: adding a card takes no play away, so the whole pack with two jokers
# has the most, 9,042 where jokers stand for named cards and the leader may pass.
MAX_MOVES = 9216

DECISION_KINDS = ("lead", "lead with two jokers", "follow", "tribute return")
LEADS, LEADS_WITH_TWO_JOKERS, FOLLOWS, RETURNS = range(4)

LINE = (1 << 60) - 1  # a line: the natural cards at the positions 0–14 of sequences, a nibble each


def _group_tables():
    """Return the subsets of each nibble, in order of their number of cards, and where those of each size begin."""
    subsets = np.zeros((16, 16), np.int64)
    begins = np.zeros((16, 6), np.int64)
    for nibble in range(16):
        ordered = sorted((s for s in range(1, 16) if s & nibble == s), key=lambda s: (s.bit_count(), s))
        subsets[nibble, : len(ordered)] = ordered
        for size in range(6):
            begins[nibble, size] = sum(s.bit_count() < size for s in ordered)
    return subsets, begins


def _named_tables():
    """Return the groups of one rank in which 1 or 2 jokers stand for named suits, and where those of each size begin.

    By whether a joker may stand for a card that is held too, number of jokers and nibble of the rank held: moves with
    their natural cards as those of the 3, in order of their size, of which the last begin says how many there are.
    """
    groups = np.zeros((2, 3, 16, 32), np.int64)
    begins = np.zeros((2, 3, 16, 8), np.int64)
    for every in range(2):
        for jokers in (1, 2):
            for nibble in range(16):
                found = []
                for naturals in (s for s in range(1, 16) if s & nibble == s):
                    missing = 15 & ~naturals
                    for suits in (s for s in range(16) if s & missing == s):
                        # Beside all four suits a joker stands for none (D3.4).
                        if suits.bit_count() == min(jokers, missing.bit_count()) and (every or not suits & nibble):
                            found.append(naturals | suits << SUITS_SHIFT | jokers * JOKER | GROUP)
                found.sort(key=lambda group: ((group & 15).bit_count(), group))
                groups[every, jokers, nibble, : len(found)] = found
                for size in range(8):
                    begins[every, jokers, nibble, size] = sum((g & 15).bit_count() + jokers < size for g in found)
    return groups, begins


SUBSETS, BEGINS = _group_tables()
NAMED, NAMED_BEGINS = _named_tables()
RUNS = np.array([sum(1 << 4 * i for i in range(length)) for length in range(16)], np.int64)


@small_kernel
def in_reverse(state):
    """Return whether the order is reversed (D1.2)."""
    return state.revolution ^ state.jback


@small_kernel
def lowest_position(rules, reverse):
    """Return the lowest position that a sequence may reach (D3.5)."""
    return np.int64(0 if rules.joker_beyond == BEYOND_BOTH or (rules.joker_beyond == BEYOND_TOP and reverse) else 1)


@small_kernel
def highest_position(rules, reverse):
    """Return the highest position that a sequence may reach (D3.5)."""
    return np.int64(
        14 if rules.joker_beyond == BEYOND_BOTH or (rules.joker_beyond == BEYOND_TOP and not reverse) else 13
    )


@small_kernel
def readable(rules, line, starts, length, reverse, low, high):
    """Return those of `starts` (bits of a line) at which a window of `length` reads as a sequence (D3.4, D3.5).

    Wild jokers beyond the gaps go to the strong end first, so the weak end is a natural card, or the strong end has
    reached its limit. Jokers that stand for named cards stand anywhere.
    """
    room = high - length + 1  # the highest start
    if room < low:
        return np.int64(0)
    starts &= (np.int64(-1) << (4 * low)) & ((np.int64(1) << (4 * room + 4)) - 1)
    if rules.joker_as == CARD:
        return starts
    if reverse:
        return starts & (line >> (4 * (length - 1)) | np.int64(15) << (4 * low))
    return starts & (line | np.int64(15) << (4 * room))


@small_kernel
def groups_with_at_least(cards, least):
    """Return the ranks (the lowest bit of each nibble) of which a set has at least `least` (1–4) natural cards."""
    counts = cards - (cards >> 1 & 0x5555555555555)
    counts = (counts & 0x3333333333333) + (counts >> 2 & 0x3333333333333)
    return (counts + EACH_RANK * (8 - least)) >> 3 & EACH_RANK


@small_kernel
def add_plain_windows(moves, count, line, starts, length, missing):
    """Write the plays that read as the windows at `starts`, each of which lacks `missing` cards; return the count."""
    while starts:
        start = trailing_zeros(starts)
        starts &= starts - 1
        held = line & RUNS[length] << start
        moves.list[count] = held >> 4 | SEQUENCE | np.int64(start >> 2) << LOW_SHIFT | missing * JOKER
        count += 1
    return count


@small_kernel
def add_spare_windows(rules, moves, count, line, starts, length, missing, spare, reverse, low, high):
    """Write the plays that read as windows with `spare` (1 or 2) jokers more than they need; return the new count.

    A joker may stand where the hand has the card itself; a wild one at the weak end only when the strong end is at its
    limit.
    """
    weak_end = np.int64(0 if rules.joker_as == CARD else 1) << (4 * (length - 1) if reverse else 0)
    at_limit = low if reverse else high - length + 1
    while starts:
        start = trailing_zeros(starts)
        starts &= starts - 1
        held = line & RUNS[length] << start
        base = held >> 4 | SEQUENCE | np.int64(start >> 2) << LOW_SHIFT | missing * JOKER
        moves.list[count] = base
        count += 1
        replaceable = held
        if start >> 2 != at_limit:
            replaceable &= ~(weak_end << start)
        replaceable >>= 4
        while replaceable:
            first = replaceable & -replaceable
            replaceable ^= first
            moves.list[count] = base - first + JOKER
            count += 1
            if spare > 1:
                rest = replaceable
                while rest:
                    moves.list[count] = base - first - (rest & -rest) + 2 * JOKER
                    rest &= rest - 1
                    count += 1
    return count


@small_kernel
def add_windows(
    rules, moves, count, line, whole, short_of_one, short_of_two, length, jokers, allowed, reverse, low, high, every
):
    """Write all sequences of `length` that begin in `allowed`, from where they lack at most 0, 1, 2 cards."""
    whole &= allowed
    if jokers == 0:
        return add_plain_windows(moves, count, line, whole, length, 0)
    lacking_one = short_of_one & ~whole & allowed
    if rules.joker_as == CARD and not every:
        count = add_plain_windows(moves, count, line, lacking_one, length, 1)
        if jokers == 2:
            lacking_two = short_of_two & ~short_of_one & allowed
            count = add_plain_windows(moves, count, line, lacking_two, length, 2)
        return add_plain_windows(moves, count, line, whole, length, 0)
    if jokers == 1:
        count = add_plain_windows(moves, count, line, lacking_one, length, 1)
        return add_spare_windows(rules, moves, count, line, whole, length, 0, 1, reverse, low, high)
    lacking_two = short_of_two & ~short_of_one & allowed
    count = add_plain_windows(moves, count, line, lacking_two, length, 2)
    count = add_spare_windows(rules, moves, count, line, lacking_one, length, 1, 1, reverse, low, high)
    return add_spare_windows(rules, moves, count, line, whole, length, 0, 2, reverse, low, high)


@small_kernel
def add_joker_sequences(rules, moves, count, line, jokers, reverse, low, high, every):
    """Write all sequences that a line makes with one or two jokers at hand; return the new count."""
    whole, short_of_one, short_of_two = lacking(line, 2)
    for length in range(3, high - low + 2):
        next_cards = line >> (4 * (length - 1))
        short_of_two = short_of_two & next_cards | short_of_one
        short_of_one = short_of_one & next_cards | whole
        whole &= next_cards
        starts = readable(rules, line, short_of_one if jokers == 1 else short_of_two, length, reverse, low, high)
        if starts == 0:  # a longer window would have a readable one inside it
            break
        count = add_windows(
            rules, moves, count, line, whole, short_of_one, short_of_two, length, jokers, starts, reverse, low, high,
            every,
        )  # fmt: skip
    return count


@small_kernel
def lacking(line, length):
    """Return where (bits of a line) windows of `length` lack no card, at most one, and at most two."""
    whole, short_of_one, short_of_two = line, np.int64(LINE), np.int64(LINE)
    for step in range(1, length):
        next_cards = line >> (4 * step)
        short_of_two = short_of_two & next_cards | short_of_one
        short_of_one = short_of_one & next_cards | whole
        whole &= next_cards
    return whole, short_of_one, short_of_two


@small_kernel
def windows(rules, cards, length, jokers, reverse):
    """Return where (bits of a line) sequences of `length` can begin that cards with `jokers` jokers at hand make."""
    line = cards << 4
    whole, short_of_one, short_of_two = lacking(line, length)
    starts = whole if jokers == 0 else short_of_one if jokers == 1 else short_of_two
    low, high = lowest_position(rules, reverse), highest_position(rules, reverse)
    return readable(rules, line, starts, length, reverse, low, high)


@small_kernel
def add_singles(moves, count, cards):
    """Write each natural card of a set as a single; return the new count. Six at a time: one branch for most hands."""
    total = count + popcount(cards)
    while True:
        for step in range(6):
            moves.list[count + step] = cards & -cards | SINGLE
            cards &= cards - 1
        if cards == 0:
            return total
        count += 6


@small_kernel
def lead_moves(rules, state, moves, hand, every):
    """Write all leads of a hand; return how many."""
    cards = hand & NATURALS
    jokers = hand >> 52
    count = add_singles(moves, 0, cards)
    ranks = groups_with_at_least(cards, 2)
    while ranks:
        shift = trailing_zeros(ranks)
        ranks &= ranks - 1
        nibble = cards >> shift & 15
        moves.list[count] = nibble << shift | GROUP
        count += 1
        rest = nibble & (nibble - 1)
        if rest & (rest - 1):  # three cards or more
            for index in range(BEGINS[nibble, 2], BEGINS[nibble, 5] - 1):
                moves.list[count] = SUBSETS[nibble, index] << shift | GROUP
                count += 1
    if jokers == 0:
        line = cards << 4
        starts = line & line >> 4 & line >> 8
        length = 3
        while starts:
            count = add_plain_windows(moves, count, line, starts, length, 0)
            starts &= line >> (4 * length)
            length += 1
        return count
    if rules.joker_as == CARD:
        count = add_named_jokers(moves, count, cards, jokers, every)
    else:
        count = add_wild_jokers(moves, count, jokers)
    reverse = in_reverse(state)
    low, high = lowest_position(rules, reverse), highest_position(rules, reverse)
    return add_joker_sequences(rules, moves, count, cards << 4, jokers, reverse, low, high, every)


@small_kernel
def add_wild_jokers(moves, natural_sets, jokers):
    """Write jokers alone, and added to the natural sets of a rank, which are all moves so far; return the new count."""
    count = natural_sets
    for index in range(natural_sets):
        moves.list[natural_sets + index] = moves.list[index] & NATURALS | GROUP | JOKER
    count += natural_sets
    moves.list[count] = SINGLE | JOKER
    count += 1
    if jokers == 2:
        for index in range(natural_sets):
            moves.list[count + index] = moves.list[index] & NATURALS | GROUP | 2 * JOKER
        count += natural_sets
        moves.list[count] = GROUP | 2 * JOKER
        count += 1
    return count


@small_kernel
def add_named_jokers(moves, count, cards, jokers, every):
    """Write jokers alone and in groups in which they stand for named suits; return the new count."""
    for used in range(1, jokers + 1):
        ranks = (cards | cards >> 1 | cards >> 2 | cards >> 3) & EACH_RANK
        while ranks:
            shift = trailing_zeros(ranks)
            ranks &= ranks - 1
            nibble = cards >> shift & 15
            for index in range(NAMED_BEGINS[every, used, nibble, 7]):
                group = NAMED[every, used, nibble, index]
                moves.list[count] = (group & 15) << shift | group & ~15
                count += 1
        moves.list[count] = (SINGLE if used == 1 else GROUP) | used * JOKER
        count += 1
    return count


@small_kernel
def follow_group(rules, state, moves, count, hand, size, every):
    """Write all groups of a hand that beat the field's group of `size`; return the new count."""
    cards = hand & state.usable
    jokers = hand >> 52
    if jokers == 0:
        ranks = groups_with_at_least(cards, size) if size <= 4 else np.int64(0)
        while ranks:
            shift = trailing_zeros(ranks)
            ranks &= ranks - 1
            group = cards & np.int64(15) << shift
            if popcount(group) == size:
                moves.list[count] = group | GROUP
                count += 1
            else:
                nibble = group >> shift
                for index in range(BEGINS[nibble, size], BEGINS[nibble, size + 1]):
                    moves.list[count] = SUBSETS[nibble, index] << shift | GROUP
                    count += 1
        return count
    least = max(1, size - jokers)
    if least > 4:
        return count
    ranks = groups_with_at_least(cards, least)
    while ranks:
        shift = trailing_zeros(ranks)
        ranks &= ranks - 1
        nibble = cards >> shift & 15
        for used in range(max(0, size - 4), min(jokers, size - 1) + 1):
            if rules.joker_as == CARD and used > 0:
                outside = np.int64(~state.locked if state.locked else 0) & 15
                begins = NAMED_BEGINS[every, used, nibble]
                for index in range(begins[size], begins[size + 1]):
                    group = NAMED[every, used, nibble, index]
                    if group >> SUITS_SHIFT & outside == 0:  # D5.2
                        moves.list[count] = (group & 15) << shift | group & ~15
                        count += 1
                continue
            for index in range(BEGINS[nibble, size - used], BEGINS[nibble, size - used + 1]):
                moves.list[count] = SUBSETS[nibble, index] << shift | GROUP + used * JOKER
                count += 1
    if size == 2 and jokers == 2 and state.jokers_ok:
        moves.list[count] = GROUP | 2 * JOKER
        count += 1
    return count


@small_kernel
def follow_sequence(rules, state, moves, count, hand, length, every):
    """Write all sequences of a hand that beat the field's sequence of `length`; return the new count."""
    line = (hand & NATURALS) << 4
    jokers = hand >> 52
    reverse = in_reverse(state)
    low, high = lowest_position(rules, reverse), highest_position(rules, reverse)
    whole, short_of_one, short_of_two = lacking(line, length)
    starts = whole if jokers == 0 else short_of_one if jokers == 1 else short_of_two
    starts = readable(rules, line, starts & state.usable, length, reverse, low, high)
    if starts == 0:
        return count
    return add_windows(
        rules, moves, count, line, whole, short_of_one, short_of_two, length, jokers, starts, reverse, low, high, every
    )


@small_kernel
def size_of(cards):
    """Return the number of cards in a set."""
    return popcount(cards & NATURALS) + (cards >> 52 & 3)


@small_kernel
def generate(rules, state, moves, every):
    """Write the legal moves of ``state.turn`` into ``moves.list``, each once, and return how many (D3, D4, D5, D7).

    Without `every` (1 or 0) those are left out in which a joker stands for a card that the hand holds too.
    """
    if state.turn < 0:
        return 0
    if state.phase != PLAY:
        return legal_returns(rules, state, moves)
    hand = state.hands[state.turn]
    field = state.field
    if field == 0:
        count = lead_moves(rules, state, moves, hand, every)
        if rules.lead_pass:
            moves.list[count] = PASS
            count += 1
        return count
    moves.list[0] = PASS
    kind = field & KIND
    if kind == SINGLE:
        count = add_singles(moves, 1, hand & state.usable)
        moves.list[count] = SINGLE | JOKER
        return count + (1 if hand >> 52 != 0 and state.jokers_ok != 0 else 0)
    if kind == GROUP:
        return follow_group(rules, state, moves, 1, hand, size_of(field), every)
    return follow_sequence(rules, state, moves, 1, hand, size_of(field), every)


@legal_moves.register(Rules)
@small_kernel
def daifugo_legal_moves(rules, state, moves):
    """Write all legal moves, and return how many."""
    return generate(rules, state, moves, 1)


@search_moves.register(Rules)
@small_kernel
def daifugo_search_moves(rules, state, moves):
    """Write the legal moves but, where jokers stand for named cards, for one that the hand holds; return how many."""
    return generate(rules, state, moves, 0)


@decision_kind.register(Rules)
@small_kernel
def daifugo_decision_kind(rules, state):
    """Return what kind of decision it is, an index of `DECISION_KINDS`."""
    if state.phase == TRIBUTE:
        return RETURNS
    if state.field != 0:
        return FOLLOWS
    return LEADS_WITH_TWO_JOKERS if state.hands[state.turn] >> 52 == 2 else LEADS
