"""Deals: made by their key alone, uniform, and with seats and ranks carried over as the rules say."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from agari.sim.cards import JOKER, format_cards
from agari.sim.daifugo.rules import Rules
from agari.sim.daifugo.state import BLIND, TRIBUTE
from agari.sim.game import blank, deal, play
from agari.sim.rng import key_of
from hypothesis import given
from hypothesis import strategies as st

from ..daifugo_table import GAME, decisions, federation, moves_of, random_options
from ..naive import daifugo as twin

FEDERATION = federation()


def dealt(rules: Rules, key: int) -> Any:
    state = blank(GAME.state_dtype)
    deal(rules, state, 0, key)
    return state


def played_match(rules: Rules, key: int, games: int, choose: Callable[[list[int]], int]) -> list[tuple[Any, Any]]:
    """The state after the deal and the finished one of each game of a match."""
    state, played = blank(GAME.state_dtype), []
    for number in range(games):
        deal(rules, state, number, key_of(key, number))
        begin = state.copy()
        while state.turn >= 0:
            play(rules, state, choose(moves_of(rules, state)))
        played.append((begin, state.copy()))
    return played


def chi_square(counts: Any) -> float:
    expected = np.mean(counts)
    return float(((np.asarray(counts) - expected) ** 2 / expected).sum())


@given(st.integers(-(2**63), 2**63 - 1))
def test_same_key_same_deal(key: int) -> None:
    first, second = dealt(FEDERATION, key), dealt(FEDERATION, key)
    assert first.hands.tolist() == second.hands.tolist()
    assert (first.turn, first.seated.tolist()) == (second.turn, second.seated.tolist())


def test_other_key_other_deal() -> None:
    assert len({tuple(dealt(FEDERATION, key).hands) for key in range(1000)}) == 1000


def test_deals_do_not_depend_on_who_plays_or_on_the_game_before() -> None:
    """Only who sits where by rank does: the cards, the seats and the drawn leader are the key's."""
    source = random.Random(1)
    cautious = played_match(FEDERATION, 5, 8, lambda moves: moves[0])
    wild = played_match(FEDERATION, 5, 8, source.choice)
    rankings = [[state.ranking.tolist() for _, state in played] for played in (cautious, wild)]
    assert rankings[0] != rankings[1]
    for number, ((first, _), (second, _)) in enumerate(zip(cautious, wild, strict=True)):
        assert first.hands.tolist() == second.hands.tolist()
        assert first.seated.tolist() == second.seated.tolist()
        assert first.dealt_from == second.dealt_from
        if not first.ranked:
            assert first.turn == second.turn
        fresh = blank(GAME.state_dtype)
        deal(FEDERATION, fresh, 0, key_of(5, number))
        assert fresh.hands.tolist() == first.hands.tolist()


@pytest.mark.parametrize("players", [4, 5, 6])
def test_every_card_goes_everywhere_equally_often(players: int) -> None:
    rules = federation(players)
    deals = 3000
    where = np.zeros((53, 7))
    for key in range(deals):
        state = dealt(rules, key_of(key))
        for column, holder in enumerate([*range(players), BLIND]):
            cards = int(state.hands[holder])
            where[:52, column] += [cards >> card & 1 for card in range(52)]
            where[52, column] += cards >> 52
    size = (54 - rules.blind) // players
    expected = np.zeros((53, 7))
    expected[:52, players] = deals * rules.blind / 52
    expected[52, :players] = deals * 2 / players
    expected[:52, :players] = (deals * size - deals * 2 / players) / 52
    possible = expected > 0
    z = (where[possible] - expected[possible]) / np.sqrt(expected[possible])
    assert (where[~possible] == 0).all()
    assert (where.sum(axis=0)[:players] == deals * size).all()
    assert abs(z).max() < 4.5
    assert 0.6 < (z**2).mean() < 1.1  # a little below 1, since hands are drawn without replacement


def test_pairs_of_cards_meet_as_often_as_they_should() -> None:
    """Neighbours in the pack too."""
    deals = 3000
    together = np.zeros(51)
    for key in range(deals):
        hands = dealt(federation(6), key_of(key)).hands[:6]
        for card in range(51):
            together[card] += any(int(hand) >> card & 3 == 3 for hand in hands)
    expected = deals * 8 / 53  # 54 cards, nine in a hand
    z = (together - expected) / np.sqrt(expected * (1 - 8 / 53))
    assert abs(z).max() < 4
    assert 0.5 < (z**2).mean() < 1.6


def test_jokers_meet_as_often_as_they_should() -> None:
    deals = 4000
    together = sum(max(dealt(FEDERATION, key_of(key)).hands[:4]) >= 2 * JOKER for key in range(deals))
    expected = deals * 12 / 51  # no joker in the blind: 52 cards, thirteen in a hand
    assert abs(together - expected) < 4 * np.sqrt(expected)


def test_leader_start_and_seating_are_drawn_independently() -> None:
    rules = federation(blind=0)
    counts = np.zeros((4, 4, 4))
    for key in range(6400):
        state = dealt(rules, key_of(key))
        counts[state.turn, state.dealt_from, state.seated[0]] += 1
    assert chi_square(counts) < 103.4  # χ² of 63 degrees, p = 0.001


def test_blank_state_needs_no_preparation() -> None:
    """A game that was played leaves nothing behind in the next that has no ranks."""
    used = played_match(FEDERATION, 9, 4, random.Random(2).choice)[-1][1]
    deal(FEDERATION, used, 4, key_of(77))
    fresh = blank(GAME.state_dtype)
    deal(FEDERATION, fresh, 4, key_of(77))
    for name in GAME.state_dtype.names:
        if name not in ("ranking", "reasons", "out", "sunk", "sunk_reason"):  # beyond their counts they mean nothing
            assert np.array_equal(used[name], fresh[name]), name
    assert GAME.format_state(FEDERATION, used) == GAME.format_state(FEDERATION, fresh)


@pytest.mark.parametrize(("seats_every", "ranks_every"), [(4, 4), (2, 3), (3, 2), (1, 0), (0, 0), (0, 2), (3, 100)])
def test_seats_and_ranks_over_a_match(seats_every: int, ranks_every: int) -> None:
    """D9.3: who sat where may change while the ranks stay with the participants."""
    rules = federation(seats_every=seats_every, ranks_every=ranks_every)
    reseated = 0
    for key in range(6):
        played = played_match(rules, key, 7, random.Random(key).choice)
        for number, (begin, end) in enumerate(played):
            forgotten = number == 0 or (ranks_every > 0 and number % ranks_every == 0)
            assert bool(begin.ranked) == (not forgotten)
            assert bool(begin.last_of_set) == (ranks_every > 0 and (number + 1) % ranks_every == 0)
            assert begin.game == number
            assert sorted(begin.seated[:4]) == [0, 1, 2, 3]
            assert begin.seated.tolist() == end.seated.tolist()
            if number == 0:
                continue
            before = played[number - 1][1]
            same_seats = begin.seated.tolist() == before.seated.tolist()
            reseated += not same_seats
            if seats_every == 0 or number % seats_every:
                assert same_seats
            if begin.ranked:
                ranks = [before.seated[seat] for seat in before.ranking[:4]]
                assert [begin.seated[seat] for seat in begin.previous[:4]] == ranks
            else:
                assert (begin.previous[:4] == -1).all()
    assert (reseated > 0) == (seats_every > 0)


@pytest.mark.parametrize("seed", range(12))
def test_tribute_in_matches_as_the_twin_makes_it(seed: int) -> None:
    """D9.2: what is given, what may be returned, and the hands afterwards, whatever the options."""
    source = random.Random(seed)
    options = random_options(source) | {"ranks_every": 0, "lead_pass": False}
    rules = GAME.options.parse(options)
    hands, previous, returned, exchanges = [], [], [], 0
    for state in decisions(rules, seed, games=5):
        if state.phase == TRIBUTE and not returned:
            hands = [format_cards(hand) for hand in state.hands[: rules.players]]
            previous = state.previous[: rules.players].tolist()
        if state.phase == TRIBUTE:
            pair = twin.tribute(options, previous, hands, None)["exchange"][len(returned)]
            assert pair["receiver"] == state.turn
            assert pair["given"] == format_cards(state.given[len(returned)])
            assert sorted(format_cards(move) for move in moves_of(rules, state)) == pair["legal_returns"]
            returned.append(None)
        elif returned:
            chosen = [format_cards(cards) for cards in state.returned[: len(returned)]]
            answer = twin.tribute(options, previous, hands, chosen)
            assert answer["after"] == [format_cards(hand) for hand in state.hands[: rules.players]]
            assert answer["leader"] in (state.turn, None)
            returned, exchanges = [], exchanges + 1
    assert exchanges == (4 if options["tribute"] else 0)


def test_tribute_of_tiny_hands() -> None:
    """With two cards a player daihinmin gives all that it has."""
    rules = federation(blind=46)
    tributes = 0
    for state in decisions(rules, seed=1, games=20):
        if state.phase == TRIBUTE:
            tributes += 1
            assert state.sizes[:4].tolist() == [2, 2, 2, 2]
            assert all(moves_of(rules, state))
    assert tributes == 2 * 15
