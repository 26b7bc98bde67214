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


NEVER_ENDING = ("lead_pass", "pass_limit")  # options with which random play may have no end

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
    """So many rules of each game with options drawn one by one: words and switches any, numbers near what is usual."""
    found = []
    for game in GAMES:
        source = random.Random(seed)
        for number in range(count):
            preset = source.choice(list(game.presets.values()))
            rules = source.choice(list(preset.by_players.values()))
            usual = game.options.format(rules)
            for option, values in game.options.values().items():
                if option in NEVER_ENDING or option == "players" or isinstance(usual[option], list):
                    continue
                if isinstance(values, list):
                    value = source.choice(values)
                elif isinstance(usual[option], float):
                    value = source.choice([values["from"], values["to"], (values["from"] + values["to"]) / 2])
                else:
                    value = source.choice([usual[option], usual[option] // 2, usual[option] + 1])
                    value = min(max(value, values["from"]), values["to"])
                rules = game.options.set(rules, {option: value})
            found.append(Played(f"{game.name} drawn {number}", game, rules, TABLES[game.name]))
    return found


PRESETS = preset_rules()
EVERY = PRESETS + drawn_rules(4)
ONE_EACH = [next(played for played in PRESETS if played.game is game) for game in GAMES]


def name_of(played: Played) -> str:
    """What a test is called by the rules that it plays."""
    return played.name
