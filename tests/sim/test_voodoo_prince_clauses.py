"""One test or more for every numbered clause of docs/voodoo_prince.md, named by the clause; how JSON is refused."""

# ruff: noqa: N802  (clauses are written with a capital V)

import copy
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from agari.sim.errors import InputError
from agari.sim.game import blank, deal, hand_size, payoff, play
from agari.sim.rng import key_of
from agari.sim.voodoo_prince.game import outcome
from agari.sim.voodoo_prince.notation import cards_in, format_card
from agari.sim.voodoo_prince.rules import HAND, HIGHEST, NEED

from ..voodoo_table import (
    EVERY_RULES,
    GAME,
    Position,
    after,
    decisions,
    legal,
    moves_of,
    observed,
    play_text,
    position,
    rules_of,
)

CLAUSES = {1: 3, 2: 5, 3: 6, 4: 1}  # how many each section has


def test_every_clause_has_a_test() -> None:
    named = {name.split("_")[1] + "." + name.split("_")[2] for name in globals() if name.startswith("test_V")}
    assert named == {f"V{section}.{number + 1}" for section, count in CLAUSES.items() for number in range(count)}


def dealt(players: int, number: int = 0, seed: int = 1) -> Any:
    """A state as dealt, after `number` rounds in each of which the first legal move was made."""
    rules, state = rules_of(players), blank(GAME.state_dtype)
    for game in range(number + 1):
        deal(rules, state, game, key_of(seed, game))
        while game < number and state.turn >= 0:
            play(rules, state, moves_of(rules, state)[0])
    return state


def won(trick: str, card: str, trump: str = "B") -> tuple[int, int]:
    """Who wins a trick, whose last card seat 0 plays, and how many tricks that is; the deck is the one of four."""
    hands = [f"{card} P1", "P2", "P3", "P4"]
    tricks = after(position(*hands, trick=trick, trump=trump), card)["tricks"]
    return max((count, seat) for seat, count in enumerate(tricks))[::-1]


# --- V1 Cards and deal ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "highest", "hand", "need"), [(2, 10, 13, 7), (3, 10, 13, 4), (4, 12, 13, 3), (5, 15, 14, 3)]
)
def test_V1_1_the_table(players: int, highest: int, hand: int, need: int) -> None:
    rules, seen = rules_of(players), Counter[int]()
    for seed in range(60):
        state = dealt(players, seed=seed)
        hands = [cards_in(state.hands, seat) for seat in range(players)]
        assert {len(cards) for cards in hands} == {hand}
        assert [hand_size(rules, state, seat) for seat in range(players)] == [hand] * players
        assert len({card for cards in hands for card in cards}) == players * hand
        seen.update(card for cards in hands for card in cards)
    assert {format_card(card) for card in seen} == {f"{c}{r}" for c in "RYGBP" for r in range(highest + 1)}
    assert min(seen.values()) > 4 * players
    left = play_text(rules, GAME.parse_state(rules, about_to_leave(players, need)), "R9")
    assert left.tricks[0] == need
    assert GAME.format_state(rules, left)["left"] == [0]


def about_to_leave(players: int, need: int) -> Position:
    """Seat 0 is last to play and wins what it needs to leave."""
    hands = ["R9 P0", *(f"P{seat}" for seat in range(1, players))]
    trick = " ".join(f"{seat}:R{seat}" for seat in range(1, players))
    return position(*hands, trick=trick, tricks=[need - 1] + [0] * (players - 1))


def test_V1_1_every_card_is_dealt_everywhere() -> None:
    """Each seat and the pile aside hold a card as often as their size says."""
    rules = rules_of(3)
    state, at = blank(GAME.state_dtype), Counter[tuple[int, int]]()
    for seed in range(3000):
        deal(rules, state, 0, key_of(seed))
        at.update((seat, card) for seat in range(3) for card in cards_in(state.hands, seat))
    expected = 3000 * 13 / 55
    assert len(at) == 3 * 55
    assert all(abs(count - expected) < 5 * expected**0.5 for count in at.values())


def test_V1_2_what_is_not_dealt_stays_aside() -> None:
    for players, aside in ((2, 29), (3, 16), (4, 13), (5, 10)):
        rules = rules_of(players)
        state = dealt(players)
        held = sum(len(cards_in(state.hands, seat)) for seat in range(players))
        deck = 5 * {2: 11, 3: 11, 4: 13, 5: 16}[players]
        assert deck - held == aside
        cards = set(range(96)) - {card for seat in range(players) for card in cards_in(state.hands, seat)}
        while state.turn >= 0:
            assert not cards & set(moves_of(rules, state))
            play(rules, state, moves_of(rules, state)[0])


def test_V1_3_trump_and_leader_of_the_first_round_are_drawn() -> None:
    for players in (2, 3, 4, 5):
        states = [dealt(players, seed=seed) for seed in range(400)]
        for count in (Counter(int(s.trump) for s in states), Counter(int(s.turn) for s in states)):
            expected = 400 / len(count)
            assert all(abs(number - expected) < 5 * expected**0.5 for number in count.values())
        assert {int(s.trump) for s in states} == {1, 2, 3, 4, 5}
        assert {int(s.turn) for s in states} == set(range(players))


def test_V1_3_the_last_names_any_colour_and_leads() -> None:
    for players in (2, 3, 4, 5):
        rules, state = rules_of(players), dealt(players, number=0)
        first_trump = GAME.format_state(rules, state)["trump"]
        while state.turn >= 0:
            play(rules, state, moves_of(rules, state)[0])
        last = int(state.last)
        deal(rules, state, 1, key_of(7))
        where = GAME.format_state(rules, state)
        assert (where["trump"], where["leader"], where["turn"]) == (None, last, last)
        assert legal_now(rules, state) == {f"trump:{colour}" for colour in "RYGBP"}  # an earlier one too
        named = play_text(rules, state, f"trump:{first_trump}")
        assert (named.turn, named.lead) == (last, 0)
        assert legal_now(rules, named) == set(where["hands"][last])


def legal_now(rules: Any, state: Any) -> set[str]:
    return {GAME.format_move(rules, move) for move in moves_of(rules, state)}


# --- V2 A trick -------------------------------------------------------------------------------------------------


def test_V2_1_the_leader_plays_any_card() -> None:
    assert legal(position("R1 B2 P3", "R2", "R3")) == {"R1", "B2", "P3"}


@pytest.mark.parametrize(
    ("hand", "led", "expected"),
    [
        ("R1 R9 B2 P3", "R4", "R1 R9"),
        ("B1 B9 P3", "B4", "B1 B9"),  # trump is led
        ("B1 P9 P3", "R4", "B1 P9 P3"),
    ],
)
def test_V2_1_the_others_follow_if_they_can(hand: str, led: str, expected: str) -> None:
    assert legal(position("Y1", "Y2", hand, turn=2, trick=f"1:{led}")) == set(expected.split())


def test_V2_1_it_goes_clockwise() -> None:
    where = position("R1 Y1", "R2 Y2", "R3 Y3", "R4 Y4", turn=2)
    assert [after(where, *cards)["turn"] for cards in (["R3"], ["R3", "R4"], ["R3", "R4", "R1"])] == [3, 0, 1]


@pytest.mark.parametrize(
    ("trick", "card", "winner"),
    [
        ("1:R4 2:R3 3:R9", "R6", 3),  # the highest card of the lead colour
        ("1:R4 2:Y12 3:P9", "Y6", 1),  # another colour never wins
        ("1:R4 2:B2 3:R9", "B1", 2),  # the highest trump
        ("1:R4 2:B1 3:R9", "B2", 0),
        ("1:B4 2:B11 3:R12", "B2", 2),  # trump is led
    ],
)
def test_V2_2_the_highest_trump_or_of_the_lead_colour_wins(trick: str, card: str, winner: int) -> None:
    assert won(trick, card) == (winner, 1)


@pytest.mark.parametrize(
    ("trick", "card", "winner"),
    [
        ("1:R0 2:R3 3:R11", "R1", 3),  # the lowest
        ("1:R0 2:Y3 3:Y11", "Y1", 1),  # but the only one of its colour
        ("1:R0 2:R3 3:R12", "R1", 1),  # beside the highest it is the highest, whoever came first
        ("1:R12 2:R3 3:R4", "R0", 0),
        ("1:R12 2:R0 3:R4", "R11", 2),
        ("1:R11 2:R0 3:Y12", "R4", 1),  # only of the same colour
        ("1:Y3 2:R0 3:R12", "Y1", 1),  # not in a colour that was not led
        ("1:B0 2:B12 3:B4", "B1", 1),  # in trump too
        ("1:R3 2:B0 3:R4", "B12", 2),
        ("1:R12 2:R0 3:R4", "B0", 0),  # a trump 0 beats every 0 and highest of another colour
        ("1:R12 2:B1 3:R0", "R4", 2),
    ],
)
def test_V2_3_zero_beats_all_with_highest_rank(trick: str, card: str, winner: int) -> None:
    assert won(trick, card) == (winner, 1)


@pytest.mark.parametrize(("players", "highest"), [(2, 10), (3, 10), (4, 12), (5, 15)])
def test_V2_3_the_highest_rank_in_use(players: int, highest: int) -> None:
    for rank, winner in ((highest, 0), (highest - 1, 1)):
        trick = f"1:R{rank}" + "".join(f" {seat}:R{seat}" for seat in range(2, players))
        hands = ["R0 P9", *(f"P{seat}" for seat in range(1, players))]
        assert after(position(*hands, trick=trick), "R0")["tricks"][winner] == 1


@pytest.mark.parametrize(
    ("trick", "card", "winner", "tricks"),
    [
        ("1:R5 2:R3 3:R4", "R1", 1, 2),
        ("1:R5 2:R7 3:R4", "R1", 2, 2),
        ("1:R4 2:R3 3:R2", "B7", 0, 2),  # a trump too
        ("1:B5 2:R3 3:R2", "B1", 1, 2),
        ("1:R5 2:R7 3:R8", "R1", 3, 1),  # it only contains them
        ("1:R5 2:R7 3:R1", "B1", 0, 1),
        ("1:R12 2:R7 3:R5", "R0", 0, 1),  # won with a 0
    ],
)
def test_V2_4_a_trick_won_with_5_or_7_counts_as_two(trick: str, card: str, winner: int, tricks: int) -> None:
    assert won(trick, card) == (winner, tricks)


def test_V2_5_the_winner_leads() -> None:
    where = after(position("R1 Y1", "R4 Y2", "R3 Y3", turn=2), "R3", "R1", "R4")
    assert (where["leader"], where["turn"], where["trick"]) == (1, 1, [])
    assert where["played"] == ["R1", "R3", "R4"]


# --- V3 Leaving and scoring -------------------------------------------------------------------------------------


def test_V3_1_who_has_enough_tricks_leaves_with_those_of_the_others() -> None:
    where = position(
        "R9 Y1 Y2", "P1 P2", "P3 P4", "", trick="1:R4 2:R8", tricks=[2, 1, 2, 4], left=[3], scores=[None] * 3 + [2]
    )
    state = after(where, "R9")
    assert (state["left"], state["scores"]) == ([3, 0], [1 + 2 + 4, None, None, 2])  # the gone ones included
    assert state["hands"] == [[], ["P1", "P2"], ["P3", "P4"], []]  # the rest goes aside
    assert state["tricks"] == [3, 1, 2, 4]


def test_V3_1_tricks_beyond_the_number_count_for_the_others() -> None:
    where = position("R7 P9", "P1 P5", "P3 P4", trick="1:R4 2:R6", tricks=[3, 1, 3])
    state = after(where, "R7")
    assert (state["tricks"], state["scores"]) == ([5, 1, 3], [4, None, None])
    assert after(state, "P5", "P3")["scores"] == [4, None, None]
    assert after(state, "P1", "P4")["scores"] == [4, 1, 5 + 1]


def test_V3_1_it_leaves_when_the_trick_is_complete() -> None:
    where = after(position("R1 Y1", "R9 Y2", "R3 Y3", turn=1, tricks=[0, 3, 0]), "R9", "R3")
    assert (where["left"], where["turn"]) == ([], 0)


def test_V3_2_the_next_one_still_in_leads() -> None:
    where = position("R1 Y1", "R9 Y2", "", "R3 Y3", turn=0, tricks=[0, 2, 3, 0], left=[2], scores=[None, None, 1, None])
    state = after(where, "R1", "R9", "R3")
    assert (state["left"], state["leader"], state["turn"]) == ([2, 1], 3, 3)
    assert [after(state, "Y3")["turn"], after(state, "Y3", "Y1")["turn"]] == [0, 3]


def test_V3_3_one_is_left() -> None:
    where = position("R9", "P1", "", trick="1:R4", tricks=[3, 2, 5], left=[2], scores=[None, None, 3])
    state = after(where, "R9")
    assert (state["turn"], state["left"], state["scores"]) == (None, [2, 0], [7, 2, 3])


@pytest.mark.parametrize(("option", "last"), [("remainder", 7 - 4), ("own", 4)])
def test_V3_3_of_two_players(option: str, last: int) -> None:
    where = position("R9 Y1", "P1", trick="1:R4", tricks=[6, 4])
    assert after(where, "R9", two_player_last=option)["scores"] == [4, last]
    where = position("R7 Y1", "P1", trick="1:R4", tricks=[6, 4])
    assert after(where, "R7", two_player_last=option)["scores"] == [4, last]
    rules = rules_of(2, option)
    state = play_text(rules, GAME.parse_state(rules, where), "R7")
    assert [payoff(rules, state, seat) for seat in (0, 1)] == [4.0, last]


def test_V3_3_with_more_players_the_option_means_nothing() -> None:
    where = position("R9", "P1", "", trick="1:R4", tricks=[3, 2, 5], left=[2], scores=[None, None, 3])
    assert after(where, "R9", two_player_last="own") == after(where, "R9", two_player_last="remainder")


def test_V3_4_the_last_one_leads_the_next_round() -> None:
    for players in (2, 3, 4, 5):
        rules, state = rules_of(players), blank(GAME.state_dtype)
        last = None
        for number in range(5):
            deal(rules, state, number, key_of(3, number))
            assert last in (None, int(state.leader))
            while state.turn >= 0:
                play(rules, state, moves_of(rules, state)[-1])
            (last,) = (seat for seat in range(players) if seat not in GAME.format_state(rules, state)["left"])
            assert last == state.last


def test_V3_5_totals_and_places() -> None:
    rules = rules_of(4)
    rounds = [recorded(rules, seed)["rounds"][0] for seed in range(40)]
    for one in rounds:
        replayed = GAME.replay(rules, {"rounds": [one]})
        assert replayed["totals"] == one["scores"]
        assert replayed["places"] == [1 + sum(b > a for b in one["scores"]) for a in one["scores"]]
    assert any(len(set(one["scores"])) < 4 for one in rounds)  # some share a place
    assert GAME.presets["voodoo_prince"].match_games == (5,)
    assert not GAME.last_game_decides


def test_V3_6_hands_never_run_out() -> None:
    """Random rounds always end with cards in hand or just used up; the longest are as long as the clause says."""
    most = Counter[int]()
    for rules in EVERY_RULES:
        for seed in range(60):
            tricks = 0
            for state in decisions(rules, seed, games=1):
                assert state.sizes[state.turn] > 0
                tricks += int(state.lead == 0 and state.trump > 0)
            most[rules.players] = max(most[rules.players], tricks)
    assert all(most[players] <= bound for players, bound in ((2, 13), (3, 11), (4, 11), (5, 14)))


def test_V3_6_a_position_in_which_somebody_runs_out_is_refused() -> None:
    """In one line, at once or where nobody can play on."""
    rules = rules_of(2)
    state = play_text(rules, GAME.parse_state(rules, position("R1", "R2")), "R1", "R2")
    with pytest.raises(InputError, match=r"no cards left.*V3\.6"):
        moves_of(rules, state)
    with pytest.raises(InputError, match=r"hands\[1\]: seat 1 is to act and has no cards \(V3\.6\)"):
        GAME.parse_state(rules, position("R1", "", turn=1))


# --- V4 What a player knows -------------------------------------------------------------------------------------


def test_V4_1_what_a_player_knows() -> None:
    """Its hand, and all that everybody saw; nothing of the other hands. More in test_voodoo_prince_observe.py."""
    rules = rules_of(4)
    for state in decisions(rules, 2, games=2):
        where = GAME.format_state(rules, state)
        for seat in range(4):
            known = GAME.format_state(rules, observed(rules, state, seat))
            hidden = [hand if owner == seat else [] for owner, hand in enumerate(where["hands"])]
            assert known == where | {"hands": hidden}


# --- Records and results ----------------------------------------------------------------------------------------


def recorded(rules: Any, seed: int, number: int = 0) -> dict[str, Any]:
    """The record of a round; with a number, of a later one of a match."""
    state, moves = blank(GAME.state_dtype), []
    for game in range(number + 1):
        deal(rules, state, game, key_of(seed, game))
        moves = []
        while state.turn >= 0:
            legal = moves_of(rules, state)
            moves.append(legal[key_of(seed, len(moves)) % len(legal)])
            play(rules, state, moves[-1])
    return GAME.record(rules, state, moves)


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_records_replay(rules: Any) -> None:
    for seed in range(20):
        for number in (0, 2):
            record = json.loads(json.dumps(recorded(rules, seed, number)))
            assert GAME.replay(rules, record) == {key: record[key] for key in ("totals", "places")}
            state, texts = GAME.opening(rules, record)
            assert (state.trump == 0) == (number > 0)
            play_text(rules, state, *texts)
            assert state.turn == -1
            rows = outcome(rules, state)
            assert [row["points"] for row in rows] == record["totals"]
            assert [row["place"] for row in rows] == record["places"]
            assert sorted(row["exit"] for row in rows) == list(range(1, rules.players + 1))
            assert [row["reason"] == "last" for row in rows] == [row["exit"] == rules.players for row in rows]
            assert sum(row["named_trump"] for row in rows) == (number > 0)
            assert set(rows[0]) == {column.name for column in GAME.columns} | {
                "leader_distance", "place", "reason", "points"
            }  # fmt: skip


def test_matches_replay() -> None:
    rules = rules_of(3)
    rounds = [recorded(rules, 4, number)["rounds"][0] for number in range(3)]
    totals = [sum(scores) for scores in zip(*(one["scores"] for one in rounds), strict=True)]
    assert GAME.replay(rules, {"rounds": rounds})["totals"] == totals


def spoilt(record: dict[str, Any], *path: Any, value: Any) -> dict[str, Any]:
    """The record with another value somewhere."""
    record = copy.deepcopy(record)
    inner = record
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return record


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["rounds"], [], "match.rounds: must be a list of one round or more"),
        (["rounds"], 3, "match.rounds: must be a list"),
        (["rounds", 0], 3, r"match.rounds\[0\]: must be an object"),
        (["rounds", 0, "leader"], 4, r"rounds\[0\].leader: must be a whole number from 0 to 3"),
        (["rounds", 0, "trump"], "S", r"rounds\[0\].trump: 'S' is no colour"),
        (["rounds", 0, "hands"], [[]], r"rounds\[0\].hands: must be a list of 4"),
        (["rounds", 0, "hands", 0], [], r"hands\[0\]: has 0 cards, not 13"),
        (["rounds", 0, "hands", 1, 0], "R13", r"hands\[1\]\[0\]: 'R13' is no card"),
        (["rounds", 0, "moves"], [], r"moves: the round is not over after 0 moves"),
        (["rounds", 0, "moves", 0], [7, "R1"], r"moves\[0\]: is by 7, but seat"),
        (["rounds", 0, "moves", 0], ["0", "R1"], r"moves\[0\]: is by '0', but seat"),
        (["rounds", 0, "moves", 0], "R1", r"moves\[0\]: must be a seat and its move"),
        (["rounds", 0, "moves", 1, 1], 5, r"moves\[1\]: must be text"),
        (["rounds", 0, "moves", 1, 1], "trump:R", r"moves\[1\]: 'trump:R' is not legal: trump is . already \(V1.3\)"),
        (["rounds", 0, "scores"], [0, 0, 0, 0], r"rounds\[0\].scores: is \[0, 0, 0, 0\], but comes out as"),
        (["rounds", 0, "left"], [], r"rounds\[0\].left: is \[\], but comes out as"),
        (["totals"], [0, 0, 0, 0], r"match.totals: is"),
    ],
)
def test_wrong_records_are_refused(path: list[Any], value: Any, message: str) -> None:
    rules = rules_of(4)
    with pytest.raises(InputError, match=message) as error:
        GAME.replay(rules, spoilt(recorded(rules, 1), *path, value=value))
    assert "\n" not in str(error.value)


def test_a_later_round_begins_with_the_last_one_who_names_trump() -> None:
    rules = rules_of(4)
    rounds = [recorded(rules, 4, number)["rounds"][0] for number in range(2)]
    wrong = spoilt({"rounds": rounds}, "rounds", 1, "trump", value="R")
    with pytest.raises(InputError, match=r"rounds\[1\].trump: must be null"):
        GAME.replay(rules, wrong)
    wrong = spoilt({"rounds": rounds}, "rounds", 1, "leader", value=(rounds[0]["last"] + 1) % 4)
    with pytest.raises(InputError, match=r"rounds\[1\].leader: is ., but seat . was last"):
        GAME.replay(rules, wrong)


# --- Why a move is not legal ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "text", "why"),
    [
        ({}, "R1", r"seat 0 does not hold R1 \(V2.1\)"),
        ({}, "P3", r"seat 0 holds R, which was led \(V2.1\)"),
        ({}, "trump:R", r"trump is B already \(V1.3\)"),
        ({"trump": None, "trick": [], "leader": 0}, "R2", r"has to name trump before it leads"),
    ],
)
def test_why_a_move_is_not_legal(changes: Position, text: str, why: str) -> None:
    rules = rules_of(3)
    state = GAME.parse_state(rules, position("R2 P3", "R4", "R5", trick="2:R9") | changes)
    move = GAME.parse_move(rules, state, text)
    assert move not in moves_of(rules, state)
    told = GAME.why_illegal(rules, state, move)
    assert told is not None
    assert re.search(why, told)


def test_every_move_is_legal_or_told_why_not() -> None:
    every = [f"{colour}{rank}" for colour in "RYGBP" for rank in range(16)] + [f"trump:{colour}" for colour in "RYGBP"]
    rules = rules_of(5)
    for state in decisions(rules, 1, games=2):
        moves = moves_of(rules, state)
        for text in every:
            move = GAME.parse_move(rules, state, text)
            assert (GAME.why_illegal(rules, state, move) is None) == (move in moves)
    assert GAME.why_illegal(rules, play_out(rules), 16) == "the round is over (V3.3)"


def play_out(rules: Any) -> Any:
    state = blank(GAME.state_dtype)
    deal(rules, state, 0, 1)
    while state.turn >= 0:
        play(rules, state, moves_of(rules, state)[0])
    return state


# --- Wrong positions --------------------------------------------------------------------------------------------

GOOD = position(
    "R2 P3", "R4 P5", "R5 P8", "", trick="2:R9", trump="G", tricks=[2, 1, 0, 3], left=[3], scores=[None, None, None, 2],
    played=["G1", "G2", "G3"],
)  # fmt: skip


def test_a_good_position_is_read_and_written() -> None:
    rules = rules_of(4)
    assert GAME.format_state(rules, GAME.parse_state(rules, GOOD)) == GOOD
    state = GAME.parse_state(rules, GOOD)
    assert (GAME.format_hand(rules, state, 0), GAME.format_hand(rules, state, 3)) == ("R2 P3", "")
    assert GAME.format_field(rules, state) == "R9"
    assert GAME.format_field(rules, play_text(rules, state, "R2", "R4")) is None
    assert [hand_size(rules, state, seat) for seat in range(4)] == [1, 1, 2, 0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"trump": 3}, "state.trump: must be text"),
        ({"trump": "RY"}, "state.trump: 'RY' is no colour"),
        ({"trump": None}, "state.trump: is null, but cards have been played"),
        ({"turn": None}, "state.turn: is null: the round is over"),
        ({"turn": 10**30}, "state.turn: must be a whole number from 0 to 3"),
        ({"turn": 1}, "state.turn: is 1, but seat 0 is next in this trick"),
        ({"leader": True}, "state.leader: must be a whole number"),
        ({"leader": 3}, "state.leader: seat 3 has left"),
        ({"leader": 0}, r"state.trick\[0\]: is by 2, but seat 0 is next"),
        ({"hands": {}}, "state.hands: must be a list of 4"),
        ({"hands": [["R2"], ["R4"], ["R5"]]}, "state.hands: must be a list of 4"),
        ({"hands": [["R2"], ["R4"], ["R5"], 7]}, r"state.hands\[3\]: must be a list of cards"),
        ({"hands": [["R2"], ["R4"], ["R5"], ["Y1"]]}, r"state.hands\[3\]: must be empty"),
        ({"hands": [["R2", "R2"], ["R4"], ["R5"], []]}, r"state.hands\[0\]: names a card twice"),
        ({"hands": [["R2"], ["R2"], ["R5"], []]}, "state.hands: R2 is in two places"),
        ({"hands": [["R9"], ["R2"], ["R5"], []]}, "state.hands: R9 is in two places"),
        ({"hands": [["G1"], ["R2"], ["R5"], []]}, "state.hands: G1 is in two places"),
        ({"hands": [[], ["R2"], ["R5"], []]}, r"state.hands\[0\]: seat 0 is to act and has no cards"),
        ({"hands": [["R02"], ["R2"], ["R5"], []]}, r"state.hands\[0\]\[0\]: 'R02' is no card"),
        ({"hands": [["R13"], ["R2"], ["R5"], []]}, r"'R13' is no card: write a colour R Y G B P and a rank 0 … 12"),
        ({"hands": [[4], ["R2"], ["R5"], []]}, r"state.hands\[0\]\[0\]: must be text"),
        (
            {"hands": [["R2"], ["R4"], [f"{c}{r}" for c in "YB" for r in range(8)], []]},
            r"state.hands\[2\]: has 16 cards, more than 12",
        ),
        ({"trick": 3}, "state.trick: must be a list"),
        ({"trick": [3]}, r"state.trick\[0\]: must be a seat and its card"),
        ({"trick": [[2, "R99"]]}, r"state.trick\[0\]: 'R99' is no card"),
        ({"trick": [["2", "R9"]]}, r"state.trick\[0\]: is by '2', but seat 2 is next"),
        ({"trick": [[2, "R9"], [0, "R1"], [1, "R7"]]}, "state.trick: has a card of everybody"),
        ({"trick": [[2, "R9"], [0, "Y1"]], "turn": 1}, r"state.trick\[1\]: seat 0 did not follow though it holds R"),
        ({"tricks": [2, 1, 0]}, "state.tricks: must be a list of 4"),
        ({"tricks": [3, 1, 0, 3]}, r"state.tricks\[0\]: 3 is none of 0 … 2: this seat is still in"),
        ({"tricks": [2, 1, 0, 2]}, r"state.tricks\[3\]: 2 is none of 3 … 4: this seat has left"),
        ({"tricks": [2, -1, 0, 3]}, r"state.tricks\[1\]: -1 is none"),
        ({"tricks": [2, 1.0, 0, 3]}, r"state.tricks\[1\]: 1.0 is none"),
        ({"left": [3, 3]}, "state.left: names a seat twice"),
        ({"left": [3, 0, 1]}, "state.left: fewer than two players are still in"),
        ({"left": 3}, "state.left: must be a list of seats"),
        ({"left": []}, r"state.turn: is 0, but seat 3 is next"),
        ({"scores": [None, None, None, 4]}, r"state.scores\[3\]: 4 is none of 0 … 3"),
        ({"scores": [None, None, None, None]}, r"state.scores\[3\]: None is none of 0 … 3"),
        ({"scores": [1, None, None, 2]}, r"state.scores\[0\]: must be null"),
        ({"scores": None}, "state.scores: must be a list of 4"),
        ({"played": None}, "state.played: must be a list of cards"),
        ({"played": ["G1", "G1"]}, "state.played: names a card twice"),
    ],
)
def test_wrong_positions_are_refused(changes: Position, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        GAME.parse_state(rules_of(4), GOOD | changes)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("key", GOOD)
def test_a_missing_field_is_named(key: str) -> None:
    with pytest.raises(InputError, match=rf"^state\.{key}: is missing$"):
        GAME.parse_state(rules_of(4), {name: value for name, value in GOOD.items() if name != key})


@pytest.mark.parametrize(
    "text", ["", "R", "7R", "r7", "R07", "R-1", "R16", "X1", "trump", "trump:", "trump:X", "-", "R７"]
)
def test_wrong_moves_are_refused(text: str) -> None:
    rules = rules_of(5)
    with pytest.raises(InputError, match="is no c"):
        GAME.parse_move(rules, None, text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 6, "two_player_last": "own"}, "option players: 6 is no whole number from 2 to 5"),
        ({"players": 3, "two_player_last": "none"}, "option two_player_last: 'none' is none of remainder, own"),
        ({"players": 3}, "option 'two_player_last' is missing"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        GAME.options.parse(options)


def test_states_are_written_as_they_are_read() -> None:
    for rules in EVERY_RULES:
        for state in decisions(rules, 5, games=2):
            where = json.loads(json.dumps(GAME.format_state(rules, state)))
            assert GAME.format_state(rules, GAME.parse_state(rules, where)) == where


# --- Documents --------------------------------------------------------------------------------------------------

PAGE = Path(__file__).parents[2] / "docs" / "voodoo_prince.md"


def table_after(heading: str) -> list[list[str]]:
    """The cells of the first table after a heading of the page, without its head."""
    text = PAGE.read_text(encoding="utf-8").partition(f"{heading}\n")[2]
    lines = re.search(r"(^\|.*\|\n)+", text, re.M)
    assert lines
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines.group().splitlines()[2:]]


def test_options_on_the_page_are_those_of_the_code() -> None:
    rows = table_after("## Options")
    options = GAME.options.values()
    usual = next(iter(GAME.presets["voodoo_prince"].by_players.values()))
    assert [row[0] for row in rows] == list(options)
    assert [row[3] for row in rows] == [str(value) for value in GAME.options.format(usual).values()]
    assert rows[0][1] == "{from} to {to}".format(**options["players"])
    assert rows[1][1].replace("`", "").split(", ") == options["two_player_last"]


def test_the_table_on_the_page_is_that_of_the_code() -> None:
    for players, ranks, cards, hand, need in table_after("## V1 Cards and deal"):
        highest = int(HIGHEST[int(players)])
        assert (ranks, int(cards)) == (f"0–{highest}", 5 * (highest + 1))
        assert (int(hand), int(need)) == (HAND[int(players)], NEED[int(players)])


def test_the_page_has_all_clauses() -> None:
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.M)
    for section, count in CLAUSES.items():
        (text,) = (part for part in sections if part.startswith(f"V{section} "))
        assert len(re.findall(r"^\d\. ", text, re.M)) == count
