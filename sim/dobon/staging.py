"""A first deal as a study wants it: any seat can be the one that begins."""

from collections.abc import Mapping
from typing import Any

from ..game import deal
from .rules import Rules


def conditions(rules: Rules) -> dict[str, int]:
    """Return what can be set, and how many levels it has: `leader`, by seats."""
    return {"leader": rules.players}


def stage(rules: Rules, state: Any, key: int, levels: Mapping[str, int]) -> None:
    """Deal the first deal of a match into a state, with seat ``leader`` to begin."""
    deal(rules, state, 0, key)
    if "leader" in levels:
        state.first = state.player = state.turn = levels["leader"]
