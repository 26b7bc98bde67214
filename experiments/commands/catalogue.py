"""The commands that print what there is: games and agents."""

import inspect
import re
from typing import Any

import click

from ..jsonl import print_rich, write_json


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line instead of tables.")
def games(name: str | None, as_json: bool) -> None:
    """Print the games, their numbers of players, and the defaults and possible values of their options.

    NAME is a ruleset, or a game with all its rulesets; without it all are printed.
    """
    from ...sim.games import game_with

    rulesets = [ruleset for ruleset in list_games() if name in (None, ruleset["name"], ruleset["game"])]
    if not rulesets:
        game_with(name)  # says which there are
    if as_json:
        for ruleset in rulesets:
            write_json(ruleset)
        return
    from ...sim.game import option_text
    from ..tables import WholeTable

    for ruleset in rulesets:
        headings = ["option", *(f"{players} players" for players in ruleset["rules"]), "values"]
        rows = [
            [option, *(option_text(rules[option]) for rules in ruleset["rules"].values()), values_text(option, values)]
            for option, values in ruleset["values"].items()
            if option != "players"
        ]
        lengths = ", ".join(map(str, ruleset["games"])) + (" or any other number of" if ruleset["any_games"] else "")
        default = ruleset["games"][0]
        print_rich(
            f"{ruleset['name']}: {ruleset['description']}",
            f"It is played by {', '.join(ruleset['rules'])} (--players), {ruleset['players']} by default.",
            f"A match has {lengths} games (--games), {default} by default. Any option can be set: --set option=value.",
            WholeTable(headings, rows, folded=("values",)),
        )


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line instead of a table.")
def agents(as_json: bool) -> None:
    """Print the agents that come along, and the defaults of their options."""
    kinds = list_agents()
    if as_json:
        for kind in kinds:
            write_json(kind)
        return
    from ...sim.game import option_text
    from ..tables import WholeTable

    rows = []
    for kind in kinds:
        rows.append([kind["name"], "", "", kind["description"]])
        for option, described in kind["options"].items():
            rows.append(["", option, option_text(described["default"]), described["meaning"]])
    table = WholeTable(["agent", "option", "default", "meaning"], rows, folded=("meaning",))
    print_rich(table, "Options are given as in mc(playouts=200); your own agent as in my_module:MyAgent(x=3).")


def list_games() -> list[dict[str, Any]]:
    """Return ``{"name", "game", "description", "players", "games", "any_games", "rules", "values"}`` of each ruleset.

    `players` is the usual number, `rules` are by number of players. `values` are those that each option can have, a
    list or ``{"from", "to"}``.
    """
    from ...sim.games import GAMES

    return [
        {
            "name": name,
            "game": game.name,
            "description": preset.description,
            "players": next(iter(preset.by_players)),
            "games": list(preset.match_games),
            "any_games": preset.any_games,
            "rules": {str(players): game.options.format(rules) for players, rules in sorted(preset.by_players.items())},
            "values": game.options.values(),
        }
        for game in GAMES
        for name, preset in game.presets.items()
    ]


def list_agents() -> list[dict[str, Any]]:
    """Return ``{"name", "description", "options"}`` of each agent; of each option the default and the meaning."""
    from ...agents.registry import AGENTS, describe_options

    kinds = []
    for name, agent_class in AGENTS.items():
        documentation = inspect.getdoc(agent_class) or ""
        meanings = dict(re.findall(r"^ +(\w+): (.*)$", documentation, re.MULTILINE))
        options = {
            option: {"default": default, "meaning": meanings.get(option, "")}
            for option, default in describe_options(agent_class).items()
        }
        kinds.append({"name": name, "description": documentation.partition("\n")[0], "options": options})
    return kinds


def values_text(option: str, values: Any) -> str:
    """Return the values of an option as they are written in a command: on, off; 0 to 2."""
    from ...sim.game import option_text

    if isinstance(values, list):
        return ", ".join(map(option_text, values))
    each = ", for each place" if option == "points" else ""
    return f"{values['from']} to {values['to']}{each}"
