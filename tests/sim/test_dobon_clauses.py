"""One test or more for every numbered clause of the rules of Dobon, named by the clause."""

# ruff: noqa: N802  (clauses are written with a capital B)

from collections import Counter
from typing import Any

import pytest
from agari.sim.dobon.cards import PACK as ALL_CARDS
from agari.sim.dobon.cards import card_list, value_of
from agari.sim.dobon.notation import set_stock
from agari.sim.dobon.rules import Rules
from agari.sim.game import blank, deal, payoff, play
from agari.sim.rng import key_of

from ..dobon_table import GAME, PACK, Position, dobon, legal_texts, moves_of, observed, play_text, table

RULES = dobon(3)
CLAUSES = {1: 3, 2: 4, 3: 4, 4: 2, 5: 5, 6: 4}  # how many each section has; B7 has one paragraph


def test_every_clause_has_a_test() -> None:
    named = {name.split("_")[1] + "." + name.split("_")[2] for name in globals() if name.startswith("test_B")}
    numbered = {f"B{section}.{number + 1}" for section, count in CLAUSES.items() for number in range(count)}
    assert {name for name in named if not name.startswith("B7")} == numbered
    assert any(name.startswith("B7") for name in named)


def legal(where: Position, rules: Rules = RULES) -> set[str]:
    """All legal moves."""
    texts = legal_texts(rules, GAME.parse_state(rules, where))
    assert len(set(texts)) == len(texts)
    return set(texts)


def state_after(where: Position, *moves: str, rules: Rules = RULES) -> Any:
    """The record after some moves, each of which must be legal where it is made."""
    return play_text(rules, GAME.parse_state(rules, where), *moves)


def after(where: Position, *moves: str, rules: Rules = RULES) -> Position:
    """The position after some moves."""
    return GAME.format_state(rules, state_after(where, *moves, rules=rules))


def hands_of(where: Position) -> list[set[str]]:
    return [set(hand) for hand in where["hands"]]


OTHERS = ("SK HK DK", "CK CQ DQ")  # hands that shoot nothing small


# --- B1 Deal ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_B1_1_five_cards_each_and_one_face_up(players: int) -> None:
    rules = dobon(players)
    state = blank(GAME.state_dtype)
    seen: Counter[str] = Counter()
    for seed in range(600):
        deal(rules, state, 0, key_of(seed))
        hands = [card_list(hand) for hand in state.hands[:players]]
        assert [len(hand) for hand in hands] == [5] * players
        where = GAME.format_state(rules, state)
        assert len(where["pile"]) == 1
        assert sorted(sum(hands, []) + where["pile"] + where["stock"]) == sorted(PACK)  # noqa: RUF017
        assert (state.direction, state.pending, state.turn) == (1, 0, state.first)
        seen.update(where["pile"])
    assert len(seen) == 52


def test_B1_1_the_first_card_has_no_effect() -> None:
    state = blank(GAME.state_dtype)
    tops = set()
    for seed in range(400):
        deal(RULES, state, 0, key_of(seed))
        top = card_list(state.pile)[0]
        tops.add(top[1])
        assert state.pending == 0
        assert GAME.format_state(RULES, state)["suit"] == top[0]
        assert state.phase == 0
    assert tops == set("A23456789TJQK")


def test_B1_2_the_first_player_is_drawn_and_later_the_winner_begins() -> None:
    state = blank(GAME.state_dtype)
    begins: Counter[int] = Counter()
    for seed in range(900):
        deal(RULES, state, 0, key_of(seed))
        begins[int(state.first)] += 1
    assert min(begins.values()) > 240

    def next_first(where: Position, *moves: str, rules: Rules = RULES) -> int:
        state = state_after(where, *moves, rules=rules)
        assert state.turn == -1
        deal(rules, state, 1, key_of(1))
        return int(state.first)

    assert next_first(table("S6", "H9 HT", "CK CQ", first=2), "S6") == 0  # it went out
    assert next_first(table("S6 D9", "H6", "D6", first=1), "S6", "no", "shoot") == 2
    four = dobon(4)
    turned = table("H7", "S7 H9", "D7", "C7", top="S6", first=1, turn=1)
    assert next_first(turned, "S7", "shoot", "shoot", "no", rules=four) == 2  # the first clockwise from the shot player
    assert next_first(table("S6 D6 H6", "C6", "CK CQ", first=1), "S6", "shoot", "shoot") == 0  # it shot back
    stopped = table("S6 D9 H2", "H9 HT", "CK CQ", first=2, turns=1999)
    assert next_first(stopped, "S6") == 2


def test_B1_3_values() -> None:
    assert [value_of(1 << 4 * number) for number in range(13)] == list(range(1, 14))
    assert value_of(ALL_CARDS) == 4 * 91


# --- B2 A turn --------------------------------------------------------------------------------------------------


def test_B2_1_number_or_suit_of_the_top_card() -> None:
    assert legal(table("S9 H5 D7 CK", *OTHERS[:1], "CQ DQ HQ")) == {"S9", "H5"}


def test_B2_2_who_cannot_draws_one_and_may_play_it() -> None:
    where = table("H9 D7", *OTHERS, stock="S6")
    assert legal(where) == {"draw"}
    drawn = after(where, "draw")
    assert (drawn["turn"], drawn["drawn"]) == (0, "S6")
    assert legal(drawn) == {"S6", "pass"}
    kept = after(where, "draw", "pass")
    assert (kept["turn"], kept["drawn"]) == (1, None)
    assert "S6" in kept["hands"][0]


def test_B2_2_the_turn_passes_by_itself() -> None:
    passed = after(table("H9 D7", *OTHERS, stock="C6"), "draw")
    assert (passed["turn"], passed["turns"]) == (1, 1)
    assert set(passed["hands"][0]) == {"H9", "D7", "C6"}


def test_B2_2_after_the_draw_cards_of_the_hand_go_with_the_drawn_one() -> None:
    assert legal(after(table("H6 D7", *OTHERS, stock="S6"), "draw")) == {"S6", "S6+H6", "pass"}


def test_B2_2_drawing_with_a_playable_card() -> None:
    where = table("S9 D7", *OTHERS, stock="D9 C6")
    assert "draw" not in legal(where)
    rules = dobon(3, voluntary_draw=True)
    assert "draw" in legal(where, rules)
    drawn = after(where, "draw", rules=rules)
    assert legal(drawn, rules) == {"S9+D9", "pass"}  # once a turn; the drawn card must be part of the play
    unplayable = table("S9 D7", *OTHERS, stock="C6")
    assert after(unplayable, "draw", rules=rules)["turn"] == 1


def test_B2_3_several_cards_of_the_top_number() -> None:
    where = table("H5 D5 C5 D9", *OTHERS)
    pairs = {"H5+D5", "D5+H5", "H5+C5", "C5+H5", "D5+C5", "C5+D5"}
    threes = {"H5+D5+C5", "H5+C5+D5", "D5+C5+H5"}
    for multi in ("chain", "pon"):
        assert legal(where, dobon(3, multi=multi)) == {"H5", "D5", "C5"} | pairs | threes
    assert legal(where, dobon(3, multi="off")) == {"H5", "D5", "C5"}


def test_B2_3_several_cards_of_another_number() -> None:
    where = table("S9 D9 C9 D4", *OTHERS)
    assert legal(where) == {"S9", "S9+D9", "S9+C9", "S9+D9+C9", "S9+C9+D9"}  # the ♠ goes down first
    for multi in ("pon", "off"):
        assert legal(where, dobon(3, multi=multi)) == {"S9"}


def test_B2_3_only_the_top_card_counts() -> None:
    where = after(table("S9 D9 C4", "SK D3 C9 H2", "CQ DQ HQ"), "S9+D9")
    assert (where["pile"][-1], where["suit"]) == ("D9", "D")
    assert legal(where | {"turn": 1}) == {"D3", "C9"}


def test_B2_4_the_pile_becomes_the_stock() -> None:
    where = table("H9 D7", *OTHERS, short=True)
    drawn = after(where, "draw")
    assert drawn["pile"] == ["S5"]
    assert set(where["pile"][:-1]) == {*drawn["stock"], *set(drawn["hands"][0]) - {"H9", "D7"}}


def test_B2_4_also_in_the_middle_of_a_draw() -> None:
    where = table("H9 D7", *OTHERS, top="S2", pile="C2", stock="D3", short=True, pending=4)
    drawn = state_after(where, "draw")
    assert drawn.refills == 1
    assert len(card_list(drawn.hands[0])) == 6
    assert "D3" in card_list(drawn.hands[0])
    assert card_list(drawn.pile) == ["S2"]


def test_B2_4_nothing_to_draw() -> None:
    rest = " ".join(card for card in PACK if card not in "H9 D7 S5 SK HK DK".split())
    where = table("H9 D7", "SK HK DK", rest, short=True)
    lost = after(where, "draw")
    assert (lost["turn"], set(lost["hands"][0]), lost["turns"]) == (1, {"H9", "D7"}, 1)
    assert hands_of(after(where | {"pile": ["S5"], "stock": []}, "draw")) == hands_of(where)


# --- B3 Effects -------------------------------------------------------------------------------------------------


def test_B3_1_a_2_is_answered_with_a_2_or_drawn_for() -> None:
    where = table("S2 H9 D7", "H2 D2 S8 SK HK", "CQ DQ HQ")
    answered = after(where, "S2")
    assert (answered["turn"], answered["pending"]) == (1, 2)
    assert legal(answered) == {"H2", "D2", "H2+D2", "D2+H2"}
    assert legal(answered, dobon(3, multi="off")) == {"H2", "D2"}
    stacked = after(where, "S2", "H2+D2")
    assert (stacked["turn"], stacked["pending"]) == (2, 6)
    assert legal(stacked) == {"draw"}
    drawn = after(where, "S2", "H2+D2", "draw")
    assert (len(drawn["hands"][2]), drawn["pending"], drawn["turn"]) == (9, 0, 0)
    assert after(where, "S2", "H2+D2", "draw")["suit"] == "D"  # then a card like any other


def test_B3_1_who_holds_a_2_must_play_it() -> None:
    where = table("S2 H9 D7", "H2 SK HK", "CQ DQ HQ")
    assert "draw" not in legal(after(where, "S2"))
    voluntary = dobon(3, voluntary_draw=True)
    drawn = after(where, "S2", "draw", rules=voluntary)
    assert (len(drawn["hands"][1]), drawn["turn"], drawn["drawn"]) == (5, 2, None)  # and none of them is played


def test_B3_1_nothing_but_a_2_answers() -> None:
    rules = dobon(3, eight_wild=True)
    assert legal(after(table("S2 H9 D7", "S8 S9 HK", "CQ DQ HQ"), "S2", rules=rules), rules) == {"draw"}


def test_B3_2_an_8_names_a_suit() -> None:
    where = table("S8 H9 D7", "HK H8 SJ D3", "CQ DQ HQ")
    assert legal(where) == {"S8:S", "S8:H", "S8:D", "S8:C"}
    named = after(where, "S8:D")
    assert (named["pile"][-1], named["suit"]) == ("S8", "D")
    assert legal(named) == {"D3", "H8:S", "H8:H", "H8:D", "H8:C"}


def test_B3_2_of_several_8s_one_suit_is_named() -> None:
    where = table("S8 H8 D7", "HK SJ D3", "CQ DQ HQ")
    assert {"S8+H8:C", "S8+H8:H"} <= legal(where)
    assert after(where, "S8+H8:C")["suit"] == "C"


def test_B3_2_an_8_must_fit_unless_it_is_wild() -> None:
    where = table("H8 D8 D7", *OTHERS)
    assert legal(where) == {"draw"}
    wild = dobon(3, eight_wild=True)
    plays = {text.partition(":")[0] for text in legal(where, wild)}
    assert plays == {"H8", "D8", "H8+D8", "D8+H8"}


def test_B3_2_a_last_8_names_a_suit_too() -> None:
    assert legal(table("S8", *OTHERS)) == {"S8:S", "S8:H", "S8:D", "S8:C"}


@pytest.mark.parametrize(
    ("players", "count", "turn"), [(3, 1, 2), (3, 2, 0), (4, 2, 3), (2, 1, 0), (2, 2, 1), (4, 4, 1)]
)
def test_B3_3_js_skip(players: int, count: int, turn: int) -> None:
    hand = " ".join(["SJ", "HJ", "DJ", "CJ"][:count]) + " D7 D3"
    others = ["HK DK", "CK CQ", "DQ C9"][: players - 1]
    move = "+".join(["SJ", "HJ", "DJ", "CJ"][:count])
    rules = dobon(players)
    where = after(table(hand, *others), move, rules=rules)
    assert (where["turn"], where["turns"]) == (turn, 1)


def test_B3_4_a_9_reverses() -> None:
    where = table("S9 H9 D7", *OTHERS)
    assert (after(where, "S9")["turn"], after(where, "S9")["direction"]) == (2, -1)
    assert (after(where, "S9+H9")["turn"], after(where, "S9+H9")["direction"]) == (2, -1)  # they count once
    assert after(table("S9 H9 D7", *OTHERS, direction=-1), "S9")["turn"] == 1
    two = after(table("S9 H9 D7", "SK HK DK"), "S9", rules=dobon(2))
    assert (two["turn"], two["direction"]) == (1, 1)


def test_B3_1_twos_that_went_back_into_the_stock_count_again() -> None:
    """The call empties the stock while 2s are pending, so they are drawn and played again: more than the pile has."""
    others = [card for card in PACK if card not in "S2 S5 H9 DT C2 C7 H2".split()]
    where = table(
        "S2 S5",
        "H9 DT C2",
        " ".join(others),
        top="H2",
        pile="C7",
        pending=2,
        stock="",
        short=True,
    )
    called = after(where, "S2")
    assert (called["pending"], called["pile"], called["stock"]) == (4, ["S2"], [])
    assert "H2" in called["hands"][1] + called["hands"][2]
    again = after(called, "C2")
    assert (again["pending"], again["turn"]) == (6, 2)


# --- B4 One card left -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call_draw", [0, 1, 2])
def test_B4_1_the_others_draw_clockwise_from_the_caller(call_draw: int) -> None:
    rules = dobon(3, call_draw=call_draw)
    where = table("H9 HT", "S9 D7", "CQ DQ HQ", turn=1, direction=-1, stock="HA DA CA SA")
    called = after(where, "S9", rules=rules)
    drawn = [set(hand) - set(before) for hand, before in zip(called["hands"], where["hands"], strict=True)]
    expected = [{"HA", "DA", "CA", "SA"} & set(["HA", "DA", "CA", "SA"][place * call_draw : (place + 1) * call_draw])
                for place in range(2)]  # fmt: skip
    assert drawn == [expected[1], set(), expected[0]]  # seat 2 comes first, though the direction is the other way


def test_B4_1_no_call_with_the_last_cards_together() -> None:
    done = after(table("S9 H9", *OTHERS), "S9+H9")
    assert (done["end"], [len(hand) for hand in done["hands"]]) == ("out", [0, 3, 3])


def test_B4_2_caught() -> None:
    rules = dobon(3, call_caught=1.0)
    caught = after(table("S9 D7", *OTHERS), "S9", rules=rules)
    assert [len(hand) for hand in caught["hands"]] == [2, 3, 3]
    half = dobon(3, call_caught=0.25)
    times = 0
    for seed in range(400):
        state = GAME.parse_state(half, table("S9 D7", *OTHERS))
        state.key = key_of(seed)
        play(half, state, GAME.parse_move(half, state, "S9"))
        times += state.sizes[0] == 2
    assert 70 < times < 130


# --- B5 Dobon ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "move", "shooter", "shoots"),
    [
        ("S3 D9 DT", "S3", "HA C2", True),
        ("H5 C5 D5 D9", "H5+C5+D5", "HQ C3", True),
        ("C5 D9 DT", "C5", "H5 D5", True),  # every card of the hand has its value
        ("S3 D9 DT", "S3", "H3", True),  # a hand of one card
        ("S3 D9 DT", "S3", "HA CA", False),
        ("H5 C5 D9", "H5+C5", "D5 D3", False),
        ("S3 H3 D9", "S3+H3", "D3 C3", True),  # 6 is 6
        ("S4 H4 D9", "S4+H4", "D4", False),  # of several cards only the sum counts
    ],
)
def test_B5_1_who_may_shoot(hand: str, move: str, shooter: str, shoots: bool) -> None:
    where = after(table(hand, shooter, "SK HK DK"), move)
    assert (where["phase"] == "shoot") == shoots
    if shoots:
        assert (where["asked"], where["turn"]) == ([1], 0)
        assert legal(where) == {"shoot", "no"}


def test_B5_2_before_every_effect() -> None:
    where = table("S2 D9", "H2", "CK CQ")
    assert after(where, "S2")["pending"] == 0
    shot = after(where, "S2", "shoot")
    assert (shot["end"], [len(hand) for hand in shot["hands"]]) == ("dobon", [1, 1, 2])  # no call
    assert after(where, "S2", "no")["pending"] == 2
    last = table("S6", "H6", "CK CQ")
    assert after(last, "S6", "shoot")["scores"] == [-2, 2, 0]
    assert after(last, "S6", "no")["end"] == "out"
    pending = table("S2 D9", "H2 H3", "D4 DK", top="D2", pending=2, turn=0)
    assert after(pending | {"hands": [["S2", "D9"], ["C2"], ["D4", "DK"]],
                            "stock": [c for c in PACK if c not in "S2 D9 C2 D4 DK D2".split()]},
                 "S2", "shoot")["end"] == "dobon"  # fmt: skip


def test_B5_3_all_choose_unseen_clockwise_from_the_player() -> None:
    rules = dobon(4)
    where = table("H6", "S6 D9", "D6", "CA C5", turn=1, direction=-1)
    asked = after(where, "S6", rules=rules)
    assert asked["asked"] == [2, 3, 0]
    state = state_after(where, "S6", "shoot", rules=rules)
    assert (state.turn, state.shooters) == (3, 1 << 2)
    for seat in (0, 1, 3):
        assert observed(rules, state, seat).shooters == 0
    won = after(where, "S6", "shoot", "no", "shoot", rules=rules)
    assert won["scores"] == [3, -6, 3, 0]


def test_B5_4_return() -> None:
    where = table("S6 D6 H6", "C6", "CA C5")
    asked = after(where, "S6", "shoot", "shoot")
    assert (asked["phase"], asked["turn"], asked["answers"]) == ("return", 0, [True, True])
    back = after(where, "S6", "shoot", "shoot", "shoot")
    assert (back["end"], back["scores"]) == ("return", [8, -4, -4])
    assert after(where, "S6", "shoot", "no", "shoot")["scores"] == [4, -4, 0]
    assert after(where, "S6", "shoot", "shoot", "no")["scores"] == [-4, 2, 2]
    assert after(table("S6", "C6", "CA C5"), "S6", "shoot", "no")["end"] == "dobon"  # an empty hand cannot
    assert after(table("S6 D4", "C6", "CK CQ"), "S6", "shoot")["end"] == "dobon"


def test_B5_5_nobody_shoots_its_own_card_nor_one_that_was_drawn() -> None:
    own = after(table("S6 D6", "CK CQ", "DK DQ"), "S6")
    assert own["phase"] == "turn"
    drawn = after(table("H9 D7", "C6", "DK DQ", stock="H6"), "draw")
    assert drawn["phase"] == "turn"
    state = blank(GAME.state_dtype)
    for seed in range(200):  # nor the first card
        deal(RULES, state, 0, key_of(seed))
        assert state.phase == 0


# --- B6 End and score -------------------------------------------------------------------------------------------


def test_B6_1_going_out_ends_the_deal_without_an_effect() -> None:
    done = after(table("S2", *OTHERS), "S2")
    assert (done["end"], [len(hand) for hand in done["hands"]], done["turn"]) == ("out", [0, 3, 3], None)


CARD_SCORES = dobon(3, scoring="cards")


def test_B6_2_going_out() -> None:
    where = table("S6", "HK D3", "C9 CT CJ")
    assert after(where, "S6")["scores"] == [2, -1, -1]
    assert after(where, "S6", rules=CARD_SCORES)["scores"] == [46, -16, -30]


def test_B6_2_dobon() -> None:
    where = table("S6 D9", "H6", "D6")
    assert after(where, "S6", "shoot", "shoot")["scores"] == [-4, 2, 2]
    assert after(where, "S6", "no", "shoot")["scores"] == [-2, 0, 2]
    assert after(where, "S6", "shoot", "shoot", rules=CARD_SCORES)["scores"] == [-60, 30, 30]


def test_B6_2_return() -> None:
    where = table("S6 D6 H6", "C6", "CA C5")
    assert after(where, "S6", "shoot", "shoot", "shoot", rules=CARD_SCORES)["scores"] == [48, -24, -24]


@pytest.mark.parametrize("scoring", ["units", "cards"])
def test_B6_2_scores_add_up_to_nothing(scoring: str) -> None:
    rules = dobon(4, scoring=scoring)
    state = blank(GAME.state_dtype)
    for seed in range(100):
        deal(rules, state, 0, key_of(seed))
        while state.turn >= 0:
            play(rules, state, moves_of(rules, state)[0])
        assert sum(payoff(rules, state, seat) for seat in range(4)) == 0


def test_B6_3_places_are_by_points_and_shared() -> None:
    outcome = GAME.outcome(RULES, state_after(table("S6", "HK D3", "C9 CT CJ"), "S6"))
    assert [row["place"] for row in outcome] == [1, 2, 2]
    assert [row["reason"] for row in outcome] == ["out", "other", "other"]
    assert [row["value_left"] for row in outcome] == [0, 16, 30]


def test_B6_4_a_deal_is_stopped() -> None:
    where = table("S6 D9 DT", *OTHERS, turns=1999)
    stopped = after(where, "S6")
    assert (stopped["end"], stopped["scores"], stopped["turns"]) == ("stopped", [0, 0, 0], 2000)
    assert after(table("S6", *OTHERS, turns=1999), "S6")["end"] == "out"
    assert after(where | {"turns": 1998}, "S6")["turn"] == 1
    again = after(table("SJ D9 DT", "SK HK", turns=39), "SJ", rules=dobon(2, max_turns=40))
    assert again["end"] == "stopped"  # a turn that comes back to the same player has ended too
    assert {row["reason"] for row in GAME.outcome(RULES, state_after(where, "S6"))} == {"stopped"}


# --- B7 What a player knows -------------------------------------------------------------------------------------


def test_B7_a_chosen_and_an_automatic_pass_look_alike() -> None:
    chosen = state_after(table("H9 D7", *OTHERS, stock="S6"), "draw", "pass")
    automatic = state_after(table("H9 D7", *OTHERS, stock="C6"), "draw")
    for seat in (1, 2):
        assert observed(RULES, chosen, seat).tobytes() == observed(RULES, automatic, seat).tobytes()


def test_B7_nobody_learns_who_could_have_shot() -> None:
    asked = state_after(table("S6 D9 DT", "H6", "CK CQ"), "S6", "no")
    not_asked = state_after(table("S6 D9 DT", "H7", "CK CQ"), "S6")
    for seat in (0, 2):
        assert observed(RULES, asked, seat).tobytes() == observed(RULES, not_asked, seat).tobytes()


def test_B7_the_order_of_the_stock_is_not_known() -> None:
    state = GAME.parse_state(RULES, table("S6 D9 DT", *OTHERS))
    other = state.copy()
    set_stock(other, [int(card) for card in state.stock[: state.left][::-1]])
    assert observed(RULES, state, 0).tobytes() == observed(RULES, other, 0).tobytes()
