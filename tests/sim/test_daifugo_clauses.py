"""One test or more for every numbered clause of the rules page, named by the clause."""

# ruff: noqa: N802  (clauses are written with a capital D)

import re
from typing import Any

import numpy as np
import pytest
from agari.sim.cards import JOKER, RANKS, format_cards, parse_cards
from agari.sim.daifugo.deal import shuffle_seats
from agari.sim.daifugo.notation import pack_of
from agari.sim.daifugo.record import new_game
from agari.sim.daifugo.rules import Rules
from agari.sim.daifugo.state import BLIND, PLAY, TRIBUTE
from agari.sim.daifugo.tribute import begin_tribute
from agari.sim.errors import InputError
from agari.sim.game import blank, deal, payoff
from agari.sim.rng import key_of

from ..daifugo_table import (
    GAME,
    PACK,
    Position,
    after,
    decisions,
    federation,
    legal,
    observed,
    play_text,
    position,
    uecda,
)
from ..playing import fields

FEDERATION = federation()
UECDA = uecda()
CLAUSES = {1: 2, 2: 2, 3: 6, 4: 4, 5: 3, 6: 4, 7: 5, 8: 4, 9: 5}  # how many each section has


def test_every_clause_has_a_test() -> None:
    named = {name.split("_")[1] + "." + name.split("_")[2] for name in globals() if name.startswith("test_D")}
    assert named == {f"D{section}.{number + 1}" for section, count in CLAUSES.items() for number in range(count)}


def table(hand: str, *elsewhere: str) -> list[str]:
    """A hand for seat 0 and three others of three low cards each; none of the cards that are elsewhere."""
    used = " ".join([hand, *elsewhere])
    spare = [card for card in PACK if card not in used]
    return [hand, *(" ".join(spare[seat : seat + 7 : 3]) for seat in range(3))]


def leads(hand: str, rules: Rules = FEDERATION, **changes: Any) -> set[str]:
    """All that seat 0 may lead."""
    return legal(rules, position(*table(hand), **changes))


def lying(play: str, owner: int = 3, lock: str = "", span: str | None = None) -> Position:
    return {"play": play, "owner": owner, "lock": lock, "span": span and span.split()}


def follows(
    hand: str, on: str, rules: Rules = FEDERATION, lock: str = "", span: str | None = None, **changes: Any
) -> set[str]:
    """All that seat 0 may play on a play of seat 3, but a pass, which it always may."""
    answer = legal(rules, position(*table(hand, on), field=lying(on, 3, lock, span), **changes))
    assert "-" in answer
    return answer - {"-"}


def led(play: str, rules: Rules = FEDERATION, **changes: Any) -> Position:
    """The position after seat 0, which holds more, leads a play."""
    hand = re.sub(r"JK=\S+", "JK", play[2:])
    more = [card for card in PACK if card not in hand][-1]
    return after(rules, position(*table(f"{hand} {more}"), **changes), play)


def clears(where: Position, seat: int = 0) -> bool:
    """Whether the field is clear and `seat` leads again; else the field must lie there and the next is asked."""
    if where["field"] is None:
        assert (where["turn"], where["passed"]) == (seat, [])
        return True
    assert where["turn"] != seat
    return False


def names(cards: str, kind: str = "S") -> set[str]:
    return {f"{kind}:{card}" for card in cards.split()}


# --- D1 Cards ---------------------------------------------------------------------------------------------------


def test_D1_1_the_pack() -> None:
    pack = format_cards(pack_of(FEDERATION)).split()
    assert pack == [suit + rank for rank in "3456789TJQKA2" for suit in "SHDC"] + ["JK", "JK"]


def test_D1_1_ranks_ascend_from_3_to_2() -> None:
    hand = " ".join("D" + rank for rank in RANKS)
    for index, rank in enumerate(RANKS):
        assert follows(hand, f"S:H{rank}") == names(" ".join("D" + higher for higher in RANKS[index + 1 :]))


def test_D1_1_jokers_are_alike() -> None:
    assert leads("JK JK") == {"S:JK", "G:JK JK"}


@pytest.mark.parametrize(
    ("revolution", "jback", "stronger"),
    [(False, False, "D8 DA"), (True, False, "D3 D6"), (False, True, "D3 D6"), (True, True, "D8 DA")],
)
def test_D1_2_order_is_reversed_by_one_of_two(revolution: bool, jback: bool, stronger: str) -> None:
    expected = names(stronger + " JK")  # a joker is above every rank in either order
    assert follows("D3 D6 D8 DA JK", "S:H7", revolution=revolution, jback=jback) == expected


# --- D2 Deal ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "blind"), [(4, 2), (5, 4), (6, 0)])
def test_D2_1_blind_cards_are_no_jokers_and_the_rest_is_dealt(players: int, blind: int) -> None:
    rules = federation(players)
    state = blank(GAME.state_dtype)
    for key in range(300):
        deal(rules, state, 0, key)
        hands = [int(cards) for cards in state.hands]
        assert hands[BLIND].bit_count() == blind
        assert hands[BLIND] < JOKER
        assert sum(hands) == pack_of(rules)
        assert [len(format_cards(hand).split()) for hand in hands[:players]] == state.sizes[:players].tolist()


def test_D2_1_nobody_sees_the_blind() -> None:
    for state in decisions(FEDERATION, seed=1):
        observation = observed(FEDERATION, state, state.turn)
        assert state.hands[BLIND] > 0
        assert (observation.hands[BLIND], observation.dealt[BLIND]) == (0, 0)


def test_D2_2_first_seats_of_the_dealing_order_get_the_extra_cards() -> None:
    rules = federation(blind=0)  # 54 cards: two hands of 14
    state = blank(GAME.state_dtype)
    begins = np.zeros(4)
    for key in range(2000):
        deal(rules, state, 0, key)
        sizes = state.sizes[:4].tolist()
        (first,) = (seat for seat in range(4) if sizes[seat] == 14 and sizes[seat - 1] == 13)
        assert [sizes[(first + index) % 4] for index in range(4)] == [14, 14, 13, 13]
        assert state.dealt_from == first
        begins[first] += 1
    assert ((begins - 500) ** 2 / 500).sum() < 16.3  # χ² of 3 degrees, p = 0.001


def test_D2_2_dealing_begins_at_the_daifugo() -> None:
    rules = federation(blind=0, deal_from="daifugo")
    for state in decisions(rules, seed=3):
        if state.phase == TRIBUTE:
            daifugo = state.previous[0]
            assert [state.sizes[(daifugo + index) % 4] for index in range(4)] == [14, 14, 13, 13]
            assert state.dealt_from == daifugo


# --- D3 What can be played --------------------------------------------------------------------------------------


def test_D3_1_single() -> None:
    assert leads("S5 H9 JK") >= names("S5 H9 JK")


def test_D3_2_group_of_one_rank_with_jokers_for_any_of_it() -> None:
    plays = {play for play in leads("S7 H7 C9 JK") if play[0] == "G"}
    assert plays == {"G:S7 H7", "G:S7 H7 JK", "G:S7 JK", "G:H7 JK", "G:C9 JK"}


def test_D3_2_jokers_go_beside_all_four_suits() -> None:
    assert {"G:S7 H7 D7 C7 JK", "G:S7 H7 D7 C7 JK JK"} <= leads("S7 H7 D7 C7 JK JK")


def test_D3_2_two_jokers_are_a_group_at_joker_strength() -> None:
    assert follows("S2 H2 JK JK", "G:DA CA") == {"G:S2 H2", "G:S2 JK", "G:H2 JK", "G:JK JK"}


def test_D3_3_three_or_more_consecutive_ranks_of_one_suit() -> None:
    plays = {play for play in leads("S3 S4 S5 S6 H7 S8") if play[0] == "Q"}
    assert plays == {"Q:S3 S4 S5", "Q:S4 S5 S6", "Q:S3 S4 S5 S6"}
    assert "Q:SK SA S2" in leads("SK SA S2")


def test_D3_3_a_sequence_never_wraps() -> None:
    assert not {play for play in leads("S3 S4 SA S2") if play[0] == "Q"}


def test_D3_3_jokers_fill_gaps_or_extend_an_end_of_a_natural_card() -> None:
    assert {"Q:S5 S7 JK", "Q:S5 S6 JK", "Q:S5 S8 JK JK"} <= leads("S5 S6 S7 S8 JK JK")
    assert not {play for play in leads("JK JK") if play[0] == "Q"}
    assert "Q:S5 S9 JK JK" not in leads("S5 S9 JK JK")  # three gaps


@pytest.mark.parametrize(
    ("play", "revolution", "span"),
    [
        ("Q:S4 S5 JK", False, "4 6"),
        ("Q:S4 S5 JK", True, "3 5"),
        ("Q:S4 S6 JK", False, "4 6"),  # a gap first
        ("Q:S4 S6 JK JK", False, "4 7"),
        ("Q:S4 S6 JK JK", True, "3 6"),
        ("Q:SK SA JK", False, "K 2"),
        ("Q:SA S2 JK JK", False, "K >2"),  # the strong end is full: the rest goes to the weak end
        ("Q:S3 S4 JK JK", True, "<3 5"),
        ("Q:S7 JK JK", False, "7 9"),
        ("Q:S7 JK JK", True, "5 7"),
    ],
)
def test_D3_4_reading_of_a_sequence_with_jokers(play: str, revolution: bool, span: str) -> None:
    rules = federation(clear_unbeatable=False)
    assert led(play, rules, revolution=revolution)["field"]["span"] == span.split()


def test_D3_4_named_jokers_stand_for_any_card_that_is_not_in_the_play() -> None:
    groups = {play for play in leads("S7 H7 JK", UECDA) if play[0] == "G"}
    assert groups == {
        "G:S7 H7", "G:S7 JK=H7", "G:S7 JK=D7", "G:S7 JK=C7", "G:H7 JK=S7", "G:H7 JK=D7", "G:H7 JK=C7",
        "G:S7 H7 JK=D7", "G:S7 H7 JK=C7",
    }  # fmt: skip
    sequences = {play for play in leads("S4 S5 S6 JK", UECDA) if play[0] == "Q"}
    assert sequences == {
        "Q:S4 S5 S6", "Q:S5 S6 JK=S4", "Q:S4 S6 JK=S5", "Q:S4 S5 JK=S6", "Q:S4 S5 JK=S3", "Q:S5 S6 JK=S7",
        "Q:S4 S5 S6 JK=S3", "Q:S4 S5 S6 JK=S7",
    }  # fmt: skip


def test_D3_4_beside_all_four_suits_a_named_joker_stands_for_none() -> None:
    assert {play for play in leads("S7 H7 D7 C7 JK", UECDA) if play.count(" ") == 4} == {"G:S7 H7 D7 C7 JK"}
    two = uecda(jokers=2)
    assert {play for play in leads("S7 H7 D7 JK JK", two) if play.count(" ") == 4} == {"G:S7 H7 D7 JK=C7 JK"}
    assert {"S:JK", "G:JK JK"} <= leads("S7 JK JK", two)


def test_D3_4_a_named_joker_counts_as_its_card() -> None:
    """Its suit can lock, as an 8 it cuts, as a J it makes a J-back."""
    assert led("G:H7 JK=S7", UECDA)["field"]["lock"] == ""
    assert follows("H9 JK", "G:S7 H7", rules=UECDA) == {"G:H9 JK=S9", "G:H9 JK=D9", "G:H9 JK=C9"}
    locked = after(UECDA, position("H9 JK C3", "C4", "D5", "H6", field=lying("G:S7 H7")), "G:H9 JK=S9")
    assert locked["field"]["lock"] == "SH"
    open_field = after(UECDA, position("H9 JK C3", "C4", "D5", "H6", field=lying("G:S7 H7")), "G:H9 JK=D9")
    assert open_field["field"]["lock"] == ""
    assert led("Q:S7 S9 JK=S8", UECDA)["field"] is None
    assert led("Q:S7 S9 JK=S8", uecda(eight_cut="groups"))["field"] is not None
    assert led("Q:ST SQ JK=SJ", uecda(j_back=True))["jback"]
    assert not led("Q:ST SJ JK=SQ", uecda())["jback"]


def test_D3_5_named_jokers_beyond_both_ends() -> None:
    assert {"Q:S3 S4 JK=S<", "Q:SA S2 JK=S>"} <= leads("S3 S4 SA S2 JK", UECDA)
    assert not {"Q:S3 S4 JK=S<", "Q:SA S2 JK=S>"} & leads("S3 S4 SA S2 JK", uecda(joker_beyond="none"))
    assert "Q:SA S2 JK=S>" in leads("S3 S4 SA S2 JK", uecda(joker_beyond="top"))
    assert "Q:S3 S4 JK=S<" in leads("S3 S4 SA S2 JK", uecda(joker_beyond="top"), revolution=True)
    whole = " ".join("S" + rank for rank in RANKS)
    assert f"Q:{whole} JK=S< JK=S>" in leads(f"{whole} JK JK", uecda(jokers=2))


def test_D5_2_named_jokers_stand_for_locked_suits_only() -> None:
    plays = follows("S9 H9 JK", "G:S7 H7", lock="SH", rules=UECDA)
    assert plays == {"G:S9 H9", "G:S9 JK=H9", "G:H9 JK=S9"}


def test_D3_4_jokers_without_a_place_make_it_no_play() -> None:
    whole_suit = " ".join("S" + rank for rank in RANKS)
    assert f"Q:{whole_suit} JK" in leads(f"{whole_suit} JK JK")  # above the 2
    assert f"Q:{whole_suit} JK JK" not in leads(f"{whole_suit} JK JK")
    assert f"Q:{whole_suit} JK" not in leads(f"{whole_suit} JK", federation(joker_beyond="none"))
    assert f"Q:{whole_suit} JK JK" in leads(f"{whole_suit} JK JK", federation(joker_beyond="both"))


def test_D3_4_the_reading_stays_when_its_own_effects_turn_the_order() -> None:
    where = led("Q:ST SJ JK", federation(j_back=True))
    assert (where["field"]["span"], where["jback"]) == (["T", "Q"], True)
    assert follows("H9 HT HJ", "Q:ST SJ JK", span="T Q", jback=True) == {"Q:H9 HT HJ"}


@pytest.mark.parametrize(
    ("beyond", "above", "below_reversed", "below"),
    [("none", False, False, False), ("top", True, True, False), ("both", True, True, True)],
)
def test_D3_5_a_joker_beyond_the_strongest_rank(beyond: str, above: bool, below_reversed: bool, below: bool) -> None:
    rules = federation(joker_beyond=beyond, clear_unbeatable=False)
    for play, span, revolution, possible in (
        ("Q:SA S2 JK", ["A", ">2"], False, above),
        ("Q:S3 S4 JK", ["<3", "4"], True, below_reversed),
    ):
        assert (led(play, rules, revolution=revolution)["field"]["span"] == span) is possible
    # In the normal order a joker goes below the 3 only where the strong end has no place for it.
    whole_suit = " ".join("S" + rank for rank in RANKS)
    assert (f"Q:{whole_suit} JK JK" in leads(f"{whole_suit} JK JK", rules)) is below


def test_D3_5_the_step_beyond_is_a_position_like_any_other() -> None:
    assert follows("HA H2 JK", "Q:SK SA S2", span="K 2") == {"Q:HA H2 JK"}
    assert follows("H3 H4 JK", "Q:S3 S4 S5", span="3 5", revolution=True) == {"Q:H3 H4 JK"}


def test_D3_6_the_same_cards_as_group_and_as_sequence() -> None:
    assert {"G:S7 JK JK", "Q:S7 JK JK"} <= leads("S7 JK JK")
    assert follows("S7 JK JK", "G:S5 H5 D5") == {"G:S7 JK JK"}
    assert follows("S7 JK JK", "Q:H5 H6 H7", span="5 7") == {"Q:S7 JK JK"}


# --- D4 What beats what -----------------------------------------------------------------------------------------


def test_D4_1_same_kind_and_number() -> None:
    hand = "S9 H9 D9 ST SJ SQ JK"
    assert {play[0] for play in follows(hand, "S:D7")} == {"S"}
    assert {(play[0], len(play.split())) for play in follows(hand, "G:H7 D7")} == {("G", 2)}
    assert {(play[0], len(play.split())) for play in follows(hand, "Q:D7 D8 DT JK", span="7 T")} == {("Q", 4)}
    assert follows(hand, "G:S7 H7 D7 C7 JK") == set()


def test_D4_1_equal_never_beats() -> None:
    assert follows("S9", "S:D9") == set()
    assert follows("S9 H9", "G:D9 C9") == set()
    assert follows("S9 ST SJ", "Q:H9 HT HJ", span="9 J") == set()
    assert follows("SA S2 JK", "Q:HA H2 JK", span="A >2") == set()


def test_D4_2_rank_decides_and_jokers_are_above_all_ranks() -> None:
    assert follows("D9 HK D2 JK", "S:HT") == names("HK D2 JK")
    assert follows("D9 HK D2 JK", "S:HT", revolution=True) == names("D9 JK")
    assert follows("S9 H9 SK HK", "G:HT CT") == {"G:SK HK"}
    assert follows("S9 H9 SK HK", "G:HT CT", revolution=True) == {"G:S9 H9"}
    assert follows("JK", "S:H2") == {"S:JK"}
    assert follows("JK JK", "G:S2 H2") == follows("JK JK", "G:S3 H3", revolution=True) == {"G:JK JK"}
    assert follows("S2 H2 D2", "G:JK JK") == set()


def test_D4_2_a_joker_does_not_beat_a_joker() -> None:
    assert follows("JK D2", "S:JK") == set()


@pytest.mark.parametrize(
    ("compare", "revolution", "begins"),
    [("lowest", False, "7 8 9"), ("lowest", True, "3 4 5"), ("disjoint", False, "9"), ("disjoint", True, "3")],
)
def test_D4_3_sequences(compare: str, revolution: bool, begins: str) -> None:
    rules = federation(sequence_compare=compare)
    plays = follows("S3 S4 S5 S6 S7 S8 S9 ST SJ", "Q:H6 H7 H8", rules, span="6 8", revolution=revolution)
    assert {play[3] for play in plays} == set(begins.split())


@pytest.mark.parametrize("revolution", [False, True])
@pytest.mark.parametrize("lock", ["", "H"])
def test_D4_4_spade3_beats_a_joker_alone_in_either_order_and_under_any_lock(revolution: bool, lock: str) -> None:
    assert follows("S3 H3 D2", "S:JK", revolution=revolution, lock=lock) == {"S:S3"}
    assert follows("S3 H3", "S:JK", federation(spade3=False), revolution=revolution, lock=lock) == set()


def test_D4_4_only_on_a_joker_alone_and_only_alone() -> None:
    assert follows("S3 H3", "G:JK JK") == set()
    assert follows("S3 H3", "G:H2 JK") == set()
    assert follows("S3", "S:H2") == set()


def test_D4_4_it_clears_and_its_player_leads() -> None:
    assert clears(after(FEDERATION, position(*table("S3 D9"), field=lying("S:JK")), "S:S3"))


# --- D5 Lock ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "span", "play", "lock"),
    [
        ("S:H5", None, "S:H9", "H"),
        ("S:H5", None, "S:D9", ""),
        ("G:H5 C5", None, "G:H9 C9", "HC"),
        ("G:H5 C5", None, "G:H9 D9", ""),
        ("G:H5 D5 C5", None, "G:H9 D9 C9", "HDC"),
        ("Q:D4 D5 D6", "4 6", "Q:D9 DT DJ", "D"),
        ("Q:D4 D5 D6", "4 6", "Q:C9 CT CJ", ""),
        ("G:H5 JK", None, "G:H9 JK", ""),  # a play with a joker has no suits
        ("G:H5 C5", None, "G:H9 JK", ""),
        ("Q:D4 D5 JK", "4 6", "Q:D9 DT DJ", ""),
        ("S:H5", None, "S:JK", ""),
        ("G:H5 C5", None, "G:JK JK", ""),
    ],
)
def test_D5_1_lock_by_two_plays_of_the_same_suits(field: str, span: str | None, play: str, lock: str) -> None:
    rules = federation(clear_unbeatable=False)
    where = position(*table(f"{play[2:]} CA", field), field=lying(field, span=span))
    assert after(rules, where, play)["field"]["lock"] == lock
    assert after(rules._replace(lock=0), where, play)["field"]["lock"] == ""


def test_D5_1_only_consecutive_plays_on_one_field_make_it() -> None:
    where = position("H5 HK C4", "D6 C3", "H9 C5", "D8 C6")
    assert after(FEDERATION, where, "S:H5", "S:D6", "S:H9")["field"]["lock"] == ""
    assert after(FEDERATION, where, "S:H5", "-", "S:H9")["field"]["lock"] == "H"
    assert after(FEDERATION, where, "S:H5", "-", "-", "-", "S:HK")["field"]["lock"] == ""


def test_D5_1_it_holds_until_the_field_clears() -> None:
    where = position("H5 HK C4", "H6 C3", "JK D5", "S8 S3 C6")
    locked = after(FEDERATION, where, "S:H5", "S:H6", "S:JK")
    assert locked["field"]["lock"] == "H"
    assert after(FEDERATION, locked, "S:S3")["field"] is None


def test_D5_2_natural_cards_of_a_locked_suit() -> None:
    assert follows("H9 D9 HK JK", "S:H5", lock="H") == names("H9 HK JK")
    assert follows("S9 H9 D9 C9 JK", "G:H5 C5", lock="HC") == {"G:H9 C9", "G:H9 JK", "G:C9 JK"}
    assert follows("S9 H9 D9 C9 SK", "G:H5 D5 C5", lock="HDC") == {"G:H9 D9 C9"}
    assert follows("S9 D9 JK JK", "G:H5 C5", lock="HC") == {"G:JK JK"}  # D5.1: allowed under any lock of two
    assert follows("S9 H9 JK JK", "G:H5 D5 C5", lock="HDC") == {"G:H9 JK JK"}


def test_D5_2_a_sequence_of_the_locked_suit() -> None:
    hand = "H7 H8 H9 S7 S8 S9 JK"
    plays = follows(hand, "Q:H4 H5 H6", lock="H", span="4 6")
    assert "Q:H7 H8 H9" in plays
    assert {card[0] for play in plays for card in play[2:].split()} == {"H", "J"}
    assert len(follows(hand, "Q:H4 H5 H6", span="4 6")) == 2 * len(plays)


def test_D5_3_spade3_on_a_joker_under_a_lock() -> None:
    assert follows("S3 HK", "S:JK", lock="H") == {"S:S3"}


# --- D6 Effects -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("play", "made"),
    [
        ("G:S5 H5 D5", False),
        ("G:S5 H5 D5 C5", True),
        ("G:S5 H5 D5 JK", True),  # jokers count
        ("G:S5 H5 JK JK", True),
        ("G:S5 H5 D5 C5 JK JK", True),
        ("Q:S5 S6 S7 S9 JK", False),  # a sequence makes none
        ("Q:S3 S4 S5 S6 S7", False),
    ],
)
@pytest.mark.parametrize("before", [False, True])
def test_D6_1_revolution_toggles(play: str, made: bool, before: bool) -> None:
    assert led(play, revolution=before)["revolution"] is (made != before)
    assert led(play, federation(revolution=False), revolution=before)["revolution"] is before


def test_D6_1_until_the_game_ends() -> None:
    where = position("S5 H5 D5 C5 S4 D8 C4", "SK HK DK CK S9 H4", "D3 C3", "D6 C6")
    turned = after(FEDERATION, where, "G:S5 H5 D5 C5", "-", "-", "-", "S:S4", "-", "S:D3", "-", "-")
    assert (turned["field"], turned["revolution"]) == (None, True)


def test_D6_2_a_jack_makes_no_j_back_here() -> None:
    assert led("S:HJ")["jback"] is False


def test_D6_2_j_back_reverses_until_the_field_clears() -> None:
    rules = federation(j_back=True)
    where = position("HJ CK C5", "D9 DJ C4", "ST C6", "D5 C7")
    assert legal(rules, after(rules, where, "S:HJ")) == {"-", "S:D9", "S:C4"}
    again = after(rules, where, "S:HJ", "S:D9", "-", "S:D5", "-", "-")
    assert (again["field"], again["jback"]) == (None, False)
    assert led("Q:ST SJ SQ", rules)["jback"] is True
    second = after(rules, position(*table("DJ D9", "S:HQ"), field=lying("S:HQ"), jback=True), "S:DJ")
    assert second["jback"] is True


def test_D6_3_a_lock_comes_before_the_clear_and_makes_a_play_unbeatable() -> None:
    hand = "SK SA S2 D9"
    for suit, cleared in (("S", True), ("H", False)):
        field = f"Q:{suit}9 {suit}T {suit}J"
        where = position(*table(hand, field), field=lying(field, span="9 J"))
        assert clears(after(FEDERATION, where, "Q:SK SA S2")) is cleared


@pytest.mark.parametrize(
    ("play", "cut"),
    [("S:H8", True), ("G:S8 D8", True), ("G:S8 JK", True), ("Q:S7 S8 S9", False), ("Q:S7 S9 JK", False)],
)
def test_D6_4_eights_clear(play: str, cut: bool) -> None:
    assert clears(led(play)) is cut
    assert not clears(led(play, federation(eight_cut="off")))
    assert clears(led(play, federation(eight_cut="any"))) is ("8" in play)  # a wild joker never cuts


UNBEATABLE = [
    ("G:JK JK", {}),  # two jokers
    ("G:S2 H2 D2", {}),  # three 2s
    ("G:S2 JK", {}),
    ("G:H3 JK", {"revolution": True}),
    ("G:S3 H3 D3 C3", {}),  # they made the revolution
    ("G:S2 H2 D2 C2", {"revolution": True}),  # they ended it
    ("G:S5 H5 D5 JK JK", {}),  # any five that hold both jokers
    ("G:SK HK DK JK JK", {}),
    ("G:S5 H5 D5 C5 JK JK", {}),  # any six
    ("Q:S3 S4 S5 JK JK", {"revolution": True}),
    ("Q:SA S2 JK", {}),
    ("Q:S3 S4 JK", {"revolution": True}),
    ("Q:SK JK JK", {}),
]
BEATABLE = [
    ("S:S2", {}),  # by a joker
    ("S:JK", {}),  # by the ♠3
    ("G:S2 H2", {}),  # by two jokers
    ("G:S3 JK", {}),
    ("G:S2 H2 D2 C2", {}),  # now the weakest
    ("G:S3 H3 D3 C3", {"revolution": True}),
    ("G:S5 H5 D5 C5 JK", {}),
    ("G:SA HA DA", {}),
    ("Q:SK SA S2", {}),  # by A-2-joker in another suit
    ("Q:S9 ST SJ SQ SK SA S2", {}),
    ("Q:SQ SK JK", {}),
]


@pytest.mark.parametrize(("play", "changes"), UNBEATABLE)
def test_D6_4_an_unbeatable_play_clears(play: str, changes: dict[str, Any]) -> None:
    assert clears(led(play, **changes))
    assert not clears(led(play, federation(clear_unbeatable=False), **changes))


@pytest.mark.parametrize(("play", "changes"), BEATABLE)
def test_D6_4_a_beatable_play_does_not_clear(play: str, changes: dict[str, Any]) -> None:
    assert not clears(led(play, **changes))


def test_D6_4_hands_and_what_was_played_do_not_matter() -> None:
    where = position("SA HA S2 H2 D2 C2 JK JK", "C4", "D4", "H4")
    assert not clears(after(FEDERATION, where, "G:SA HA"))  # all that beats it is in the same hand


def test_D6_4_a_joker_alone_without_spade3() -> None:
    assert clears(led("S:JK", federation(spade3=False)))
    assert clears(led("S:D2", federation(jokers=0)))
    assert clears(led("G:S2 D2", federation(jokers=1)))


def test_D6_4_on_a_field_locked_to_its_suit() -> None:
    field = "Q:S5 S6 S7"
    where = position(*table("SK SA S2 D9", field), field=lying(field, lock="S", span="5 7"))
    assert clears(after(FEDERATION, where, "Q:SK SA S2"))


# --- D7 Turns ---------------------------------------------------------------------------------------------------


def test_D7_1_clockwise_and_passing_is_always_allowed() -> None:
    where = position("H5 HK", "JK D2", "D9 C4", "D3 S4")
    for seat, play in enumerate(["S:H5", "-", "S:D9", "-"]):
        assert where["turn"] == seat
        assert ("-" in legal(FEDERATION, where)) is (seat > 0)
        where = after(FEDERATION, where, play)
    assert where["turn"] == 0


def test_D7_1_a_pass_sits_out_until_the_field_clears() -> None:
    begin, plays = position("H5 HK C6", "JK D2 C4", "D9 C5", "CT S4"), ["S:H5", "-", "S:D9", "S:CT", "S:HK"]
    where = after(FEDERATION, begin, *plays)
    assert (where["turn"], where["passed"]) == (2, [1])  # seat 1 is not asked
    assert after(FEDERATION, where, "-", "-")["passed"] == []
    where = after(federation(pass_sits_out=False), begin, *plays)
    assert (where["turn"], where["passed"]) == (1, [])


def test_D7_2_the_leader_must_play() -> None:
    assert leads("D2") == {"S:D2"}  # even if it is a foul (D8.2)
    assert leads("D2", federation(lead_pass=True)) == {"S:D2", "-"}


def test_D7_2_when_all_pass_on_an_empty_field_the_lead_comes_back() -> None:
    where = position("H5 HK", "D2 C4", "D9 C5", "DT S4")
    where = after(federation(lead_pass=True), where, "-", "-", "-", "-")
    assert (where["turn"], where["field"], where["passed"]) == (0, None, [])


def test_D7_3_when_all_others_passed_the_owner_leads() -> None:
    where = position("H5 HK", "JK D2", "D9 C4", "D3 S4")
    assert clears(after(FEDERATION, where, "S:H5", "-", "S:D9", "-", "-"), seat=2)


def test_D7_3_owner_who_left_hands_the_lead_to_the_next_still_in() -> None:
    where = position("H5", "JK D4", "D9 C4", "D3 S4")
    assert clears(after(FEDERATION, where, "S:H5", "-", "-", "-"), seat=1)
    where = position("H5", "", "D9 C4", "D3 S4", out=[1])
    assert clears(after(FEDERATION, where, "S:H5", "-", "-"), seat=2)


def test_D7_3_the_same_after_an_instant_clear() -> None:
    where = after(FEDERATION, position("H8", "C6 C7", "C4 C5", "S4 S5"), "S:H8")
    assert clears(where, seat=1)
    assert where["sunk"] == [[0, "foul"]]


def test_D7_3_owner_continues() -> None:
    rules = federation(owner_continues=True)
    where = after(rules, position("H5 HK C6", "D4 C4", "D9 C5", "DT S4"), "S:H5", "-", "-", "-")
    assert (where["turn"], where["field"]["play"], legal(rules, where)) == (0, "S:H5", {"S:HK", "S:C6", "-"})
    assert clears(after(rules, where, "S:HK", "-"))


def test_D7_4_ends_when_at_most_one_is_still_in() -> None:
    where = position("H5", "D4 C4", "", "", out=[3, 2])
    end = after(FEDERATION, where, "S:H5")
    assert (end["turn"], end["ranking"], end["reasons"]) == (None, [3, 2, 0, 1], ["out", "out", "out", "last"])


def test_D7_5_no_limit_here() -> None:
    where = position("H5 HJ HQ HK", "D8 D2", "D9 C4", "D3 S4")
    where = after(FEDERATION, where, "S:H5", "-", "-", "-", "S:HJ", "-", "-", "-", "S:HQ", "-", "-", "-")
    assert (where["turn"], where["passes_in_row"]) == (0, 0)


def test_D7_5_lots_after_so_many_passes_in_a_row() -> None:
    rules = federation(pass_limit=3)
    state = play_text(rules, GAME.parse_state(rules, position("H5 HJ", "D8 D2", "D9 C4", "D3 S4")), "S:H5", "-", "-")
    assert state.passes == 2
    firsts = np.zeros(4)
    for key in range(400):
        end = state.copy()
        end.key = key_of(key)
        play_text(rules, end, "-")
        answer = GAME.format_state(rules, end)
        assert (answer["ranking"], answer["reasons"]) == ([None] * 4, ["lot"] * 4)
        firsts[end.ranking[0]] += 1
    assert ((firsts - 100) ** 2 / 100).sum() < 16.3  # χ² of 3 degrees, p = 0.001


# --- D8 Going out -----------------------------------------------------------------------------------------------


def test_D8_1_the_order_of_going_out_is_the_order_of_the_ranks() -> None:
    where = position("H5", "H6", "H7", "D3 S4")
    end = after(FEDERATION, where, "S:H5", "S:H6", "S:H7")
    assert (end["out"], end["ranking"], end["reasons"]) == ([0, 1, 2], [0, 1, 2, 3], ["out", "out", "out", "last"])


FOULS = [
    ("S:JK", False),
    ("G:H5 JK", False),
    ("Q:S4 S5 JK", False),
    ("S:H2", False),
    ("G:H2 D2", False),
    ("Q:SK SA S2", False),
    ("S:D3", True),  # a 3 while a revolution is in force
    ("G:D3 C3", True),
    ("Q:S3 S4 S5", True),
    ("S:H8", False),
    ("G:H8 C8", False),
    ("S:S3", False),
    ("G:S2 H2 D2 C2", False),  # what counts is the revolution before its own toggle
    ("G:S3 H3 D3 C3", True),
]
NO_FOULS = [
    ("S:HK", False),
    ("S:H3", False),
    ("S:H2", True),
    ("G:S2 H2 D2 C2", True),
    ("G:S3 H3 D3 C3", False),
    ("Q:S7 S8 S9", False),  # an 8 in a sequence
    ("G:S3 C3", False),  # the ♠3 in a group or sequence
    ("Q:S3 S4 S5", False),
    ("Q:SK SA S2", True),
]


def last_play(play: str, revolution: bool, rules: Rules = FEDERATION, **changes: Any) -> Position:
    """The position after seat 0 leads all that it holds."""
    return after(rules, position(*table(play[2:]), revolution=revolution, **changes), play)


@pytest.mark.parametrize(("play", "revolution"), FOULS)
def test_D8_2_forbidden_last_plays(play: str, revolution: bool) -> None:
    where = last_play(play, revolution)
    assert (where["out"], where["sunk"]) == ([], [[0, "foul"]])
    where = last_play(play, revolution, federation(foul_finish="off"))
    assert (where["out"], where["sunk"]) == ([0], [])


@pytest.mark.parametrize(("play", "revolution"), NO_FOULS)
def test_D8_2_last_plays_that_are_fine(play: str, revolution: bool) -> None:
    where = last_play(play, revolution)
    assert (where["out"], where["sunk"]) == ([0], [])


def test_D8_2_eights_and_spade3_also_where_they_do_nothing_else() -> None:
    assert last_play("S:H8", False, federation(eight_cut="off"))["sunk"] == [[0, "foul"]]
    assert last_play("S:S3", False, federation(spade3=False))["sunk"] == [[0, "foul"]]


def test_D8_2_only_as_the_last_play() -> None:
    assert led("S:H2")["sunk"] == led("S:JK")["sunk"] == led("S:S3")["sunk"] == []


def test_D8_2_j_back_does_not_matter() -> None:
    rules = federation(j_back=True)
    for play, foul in (("S:H2", True), ("S:H3", False)):
        where = position(*table(play[2:], "S:DJ"), field=lying("S:DJ" if foul else "S:CJ"), jback=not foul)
        assert (after(rules, where, play)["sunk"] != []) is foul


def test_D8_2_the_foul_play_has_its_effects_and_stays_to_be_beaten() -> None:
    where = last_play("S:H2", False)
    assert (where["field"]["play"], where["field"]["owner"], where["turn"]) == ("S:H2", 0, 1)
    assert last_play("G:S2 H2 D2 C2", False)["revolution"] is True
    assert last_play("G:S2 H2 D2", False)["field"] is None


def test_D8_2_a_foul_triggers_no_fall() -> None:
    where = last_play("S:H2", False, previous=[3, 1, 2, 0])
    assert where["sunk"] == [[0, "foul"]]
    assert where["hands"][3]


def test_D8_3_the_former_first_falls_when_another_goes_out_first() -> None:
    where = last_play("S:HK", False, previous=[3, 1, 2, 0])
    hand = table("HK")[3]
    assert (where["out"], where["sunk"], where["hands"][3], where["aside"]) == ([0], [[3, "fall"]], "", hand)
    assert last_play("S:HK", False, federation(fall=False), previous=[3, 1, 2, 0])["sunk"] == []


def test_D8_3_nobody_falls_without_ranks_or_when_the_first_stays_first() -> None:
    assert last_play("S:HK", False, previous=None)["sunk"] == []
    assert last_play("S:HK", False, previous=[0, 1, 2, 3])["sunk"] == []


def test_D8_3_not_when_somebody_went_out_first_already() -> None:
    where = position("HK", "", "D9 C4", "D3 S4", out=[1], previous=[3, 1, 2, 0])
    assert after(FEDERATION, where, "S:HK")["sunk"] == []


def test_D8_3_a_foul_before_leaves_the_fall_to_the_first_clean_finish() -> None:
    where = position("HK", "", "D9 C4", "D3 S4", sunk=[[1, "foul"]], previous=[3, 1, 2, 0])
    end = after(FEDERATION, where, "S:HK")
    assert (end["ranking"], end["reasons"]) == ([0, 2, 3, 1], ["out", "last", "fall", "foul"])


def test_D8_3_the_hand_is_set_aside_unseen() -> None:
    state = play_text(FEDERATION, GAME.parse_state(FEDERATION, position(*table("HK"), previous=[3, 1, 2, 0])), "S:HK")
    assert GAME.format_state(FEDERATION, observed(FEDERATION, state, state.turn))["aside"] == ""


def test_D8_4_out_then_last_then_fallen_then_fouls() -> None:
    rules = federation(6)
    where = position("H2", "HK", "D2", "CQ", "H9 H4", "D3 S4", previous=[3, 1, 2, 0, 4, 5])
    end = after(rules, where, "S:H2", "-", "-", "-", "-", "-", "S:HK", "S:D2")
    assert end["sunk"] == [[0, "foul"], [3, "fall"], [2, "foul"]]
    end = after(rules, end, "-", "-", "S:H9", "-", "S:H4")
    assert end["ranking"] == [1, 4, 5, 3, 2, 0]
    assert end["reasons"] == ["out", "out", "last", "fall", "foul", "foul"]


@pytest.mark.parametrize(
    ("order", "ranking", "reasons"),
    [
        ("foul_below", [0, 2, 3, 1], ["out", "last", "fall", "foul"]),
        ("time", [0, 2, 1, 3], ["out", "last", "foul", "fall"]),
    ],
)
def test_D8_4_a_fall_before_a_foul(order: str, ranking: list[int], reasons: list[str]) -> None:
    where = position("H4", "D2", "H6", "H7", previous=[3, 0, 1, 2])
    end = after(federation(sunk_order=order), where, "S:H4", "S:D2")
    assert (end["ranking"], end["reasons"]) == (ranking, reasons)


# --- D9 Ranks, tribute, scores ----------------------------------------------------------------------------------


def test_D9_1_names_of_the_ranks() -> None:
    assert GAME.place_names == {
        3: ("fugo", "heimin", "hinmin"),
        4: ("daifugo", "fugo", "hinmin", "daihinmin"),
        5: ("daifugo", "fugo", "heimin", "hinmin", "daihinmin"),
        6: ("daifugo", "fugo", "heimin", "heimin", "hinmin", "daihinmin"),
    }


def exchange(rules: Rules, hands: list[str], previous: list[int], returned: list[str | None]) -> dict[str, Any]:
    return GAME.tribute(
        rules, {"hands": hands, "previous": previous, "exchange": [{"returned": cards} for cards in returned]}
    )


HANDS = ["S4 H4 D5", "S6 H6 D7", "D8 SK H2 D2", "S3 C9 S2 C2 JK"]


def test_D9_2_daihinmin_gives_two_and_hinmin_one_strongest() -> None:
    answer = exchange(FEDERATION, HANDS, [0, 1, 2, 3], ["S4 D5", "H6"])
    first, second = answer["exchange"]
    assert (first["giver"], first["receiver"], first["given"]) == (3, 0, "S2 JK")
    assert (second["giver"], second["receiver"], second["given"]) == (2, 1, "H2")
    assert answer["after"] == ["H4 S2 JK", "S6 D7 H2", "H6 D8 SK D2", "S3 S4 D5 C9 C2"]


@pytest.mark.parametrize(
    ("hand", "given"),
    [
        ("S2 H2 JK JK", "JK JK"),  # jokers first
        ("C2 D2 H2 S2", "S2 H2"),  # equal ranks by ♠ ♥ ♦ ♣
        ("CA DA C2", "DA C2"),
        ("D3 C3 C4", "D3 C4"),
        ("C3 D3 H3", "H3 D3"),
    ],
)
def test_D9_2_strongest_jokers_first_and_ties_by_suit(hand: str, given: str) -> None:
    used = hand.split()
    spare = [card for card in PACK if card not in used]
    hands = [" ".join(spare[3 * seat : 3 * seat + 3]) for seat in range(3)] + [hand]
    answer = exchange(FEDERATION, hands, [0, 1, 2, 3], [None, None])
    assert answer["exchange"][0]["given"] == format_cards(parse_cards(given))


def test_D9_2_three_players_exchange_one_card() -> None:
    rules = GAME.options.parse(GAME.options.format(FEDERATION) | {"players": 3, "points": [2, 1, 0]})
    (only,) = exchange(rules, HANDS[1:], [1, 0, 2], [None])["exchange"]
    assert (only["giver"], only["receiver"], only["given"]) == (2, 1, "JK")


def test_D9_2_ranks_without_a_tribute() -> None:
    """`tribute` is an option of ours: with it off the cards stay where they were dealt, and the last leads at once."""
    with_it, without = federation(), federation(tribute=False)
    states = [blank(GAME.state_dtype) for _ in range(2)]
    for rules, state in zip((with_it, without), states, strict=True):
        state.ranking[:4] = 2, 0, 3, 1
        deal(rules, state, 1, key_of(5))
    before, begun = states
    assert (before.phase, begun.phase) == (TRIBUTE, PLAY)
    assert begun.hands.tolist() == before.hands.tolist()
    assert begun.previous[:4].tolist() == [2, 0, 3, 1]
    assert (begun.turn, begun.first_leader) == (1, 1)
    with pytest.raises(InputError, match="the rules have no tribute"):
        exchange(without, HANDS, [0, 1, 2, 3], [None, None])


def test_rules_that_do_not_say_whether_there_is_a_tribute_have_one() -> None:
    values = GAME.options.format(FEDERATION)
    assert values["tribute"] is True
    assert GAME.options.parse({name: value for name, value in values.items() if name != "tribute"}) == FEDERATION


def test_D9_2_the_return_is_any_choice_from_the_original_hand() -> None:
    first, second = exchange(FEDERATION, HANDS, [0, 1, 2, 3], [None, None])["exchange"]
    assert first["legal_returns"] == ["H4 D5", "S4 D5", "S4 H4"]
    assert second["legal_returns"] == ["D7", "H6", "S6"]
    first, second = exchange(federation(tribute_blind=False), HANDS, [0, 1, 2, 3], [None, None])["exchange"]
    assert len(first["legal_returns"]) == 10
    assert second["legal_returns"] == ["D7", "H2", "H6", "S6"]


def test_D9_2_both_pairs_choose_at_the_same_time() -> None:
    state = new_game(FEDERATION, [parse_cards(hand) for hand in HANDS], previous=[0, 1, 2, 3])
    begin_tribute(FEDERATION, state)
    first, second = state, state.copy()
    play_text(FEDERATION, first, "S4 D5")
    play_text(FEDERATION, second, "S4 H4")
    seen = []
    for tribute in (first, second):
        assert (tribute.turn, tribute.phase) == (1, TRIBUTE)
        seen.append(fields(observed(FEDERATION, tribute, 1)))
    assert seen[0] == seen[1]


def test_D9_2_only_giver_and_receiver_know_the_cards() -> None:
    rules = federation(5)
    for state in decisions(rules, seed=5, games=3):
        if not state.ranked or state.phase == TRIBUTE:
            continue
        for seat in range(5):
            observation = observed(rules, state, seat)
            place = state.previous.tolist().index(seat)
            for pair in range(2):
                known = place in (pair, 4 - pair)
                assert observation.given[pair] == (state.given[pair] if known else 0)
                assert observation.returned[pair] == (state.returned[pair] if known else 0)


def test_D9_3_sets_of_four_games() -> None:
    seatings = []
    for state in decisions(FEDERATION, seed=6, games=9):
        seatings[state.game :] = [state.seated[:4].tolist()]
        assert bool(state.ranked) == (state.game % 4 > 0)
        assert bool(state.last_of_set) == (state.game % 4 == 3)
    assert seatings[0:4] == [seatings[0]] * 4
    assert seatings[4:8] == [seatings[4]] * 4
    assert len({tuple(seating) for seating in (seatings[0], seatings[4], seatings[8])}) > 1


def test_D9_3_seats_are_shuffled_at_random() -> None:
    state = blank(GAME.state_dtype)
    seen = {}
    for key in range(2400):
        shuffle_seats(FEDERATION, state, key_of(key))
        seating = tuple(state.seated[:4].tolist())
        seen[seating] = seen.get(seating, 0) + 1
    assert len(seen) == 24
    assert sum((count - 100) ** 2 / 100 for count in seen.values()) < 49.7  # χ² of 23 degrees, p = 0.001


def test_D9_4_random_leader_without_ranks_then_the_last_of_the_game_before() -> None:
    leaders = np.zeros(4)
    state = blank(GAME.state_dtype)
    for key in range(800):
        deal(FEDERATION, state, 0, key_of(key))
        leaders[state.turn] += 1
    assert ((leaders - 200) ** 2 / 200).sum() < 16.3  # χ² of 3 degrees, p = 0.001
    begun = -1
    for state in decisions(FEDERATION, seed=7, games=8):
        if state.game != begun and state.phase != TRIBUTE:
            begun = state.game
            assert state.first_leader == state.turn
            assert not state.ranked or state.turn == state.previous[3]


@pytest.mark.parametrize("first_lead", ["diamond3", "diamond3_always"])
def test_D9_4_diamond3(first_lead: str) -> None:
    rules = federation(first_lead=first_lead, blind=9)
    begun, held = -1, 0
    for state in decisions(rules, seed=8, games=12):
        if state.game != begun and state.phase != TRIBUTE:
            begun = state.game
            holders = [seat for seat in range(4) if "D3" in GAME.format_hand(rules, state, seat).split()]
            if state.ranked and first_lead == "diamond3":
                assert state.turn == state.previous[3]
            elif holders:
                held += 1
                assert [state.turn] == holders
    assert held >= 2


@pytest.mark.parametrize(("players", "points"), [(4, [6, 4, 2, 0]), (5, [6, 4, 3, 2, 0]), (6, [6, 4, 3, 3, 2, 0])])
def test_D9_5_points_and_set_bonus(players: int, points: list[int]) -> None:
    rules = federation(players)
    state = blank(GAME.state_dtype)
    from_first_to_last = list(range(players))[::-1]
    state.ranking[:players] = from_first_to_last
    for last_of_set, bonus in ((False, 0), (True, 2)):
        state.last_of_set = last_of_set
        earned = [payoff(rules, state, seat) for seat in from_first_to_last]
        assert earned == [points[0] + bonus, *points[1:]]
