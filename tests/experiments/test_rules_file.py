"""A ruleset of one's own as a TOML file."""

from pathlib import Path

import pytest
from agari.experiments.rules_file import RulesFile, read_rules_file
from agari.sim.errors import InputError
from agari.sim.games import ruleset

from ..daifugo_table import GAME


def test_a_file_says_what_the_command_line_can(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'game = "house"\nplayers = 4\nj_back = false\nfoul_finish = true\npoints = [5, 3, 1, 0]\nblind = 2\n'
    )
    found = read_rules_file(path)
    assert (found.game, found.players) == ("house", 4)
    by_text = [("j_back", "off"), ("foul_finish", "on"), ("points", "5,3,1,0"), ("blind", "2")]
    assert ruleset("house", 4, found.options).rules == ruleset("house", 4, by_text).rules
    assert GAME.options.format(ruleset("house", 4, found.options).rules)["foul_finish"] == "house"


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("")
    assert read_rules_file(path) == RulesFile()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"j_back = off", "no valid TOML: "),
        (b"j_back = \xff", "not UTF-8 text"),
        (b"[options]\nj_back = false", "options stand at the top of the file, not in a table [options]"),
        (b"games = 7", "games is no option of the rules: say --games 7"),
        (b"game = 3", "game must be the name of a ruleset"),
        (b"players = true", "players must be a whole number"),
        (b"players = 4.5", "players must be a whole number"),
        (b"a = " + b"[" * 5000, "no valid TOML: "),
        (b"jokers = " + b"9" * 5000, "no valid TOML: "),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: bytes, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(text)
    with pytest.raises(InputError) as error:
        read_rules_file(path)
    assert str(error.value).startswith(f"{path}: {problem}")
    with pytest.raises(InputError, match="No such file"):
        read_rules_file(tmp_path / "other.toml")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("j_back = 1", "option j_back: 1 is neither true nor false"),
        ("j_back = 2020-01-01", "option j_back: "),
        ("eight_cut = 2", "option eight_cut: 2 is none of off, groups, any"),
        ("colour = 'red'", "unknown option 'colour'"),
        ("points = [1, 2]", "option points: [1, 2] is no list of 4 whole numbers"),
        ("blind = 50", "blind=50 leaves 4 cards for 4 players"),
    ],
)
def test_values_that_no_option_takes(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        ruleset("federation", 4, read_rules_file(path).options)
    assert str(error.value).startswith(problem)
