"""The commands that print what there is: games and agents."""

import inspect
import re
from typing import Any

import click

from ..jsonl import print_rich, write_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line instead of tables.")
def games(as_json: bool) -> None:
    """Print the games, their numbers of players and the defaults of their options."""
    rulesets = list_games()
    if as_json:
        for ruleset in rulesets:
            write_json(ruleset)
        return
    from rich import box
    from rich.table import Table

    for ruleset in rulesets:
        table = Table(box=box.SIMPLE_HEAD)
        table.add_column("option")
        for players in ruleset["rules"]:
            table.add_column(f"{players} players")
        for option in next(iter(ruleset["rules"].values())):
            if option != "players":
                table.add_row(option, *(option_text(rules[option]) for rules in ruleset["rules"].values()))
        lengths = ", ".join(map(str, ruleset["games"]))
        print_rich(
            f"{ruleset['name']}: {ruleset['description']}",
            f"A match has {lengths} games (--games), the first by default. Any option can be set: --set option=value.",
            table,
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
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("agent", "option", "default", "meaning"):
        table.add_column(heading)
    for kind in kinds:
        table.add_row(kind["name"], "", "", kind["description"])
        for option, described in kind["options"].items():
            table.add_row("", option, option_text(described["default"]), described["meaning"])
    print_rich(table, "Options are given as in mc(playouts=200); your own agent as in my_module:MyAgent(x=3).")


def list_games() -> list[dict[str, Any]]:
    """Return ``{"name", "game", "description", "games", "rules"}`` of each ruleset, `rules` by number of players."""
    from ...sim.games import GAMES

    return [
        {
            "name": name,
            "game": game.name,
            "description": preset.description,
            "games": list(preset.match_games),
            "rules": {str(players): game.format_rules(rules) for players, rules in preset.by_players.items()},
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


def option_text(value: Any) -> str:
    """Return the value of an option as it is written in a command: on or off, 6,4,2,0, or the word or number itself."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
