"""What a seat knows, and the worlds that are drawn from it."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from agari.sim.cards import JOKER, format_cards, parse_cards
from agari.sim.daifugo.moves import size_of
from agari.sim.daifugo.notation import pack_of
from agari.sim.daifugo.observe import tribute_possible
from agari.sim.daifugo.play import DIAMOND_3
from agari.sim.daifugo.record import new_game
from agari.sim.daifugo.rules import Rules
from agari.sim.daifugo.state import ASIDE, BLIND, FALL, TRIBUTE
from agari.sim.daifugo.tribute import begin_tribute, strongest
from agari.sim.game import play
from agari.sim.rng import key_of

from ..daifugo_table import (
    GAME,
    PACK,
    decisions,
    federation,
    moves_of,
    observed,
    play_text,
    position,
    random_options,
    redealt,
)
from ..playing import fields

FEDERATION = federation()


def matches() -> Iterator[tuple[Rules, Any]]:
    """Decisions of random matches by the federation's rules and by any others: one in three, and all tributes."""
    chosen = [federation(players) for players in (4, 5, 6)]
    for seed in range(9):
        options = random_options(random.Random(seed)) | {"ranks_every": 0, "lead_pass": False}
        chosen.append(GAME.options.parse(options))
    for seed, rules in enumerate(chosen):
        for number, state in enumerate(decisions(rules, seed, games=3)):
            if state.phase == TRIBUTE or number % 3 == 0:
                yield rules, state


def pairs_of(rules: Rules, state: Any) -> list[tuple[int, int, int]]:
    """Giver, receiver and number of cards of each tribute pair; none in a game without ranks or tribute."""
    if not (state.ranked and rules.tribute):
        return []
    previous = state.previous[: rules.players].tolist()
    both = [(previous[-1], previous[0], 2), (previous[-2], previous[1], 1)]
    return both if rules.players > 3 else [(previous[-1], previous[0], 1)]


def joined(cards: list[int]) -> Counter[str]:
    return Counter(word for mask in cards for word in format_cards(mask).split())


def strength(card: str) -> int:
    """In the order of tribute (D9.2): jokers, then 2, A, …; equal ranks by ♠ ♥ ♦ ♣."""
    return 52 if card == "JK" else PACK.index(card) // 4 * 4 + 3 - PACK.index(card) % 4


def shown(rules: Rules, state: Any) -> list[int]:
    """The cards that each seat has played."""
    fallen = [state.sunk[i] for i in range(state.sunk_count) if state.sunk_reason[i] == FALL]
    return [
        int(state.dealt[seat] - state.hands[seat] - (state.hands[ASIDE] if seat in fallen else 0))
        for seat in range(rules.players)
    ]


def without(values: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}


def test_nothing_hidden_stands_in_an_observation() -> None:
    checked = 0
    for rules, state in matches():
        for seat in range(rules.players):
            observation = observed(rules, state, seat)
            assert observation.observer == seat
            assert observation.key == 0
            assert observation.hands[seat] == state.hands[seat]
            assert observation.dealt[seat] == state.dealt[seat] or observation.hands[seat] == 0
            assert sum(observation.hands) == state.hands[seat]
            assert shown(rules, observation) == shown(rules, state)
            assert observation.sizes.tolist() == state.sizes.tolist()
            checked += 1
    assert checked > 4000


def mixed_up(rules: Rules, state: Any, seat: int, source: random.Random) -> Any:
    """Another state that `seat` cannot tell from `state`, were it not for tribute cards that it has seen."""
    other = state.copy()
    holders = [holder for holder in [*range(rules.players), BLIND, ASIDE] if holder != seat]
    fallen = [state.sunk[i] for i in range(state.sunk_count) if state.sunk_reason[i] == FALL]
    cards = list(joined([int(state.hands[holder]) for holder in holders]).elements())
    source.shuffle(cards)
    for holder in holders:
        hand, cards = cards[: state.sizes[holder]], cards[state.sizes[holder] :]
        change = parse_cards(" ".join(hand)) - state.hands[holder]
        other.hands[holder] += change
        other.dealt[holder] += change if holder != ASIDE else 0
        if holder == ASIDE and fallen:
            other.dealt[fallen[0]] += change
    other.key = source.getrandbits(62)
    for pair, (giver, receiver, _) in enumerate(pairs_of(rules, state)):
        if seat not in (giver, receiver):
            other.given[pair], other.returned[pair] = source.getrandbits(52), source.getrandbits(52)
        elif state.phase == TRIBUTE and seat == giver:
            other.returned[pair] = source.getrandbits(52)
        elif state.phase == TRIBUTE and rules.tribute_blind:
            other.given[pair] = source.getrandbits(52)
    if state.phase == TRIBUTE:
        other.first_leader = source.randrange(rules.players)
    return other


def test_states_that_differ_in_hidden_things_look_the_same() -> None:
    source = random.Random(1)
    for rules, state in matches():
        for seat in range(rules.players):
            other = mixed_up(rules, state, seat, source)
            assert fields(observed(rules, other, seat)) == fields(observed(rules, state, seat))


def check_world(rules: Rules, state: Any, observation: Any, world: Any) -> None:
    """Whether a world agrees with everything that the observer knows of the true state."""
    seat = int(observation.observer)
    assert [size_of(cards) for cards in world.hands] == world.sizes.tolist() == state.sizes.tolist()
    assert joined([*world.hands, *shown(rules, world), world.gone]) == joined([pack_of(rules)])
    assert world.hands[seat] == state.hands[seat]
    assert world.hands[BLIND] < JOKER
    assert shown(rules, world) == shown(rules, state)
    assert (world.observer, world.turn) == (-1, state.turn)
    assert fields(observed(rules, world, seat)) == fields(observation)
    if state.turn == seat:
        assert moves_of(rules, world) == moves_of(rules, state)


def check_tributes(rules: Rules, state: Any, observation: Any, world: Any) -> None:
    """Whether cards lie where the observer has seen them go, and a giver holds nothing stronger than what it gave."""
    seat = int(observation.observer)
    for pair, (giver, receiver, count) in enumerate(pairs_of(rules, state)):
        given, returned = joined([state.given[pair]]), joined([state.returned[pair]])
        if state.phase == TRIBUTE:
            assert world.given[pair] == strongest(world.hands[giver], count)
            if seat != receiver or rules.tribute_blind:
                continue
            assert world.given[pair] == state.given[pair]
            kept = joined([world.hands[giver]]) - given
        elif seat == giver:
            assert given - returned <= joined([world.dealt[receiver]])
            continue
        elif seat == receiver:
            assert returned <= joined([world.dealt[giver]])
            kept = joined([world.dealt[giver]]) - returned
        else:
            continue
        assert max(map(strength, kept), default=0) <= min(map(strength, given))


def test_worlds_are_consistent_with_all_that_is_known() -> None:
    source = random.Random(1)
    checked = 0
    for rules, state in matches():
        for seat in {int(state.turn), source.randrange(rules.players)}:
            observation = observed(rules, state, seat)
            world = redealt(rules, observation, source.getrandbits(60))
            check_world(rules, state, observation, world)
            check_tributes(rules, state, observation, world)
            assert world.key != state.key
            checked += 1
    assert checked > 1500


def test_worlds_differ_and_follow_from_their_key() -> None:
    for state in decisions(FEDERATION, seed=3, games=2):
        observation = observed(FEDERATION, state, state.turn)
        first, same, other = (redealt(FEDERATION, observation, key) for key in (1, 1, 2))
        assert fields(first) == fields(same)
        unseen = sum(observation.sizes[holder] > 0 for holder in range(8)) - 1
        if unseen > 1 and sum(observation.sizes) > 30:
            assert first.hands.tolist() != other.hands.tolist()


def test_worlds_play_to_the_end() -> None:
    """From tributes and from plays: the end is the same kind of end, with every seat in one place."""
    source = random.Random(2)
    for number, (rules, state) in enumerate(matches()):
        if state.phase == TRIBUTE or number % 15 == 0:
            world = redealt(rules, observed(rules, state, state.turn), number)
            while world.turn >= 0:
                play(rules, world, source.choice(moves_of(rules, world)))
            assert sorted(world.ranking[: rules.players]) == list(range(rules.players))
            assert joined([*world.hands, *shown(rules, world), world.gone]) == joined([pack_of(rules)])


# --- Uniformity -------------------------------------------------------------------------------------------------


def ways(cards: list[str], sizes: list[int]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """All ways to deal cards, all different, into hands of these sizes."""
    if not sizes:
        yield ()
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in ways(rest, sizes[1:]):
            yield (hand, *others)


def consistent(rules: Rules, state: Any, seat: int) -> Counter[tuple[str, ...]]:
    """The worlds that a seat thinks possible, each with the number of deals that look like it, jokers told apart."""
    holders = [holder for holder in [*range(rules.players), BLIND, ASIDE] if holder != seat]
    unseen = joined([int(state.hands[holder]) for holder in holders])
    known: dict[int, Counter[str]] = {holder: Counter() for holder in holders}
    bounds = []
    played = [joined([cards]) for cards in shown(rules, state)]
    for pair, (giver, receiver, _) in enumerate(pairs_of(rules, state)):
        given, returned = joined([state.given[pair]]), joined([state.returned[pair]])
        choosing = state.phase == TRIBUTE
        if seat == receiver and not (choosing and rules.tribute_blind):
            known[giver] = given if choosing else returned - played[giver]
            bounds.append((giver, min(map(strength, given))))
        if seat == giver and not choosing:
            known[receiver] = given - returned - played[receiver]
    for cards in known.values():
        unseen -= cards
    named = [f"{card}{index}" if card == "JK" else card for index, card in enumerate(unseen.elements())]
    worlds: Counter[tuple[str, ...]] = Counter()
    for deal in ways(named, [int(state.sizes[holder]) - known[holder].total() for holder in holders]):
        hands = dict(zip(holders, ([card[:2] for card in hand] for hand in deal), strict=True))
        if "JK" in hands[BLIND] or any(strength(card) > bound for giver, bound in bounds for card in hands[giver]):
            continue
        whole = [
            " ".join([*known[holder].elements(), *hands[holder]]) if holder in hands else "" for holder in range(8)
        ]
        worlds[tuple(format_cards(parse_cards(cards)) for cards in whole)] += 1
    return worlds


def check_uniform(rules: Rules, state: Any, seat: int, draws: int) -> None:
    """χ² of the worlds drawn against all that are possible."""
    expected = consistent(rules, state, seat)
    observation = observed(rules, state, seat)
    drawn: Counter[tuple[str, ...]] = Counter()
    for key in range(draws):
        hands = [int(hand) for hand in redealt(rules, observation, key).hands]
        hands[seat] = 0
        drawn[tuple(format_cards(hand) for hand in hands)] += 1
    total = expected.total()
    assert set(drawn) <= set(expected)
    assert len(expected) > 1
    each = draws / total
    chi_square = sum((drawn[world] - each * count) ** 2 / (each * count) for world, count in expected.items())
    freedom = len(expected) - 1
    assert each > 4  # so that χ² is what it should be
    assert abs(chi_square - freedom) < 4 * np.sqrt(2 * freedom)


def test_uniform_without_tribute() -> None:
    where = position("S3 S4", "H5 JK", "D6 JK", "C7", blind="C8")
    check_uniform(FEDERATION, GAME.parse_state(FEDERATION, where), seat=0, draws=6000)


def test_uniform_with_a_hand_set_aside() -> None:
    gone = {"out": [2], "sunk": [[3, "fall"]], "previous": [3, 2, 1, 0]}
    where = position("S3 S4", "H5 JK", "", "", blind="C8", aside="D6 JK", **gone)
    check_uniform(FEDERATION, GAME.parse_state(FEDERATION, where), seat=0, draws=3000)


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize(
    ("hands", "returned", "plays", "blind"),
    [
        ("S3 D6 H9, H4 D7, S5 D8, C6 C9 JK", "S3 D6, H4", "", ""),
        ("S3 D6 H9, H4 D7, S5 D8, C6 C9 JK", "S3 D6, H4", "S:S3, -, S:D8", ""),  # a tribute is shown
        ("S3 D6 JK, H4 D7, S5 D8, C6 C9 JK", "S3 JK, H4", "S:S3", "C3"),  # a joker comes back
        ("S3 D6 H9, H4 D7, S5 JK, C6 C9 JK", "S3 D6, H4", "S:S3", "C3"),
        ("S3 D6 H9, H4 D7, S5 S7, S6 JK JK", "S3 D6, H4", "S:S3", "C3"),
    ],
)
def test_uniform_after_a_tribute(seat: int, hands: str, returned: str, plays: str, blind: str) -> None:
    """Few cards; seat 0 has got two from seat 3, and seat 1 one from seat 2; seat 3 leads."""
    state = new_game(FEDERATION, [parse_cards(hand) for hand in hands.split(",")], parse_cards(blind), 0, [0, 1, 2, 3])
    begin_tribute(FEDERATION, state)
    play_text(FEDERATION, state, *returned.split(", "), *filter(None, plays.split(", ")))
    check_uniform(FEDERATION, state, seat, draws=4000)


@pytest.mark.parametrize("tribute_blind", [False, True])
@pytest.mark.parametrize("seat", range(4))
def test_uniform_during_a_tribute(seat: int, tribute_blind: bool) -> None:
    """Only where the received cards are seen at once they bound the giver's hand."""
    rules = federation(tribute_blind=tribute_blind)
    hands = ["S3 D6", "H4 D7", "S5 D8", "C6 C9 JK"]
    state = new_game(rules, [parse_cards(hand) for hand in hands], parse_cards("C3"), 0, [0, 1, 2, 3])
    begin_tribute(rules, state)
    check_uniform(rules, state, seat, draws=7000)


# --- What others' tributes say ----------------------------------------------------------------------------------


def could_have_been(receiver: list[str], giver: list[str], count: int) -> bool:
    """Whether hands after a tribute come from some exchange: the definition, by trying all of them."""
    for given in combinations(receiver, count):
        for returned in combinations(giver, count):
            kept = [card for card in giver if card not in returned]
            if max(map(strength, kept), default=0) <= min(map(strength, given)):
                return True
    return False


def test_tribute_possible_is_what_its_definition_says() -> None:
    source = random.Random(4)
    answers: Counter[bool] = Counter()
    for _ in range(1500):
        cards = source.sample([*PACK, "JK"], 24)
        sizes = [source.randint(2, 6) for _ in range(4)]
        hands = [[cards.pop() for _ in range(size)] for size in sizes]
        state = new_game(FEDERATION, [parse_cards(" ".join(hand)) for hand in hands], previous=[0, 1, 2, 3])
        for pair, (giver, receiver, count) in enumerate(pairs_of(FEDERATION, state)):
            answer = bool(tribute_possible(FEDERATION, state, pair))
            assert answer == could_have_been(hands[receiver], hands[giver], count)
            answers[answer] += 1
    assert min(answers.values()) > 500


def test_tributes_of_others_could_have_been_made_in_nearly_all_worlds() -> None:
    rules = federation(5)
    outcomes: Counter[bool] = Counter()
    for state in decisions(rules, seed=9, games=4):
        if not state.ranked or state.phase == TRIBUTE:
            continue
        seat = int(state.turn)
        world = redealt(rules, observed(rules, state, seat), key=state.sizes.sum())
        for pair, (giver, receiver, _) in enumerate(pairs_of(rules, state)):
            assert tribute_possible(rules, state, pair)
            if seat not in (giver, receiver):
                outcomes[bool(tribute_possible(rules, world, pair))] += 1
    assert outcomes[True] > 200
    assert outcomes[False] <= outcomes[True] / 50


def test_worlds_with_possible_tributes_are_drawn_as_often_as_without_the_bound() -> None:
    """The heimin's worlds after a tribute: those drawn without ranks, less those in which a tribute is impossible."""
    rules = federation(5)
    state = next(state for state in decisions(rules, seed=2) if state.ranked and state.phase != TRIBUTE)
    daifugo, heimin = int(state.previous[0]), int(state.previous[2])
    observation = observed(rules, state, heimin)
    free = observation.copy()
    free.ranked = 0

    def strong_cards(world: Any) -> int:
        return sum(card[-1] in "A2K" for card in format_cards(world.hands[daifugo]).split())

    drawn = [strong_cards(redealt(rules, observation, key)) for key in range(3000)]
    worlds = [redealt(rules, free, -1 - key) for key in range(9000)]
    expected = [
        strong_cards(world) for world in worlds if all(tribute_possible(rules, world, pair) for pair in range(2))
    ]
    assert 1000 < len(expected) < 8000
    error = np.sqrt(np.var(drawn) / len(drawn) + np.var(expected) / len(expected))
    assert abs(np.mean(drawn) - np.mean(expected)) < 4 * error
    assert np.mean(drawn) - np.mean([strong_cards(world) for world in worlds]) > 10 * error  # the bound says much


def test_positions_from_text_with_ranks() -> None:
    """Where the hands at the deal are not known, former ranks say nothing of them; hands may be empty."""
    checked = 0
    for state in decisions(FEDERATION, seed=5, games=4):
        if state.ranked and state.phase != TRIBUTE:
            read = GAME.parse_state(FEDERATION, GAME.format_state(FEDERATION, state))
            observation = observed(FEDERATION, read, read.turn)
            check_world(FEDERATION, read, observation, redealt(FEDERATION, observation, key=checked))
            checked += 1
    assert checked > 100


def test_worlds_of_tiny_hands() -> None:
    rules = federation(blind=46, ranks_every=0)
    for number, state in enumerate(decisions(rules, seed=1, games=20)):
        observation = observed(rules, state, state.turn)
        check_world(rules, state, observation, redealt(rules, observation, number))


def holder_of_diamond3(world: Any) -> int:
    return next(holder for holder in range(8) if world.hands[holder] & DIAMOND_3)


@pytest.mark.parametrize("blind", [0, 22])
def test_the_first_leader_had_the_three_of_diamonds(blind: int) -> None:
    """D9.4: until ♦3 is played it lies with whoever led by it, or else it is blind, as often as that seat is drawn."""
    rules = federation(first_lead="diamond3_always", fall=False, blind=blind)
    places: Counter[str] = Counter()
    expected = 0.0
    for seed in range(60):
        for number, state in enumerate(decisions(rules, seed=seed, games=1)):
            unplayed = any(hand & DIAMOND_3 for hand in state.hands.tolist())
            seat = int(state.turn)
            if number > 3 or not unplayed or state.hands[seat] & DIAMOND_3:
                continue
            observation = observed(rules, state, seat)
            leader = int(state.first_leader)
            at_leader = 0 if leader == seat else 4 * int(state.sizes[leader])
            for key in range(20):
                holder = holder_of_diamond3(redealt(rules, observation, key_of(seed, number, key)))
                assert holder in (leader, BLIND)
                places["blind" if holder == BLIND else "leader"] += 1
                expected += blind / (blind + at_leader)
    total = sum(places.values())
    assert total > 1000
    assert abs(places["blind"] - expected) < 5 * max(expected, 1) ** 0.5
