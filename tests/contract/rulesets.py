"""The rules that the tests of the contract play: all rulesets for all numbers of players, and some drawn at random."""

import random
from typing import Any, NamedTuple

from agari.sim.game import Game
from agari.sim.games import GAMES

from ..playing import Table


class Played(NamedTuple):
    """Rules of a game, and a table to play them at."""

    name: str
    game: Game
    rules: Any
    table: Table


TABLES = {game.name: Table(game) for game in GAMES}


def preset_rules() -> list[Played]:
    """Every ruleset for every number of players."""
    return [
        Played(f"{name} {players}", game, rules, TABLES[game.name])
        for game in GAMES
        for name, preset in game.presets.items()
        for players, rules in preset.by_players.items()
    ]


def drawn_rules(count: int, seed: int = 1) -> list[Played]:
    """So many rules of each game whose options are drawn one by one; a lead that may be passed must end."""
    found = []
    for game in GAMES:
        source = random.Random(seed)
        for number in range(count):
            preset = source.choice(list(game.presets.values()))
            rules = source.choice(list(preset.by_players.values()))
            for option, values in game.options.values().items():
                if isinstance(values, list) and option != "lead_pass":
                    rules = game.options.set(rules, {option: source.choice(values)})
            found.append(Played(f"{game.name} drawn {number}", game, rules, TABLES[game.name]))
    return found


PRESETS = preset_rules()
EVERY = PRESETS + drawn_rules(4)
ONE_EACH = [next(played for played in PRESETS if played.game is game) for game in GAMES]


def name_of(played: Played) -> str:
    """What a test is called by the rules that it plays."""
    return played.name
