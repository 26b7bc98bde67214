"""What there is: games and agents, for people and for programs."""

import json
import re
from typing import Any

import pytest
from agari.agents.registry import AGENTS, describe_options, parse_agent
from agari.experiments.cli import main
from agari.sim.errors import InputError
from agari.sim.games import ruleset, ruleset_names
from agari.sim.options import Kind, Points
from click.testing import CliRunner


def shown(*arguments: str) -> str:
    """What a command prints."""
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    return result.stdout


def test_games_for_programs() -> None:
    """Each ruleset's rules by number of players, as they stand in records."""
    rulesets = [json.loads(line) for line in shown("games", "--json").splitlines()]
    assert [described["name"] for described in rulesets] == ruleset_names()
    for described in rulesets:
        assert described["rules"]
        assert described["players"] == ruleset(described["name"]).rules.players
        for players, rules in described["rules"].items():
            game, expected = ruleset(described["name"], int(players))[1:]
            assert game.options.parse(rules) == expected
        assert described["games"][0] in described["games"]
    federation = rulesets[0]
    assert (federation["game"], federation["games"]) == ("daifugo", [4, 8, 12])
    assert list(federation["rules"]) == ["4", "5", "6"]


def test_games_name_every_value_of_an_option_and_no_other() -> None:
    """What is listed is taken; what is beyond is refused as a value, not for what it would lead to."""
    described = json.loads(shown("games", "--json").splitlines()[0])
    game, rules = ruleset("federation", 4)[1:]
    record = game.options.format(rules)
    assert list(described["values"]) == list(record)
    for option, values in described["values"].items():
        if isinstance(values, list):
            inside, outside = values, ["other"]
        else:
            inside, outside = [values["from"], values["to"]], [values["from"] - 1, values["to"] + 1]
        for value in (*inside, *outside):
            changed = {option: [value] * 4 if option == "points" else value}
            if option == "players":
                changed["points"] = [0] * value
            try:
                game.options.parse(record | changed)
            except InputError as error:
                refused_as_a_value = str(error).startswith(f"option {option}: ")
            else:
                refused_as_a_value = False
            assert refused_as_a_value == (value in outside), (option, value)


@pytest.mark.parametrize("name", ruleset_names())
def test_games_of_a_name(name: str) -> None:
    """A ruleset alone, or all rulesets of a game; a name that is neither is told which there are."""
    (alone,) = [json.loads(line) for line in shown("games", name, "--json").splitlines()]
    assert alone["name"] == name
    together = [json.loads(line)["name"] for line in shown("games", alone["game"], "--json").splitlines()]
    assert together == list(ruleset(name).game.presets)
    assert shown("games", name) in shown("games")


def test_games_of_an_unknown_name() -> None:
    result = CliRunner().invoke(main, ["games", "whist"])
    assert result.exit_code != 0
    assert result.stdout == ""
    assert (
        result.stderr == "agari: unknown game 'whist'; the games are federation, house, uecda, voodoo_prince, dobon\n"
    )


def first_value(kind: Kind, players: int) -> Any:
    """A value that an option can have."""
    values = kind.values()
    first = values[0] if isinstance(values, list) else values["from"]
    return [first] * players if isinstance(kind, Points) else first


@pytest.mark.parametrize("name", ruleset_names())
def test_games_for_people(name: str) -> None:
    """Every option with its default for each number of players, written as `--set` takes it."""
    table = re.search(rf"^{name}: .*?(?=^\w+: |\Z)", shown("games"), re.MULTILINE | re.DOTALL)
    assert table
    rows = dict(re.findall(r"^ +(\w+) {2,}(.*?) *$", table[0], re.MULTILINE))
    headings = re.findall(r"(\d) players", rows.pop("option"))
    by_players = dict(sorted(ruleset(name).game.presets[name].by_players.items()))
    usual = ruleset(name).rules.players
    assert f"by {', '.join(map(str, by_players))} (--players), {usual} by default." in table[0]
    assert headings == [str(players) for players in by_players]
    for column, (players, rules) in enumerate(by_players.items()):
        game = ruleset(name, players).game
        assert set(rows) == set(rules._fields) - {"players"}
        others = {
            option: kind.parse(option, first_value(kind, players), players)
            for option, kind in game.options.kinds.items()
        }
        changed = rules._replace(**others | {"players": players})
        changed = game.options.set(changed, {option: values.split()[column] for option, values in rows.items()})
        assert changed == rules


def test_agents_for_programs() -> None:
    """Each agent with its options; every default can be given, and every option is explained."""
    kinds = [json.loads(line) for line in shown("agents", "--json").splitlines()]
    assert [kind["name"] for kind in kinds] == list(AGENTS)
    for kind in kinds:
        assert kind["description"]
        assert {option: described["default"] for option, described in kind["options"].items()} == describe_options(
            AGENTS[kind["name"]]
        )
        assert all(described["meaning"] for described in kind["options"].values())
        given = ",".join(f"{option}={described['default']}" for option, described in kind["options"].items())
        parse_agent(f"{kind['name']}({given})").build()


def test_agents_for_people() -> None:
    table = shown("agents")
    for name, agent_class in AGENTS.items():
        assert re.search(rf"^ +{name} ", table, re.MULTILINE)
        for option, default in describe_options(agent_class).items():
            assert re.search(rf"^ +{option} +{re.escape(str(default))} +\w", table, re.MULTILINE)
    assert "my_module:MyAgent" in table
