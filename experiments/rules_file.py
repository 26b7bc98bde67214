"""A ruleset of one's own as a TOML file, as in ``--rules mine.toml``.

game = "house"      # the ruleset that it changes; --game where it is left out
players = 4         # the same as --players
j_back = false      # any options of the game
points = [5, 3, 1, 0]
"""

from pathlib import Path
from typing import Any, NamedTuple

from ..sim.errors import InputError, shorten
from .toml_file import read_toml


class RulesFile(NamedTuple):
    """What a file of rules says."""

    game: str | None = None
    players: int | None = None
    options: tuple[tuple[str, Any], ...] = ()


def read_rules_file(path: Path | str) -> RulesFile:
    """Return what a file of rules says; raises InputError where it cannot be read. Options are not checked yet."""
    values = read_toml(path)
    game, players = values.pop("game", None), values.pop("players", None)
    if game is not None and not isinstance(game, str):
        raise InputError(f'{path}: game must be the name of a ruleset, as in game = "house"')
    if players is not None and (isinstance(players, bool) or not isinstance(players, int)):
        raise InputError(f"{path}: players must be a whole number")
    for name, value in values.items():
        if name == "games":
            raise InputError(f"{path}: games is no option of the rules: say --games {shorten(str(value))}")
        if isinstance(value, dict):
            raise InputError(f"{path}: options stand at the top of the file, not in a table [{name}]")
    return RulesFile(game, players, tuple(values.items()))
