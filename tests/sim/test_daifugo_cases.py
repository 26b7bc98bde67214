"""The kernels against every case of the four files."""

from collections import Counter
from typing import Any

import pytest
from agari.sim.game import play
from agari.sim.perft import divide

from ..case_files import GAME, Case, cases, preset_of, what_counts
from ..daifugo_table import legal_texts

POSITIONS, GAMES, TRIBUTES, PERFT = (cases(kind) for kind in ("positions", "games", "tribute", "perft"))


@pytest.mark.parametrize(
    ("kind", "number", "of_presets"),
    [
        ("positions", 675, {"federation": 80 + 26 + 34, "house": 19 + 30, "uecda": 125}),
        ("games", 104, {"federation": 3, "house": 4, "uecda": 1}),
        ("tribute", 26, {"federation": 13, "house": 6, "uecda": 5}),
        ("perft", 7, {"federation": 2, "house": 2, "uecda": 1}),
    ],
)
def test_how_many_cases_there_are(kind: str, number: int, of_presets: dict[str, int]) -> None:
    """All that follow, and those of them whose rules are exactly a preset."""
    found = cases(kind)
    assert len(found) == number
    presets = Counter(preset.split()[0] for case in found if (preset := preset_of(case)))
    assert presets == of_presets


@pytest.mark.parametrize("case", POSITIONS, ids=[str(case["id"]) for case in POSITIONS])
def test_position(case: Case) -> None:
    """The legal plays, and the whole state after some of them; every legal play can be made, and nothing is illegal."""
    rules, state = read(case)
    assert GAME.options.format(rules) == {"tribute": True} | case["rules"]  # the cases are older than the option
    assert GAME.format_state(rules, state) == case["state"]
    legal = legal_texts(rules, state)
    assert sorted(legal) == case["legal"]
    for text in legal:
        assert GAME.why_illegal(rules, state, GAME.parse_move(rules, state, text)) is None
        assert GAME.format_move(rules, GAME.parse_move(rules, state, text)) == text
        play(rules, state.copy(), GAME.parse_move(rules, state, text))
    for result in case["results"]:
        after = state.copy()
        play(rules, after, GAME.parse_move(rules, state, result["play"]))
        assert what_counts(GAME.format_state(rules, after)) == what_counts(result["state"]), result["play"]


def test_how_many_results_there_are() -> None:
    assert sum(len(case["results"]) for case in POSITIONS) == 1285


@pytest.mark.parametrize("case", GAMES, ids=[str(case["id"]) for case in GAMES])
def test_game(case: Case) -> None:
    """Every play legal, the end exactly at the last one, ranking, reasons and points."""
    replayed = GAME.replay(GAME.options.parse(case["rules"]), case)
    assert replayed == {key: case[key] for key in ("ranking", "reasons", "points")}


@pytest.mark.parametrize("case", TRIBUTES, ids=[str(case["id"]) for case in TRIBUTES])
def test_tribute(case: Case) -> None:
    """What is given, all that may be returned, the hands afterwards and the next leader."""
    made = GAME.tribute(GAME.options.parse(case["rules"]), case)
    assert made == {key: case[key] for key in ("exchange", "after", "leader")}


@pytest.mark.parametrize("case", PERFT, ids=[case["name"] for case in PERFT])
def test_perft(case: Case) -> None:
    """The numbers of sequences of plays, the last also by first play."""
    rules, state = read(case)
    moves, counts = divide(rules, state, len(case["perft"]))
    assert counts.sum(axis=0).tolist() == case["perft"]
    divided = {GAME.format_move(rules, move): count for move, count in zip(moves, counts[:, -1], strict=True)}
    assert divided == case["divide"]


def read(case: Case) -> tuple[Any, Any]:
    """The rules and the state of a case."""
    rules = GAME.options.parse(case["rules"])
    return rules, GAME.parse_state(rules, case["state"])
