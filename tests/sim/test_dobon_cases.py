"""The kernels against every case of Dobon."""

import json
from pathlib import Path
from typing import Any

import pytest
from agari.sim.dobon.cards import parse_card
from agari.sim.dobon.notation import set_stock, stock_list
from agari.sim.game import play
from agari.sim.games import ruleset
from agari.sim.perft import perft

from ..dobon_table import legal_texts, shown

GAME = ruleset("dobon").game
CASES = Path(__file__).parents[1] / "cases"

Case = dict[str, Any]


def cases(kind: str) -> list[Case]:
    """All cases of a kind: positions, games or perft."""
    return [json.loads(line) for line in (CASES / f"dobon_{kind}.jsonl").read_text(encoding="utf-8").splitlines()]


POSITIONS, GAMES, PERFT = (cases(kind) for kind in ("positions", "games", "perft"))


def test_how_many_cases_there_are() -> None:
    assert (len(POSITIONS), len(GAMES), len(PERFT)) == (166, 30, 5)
    assert sum(len(case["next"]) for case in POSITIONS) == 295
    assert sum("new_stock" in result for case in POSITIONS for result in case["next"]) == 12


def identity(case: Case) -> str:
    return str(case["id"])


@pytest.mark.parametrize("case", POSITIONS, ids=identity)
def test_position(case: Case) -> None:
    """The legal moves, and the whole state after some of them; every legal move can be made, and none is illegal."""
    rules, state = read(case)
    assert GAME.options.format(rules) == case["rules"]
    assert shown(GAME.format_state(rules, state)) == shown(case["state"])
    legal = legal_texts(rules, state)
    assert sorted(legal) == case["legal"]
    for text in legal:
        move = GAME.parse_move(rules, state, text)
        assert GAME.why_illegal(rules, state, move) is None
        assert GAME.format_move(rules, move) == text
        play(rules, state.copy(), move)
    for result in case["next"]:
        after = state.copy()
        if "new_stock" in result:
            set_stock(after, stock_list(after), [parse_card(card) for card in result["new_stock"]])
        play(rules, after, GAME.parse_move(rules, state, result["move"]))
        assert after.staged == 0
        assert shown(GAME.format_state(rules, after)) == shown(result["state"]), result["move"]


@pytest.mark.parametrize("case", GAMES, ids=identity)
def test_game(case: Case) -> None:
    """Every move legal, who begins, the end exactly at the last move, scores, totals and places."""
    replayed = GAME.replay(GAME.options.parse(case["rules"]), case)
    assert replayed == {key: case[key] for key in ("totals", "places")}


@pytest.mark.parametrize("case", PERFT, ids=identity)
def test_perft(case: Case) -> None:
    """The numbers of sequences of moves."""
    rules, state = read(case)
    assert perft(rules, state, len(case["perft"])).tolist() == case["perft"]


def read(case: Case) -> tuple[Any, Any]:
    """The rules and the state of a case."""
    rules = GAME.options.parse(case["rules"])
    return rules, GAME.parse_state(rules, case["state"])
