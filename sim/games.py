"""The games there are, and rulesets by name."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from .daifugo.game import GAME as DAIFUGO
from .dobon.game import GAME as DOBON
from .errors import InputError, shorten
from .game import Game
from .voodoo_prince.game import GAME as VOODOO_PRINCE

GAMES: tuple[Game, ...] = (DAIFUGO, VOODOO_PRINCE, DOBON)


class Ruleset(NamedTuple):
    """A game and its rules, ready to play."""

    name: str
    game: Game
    rules: Any


def ruleset_names() -> list[str]:
    """Return the names that `--game` takes."""
    return [name for game in GAMES for name in game.presets]


def game_with(name: Any) -> Game:
    """Return the game that has a ruleset of a name; raises InputError where there is none."""
    game = next((game for game in GAMES if name in list(game.presets)), None)
    if game is None:
        raise InputError(f"unknown game {shorten(repr(name))}; the games are {', '.join(ruleset_names())}")
    return game


def ruleset(name: str, players: int | None = None, options: Iterable[tuple[str, Any]] = ()) -> Ruleset:
    """Return a named ruleset for a number of players (by default its usual one) with options set, the last one wins.

    Where a game has points for each place, other numbers of players than the ruleset's need these too.
    """
    game = game_with(name)
    by_players = game.presets[name].by_players
    if players is None:
        players = next(iter(by_players))
    values = dict(options)
    if "players" in values:
        raise InputError("set the number of players with --players, since other options depend on it")
    rules = by_players.get(players)
    if rules is None:
        rules = next(iter(by_players.values()))
        usual = ", ".join(map(str, sorted(by_players)))
        if "points" not in game.options.kinds:
            raise InputError(f"{name} is played by {usual}, not by {players}")
        if "points" not in values:
            raise InputError(
                f"{name} is played by {usual}; {players} players need points for each place too (points=…)"
            )
        values = {"players": players, **values}
    return Ruleset(name, game, set_options(name, game, rules, values.items()))


def set_options(name: str, game: Game, rules: Any, options: Iterable[tuple[str, Any]]) -> Any:
    """Return rules of a named ruleset with options set to text, or to values as in JSON.

    Where an option can be on in several ways, `on` is the way of the ruleset.
    """
    values = dict(options)
    switched_on = game.presets[name].switched_on
    for option, way in switched_on.items():
        value = values.get(option)
        if value is True or (isinstance(value, str) and value.lower() in ("on", "true")):
            values[option] = way
    return game.options.set(rules, values)


def game_of(rules: Any) -> Game:
    """Return the game that a rules value belongs to."""
    return next(game for game in GAMES if isinstance(rules, game.options.rules_class))
