"""What the greedy player of Dobon weighs: each test fails where that part of it is taken out."""

from typing import Any

import pytest
from agari.agents.policies import GREEDY, policy_move
from agari.sim.dobon.rules import Rules
from agari.sim.dobon.state import RETURN, SHOOT

from ..dobon_table import GAME, MOVES, decisions, dobon, moves_of, observed, play_text, table


def chosen(rules: Rules, state: Any) -> str:
    """What greedy does as the seat to act."""
    count = len(moves_of(rules, state))
    return GAME.format_move(rules, policy_move(GREEDY, rules, observed(rules, state, state.turn), MOVES, count, 0))


def plays(*hands: str, pile: str = "") -> str:
    """What greedy does as seat 0 with the first of some hands, on ♠5."""
    rules = dobon(len(hands))
    return chosen(rules, GAME.parse_state(rules, table(*hands, pile=pile)))


@pytest.mark.parametrize(
    ("hand", "suit"),
    [
        ("S8 SK SQ H3", "S"),
        ("S8 HK HQ H3", "H"),
        ("S8 SK DQ D3", "D"),
        ("S8 CK CQ H3", "C"),
    ],
)
def test_an_8_names_the_suit_of_which_most_cards_are_left(hand: str, suit: str) -> None:
    assert plays(hand, "D4 D5 D7 DT", "CJ C9 C6 CT") == f"S8:{suit}"


def test_it_keeps_a_hand_whose_sum_may_come_down() -> None:
    """After S4 its hand is worth 9, after S7 it is worth 6: it wants a value of which cards are still out."""
    others = ("H4 HT HQ", "CK CQ CJ")
    assert plays("S4 S7 D2", *others, pile="H9 D9 C9 S9") == "S7"
    assert plays("S4 S7 D2", *others, pile="H6 D6 C6 S6") == "S4"


def test_it_keeps_away_from_being_shot() -> None:
    """By lone cards: it puts down the number of which no other card is out."""
    assert plays("S6 S9 D2", "H4", "CK", pile="H9 D9 C9") == "S9"
    assert plays("S6 S9 D2", "H4", "CK", pile="H6 D6 C6") == "S6"


def test_it_has_a_player_near_the_end_draw_for_a_2() -> None:
    """It is the next player that draws, so it keeps the 2 where another one is near the end."""
    assert plays("S2 S4 C5 C6", "H4 H6", "CK CQ CJ C3 C4") == "S2"
    assert plays("S2 S4 C5 C6", "CK CQ CJ C3 C4", "H4 H6") == "S4"


def test_of_two_it_takes_another_turn_with_a_j() -> None:
    assert plays("SJ ST D3 H9", "H4 HQ HK C3") == "SJ"
    assert plays("SJ ST D3 H9", "H4 HQ HK C3", "D4 DQ DK C4") == "ST"


def test_it_shoots_whenever_it_can() -> None:
    asked = 0
    for seed in range(40):
        rules = dobon(2 + seed % 5)
        for state in decisions(rules, seed, games=2):
            if SHOOT in moves_of(rules, state):
                assert chosen(rules, state) == "shoot"
                asked += 1
    assert asked > 50


def test_it_shoots_back() -> None:
    rules = dobon(3)
    state = GAME.parse_state(rules, table("S6 HA H5", "D6", "CK CQ"))
    assert chosen(rules, play_text(rules, state, "S6", "shoot")) == "shoot"
    assert state.phase == RETURN
