"""The cases of an independent implementation (tests/cases), and perft cases of our own (tests/twin/perft_cases.py)."""

import json
from pathlib import Path
from typing import Any

from agari.sim.daifugo.presets import PRESETS
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


def own_perft() -> list[Case]:
    """The perft cases that the slow twin counted, some for every ruleset."""
    found: list[Case] = json.loads((CASES / "own_perft.json").read_text(encoding="utf-8"))
    return found


def preset_of(case: Case) -> str | None:
    """The name and number of players of the preset that is exactly the rules of a case, as ``house 4``."""
    rules = GAME.options.parse(case["rules"])
    return next(
        (
            f"{name} {players}"
            for name, preset in PRESETS.items()
            for players, values in preset.by_players.items()
            if values == rules
        ),
        None,
    )


def what_counts(state: Case) -> Case:
    """What of a state has to agree: everything, or once the game is over only how it ended."""
    return state if state["turn"] is not None else {key: state[key] for key in ("turn", "ranking", "reasons")}
