"""The kernels of Voodoo Prince against every case of the three files."""

import json
from pathlib import Path
from typing import Any

import pytest
from agari.sim.game import play
from agari.sim.perft import perft

from ..voodoo_table import GAME, legal_texts, shown

CASES = Path(__file__).parents[1] / "cases"


def records(kind: str) -> list[dict[str, Any]]:
    """All cases of a kind: positions, games or perft."""
    lines = (CASES / f"voodoo_{kind}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


POSITIONS, MATCHES, PERFT = (records(kind) for kind in ("positions", "games", "perft"))


def read(case: dict[str, Any]) -> tuple[Any, Any]:
    """The rules and the state of a case."""
    rules = GAME.options.parse(case["rules"])
    return rules, GAME.parse_state(rules, case["state"])


def test_how_many_cases_there_are() -> None:
    assert (len(POSITIONS), sum(len(case["next"]) for case in POSITIONS)) == (163, 297)
    assert (len(MATCHES), len(PERFT)) == (30, 5)


@pytest.mark.parametrize("case", POSITIONS, ids=[case["id"] for case in POSITIONS])
def test_position(case: dict[str, Any]) -> None:
    """The legal moves, and the whole state after some of them; every legal move can be made, and nothing is illegal."""
    rules, state = read(case)
    assert GAME.options.format(rules) == case["rules"]
    assert GAME.format_state(rules, state) == case["state"]
    legal = legal_texts(rules, state)
    assert sorted(legal) == case["legal"]
    for text in legal:
        move = GAME.parse_move(rules, state, text)
        assert GAME.why_illegal(rules, state, move) is None
        assert GAME.format_move(rules, move) == text
    for result in case["next"]:
        after = state.copy()
        play(rules, after, GAME.parse_move(rules, state, result["move"]))
        assert shown(GAME.format_state(rules, after)) == shown(result["state"]), result["move"]


@pytest.mark.parametrize("case", MATCHES, ids=[case["id"] for case in MATCHES])
def test_match(case: dict[str, Any]) -> None:
    """Every move legal, each round over exactly at its last one, its end as it is told, totals and places."""
    replayed = GAME.replay(GAME.options.parse(case["rules"]), case)
    assert replayed == {key: case[key] for key in ("totals", "places")}


@pytest.mark.parametrize("case", PERFT, ids=[case["id"] for case in PERFT])
def test_perft(case: dict[str, Any]) -> None:
    rules, state = read(case)
    assert perft(rules, state, len(case["perft"])).tolist() == case["perft"]
