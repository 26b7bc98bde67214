"""Games of Daifugo dealt as a study wants them (D2.2, D9): extra cards that move, and ranks without a game before."""

import itertools
from collections import Counter
from typing import Any

import pytest
from agari.sim.cards import format_cards, parse_cards
from agari.sim.daifugo.state import PLAY, TRIBUTE
from agari.sim.game import blank, deal, observe, redeal

from ..daifugo_table import GAME, federation
from ..playing import fields

HOUSE = GAME.presets["house"].by_players
UECDA = GAME.presets["uecda"].by_players[5]
UNEVEN = [HOUSE[4], UECDA, federation(5, blind=1), federation(6, jokers=1), federation(6, jokers=0)]


def staged(rules: Any, key: int, **levels: int) -> Any:
    """A game dealt under conditions."""
    state = blank(GAME.state_dtype)
    GAME.staging.deal(rules, state, key, levels)
    return state


def hands_of(rules: Any, state: Any) -> list[str]:
    """The hands as text."""
    return [format_cards(hand) for hand in state.hands[: rules.players]]


def test_there_are_extra_cards_only_where_hands_are_uneven() -> None:
    for rules in UNEVEN:
        assert GAME.staging.conditions(rules)["extra"] == rules.players
    for rules in (HOUSE[3], federation(4), federation(5), federation(6)):
        assert "extra" not in GAME.staging.conditions(rules)


@pytest.mark.parametrize("rules", UNEVEN, ids=str)
def test_extra_cards_move_and_nothing_else(rules: Any) -> None:
    players, more = rules.players, (52 + rules.jokers - rules.blind) % rules.players
    for key in range(20):
        plain = blank(GAME.state_dtype)
        deal(rules, plain, 0, key)
        assert fields(staged(rules, key, extra=0)) == fields(plain)
        states = [staged(rules, key, extra=shift) for shift in range(players)]
        assert len({int(sum(state.hands)) for state in states}) == 1  # no card is lost
        for shift, state in enumerate(states):
            assert state.hands.tolist() == state.dealt.tolist()
            assert [int(size) for size in state.sizes[:players]] == [
                len(text.split()) for text in hands_of(rules, state)
            ]
            larger = [(int(plain.dealt_from) + shift + index) % players for index in range(more)]
            sizes = state.sizes[:players].tolist()
            assert [seat for seat in range(players) if sizes[seat] == max(sizes)] == sorted(larger)
            assert state.dealt_from == larger[0]
            assert state.first_leader == state.turn
        for seat in range(players):
            hands = [Counter(hands_of(rules, state)[seat].split()) for state in states]
            kept = hands[0]
            for hand in hands[1:]:
                kept = kept & hand
            assert sum(hand == kept for hand in hands) == players - more
            assert all((hand - kept).total() == 1 for hand in hands if hand != kept)


def test_any_card_of_a_hand_may_be_the_extra_one() -> None:
    """Where it lies in the pack's order says nothing: of 13 + 1 cards in order of strength each comes up as often."""
    rules, places = HOUSE[4], Counter[int]()
    for key in range(2800):
        before, after = staged(rules, key, extra=0), staged(rules, key, extra=2)
        seat = int(before.dealt_from)
        gone = Counter(hands_of(rules, before)[seat].split()) - Counter(hands_of(rules, after)[seat].split())
        (card,) = gone.elements()
        places[hands_of(rules, before)[seat].split().index(card)] += 1
    expected = 200
    assert sum((places[place] - expected) ** 2 / expected for place in range(14)) < 34.5  # χ², 13 degrees, 0.1 %


def test_ranks_that_are_given() -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    for key in range(720):
        with_it, without = (staged(federation(tribute=on), key, ranks=1) for on in (True, False))
        previous = tuple(with_it.previous[:4].tolist())
        seen[previous] += 1
        assert (with_it.phase, without.phase, without.turn) == (TRIBUTE, PLAY, previous[-1])
        assert previous == tuple(without.previous[:4].tolist())
        assert hands_of(federation(), with_it) == hands_of(federation(), without)
        assert with_it.seated[:4].tolist() == [0, 1, 2, 3]
    assert set(seen) == set(itertools.permutations(range(4)))
    assert sum((count - 30) ** 2 / 30 for count in seen.values()) < 49.7  # χ², 23 degrees, 0.1 %


def test_there_are_no_ranks_where_they_are_forgotten_after_every_game() -> None:
    assert "ranks" not in GAME.staging.conditions(federation(ranks_every=1))
    assert "ranks" in GAME.staging.conditions(federation(ranks_every=2))


def test_worlds_of_a_staged_game_are_possible() -> None:
    """A search concludes nothing from who leads, and sees the sizes that the hands have."""
    rules = GAME.staging.any_leader(UECDA)
    holders: Counter[bool] = Counter()
    world, observation = blank(GAME.state_dtype), blank(GAME.state_dtype)
    for key in range(60):
        state = staged(rules, key, leader=2, extra=3)
        observe(rules, state, 2, observation)
        for draw in range(20):
            redeal(rules, observation, world, draw)
            assert world.sizes.tolist() == state.sizes.tolist()
            assert [len(text.split()) for text in hands_of(rules, world)] == world.sizes[:5].tolist()
            holders[bool(world.hands[0] & parse_cards("D3"))] += 1
    assert 0.1 < holders[True] / holders.total() < 0.3
