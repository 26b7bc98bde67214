"""The slow twin of the Daifugo rules against every case of the four files."""

import json
from pathlib import Path
from typing import Any

import pytest

from . import daifugo

CASES = Path(__file__).parents[1] / "cases"
PERFT = json.loads((CASES / "daifugo_perft.json").read_text(encoding="utf-8"))


def records(name: str) -> list[dict[str, Any]]:
    """The records of a file with one JSON object a line."""
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def shown(state: dict[str, Any]) -> dict[str, Any]:
    """What of a state has to agree: everything, or once the game is over only how it ended."""
    return state if state["turn"] is not None else {key: state[key] for key in ("turn", "ranking", "reasons")}


def test_positions() -> None:
    """Legal plays and the states after some of them; the given state stays as it was."""
    checked = results = 0
    for case in records("daifugo_positions.jsonl"):
        rules, state, before = case["rules"], case["state"], json.dumps(case["state"])
        legal = daifugo.legal(rules, state)
        assert legal == set(case["legal"]), f"position {case['id']}"
        for result in case["results"]:
            after = daifugo.apply(rules, state, result["play"])
            assert shown(after) == shown(result["state"]), f"position {case['id']}, {result['play']}"
            results += 1
        for play in legal:
            daifugo.apply(rules, state, play)
        assert json.dumps(state) == before, f"position {case['id']}"
        checked += 1
    assert (checked, results) == (675, 1285)


def test_games() -> None:
    """Whole games: every play legal, the end exactly at the last one, ranking, reasons and points."""
    checked = 0
    for game in records("daifugo_games.jsonl"):
        expected = {key: game[key] for key in ("ranking", "reasons", "points")}
        assert daifugo.replay(game["rules"], game) == expected, f"game {game['id']}"
        checked += 1
    assert checked == 104


def test_replay_refuses_wrong_games() -> None:
    """A game cut short, one with a play too many and one with an illegal play."""
    game = records("daifugo_games.jsonl")[0]
    for plays in (game["plays"][:-1], [*game["plays"], "-"], ["S:S<", *game["plays"][1:]]):
        with pytest.raises(ValueError, match=r"not over|not legal"):
            daifugo.replay(game["rules"], {**game, "plays": plays})


def test_tribute() -> None:
    """What is given, all that may be returned, the hands afterwards and the next leader."""
    checked = 0
    for case in records("daifugo_tribute.jsonl"):
        returned = [pair["returned"] for pair in case["exchange"]]
        answer = daifugo.tribute(case["rules"], case["previous"], case["hands"], returned)
        for pair in case["exchange"]:
            pair["legal_returns"].sort()
        assert answer == {key: case[key] for key in ("exchange", "after", "leader")}, f"tribute {case['id']}"
        checked += 1
    assert checked == 26


@pytest.mark.parametrize("case", PERFT, ids=[str(case["id"]) for case in PERFT])
def test_perft(case: dict[str, Any]) -> None:
    """The numbers of sequences of plays, also by first play, and of whole games where they were counted."""
    rules, state = case["rules"], case["state"]
    assert daifugo.perft(rules, state, len(case["perft"])) == case["perft"]
    assert daifugo.divide(rules, state, len(case["perft"])) == case["divide"]
    if case["games"] is not None:
        assert daifugo.games(rules, state) == case["games"]


def test_perft_has_all_cases() -> None:
    """All counts of the file were checked above."""
    assert len(PERFT) == 7
    assert sum(case["games"] is not None for case in PERFT) == 3


# Clauses that none of the cases tell apart from their opposite.

FEDERATION = PERFT[0]["rules"]
HOUSE = FEDERATION | {"foul_finish": "house"}


@pytest.mark.parametrize(
    ("rules", "hand", "play", "foul"),
    [
        (HOUSE, "S4 H4 D4 C4", "G:S4 H4 D4 C4", True),  # D8.2 house: it makes a revolution
        (HOUSE | {"revolution": False}, "S4 H4 D4 C4", "G:S4 H4 D4 C4", False),
        (HOUSE | {"sequence_revolution": 3}, "S4 S5 S6", "Q:S4 S5 S6", True),
        (HOUSE, "S4 S5 S6", "Q:S4 S5 S6", False),
        (FEDERATION | {"eight_cut": "off"}, "H8", "S:H8", True),  # D8.2 federation: even where they do nothing else
        (FEDERATION | {"spade3": False}, "S3", "S:S3", True),
        (FEDERATION, "H3", "S:H3", False),
    ],
)
def test_forbidden_last_plays(rules: dict[str, Any], hand: str, play: str, foul: bool) -> None:
    """D8.2"""
    after = daifugo.apply(rules, daifugo.new_game(rules, [hand, "H5", "H6", "H7"], "", 0, None), play)
    assert (after["out"], after["sunk"]) == (([], [[0, "foul"]]) if foul else ([0], []))


@pytest.mark.parametrize(("order", "ranking"), [("time", [0, 2, 1, 3]), ("foul_below", [0, 2, 3, 1])])
def test_fall_before_a_foul(order: str, ranking: list[int]) -> None:
    """D8.4 The daifugo of before falls as seat 0 goes out, then seat 1 ends on a 2."""
    rules = FEDERATION | {"sunk_order": order}
    state = daifugo.new_game(rules, ["H4", "D2", "H6", "H7"], "", 0, [3, 0, 1, 2])
    for play in ("S:H4", "S:D2"):
        state = daifugo.apply(rules, state, play)
    assert state["ranking"] == ranking


def test_joker_named_as_jack_makes_j_back() -> None:
    """D3.4, D6.2 In a sequence, where no natural J is beside it; a wild joker makes none."""
    for joker_as, play, jback in (("card", "Q:S9 ST JK=SJ", True), ("wild", "Q:S9 ST JK", False)):
        rules = FEDERATION | {"j_back": True, "joker_as": joker_as}
        state = daifugo.new_game(rules, ["H5 S9 ST JK", "H6", "H7", "H8"], "", 0, None)
        assert daifugo.apply(rules, state, play)["jback"] is jback


@pytest.mark.parametrize("first_lead", ["diamond3", "diamond3_always"])
def test_diamond3_in_the_blind(first_lead: str) -> None:
    """D9.4 Nobody holds it: the leader is drawn at random."""
    rules = FEDERATION | {"first_lead": first_lead}
    assert daifugo.first_leader(rules, ["H3", "H4", "H5", "H6"], None) is None
    assert daifugo.first_leader(rules, ["H3", "H4", "D3", "H6"], None) == 2
