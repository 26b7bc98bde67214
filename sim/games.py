"""The games there are, and rulesets by name."""

from typing import Any, NamedTuple

from .daifugo.game import GAME as DAIFUGO
from .errors import InputError
from .game import Game

GAMES: tuple[Game, ...] = (DAIFUGO,)


class Ruleset(NamedTuple):
    """A game and its rules, ready to play."""

    name: str
    game: Game
    rules: Any


def ruleset_names() -> list[str]:
    """Return the names that `--game` takes."""
    return [name for game in GAMES for name in game.presets]


def ruleset(name: str, players: int | None = None, options: tuple[tuple[str, str], ...] = ()) -> Ruleset:
    """Return a named ruleset for a number of players (the fewest by default) with options set from text."""
    for game in GAMES:
        if name in game.presets:
            break
    else:
        raise InputError(f"unknown game {name!r}; the games are {', '.join(ruleset_names())}")
    by_players = game.presets[name].by_players
    if players is None:
        players = min(by_players)
    if players not in by_players:
        raise InputError(f"{name} is played by {', '.join(map(str, by_players))}, not by {players}")
    rules = by_players[players]
    for option, text in options:
        if option == "players":
            raise InputError("set the number of players with --players, since other options depend on it")
        rules = game.set_option(rules, option, text)
    return Ruleset(name, game, rules)


def game_of(rules: Any) -> Game:
    """Return the game that a rules value belongs to."""
    return next(game for game in GAMES if isinstance(rules, game.rules_class))
