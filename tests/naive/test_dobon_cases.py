"""The slow twin of the Dobon rules against every case of the three files."""

import json
from pathlib import Path
from typing import Any

import pytest

from . import dobon

CASES = Path(__file__).parents[1] / "cases"


def records(kind: str) -> list[dict[str, Any]]:
    """The records of a file with one JSON object a line."""
    return [json.loads(line) for line in (CASES / f"dobon_{kind}.jsonl").read_text(encoding="utf-8").splitlines()]


def test_positions() -> None:
    """Legal moves and the states after some of them; the given state stays as it was."""
    checked = results = 0
    for case in records("positions"):
        rules, state = case["rules"], case["state"]
        before = json.dumps(state)
        assert sorted(dobon.legal(rules, state)) == case["legal"], case["id"]
        for result in case["next"]:
            stocks = [result["new_stock"]] if "new_stock" in result else None
            after = dobon.apply(rules, state, result["move"], stocks)
            assert dobon.shown(after) == dobon.shown(result["state"]), f"{case['id']}, {result['move']}"
            assert not stocks
            results += 1
        assert json.dumps(state) == before, case["id"]
        checked += 1
    assert (checked, results) == (166, 295)


def test_games() -> None:
    """Whole matches: every move legal, who begins, the end exactly at the last move, scores and places."""
    checked = 0
    for match in records("games"):
        assert dobon.replay(match["rules"], match) == {key: match[key] for key in ("totals", "places")}, match["id"]
        checked += 1
    assert checked == 30


def test_replay_refuses_wrong_games() -> None:
    """A deal cut short, one with a move too many, an illegal move, and a wrong seat."""
    match = records("games")[0]
    deal = match["deals"][0]
    moves = deal["moves"]
    for wrong in (moves[:-1], [*moves, [0, "pass"]], [[0, "SK"], *moves[1:]], [[1, moves[0][1]], *moves[1:]]):
        with pytest.raises(ValueError, match=r"is over|not over|not legal"):
            dobon.replay(match["rules"], {**match, "deals": [{**deal, "moves": wrong}]})


@pytest.mark.parametrize("case", records("perft"), ids=lambda case: case["id"])
def test_perft(case: dict[str, Any]) -> None:
    """The numbers of sequences of moves."""
    state = case["state"]
    assert dobon.perft(case["rules"], state, len(case["perft"])) == case["perft"]


def test_perft_has_all_cases() -> None:
    assert len(records("perft")) == 5
