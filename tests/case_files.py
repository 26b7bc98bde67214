"""The cases of an independent implementation (tests/cases) that the rules of this program reach."""

import json
from pathlib import Path
from typing import Any

from agari.sim.daifugo.rules import PRESETS
from agari.sim.games import ruleset

GAME = ruleset("federation").game
CASES = Path(__file__).parent / "cases"

Case = dict[str, Any]


def cases(kind: str) -> list[Case]:
    """All cases of a kind: positions, games, tribute or perft."""
    if kind == "perft":
        found: list[Case] = json.loads((CASES / "daifugo_perft.json").read_text(encoding="utf-8"))
        return found
    return [json.loads(line) for line in (CASES / f"daifugo_{kind}.jsonl").read_text(encoding="utf-8").splitlines()]


def wild_cases(kind: str) -> list[Case]:
    """The cases of a kind whose jokers are wild."""
    return [case for case in cases(kind) if case["rules"]["joker_as"] == "wild"]


def federation_players(case: Case) -> int | None:
    """The number of players whose federation preset is exactly the rules of a case; None where there is none."""
    rules = GAME.parse_rules(case["rules"])
    return next((players for players, preset in PRESETS["federation"].by_players.items() if preset == rules), None)


def what_counts(state: Case) -> Case:
    """What of a state has to agree: everything, or once the game is over only how it ended."""
    return state if state["turn"] is not None else {key: state[key] for key in ("turn", "ranking", "reasons")}
