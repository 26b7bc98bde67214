"""What a seat of Voodoo Prince knows, and the worlds that are drawn from it (V4)."""

import copy
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from agari.agents.policies import GREEDY, policy_move
from agari.sim.game import blank, deal, play
from agari.sim.kernels import copy_record
from agari.sim.rng import key_of
from agari.sim.voodoo_prince.notation import cards_in, halves_of
from agari.sim.voodoo_prince.observe import ASIDE, TRIES, deal_barred, deal_carefully, deal_rest, make_plan
from agari.sim.voodoo_prince.rules import Rules

from ..naive import voodoo_prince as naive
from ..playing import fields
from ..voodoo_table import EVERY_RULES, GAME, MOVES, moves_of, observed, position, redealt, rules_of


class Known(NamedTuple):
    """What everybody saw, followed apart from the kernels, in texts."""

    held: list[int]  # how many cards each seat has, the laid aside ones of who has left too
    lacking: list[set[str]]  # colours that each seat failed to follow
    seen: set[str]


def followed(rules: Rules, seed: int, greedy: bool = False) -> Iterator[tuple[Any, Known]]:
    """Every decision of two rounds, with what is known from all before."""
    options = GAME.options.format(rules)
    source, state = random.Random(seed), blank(GAME.state_dtype)
    for number in range(2):
        deal(rules, state, number, key_of(seed, number))
        slow = GAME.format_state(rules, state)
        known = Known([len(hand) for hand in slow["hands"]], [set() for _ in slow["hands"]], set())
        while slow["turn"] is not None:
            yield state.copy(), known
            count = len(moves := moves_of(rules, state))
            move = source.choice(moves)
            if greedy:
                move = policy_move(GREEDY, rules, state, MOVES, count, source.getrandbits(62))
            text, seat = GAME.format_move(rules, move), slow["turn"]
            if not text.startswith("trump"):
                known.held[seat] -= 1
                known.seen.add(text)
                if slow["trick"] and slow["trick"][0][1][0] != text[0]:
                    known.lacking[seat].add(slow["trick"][0][1][0])
            slow = naive.apply(options, slow, text)
            play(rules, state, move)


def held(state: Any, seat: int) -> list[str]:
    """The cards of a seat, those laid aside when it left too."""
    return [GAME.format_move(None, card) for card in cards_in(state.hands, seat)]


def check_world(rules: Rules, state: Any, seat: int, world: Any, known: Known) -> None:
    """A full state that `seat` cannot tell from `state`, as far as it can know."""
    mine = held(state, seat)
    assert held(world, seat) == mine
    hands = [held(world, other) for other in range(rules.players)]
    assert [len(hand) for hand in hands] == known.held
    cards = [card for hand in hands for card in hand]
    assert len(set(cards)) == len(cards)
    assert not set(cards) & known.seen
    assert set(cards) <= set(naive.deck(GAME.options.format(rules)))
    for hand, lacking in zip(hands, known.lacking, strict=True):
        assert not {card[0] for card in hand} & lacking
    public, expected = GAME.format_state(rules, world), GAME.format_state(rules, state)
    assert public | {"hands": None} == expected | {"hands": None}
    for other in range(rules.players):
        shown = set(cards_in(state.dealt, other)) - set(cards_in(state.hands, other))
        assert set(cards_in(world.dealt, other)) == shown | set(cards_in(world.hands, other))
    assert fields(observed(rules, world, seat)) == fields(observed(rules, state, seat))
    assert world.observer == -1


@pytest.mark.parametrize("greedy", [False, True])
@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_worlds_honour_all_that_is_known(rules: Rules, greedy: bool) -> None:
    """At every decision of some rounds, of seats in turn; the true state itself is one of the possible ones."""
    checked = lacking_and_gone = 0
    for seed in range(24 // rules.players):
        for number, (state, known) in enumerate(followed(rules, seed, greedy)):
            for seat in {int(state.turn), number % rules.players}:
                check_world(rules, state, seat, state, known)
                world = redealt(rules, observed(rules, state, seat), key_of(seed, number, seat))
                check_world(rules, state, seat, world, known)
                checked += 1
                lacking_and_gone += any(
                    known.lacking[other] and known.held[other] and not state.alive >> other & 1
                    for other in range(rules.players)
                )
    assert checked > 200
    assert rules.players == 2 or lacking_and_gone > 5


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_an_observation_does_not_depend_on_hidden_cards(rules: Rules) -> None:
    source = random.Random(1)
    for state, _ in followed(rules, 3):
        for seat in range(rules.players):
            observation = fields(observed(rules, state, seat))
            others = [other for other in range(rules.players) if other != seat]
            deck = {GAME.parse_move(rules, state, card) for card in naive.deck(GAME.options.format(rules))}
            hidden = list(deck - set(cards_in(state.seen)) - set(cards_in(state.hands, seat)))
            source.shuffle(hidden)
            mixed = state.copy()
            for other in others:
                hand, hidden = hidden[: state.sizes[other]], hidden[state.sizes[other] :]
                shown = set(cards_in(state.dealt, other)) - set(cards_in(state.hands, other))
                mixed.hands[2 * other : 2 * other + 2] = halves_of(hand)
                mixed.dealt[2 * other : 2 * other + 2] = halves_of([*hand, *shown])
            assert fields(observed(rules, mixed, seat)) == observation


def test_worlds_differ_and_repeat() -> None:
    rules = rules_of(4)
    for state, _ in followed(rules, 5):
        observation = observed(rules, state, int(state.turn))
        one, again, other = (fields(redealt(rules, observation, key)) for key in (1, 1, 2))
        assert one == again
        assert one != other


# --- The worlds are uniform -------------------------------------------------------------------------------------


def small_round(source: random.Random, rules: Rules, most_deals: int) -> tuple[Any, list[tuple[Any, ...]]]:
    """A state with few unseen cards, of which some seats are known to lack colours, one of them perhaps gone.

    With it all its deals: for each the cards of every seat but the first, which is the observer.
    """
    while True:
        players = rules.players
        sizes = [source.randint(1, 3) for _ in range(players)]
        deck = naive.deck(GAME.options.format(rules))
        source.shuffle(deck)
        deck.sort(key=lambda card: card[0] not in source.sample("RYGBP", 3))
        aside = source.randint(0, 3)
        hands = []
        for size in sizes:
            hand, deck = deck[:size], deck[size:]
            hands.append(" ".join(hand))
        state = GAME.parse_state(rules, position(*hands, played=naive.in_order(deck[aside:])))
        for seat in range(1, players):
            for index, colour in enumerate("RYGBP"):
                if colour not in hands[seat] and source.random() < 0.6:
                    state.lacks[seat] |= 2 << index
        if players > 2 and source.random() < 0.4:
            state.alive &= ~2
            state.exit[1] = state.gone = 1
        unseen = [card for hand in hands[1:] for card in hand.split()] + deck[:aside]
        deals = list(all_deals(state, sizes[1:], unseen, most_deals))
        if 3 <= len(deals) <= most_deals:
            return state, deals


def all_deals(state: Any, sizes: list[int], unseen: list[str], most: int) -> list[tuple[Any, ...]]:
    """All ways to deal the unseen cards to the seats 1 … that are consistent with what they lack."""
    found: list[tuple[Any, ...]] = []

    def place(index: int, hands: list[list[str]]) -> None:
        if len(found) > most:
            return
        if index == len(unseen):
            if [len(hand) for hand in hands] == sizes:
                found.append(tuple(frozenset(hand) for hand in hands))
            return
        card = unseen[index]
        for seat, hand in enumerate(hands):
            if len(hand) < sizes[seat] and not state.lacks[seat + 1] >> ("RYGBP".index(card[0]) + 1) & 1:
                hand.append(card)
                place(index + 1, hands)
                hand.pop()
        if index - sum(map(len, hands)) < len(unseen) - sum(sizes):
            place(index + 1, hands)

    place(0, [[] for _ in sizes])
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_worlds_are_uniform_over_all_deals(players: int) -> None:
    """In small positions whose consistent deals can be listed: each comes equally often (chi-square)."""
    rules, source = rules_of(players), random.Random(players)
    deviations, constrained = [], 0
    for number in range(12):
        state, deals = small_round(source, rules, most_deals=150)
        observation = observed(rules, state, 0)
        draws = 10 * len(deals)
        counts: Counter[tuple[Any, ...]] = Counter()
        for key in range(draws):
            world = redealt(rules, observation, key_of(players, number, key))
            counts[tuple(frozenset(held(world, seat)) for seat in range(1, players))] += 1
        assert set(counts) <= set(deals)
        constrained += any(state.lacks)
        chi_square = sum((counts[deal] - 10) ** 2 / 10 for deal in deals)
        freedom = len(deals) - 1
        deviations.append((chi_square - freedom) / (2 * freedom) ** 0.5)
    assert constrained > 4
    assert max(deviations) < 5
    assert abs(np.mean(deviations)) < 4 / len(deviations) ** 0.5


def shares(observation: Any, rules: Rules, draw: Any, draws: int) -> np.ndarray:
    """How often each card comes to each seat, and each two seats hold the same colour: float64 of shape (k,)."""
    sums = np.zeros(5 * 96 + 25 * 5)
    for key in range(draws):
        hands = draw(key)
        for seat, hand in enumerate(hands):
            for card in hand:
                sums[96 * seat + card] += 1
        for one in range(len(hands)):
            for other in range(len(hands)):
                both = {card >> 4 for card in hands[one]} & {card >> 4 for card in hands[other]}
                for colour in both:
                    sums[480 + 25 * (colour - 1) + 5 * one + other] += 1
    return sums / draws


@pytest.mark.parametrize("players", [3, 5])
def test_worlds_of_real_rounds_are_as_a_rejection_sampler_has_them(players: int) -> None:
    """Late in a round, where several seats lack colours: shares of cards, and of colours that two seats have."""
    rules, source, looked_at = rules_of(players), random.Random(1), 0
    for seed in range(300):
        states = [(s, copy.deepcopy(k)) for s, k in followed(rules, seed, greedy=True) if s.number == 0]
        state, known = states[len(states) * 2 // 3]
        seat = int(state.turn)
        if (
            sum(len(known.lacking[other]) > 0 and known.held[other] > 0 for other in range(players) if other != seat)
            < 2
        ):
            continue
        observation = observed(rules, state, seat)
        deck = {GAME.parse_move(rules, state, card) for card in naive.deck(GAME.options.format(rules))}
        unseen = sorted(deck - set(cards_in(state.seen)) - set(cards_in(state.hands, seat)))
        lacking = [{"RYGBP".index(colour) + 1 for colour in colours} for colours in known.lacking]

        def reject(key: int, seat: int = seat, unseen: Any = unseen, known: Any = known, lacking: Any = lacking) -> Any:
            for _ in range(200_000):
                source.shuffle(unseen)
                hands, first = [], 0
                for other in range(players):
                    size = known.held[other] if other != seat else 0
                    hands.append(unseen[first : first + size])
                    first += size
                    if any(card >> 4 in lacking[other] for card in hands[-1]):
                        break
                else:
                    return hands
            raise AssertionError("nothing fits")

        def drawn(key: int, seat: int = seat, observation: Any = observation) -> Any:
            world = redealt(rules, observation, key_of(key))
            return [cards_in(world.hands, other) if other != seat else [] for other in range(players)]

        draws = 400
        one, other = shares(observation, rules, reject, draws), shares(observation, rules, drawn, draws)
        middle = (one + other) / 2
        error = np.sqrt(np.maximum(middle * (1 - middle), 0) * 2 / draws)
        assert np.all(np.abs(one - other)[error == 0] == 0)
        assert np.max(np.abs(one - other)[error > 0] / error[error > 0]) < 4.8
        looked_at += 1
        if looked_at == 6:
            break
    assert looked_at >= 4


def test_nearly_every_world_is_accepted() -> None:
    """How often none of the tries is accepted, and a world comes that is uniform but for a little."""
    plan = np.zeros(64, np.int64)
    world = blank(GAME.state_dtype)
    for rules in EVERY_RULES:
        missed = []
        for seed in range(6):
            for state, _ in followed(rules, seed, greedy=True):
                observation = observed(rules, state, int(state.turn))
                copy_record(world, observation)
                constrained = make_plan(rules, observation, plan)
                weights = [deal_barred(rules, world, plan, constrained, key_of(seed, key)) for key in range(30)]
                assert max(weights) <= 1.0 + 1e-9
                missed.append((1 - np.mean(weights)) ** TRIES)
        assert np.mean(missed) < 0.01


def test_dealing_carefully_fits_too() -> None:
    """What is done when the places ran out in every try: the same cards, within what is known."""
    plan, source = np.zeros(64, np.int64), random.Random(1)
    tight = 0
    for number in range(150):
        rules = rules_of(source.choice((3, 4, 5)))
        state, deals = small_round(source, rules, most_deals=60)
        observation = observed(rules, state, 0)
        world = blank(GAME.state_dtype)
        copy_record(world, observation)
        constrained = make_plan(rules, observation, plan)
        tight += deal_barred(rules, world, plan, constrained, key_of(number)) == 0
        deal_carefully(rules, world, plan, constrained, key_of(number, 1))
        deal_rest(rules, world, plan, key_of(number, 2))
        assert tuple(frozenset(held(world, seat)) for seat in range(1, rules.players)) in deals
        assert plan[ASIDE] >= 0
    assert tight > 0
