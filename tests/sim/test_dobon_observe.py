"""What a seat of Dobon knows (B7), and the worlds that are drawn from it."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from agari.sim.dobon.cards import card_list
from agari.sim.dobon.notation import stock_list
from agari.sim.dobon.play import qualifies
from agari.sim.dobon.rules import Rules
from agari.sim.dobon.state import DRAWN, RETURN, SHOOT, SHOOTING, TURN
from agari.sim.game import blank, deal, play
from agari.sim.rng import key_of

from ..dobon_table import GAME, PACK, decisions, dobon, moves_of, observed, random_options, redealt
from ..playing import fields

HIDDEN_FROM_OTHERS = ("hands", "sums")


def deals() -> Iterator[tuple[Rules, Any]]:
    """Decisions of random deals: by the rules of Dobon for each number of players, and by others."""
    chosen = [dobon(players) for players in (2, 3, 4, 5, 6)]
    chosen += [GAME.options.parse(random_options(random.Random(seed))) for seed in range(15)]
    for seed, rules in enumerate(chosen):
        for number, state in enumerate(decisions(rules, seed, games=5)):
            if number % 9 == 0 or state.phase in (SHOOTING, RETURN, DRAWN):
                yield rules, state


def test_nothing_hidden_stands_in_an_observation() -> None:
    checked = 0
    for rules, state in deals():
        for seat in range(rules.players):
            observation = observed(rules, state, seat)
            assert observation.observer == seat
            assert (observation.key, observation.stream, observation.ordered) == (0, 0, 0)
            assert not observation.stock.any()
            assert sum(observation.hands) == observation.hands[seat] == state.hands[seat]
            assert sum(observation.sums) == observation.sums[seat] == state.sums[seat]
            assert observation.sizes.tolist() == state.sizes.tolist()
            if state.turn != seat:
                assert observation.turn == state.player
                assert observation.drawn == 0
            if state.phase == SHOOTING:
                assert observation.asked | observation.waiting | observation.shooters in (0, 1 << seat)
            checked += 1
    assert checked > 1500


def mixed_up(rules: Rules, state: Any, seat: int, source: random.Random) -> Any:
    """A state with other hidden cards and other chance, whatever could have been played with them."""
    other = state.copy()
    hidden = [int(card) for card in stock_list(state)]
    for holder in range(rules.players):
        if holder != seat:
            hidden += [card for card in range(52) if state.hands[holder] >> card & 1]
    source.shuffle(hidden)
    for holder in range(rules.players):
        if holder != seat:
            hand, hidden = hidden[: state.sizes[holder]], hidden[state.sizes[holder] :]
            other.hands[holder] = sum(1 << card for card in hand)
            other.sums[holder] = sum((card >> 2) + 1 for card in hand)
    other.stock[:] = source.choices(range(52), k=52)
    other.next, other.left, other.ordered = 0, len(hidden), source.randrange(2)
    other.stock[: len(hidden)] = hidden
    other.key, other.stream = source.getrandbits(62), source.getrandbits(62)
    if state.phase == SHOOTING:
        own = 1 << seat
        for mask in ("asked", "waiting", "shooters"):
            others = source.getrandbits(rules.players) & ~own
            other[mask] = (int(state[mask]) & own) | others
    if state.turn != seat and state.phase == DRAWN:
        other.drawn = 1 << source.randrange(52)
    return other


def test_an_observation_does_not_change_with_what_is_hidden() -> None:
    source, checked = random.Random(1), 0
    for rules, state in deals():
        seat = source.choice([int(state.turn), source.randrange(rules.players)])
        if state.phase == RETURN and seat != state.player:
            continue
        other = mixed_up(rules, state, seat, source)
        assert fields(observed(rules, state, seat)) == fields(observed(rules, other, seat))
        checked += 1
    assert checked > 500


# --- Worlds -----------------------------------------------------------------------------------------------------


class Follower:
    """Follows a deal by what all see, and knows of each seat which of its cards came when; shares no code with facts.

    `stocks` are the cards of each stock and when it was made. By seat: `slots` say for each card that came when it did
    and from which stock, `played` the cards played and when, `none` what it held none of and when.
    """

    def __init__(self, rules: Rules, state: Any) -> None:
        self.rules, self.time = rules, 0
        self.stocks = [(0, set(PACK))]
        self.slots = [[(0, 0)] * int(state.sizes[seat]) for seat in range(rules.players)]
        self.played: list[list[tuple[str, int]]] = [[] for _ in range(rules.players)]
        self.none: list[list[tuple[int, set[str]]]] = [[] for _ in range(rules.players)]

    def move(self, before: Any, text: str, after: Any) -> None:
        """Take a move into account, seen from outside: the table before and after it."""
        self.time += 1
        player, players = int(before.player), self.rules.players
        grown = after.sizes.astype(int) - before.sizes
        if text == "draw" and not self.rules.voluntary_draw:
            self.none[player].append((self.time, self.fitting(before)))
        if text not in ("draw", "pass", "shoot", "no"):
            cards = text.partition(":")[0].split("+")
            self.played[player] += [(card, self.time) for card in cards]
            grown[player] += len(cards)
        left = int(before.left)  # of the stock before, which is drawn up first
        if after.refills > before.refills:  # never twice in a move
            self.stocks.append((self.time, set(card_list(after.stock_from))))
        for seat in [*range(player, players), *range(player)]:
            for _ in range(grown[seat]):
                self.slots[seat].append(
                    (self.time, len(self.stocks) - 1 - (after.refills > before.refills and left > 0))
                )
                left -= 1

    def fitting(self, state: Any) -> set[str]:
        """The cards that fit what lies there."""
        if state.pending:
            return {card for card in PACK if card[1] == "2"}
        top = GAME.format_state(self.rules, state)["pile"][-1]
        suit = "SHDC"[state.suit]
        wild = "8" if self.rules.eight_wild else top[1]
        return {card for card in PACK if card[1] in (top[1], wild) or card[0] == suit}

    def wanted(self, seat: int, hand: Iterable[str]) -> list[list[int]]:
        """For each card that a seat has played, or would hold: in which of its slots it can have come."""
        found = []
        for card, end in [*self.played[seat], *((card, self.time + 1) for card in hand)]:
            away = [time for time, cards in [*self.stocks[1:], *self.none[seat]] if card in cards and time < end]
            begin = max(away, default=0)
            found.append([
                slot
                for slot, (came, stock) in enumerate(self.slots[seat])
                if begin <= came < end and card in self.stocks[stock][1]
            ])  # fmt: skip
        return found

    def possible(self, seat: int, hand: list[str]) -> bool:
        """Whether a seat can hold these cards now: whether each card, played or held, has a slot that it came in."""
        wanted = self.wanted(seat, hand)
        taken: dict[int, int] = {}

        def place(index: int, tried: set[int]) -> bool:
            for slot in wanted[index]:
                if slot not in tried:
                    tried.add(slot)
                    if slot not in taken or place(taken[slot], tried):
                        taken[slot] = index
                        return True
            return False

        return len(self.slots[seat]) == len(wanted) and all(place(index, set()) for index in range(len(wanted)))


def test_worlds_are_consistent_with_all_that_was_seen() -> None:
    """Followed from outside, beyond reshuffles."""
    source, checked, refilled, bounded = random.Random(3), 0, 0, 0
    for seed in range(30):
        rules = dobon(2 + seed % 5, multi=source.choice(["off", "pon", "chain"]), eight_wild=seed % 7 == 0)
        follower: Any = None
        before: Any = None
        for state in decisions_with_moves(rules, seed, source):
            if isinstance(state, str):
                text = state
                continue
            if before is None:
                follower = Follower(rules, state)
            else:
                follower.move(before, text, state)
            before = state
            seat = int(state.turn)
            observation = observed(rules, state, seat)
            for key in range(2):
                world = redealt(rules, observation, key_of(seed, checked, key))
                check_world(rules, state, observation, world)
                for other in range(rules.players):
                    if other == seat:
                        continue
                    hand = card_list(world.hands[other])
                    assert follower.possible(other, hand), (seed, other, hand)
                    bounded += len(follower.none[other]) > 0
                    refilled += int(state.refills) > 0
                checked += 1
            for other in range(rules.players):
                assert follower.possible(other, card_list(state.hands[other]))
    assert checked > 1000
    assert refilled > 200
    assert bounded > 1000


def decisions_with_moves(rules: Rules, seed: int, source: random.Random) -> Iterator[Any]:
    """The states of a deal, and between them the moves as text."""
    for state in decisions(rules, seed, games=1):
        yield state
        break
    state = state.copy()
    for _ in range(150):
        move = source.choice(moves_of(rules, state))
        yield GAME.format_move(rules, move)
        play(rules, state, move)
        if state.turn < 0:
            return
        yield state.copy()


def check_world(rules: Rules, state: Any, observation: Any, world: Any) -> None:
    """The pack is whole, and everything that the observer knows is as it was."""
    seat = int(observation.observer)
    stock = [int(card) for card in world.stock[world.next : world.next + world.left]]
    parts = [int(world.pile), sum(1 << card for card in set(stock)), *map(int, world.hands)]
    assert sum(parts) == (1 << 52) - 1
    assert sum(part.bit_count() for part in parts) == 52
    for other in range(rules.players):
        assert int(world.hands[other]).bit_count() == world.sizes[other] == state.sizes[other]
        assert world.sums[other] == sum((card >> 2) + 1 for card in range(52) if world.hands[other] >> card & 1)
        if not rules.voluntary_draw:
            for index in range(other * state.facts_each, other * state.facts_each + state.facts[other]):
                assert int(world.hands[other] & state.ruled[index]).bit_count() <= state.room[index]
    if state.refills:
        assert parts[1] & ~int(state.stock_from) == 0
    assert world.key not in (0, state.key)
    assert world.observer == -1
    assert fields(observed(rules, world, seat)) == fields(observation)


# --- How likely each world is -----------------------------------------------------------------------------------


def small_table(source: random.Random, players: int, in_stock: int) -> Any:
    """A position with few hidden cards: hands of two or three, a short stock, everything else in the pile."""
    pack = list(PACK)
    source.shuffle(pack)
    hands = [[pack.pop() for _ in range(source.choice([2, 3]))] for _ in range(players)]
    stock = [pack.pop() for _ in range(in_stock)]
    if pack[-1][1] == "8":
        pack.insert(0, pack.pop())
    return {
        "first": 0, "hands": hands, "pile": pack, "suit": pack[-1][0], "stock": stock, "direction": 1, "turn": 0,
        "pending": 0, "drawn": None, "phase": "turn", "put_down": [], "asked": [], "answers": [], "turns": 0,
        "end": None, "scores": None,
    }  # fmt: skip


def ways(follower: Follower, seat: int, hand: Iterable[str]) -> int:
    """In how many ways the cards that a seat has played or holds can have come in its slots."""
    wanted = follower.wanted(seat, hand)

    def count(index: int, taken: frozenset[int]) -> int:
        if index == len(wanted):
            return 1
        return sum(count(index + 1, taken | {slot}) for slot in wanted[index] if slot not in taken)

    return count(0, frozenset())


def parts_of_hands(follower: Follower, state: Any, seat: int) -> tuple[list[str], list[str], list[tuple[int, int]]]:
    """What nobody but `seat` sees: the cards of the newest stock, all others; and how many of each the others hold."""
    number, (made, stock) = len(follower.stocks) - 1, follower.stocks[-1]
    hidden = [card for card in PACK if card not in card_list(state.pile | state.hands[seat])]
    counts = []
    for other in range(follower.rules.players):
        if other != seat:
            came = sum(slot[1] == number and slot[0] >= made for slot in follower.slots[other])
            came -= sum(card in stock and time > made for card, time in follower.played[other])
            counts.append((came, int(state.sizes[other]) - came))
    return [card for card in hidden if card in stock], [card for card in hidden if card not in stock], counts


def most_worlds(follower: Follower, state: Any, seat: int) -> int:
    """How many worlds there would be without any fact but those of the stock."""
    stock, others, counts = parts_of_hands(follower, state, seat)
    found, left = 1, [len(stock), len(others)]
    for held in counts:
        for part in range(2):
            found *= comb(left[part], held[part])
            left[part] -= held[part]
    return found


def exact_worlds(state: Any, follower: Follower, seat: int) -> dict[tuple[tuple[str, ...], ...], int]:
    """All hands that the others can have, with the number of ways in which the cards can have come so."""
    stock, others, counts = parts_of_hands(follower, state, seat)
    seats = [other for other in range(follower.rules.players) if other != seat]
    found = {}

    def deal_out(index: int, left: list[str], hands: tuple[tuple[str, ...], ...], weight: int) -> None:
        if index == len(seats):
            found[hands] = weight
            return
        of_stock, of_others = counts[index]
        for drawn in combinations([card for card in left if card in stock], of_stock):
            for kept in combinations([card for card in left if card in others], of_others):
                hand = tuple(sorted(drawn + kept, key=PACK.index))
                if times := ways(follower, seats[index], hand):
                    deal_out(index + 1, [card for card in left if card not in hand], (*hands, hand), weight * times)

    deal_out(0, stock + others, (), 1)
    return found


def ambiguous(follower: Follower, seat: int) -> bool:
    """Whether a seat has played a card that may have come before or after a fact about it."""
    facts = [time for time, _ in [*follower.stocks[1:], *follower.none[seat]]]
    for (_, end), slots in zip(follower.played[seat], follower.wanted(seat, []), strict=True):
        for fact in facts:
            since = {follower.slots[seat][slot][0] >= fact for slot in slots}
            if fact < end and len(since) == 2:
                return True
    return False


def small_positions(seeds: int, refilled: bool = False) -> Iterator[tuple[Rules, Any, Follower]]:
    """Positions of small tables after some random moves, with some fact about somebody, before or after a reshuffle."""
    for seed in range(seeds):
        source = random.Random(seed)
        rules = dobon(source.choice([2, 3]), call_draw=source.choice([0, 1]))
        in_stock = source.choice([0, 1, 2] if refilled else [3, 4, 5])
        state = GAME.parse_state(rules, small_table(source, rules.players, in_stock))
        follower = Follower(rules, state)
        for _ in range(source.randrange(2, 12)):
            before = state.copy()
            move = source.choice(moves_of(rules, state))
            play(rules, state, move)
            if state.turn < 0 or (state.refills and not refilled):
                break
            follower.move(before, GAME.format_move(rules, move), state)
        if state.turn < 0 or state.phase != TURN or bool(state.refills) != refilled:
            continue
        others = [other for other in range(rules.players) if other != state.turn]
        few = most_worlds(follower, state, int(state.turn)) <= 5000
        if few and any(follower.none[other] for other in others):
            yield rules, state, follower


def drawn_worlds(rules: Rules, state: Any, draws: int) -> Counter[tuple[tuple[str, ...], ...]]:
    """The hands of the others in as many worlds."""
    seat = int(state.turn)
    observation = observed(rules, state, seat)
    drawn: Counter[tuple[tuple[str, ...], ...]] = Counter()
    for key in range(draws):
        world = redealt(rules, observation, key_of(int(state.pile), key))
        drawn[tuple(tuple(card_list(world.hands[o])) for o in range(rules.players) if o != seat)] += 1
    return drawn


@pytest.mark.parametrize("refilled", [False, True])
def test_worlds_are_as_likely_as_they_are(refilled: bool) -> None:
    """χ² against all possible worlds, where it is certain which of the cards held came when; so the shares are 1.

    If they were less, the worlds would be as likely here, since nothing but the fallback finds any.
    """
    excess = freedom = checked = 0.0
    for rules, state, follower in small_positions(260, refilled):
        others = [other for other in range(rules.players) if other != state.turn]
        if any(ambiguous(follower, other) for other in others):
            continue
        for other in others:
            begin = other * int(state.facts_each)
            assert (state.share[begin : begin + state.facts[other]] == 1.0).all()
        expected = exact_worlds(state, follower, int(state.turn))
        total = sum(expected.values())
        draws = min(1500, 8 * len(expected))
        drawn = drawn_worlds(rules, state, draws)
        assert set(drawn) <= set(expected)
        assert tuple(tuple(card_list(state.hands[o])) for o in others) in expected  # the true one is possible
        if len(expected) > 1:
            each = draws / total
            excess += sum((drawn[w] - each * n) ** 2 / (each * n) for w, n in expected.items())
            freedom += len(expected) - 1
            checked += 1
    assert checked > 40
    assert freedom > 1000
    assert abs(excess - freedom) < 4 * np.sqrt(2 * freedom)


@pytest.mark.parametrize("refilled", [False, True])
def test_worlds_where_it_is_not_certain_which_cards_came_when(refilled: bool) -> None:
    """All that is possible is met; how likely each card is to be in a hand is met within a few hundredths."""
    errors = []
    for rules, state, follower in small_positions(500, refilled):
        others = [other for other in range(rules.players) if other != state.turn]
        if not any(ambiguous(follower, other) for other in others):
            continue
        expected = exact_worlds(state, follower, int(state.turn))
        drawn = drawn_worlds(rules, state, 800)
        assert set(drawn) <= set(expected)
        assert tuple(tuple(card_list(state.hands[o])) for o in others) in expected
        total = sum(expected.values())
        for place in range(len(others)):
            for card in PACK:
                exact = sum(n for hands, n in expected.items() if card in hands[place]) / total
                ours = sum(n for hands, n in drawn.items() if card in hands[place]) / 800
                if 0 < exact < 1:
                    errors.append(ours - exact)
    assert len(errors) > 200
    assert np.sqrt(np.mean(np.square(errors))) < 0.04  # 0.016 of it is that of 800 draws


def returns(seeds: int) -> Iterator[tuple[Rules, Any]]:
    """Decisions about shooting back in random deals in which all shoot who can."""
    state = blank(GAME.state_dtype)
    for seed in range(seeds):
        source = random.Random(seed)
        rules = dobon(3 + seed % 4, multi=source.choice(["off", "pon", "chain"]), call_draw=seed // 4 % 3)
        deal(rules, state, 0, key_of(seed, 5))
        while state.turn >= 0:
            if state.phase == RETURN:
                yield rules, state
            moves = moves_of(rules, state)
            play(rules, state, SHOOT if SHOOT in moves else source.choice(moves))


def test_whoever_has_shot_could() -> None:
    """In the worlds of a player that may shoot back."""
    checked = 0
    for rules, state in returns(3000):
        observation = observed(rules, state, state.turn)
        put = int(state.last) & (1 << 52) - 1
        for key in range(30):
            world = redealt(rules, observation, key_of(checked, key))
            check_world(rules, state, observation, world)
            for seat in range(rules.players):
                if state.shooters >> seat & 1:
                    assert qualifies(world.hands[seat], world.sums[seat], put)
            checked += 1
    assert checked >= 300
