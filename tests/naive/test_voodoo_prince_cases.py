"""The slow twin of Voodoo Prince against every case of its three files."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from . import voodoo_prince as naive

CASES = Path(__file__).parents[1] / "cases"


def records(kind: str) -> list[dict[str, Any]]:
    """All cases of a kind: positions, games or perft."""
    lines = (CASES / f"voodoo_{kind}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def shown(state: dict[str, Any]) -> dict[str, Any]:
    """What of a state has to agree: the leader means nothing once the round is over."""
    return {key: value for key, value in state.items() if key != "leader" or state["turn"] is not None}


def test_positions() -> None:
    """Legal moves and the states after some of them; the given state stays as it was."""
    checked = followed = 0
    for case in records("positions"):
        rules, state, before = case["rules"], case["state"], copy.deepcopy(case["state"])
        assert naive.legal(rules, state) == set(case["legal"]), case["id"]
        for result in case["next"]:
            assert shown(naive.apply(rules, state, result["move"])) == shown(result["state"]), case["id"]
            followed += 1
        assert state == before
        checked += 1
    assert (checked, followed) == (163, 297)


def test_games() -> None:
    checked = 0
    for game in records("games"):
        expected = {"totals": game["totals"], "places": game["places"]}
        assert naive.replay(game["rules"], game) == expected, game["id"]
        checked += 1
    assert checked == 30


def test_perft() -> None:
    checked = 0
    for case in records("perft"):
        assert naive.perft(case["rules"], case["state"], len(case["perft"])) == case["perft"], case["id"]
        checked += 1
    assert checked == 5


def test_replay_refuses_wrong_games() -> None:
    game = records("games")[0]
    for change in ("leader", "hands", "moves", "scores"):
        wrong = copy.deepcopy(game)
        played = wrong["rounds"][1]
        if change == "leader":
            played["leader"] = 1 - played["leader"]
        elif change == "hands":
            played["hands"][0][0] = played["hands"][1][0]
        elif change == "moves":
            played["moves"].pop()
        else:
            played["scores"][0] += 1
        with pytest.raises(ValueError, match="round 1"):
            naive.replay(wrong["rules"], wrong)
