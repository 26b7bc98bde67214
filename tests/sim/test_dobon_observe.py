"""What a seat of Dobon knows (B7), and the worlds that are drawn from it."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from agari.sim.dobon.cards import card_list
from agari.sim.dobon.notation import stock_list
from agari.sim.dobon.play import qualifies
from agari.sim.dobon.rules import Rules
from agari.sim.dobon.state import DRAWN, RETURN, SHOOTING, TURN
from agari.sim.game import play
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

    `seen` are per seat the cards played and when each was, `slots` when each card came, `none` what it held none of
    and when; `origin` since which reshuffle a card has been out of the pile.
    """

    def __init__(self, rules: Rules, state: Any) -> None:
        self.rules, self.time = rules, 0
        self.slots: list[list[int]] = [[0] * int(state.sizes[seat]) for seat in range(rules.players)]
        self.played: list[list[tuple[str, int]]] = [[] for _ in range(rules.players)]
        self.none: list[list[tuple[int, set[str]]]] = [[] for _ in range(rules.players)]
        self.came: dict[str, int] = dict.fromkeys(PACK, 0)  # when it last was in the stock
        self.refills: list[int] = []

    def move(self, before: Any, text: str, after: Any) -> None:
        """Take a move into account, seen from outside: the table before and after it."""
        self.time += 1
        seat = int(before.player)
        if text == "draw" and not self.rules.voluntary_draw:
            self.none[seat].append((self.time, self.fitting(before)))
        if text not in ("draw", "pass", "shoot", "no"):
            for card in text.partition(":")[0].split("+"):
                self.played[seat].append((card, self.time))
        for other in range(self.rules.players):
            drawn = int(after.sizes[other]) - int(before.sizes[other])
            if other == seat and text not in ("draw", "pass", "shoot", "no"):
                drawn += text.count("+") + 1
            self.slots[other] += [self.time] * drawn
        if after.refills > before.refills:
            self.refills.append(self.time)
            for card in card_list(after.stock_from):
                self.came[card] = self.time

    def fitting(self, state: Any) -> set[str]:
        """The cards that fit what lies there."""
        if state.pending:
            return {card for card in PACK if card[1] == "2"}
        top = GAME.format_state(self.rules, state)["pile"][-1]
        suit = "SHDC"[state.suit]
        wild = "8" if self.rules.eight_wild else top[1]
        return {card for card in PACK if card[1] in (top[1], wild) or card[0] == suit}

    def possible(self, seat: int, hand: list[str]) -> bool:
        """Whether a seat can hold these cards now: whether each card, played or held, has a slot that it came in."""
        wanted = []
        for card, end in [*self.played[seat], *((card, self.time + 1) for card in hand)]:
            begin = max([-1, *(time for time, cards in self.none[seat] if card in cards and time < end)])
            wanted.append((card, begin, end))
        slots = sorted(self.slots[seat])
        taken: dict[int, int] = {}

        def place(index: int, tried: set[int]) -> bool:
            _, begin, end = wanted[index]
            for slot, came in enumerate(slots):
                if begin <= came < end and slot not in tried:
                    tried.add(slot)
                    if slot not in taken or place(taken[slot], tried):
                        taken[slot] = index
                        return True
            return False

        return len(slots) == len(wanted) and all(place(index, set()) for index in range(len(wanted)))


def test_worlds_are_consistent_with_all_that_was_seen() -> None:
    """Followed from outside, until the first reshuffle; after it the cards of the stock are where they can be."""
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
                    if not follower.refills:
                        assert follower.possible(other, hand), (seed, other, hand)
                        bounded += len(follower.none[other]) > 0
                    else:
                        refilled += 1
                checked += 1
            if not follower.refills:
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


def ways(follower: Follower, seat: int, hand: tuple[str, ...]) -> int:
    """In how many ways the cards that a seat has played or holds can have come in its slots."""
    spans = []
    for card, end in [*follower.played[seat], *((card, follower.time + 1) for card in hand)]:
        spans.append((max([-1, *(time for time, none in follower.none[seat] if card in none and time < end)]), end))

    def count(index: int, slots: tuple[int, ...]) -> int:
        if index == len(spans):
            return 1
        begin, end = spans[index]
        return sum(
            count(index + 1, slots[:place] + slots[place + 1 :])
            for place, came in enumerate(slots)
            if begin <= came < end
        )

    return count(0, tuple(follower.slots[seat]))


def exact_worlds(rules: Rules, state: Any, follower: Follower, seat: int) -> dict[tuple[tuple[str, ...], ...], int]:
    """All hands that the others can have, with the number of ways in which the cards can have come so."""
    others = [other for other in range(rules.players) if other != seat]
    unseen = [card for card in PACK if card not in card_list(state.pile | state.hands[seat])]
    found = {}

    def deal_out(index: int, left: list[str], hands: tuple[tuple[str, ...], ...], weight: int) -> None:
        if index == len(others):
            found[hands] = weight
            return
        for hand in combinations(left, int(state.sizes[others[index]])):
            times = ways(follower, others[index], hand)
            if times:
                rest = [card for card in left if card not in hand]
                deal_out(index + 1, rest, (*hands, hand), weight * times)

    deal_out(0, unseen, (), 1)
    return found


def ambiguous(follower: Follower, seat: int) -> bool:
    """Whether a seat has played a card that may have come before or after a fact about it."""
    for card, end in follower.played[seat]:
        before = [time for time, _ in follower.none[seat] if time < end]
        ruled = [time for time, none in follower.none[seat] if card in none and time < end]
        if before and (not ruled or max(ruled) < max(before)):
            return True
    return False


def small_positions(seeds: int) -> Iterator[tuple[Rules, Any, Follower]]:
    """Positions of small tables after some random moves, with some fact about somebody, before any reshuffle."""
    for seed in range(seeds):
        source = random.Random(seed)
        rules = dobon(source.choice([2, 3]), call_draw=source.choice([0, 1]))
        state = GAME.parse_state(rules, small_table(source, rules.players, source.choice([3, 4, 5])))
        follower = Follower(rules, state)
        for _ in range(source.randrange(2, 12)):
            before = state.copy()
            move = source.choice(moves_of(rules, state))
            play(rules, state, move)
            if state.turn < 0 or state.refills:
                break
            follower.move(before, GAME.format_move(rules, move), state)
        others = [other for other in range(rules.players) if other != state.turn]
        if state.turn >= 0 and not state.refills and state.phase == TURN and any(follower.none[o] for o in others):
            yield rules, state, follower


def drawn_worlds(rules: Rules, state: Any, draws: int) -> Counter[tuple[tuple[str, ...], ...]]:
    """The hands of the others in as many worlds."""
    seat = int(state.turn)
    observation = observed(rules, state, seat)
    drawn: Counter[tuple[tuple[str, ...], ...]] = Counter()
    for key in range(draws):
        world = redealt(rules, observation, key_of(5, key))
        drawn[tuple(tuple(card_list(world.hands[o])) for o in range(rules.players) if o != seat)] += 1
    return drawn


def test_worlds_are_as_likely_as_they_are() -> None:
    """χ² against all possible worlds, where it is certain which of the cards held came when."""
    excess = freedom = checked = 0.0
    for rules, state, follower in small_positions(260):
        others = [other for other in range(rules.players) if other != state.turn]
        if any(ambiguous(follower, other) for other in others):
            continue
        expected = exact_worlds(rules, state, follower, int(state.turn))
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


def test_worlds_where_it_is_not_certain_which_cards_came_when() -> None:
    """All that is possible is met; how likely each card is to be in a hand is met within a few hundredths."""
    errors = []
    for rules, state, follower in small_positions(500):
        others = [other for other in range(rules.players) if other != state.turn]
        if not any(ambiguous(follower, other) for other in others):
            continue
        expected = exact_worlds(rules, state, follower, int(state.turn))
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


def returns() -> Iterator[tuple[Rules, Any]]:
    """Decisions about shooting back."""
    for seed in range(400):
        rules = dobon(3 + seed % 4)
        for state in decisions(rules, seed, games=2):
            if state.phase == RETURN:
                yield rules, state


def test_whoever_has_shot_could() -> None:
    """In the worlds of a player that may shoot back."""
    checked = 0
    for rules, state in returns():
        observation = observed(rules, state, state.turn)
        put = int(state.last) & (1 << 52) - 1
        for key in range(10):
            world = redealt(rules, observation, key_of(checked, key))
            check_world(rules, state, observation, world)
            for seat in range(rules.players):
                if state.shooters >> seat & 1:
                    assert qualifies(world.hands[seat], world.sums[seat], put)
            checked += 1
    assert checked >= 50


def test_worlds_of_who_is_not_asked() -> None:
    """They are full states that go on; where nothing has moved on, all that the observer knows is as it was."""
    source, phases = random.Random(2), Counter[int]()
    for rules, state in [*deals(), *returns()]:
        seat = source.randrange(rules.players)
        if state.phase == TURN or seat == state.turn:
            continue
        world = redealt(rules, observed(rules, state, seat), source.getrandbits(60))
        if world.phase == state.phase and world.turns == state.turns:
            assert world.hands[seat] == state.hands[seat]
            assert world.sizes.tolist() == state.sizes.tolist()
        for _ in range(20):
            if world.turn >= 0:
                play(rules, world, source.choice(moves_of(rules, world)))
        assert sum(map(int, world.hands)) + int(world.pile) < 1 << 52
        phases[int(state.phase)] += 1
    assert min(phases[phase] for phase in (DRAWN, SHOOTING)) > 50
    assert phases[RETURN] > 5
