"""Dobon as text: round trips, records that replay, and one clear line for whatever is wrong with one."""

import json
import random
from typing import Any

import pytest
from agari.sim.errors import InputError
from agari.sim.game import blank, deal, legal_moves, moves_dtype, play
from agari.sim.rng import key_of

from ..dobon_table import GAME, PACK, decisions, dobon, moves_of, random_options, shown
from .test_dobon_cases import GAMES, POSITIONS

RULES = dobon(3)


def played(rules: Any, seed: int) -> tuple[Any, list[int]]:
    """A finished deal of random moves, and these."""
    source = random.Random(seed)
    state, moves = blank(GAME.state_dtype), []
    deal(rules, state, 0, key_of(seed))
    while state.turn >= 0:
        moves.append(source.choice(moves_of(rules, state)))
        play(rules, state, moves[-1])
    return state, moves


def test_moves_and_states_round_trip() -> None:
    for seed in range(20):
        rules = GAME.options.parse(random_options(random.Random(seed)))
        for state in decisions(rules, seed, games=1):
            where = GAME.format_state(rules, state)
            again = GAME.parse_state(rules, json.loads(json.dumps(where)))
            assert shown(GAME.format_state(rules, again)) == shown(where)
            assert again.turn == state.turn
            legal = moves_of(rules, state)
            assert sorted(moves_of(rules, again)) == sorted(legal)
            assert [GAME.parse_move(rules, state, GAME.format_move(rules, move)) for move in legal] == legal


def test_states_round_trip_where_2s_come_out_of_the_stock_again() -> None:
    """At tables that draw much, a call while 2s are pending empties the stock, and more count than the pile holds."""
    source = random.Random(5)
    met = 0
    for seed in range(1500):
        players = source.randrange(2, 7)
        rules = dobon(players, call_draw=source.choice([1, 4, 10]), voluntary_draw=source.random() < 0.5, max_turns=60)
        state = blank(GAME.state_dtype)
        deal(rules, state, 0, key_of(seed))
        while state.turn >= 0:
            legal = moves_of(rules, state)
            if state.pending > 4:
                where = GAME.format_state(rules, state)
                met += where["pending"] > 2 * sum(card[1] == "2" for card in where["pile"])
                again = GAME.parse_state(rules, json.loads(json.dumps(where)))
                assert shown(GAME.format_state(rules, again)) == shown(where)
                assert sorted(moves_of(rules, again)) == sorted(legal)
            twos = [move for move in legal if state.pending and GAME.format_move(rules, move)[1:2] == "2"]
            play(rules, state, source.choice(twos or legal))
    assert met > 20


def test_records_replay() -> None:
    """Reshuffles and calls left to chance too; the opening leads to the same end."""
    refills = 0
    for seed in range(60):
        options = random_options(random.Random(seed)) | {"call_caught": 0.5}
        rules = GAME.options.parse(options)
        state, moves = played(rules, seed)
        record = json.loads(json.dumps(GAME.record(rules, state, moves)))
        replayed = GAME.replay(rules, record)
        assert replayed == {"totals": record["totals"], "places": record["places"]}
        assert record["deals"][0]["scores"] == record["totals"]
        again, texts = GAME.opening(rules, record)
        for text in texts:
            play(rules, again, GAME.parse_move(rules, again, text))
        assert again.hands.tolist() == state.hands.tolist()
        assert GAME.outcome(rules, again) == GAME.outcome(rules, state)
        refills += len(record["deals"][0]["new_stocks"])
    assert refills > 10


def test_a_record_without_key_replays_where_nothing_is_left_to_chance() -> None:
    for seed in range(30):
        rules = dobon(2 + seed % 5)
        state, moves = played(rules, seed)
        record = GAME.record(rules, state, moves)
        del record["deals"][0]["key"]
        assert GAME.replay(rules, record)["totals"] == record["totals"]
    with pytest.raises(InputError, match=r"deals\[0\]\.key: is missing: .* \(B4\.2\)"):
        GAME.replay(dobon(2 + 29 % 5, call_caught=0.5), record)


def test_openings_without_key() -> None:
    for case in GAMES:
        rules = GAME.options.parse(case["rules"])
        deal_of = case["deals"][0]
        if len(deal_of["new_stocks"]) > 1:
            with pytest.raises(InputError, match="key: is missing"):
                GAME.opening(rules, case)
            continue
        if deal_of["new_stocks"]:
            continue
        state, texts = GAME.opening(rules, case)
        for text in texts:
            play(rules, state, GAME.parse_move(rules, state, text))
        assert GAME.format_state(rules, state)["scores"] == deal_of["scores"]


BASE = next(case for case in POSITIONS if case["state"]["phase"] == "turn" and case["rules"]["players"] == 3)
SHOT = next(case for case in POSITIONS if case["state"]["phase"] == "shoot" and case["rules"]["players"] == 3)
RETURN = next(case for case in POSITIONS if case["state"]["phase"] == "return")


@pytest.mark.parametrize(
    ("case", "field", "value", "where"),
    [
        (BASE, "hands", [["S3"]], "hands"),
        (BASE, "hands", "S3", "hands"),
        (BASE, "hands", [["S3", "S3"], [], []], r"hands\[0\]"),
        (BASE, "hands", [["S1"], ["H3"], ["D3"]], r"hands\[0\]\[0\]"),
        (BASE, "hands", [[5], ["H3"], ["D3"]], r"hands\[0\]\[0\]"),
        (BASE, "pile", [], "pile"),
        (BASE, "pile", PACK[:2] * 2, "pile"),
        (BASE, "stock", [], "stock"),
        (BASE, "stock", PACK, "stock"),
        (BASE, "stock", {"S3": 1}, "stock"),
        (BASE, "suit", "X", "suit"),
        (BASE, "suit", None, "suit"),
        (BASE, "direction", 0, "direction"),
        (BASE, "direction", True, "direction"),
        (BASE, "turn", None, "turn"),
        (BASE, "turn", 3, "turn"),
        (BASE, "turn", -1, "turn"),
        (BASE, "turn", True, "turn"),
        (BASE, "first", 10**30, "first"),
        (BASE, "turns", 2000, "turns"),
        (BASE, "turns", -1, "turns"),
        (BASE, "pending", 3, "pending"),
        (BASE, "pending", 10, "pending"),
        (BASE, "pending", 2, "pending"),
        (BASE, "drawn", "S2", "drawn"),
        (BASE, "drawn", 7, "drawn"),
        (BASE, "phase", "over", "phase"),
        (BASE, "phase", "shooting", "phase"),
        (BASE, "phase", [], "phase"),
        (BASE, "asked", [1], "asked"),
        (BASE, "end", "out", "end"),
        (SHOT, "put_down", [], "put_down"),
        (SHOT, "put_down", ["S2", "H3"], "put_down"),
        (SHOT, "asked", [], "asked"),
        (SHOT, "asked", [0, 0], "asked"),
        (SHOT, "answers", [True, True, True], "answers"),
        (SHOT, "answers", [1], "answers"),
        (RETURN, "answers", [], "answers"),
        (RETURN, "phase", "shoot", "answers"),
    ],
)
def test_states_that_cannot_be(case: Any, field: str, value: Any, where: str) -> None:
    rules = GAME.options.parse(case["rules"])
    with pytest.raises(InputError, match=rf"^state\.{where}: .") as error:
        GAME.parse_state(rules, case["state"] | {field: value})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("key", list(BASE["state"]))
def test_states_without_a_key(key: str) -> None:
    state = {name: value for name, value in BASE["state"].items() if name != key}
    with pytest.raises(InputError, match=rf"^state\.{key}: is missing"):
        GAME.parse_state(GAME.options.parse(BASE["rules"]), state)


def test_states_with_anything_anywhere() -> None:
    """Whatever stands there, it is read or refused in one line, and what is read can be played."""
    source = random.Random(9)
    anything: list[Any] = [None, True, -1, 0, 1, 2, 7, 10**40, 0.5, "", "S2", "S8", "shoot", [], ["S2"], [[]], {}]
    moves = blank(moves_dtype(GAME.max_moves))
    read = refused = 0
    for _ in range(3000):
        case = source.choice(POSITIONS)
        rules = GAME.options.parse(case["rules"])
        other = source.choice(POSITIONS)["state"]
        state = dict(case["state"])
        for _ in range(source.choice([1, 1, 2])):
            key = source.choice(list(state))
            state[key] = source.choice([*anything, other[key], other[key]])
        try:
            record = GAME.parse_state(rules, state)
        except InputError as error:
            refused += len(str(error).splitlines()) == 1
            continue
        for move in moves.list[: legal_moves(rules, record, moves)].copy():
            play(rules, record.copy(), move)
        read += 1
    assert min(read, refused) > 100


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no card"),
        ("X5", "no card"),
        ("S1", "no card"),
        ("S5+S5", "twice"),
        ("S5+S6", "one number"),
        ("D5+H5+C5", "order S H D C"),
        ("S8", "names a suit"),
        ("S8:", "names a suit"),
        ("S8:SH", "names a suit"),
        ("S5:H", "only an 8"),
        ("Draw", "no card"),
    ],
)
def test_moves_that_are_none(text: str, why: str) -> None:
    state = blank(GAME.state_dtype)
    deal(RULES, state, 0, 1)
    with pytest.raises(InputError, match=why):
        GAME.parse_move(RULES, state, text)


def test_symbols_are_read_too() -> None:
    assert GAME.format_move(RULES, GAME.parse_move(RULES, None, "♠8+♥8:♣")) == "S8+H8:C"


MATCH = next(case for case in GAMES if len(case["deals"]) > 1 and any(deal["new_stocks"] for deal in case["deals"]))
WITH_REFILL = next(place for place, deal in enumerate(MATCH["deals"]) if deal["new_stocks"])


@pytest.mark.parametrize(
    ("place", "field", "value", "where"),
    [
        (0, "hands", [], "hands"),
        (0, "first", 9, "first"),
        (0, "moves", [], "moves"),
        (0, "moves", {}, "moves"),
        (0, "moves", ["draw"], r"moves\[0\]"),
        (0, "moves", [[0, 5]], r"moves\[0\]"),
        (0, "moves", [[7, "draw"]], r"moves\[0\]"),
        (0, "up_card", "S0", "up_card"),
        (0, "stock", [], "stock"),
        (0, "end", "return of the king", "end"),
        (0, "scores", [0], "scores"),
        (0, "hands_left", [], "hands_left"),
        (0, "new_stocks", 5, "new_stocks"),
        (0, "key", "x", "key"),
        (0, "key", 2**64, "key"),
        (0, "key", 5, "key"),
        (1, "first", 99, "first"),
        (WITH_REFILL, "new_stocks", [], "new_stocks"),
        (WITH_REFILL, "new_stocks", [["S3"]], r"new_stocks\[0\]"),
        (WITH_REFILL, "new_stocks", [PACK], r"new_stocks\[0\]"),
    ],
)
def test_matches_that_cannot_be(place: int, field: str, value: Any, where: str) -> None:
    deals = [deal | {field: value} if index == place else deal for index, deal in enumerate(MATCH["deals"])]
    with pytest.raises(InputError, match=rf"^game\.deals\[{place}\]\.{where}: ."):
        GAME.replay(GAME.options.parse(MATCH["rules"]), MATCH | {"deals": deals})


def test_other_matches_that_cannot_be() -> None:
    rules = GAME.options.parse(MATCH["rules"])
    moves = MATCH["deals"][0]["moves"]
    for changed, message in (
        ({"moves": moves[:-1]}, "is not over"),
        ({"moves": [*moves, moves[-1]]}, "was over"),
        ({"moves": [[moves[0][0], "shoot"], *moves[1:]]}, r"not legal: B5\.1"),
        ({"new_stocks": [*MATCH["deals"][0]["new_stocks"], ["S3"]]}, "new_stocks"),
    ):
        with pytest.raises(InputError, match=message):
            GAME.replay(rules, MATCH | {"deals": [MATCH["deals"][0] | changed]})
    for changed, message in (({"totals": [0]}, "totals"), ({"places": None}, "places"), ({"deals": []}, "deals")):
        with pytest.raises(InputError, match=rf"^game\.{message}: "):
            GAME.replay(rules, MATCH | changed)
