"""The kernels against every case of the four files."""

from collections import Counter
from typing import Any

import pytest
from agari.sim.game import play
from agari.sim.perft import divide

from ..case_files import GAME, Case, cases, preset_of, what_counts
from ..table import legal_texts

POSITIONS, GAMES, TRIBUTES, PERFT = (cases(kind) for kind in ("positions", "games", "tribute", "perft"))


@pytest.mark.parametrize(
    ("found", "number", "of_presets"),
    [
        (
            POSITIONS,
            675,
            {"federation 4": 80, "federation 5": 26, "federation 6": 34, "house 3": 19, "house 4": 30, "uecda 5": 125},
        ),
        (
            GAMES,
            104,
            {"federation 4": 1, "federation 5": 1, "federation 6": 1, "house 3": 3, "house 4": 1, "uecda 5": 1},
        ),
        (
            TRIBUTES,
            26,
            {"federation 4": 4, "federation 5": 5, "federation 6": 4, "house 3": 4, "house 4": 2, "uecda 5": 5},
        ),
        (PERFT, 7, {"federation 4": 2, "house 3": 1, "house 4": 1, "uecda 5": 1}),
    ],
    ids=["positions", "games", "tribute", "perft"],
)
def test_how_many_cases_there_are(found: list[Case], number: int, of_presets: dict[str, int]) -> None:
    """All that follow, and those of them whose rules are exactly a preset, by its number of players."""
    assert len(found) == number
    presets = Counter(map(preset_of, found))
    del presets[None]
    assert presets == of_presets


@pytest.mark.parametrize("case", POSITIONS, ids=[str(case["id"]) for case in POSITIONS])
def test_position(case: Case) -> None:
    """The legal plays, and the whole state after some of them; every legal play can be made, and nothing is illegal."""
    rules, state = read(case)
    assert GAME.format_rules(rules) == case["rules"]
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
    replayed = GAME.replay(GAME.parse_rules(case["rules"]), case)
    assert replayed == {key: case[key] for key in ("ranking", "reasons", "points")}


@pytest.mark.parametrize("case", TRIBUTES, ids=[str(case["id"]) for case in TRIBUTES])
def test_tribute(case: Case) -> None:
    """What is given, all that may be returned, the hands afterwards and the next leader."""
    made = GAME.tribute(GAME.parse_rules(case["rules"]), case)
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
    rules = GAME.parse_rules(case["rules"])
    return rules, GAME.parse_state(rules, case["state"])
