"""Rules as data: the presets of D10, and options read, written and refused."""

import random
import re
from typing import Any

import pytest
from agari.sim.daifugo.presets import PRESETS
from agari.sim.daifugo.rules import COUNTS, SWITCHES, WORDS, Rules
from agari.sim.errors import InputError
from agari.sim.games import GAMES, game_of, ruleset, ruleset_names

from ..case_files import cases, preset_of
from ..daifugo_table import GAME, federation, random_options

FEDERATION = GAME.options.format(federation())


def refused(**changes: Any) -> str:
    """The line that says why these options are no rules."""
    with pytest.raises(InputError) as error:
        GAME.options.parse(FEDERATION | changes)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_presets() -> None:
    """What their options are the cases of an independent implementation say, under the same names."""
    met = set()
    for kind in ("positions", "games", "tribute"):
        for case in cases(kind):
            named = re.fullmatch(r"(federation|house|uecda)(\d?)", case["ruleset"])
            if named:
                assert preset_of(case) == f"{named[1]} {named[2] or 5}"
                met.add(preset_of(case))
    assert met == {f"{name} {players}" for name, preset in PRESETS.items() for players in preset.by_players}
    assert {name: preset.match_games for name, preset in PRESETS.items()} == {
        "federation": (4, 8, 12), "house": (3, 5, 7), "uecda": (100,),
    }  # fmt: skip
    assert [name for name in ruleset_names() if name in GAME.presets] == ["federation", "house", "uecda"]
    assert ruleset("house").rules.players == 4


def test_any_number_of_players() -> None:
    rules = ruleset("house", 6, [("points", "5,4,3,2,1,0")]).rules
    four = GAME.options.format(ruleset("house", 4).rules)
    assert GAME.options.format(rules) == four | {"players": 6, "points": [5, 4, 3, 2, 1, 0]}
    for players, points, problem in (
        (5, "3,2,1,0", "option points: [3, 2, 1, 0] is no list of 5 whole numbers"),
        (7, "6,5,4,3,2,1,0", "option players: 7 is no whole number from 3 to 6"),
        (2, "1,0", "option players: 2 is no whole number from 3 to 6"),
    ):
        with pytest.raises(InputError) as error:
            ruleset("house", players, [("points", points)])
        assert str(error.value).startswith(problem)


def test_on_is_the_way_of_the_ruleset() -> None:
    for name, eight_cut, foul_finish in (("federation", "groups", "federation"), ("house", "any", "house")):
        for on, off in (("on", "off"), ("True", "OFF"), (True, False)):
            switched = ruleset(name, 4, [("eight_cut", on), ("foul_finish", on)]).rules
            options = GAME.options.format(switched)
            assert (options["eight_cut"], options["foul_finish"]) == (eight_cut, foul_finish)
            without = GAME.options.format(ruleset(name, 4, [("eight_cut", off), ("foul_finish", off)]).rules)
            assert (without["eight_cut"], without["foul_finish"]) == ("off", "off")
    for value, shown in (("on", "'on'"), (True, "True")):
        with pytest.raises(InputError, match=f"option joker_as: {shown} is none of wild, card"):
            ruleset("house", 4, [("joker_as", value)])
    with pytest.raises(InputError, match="option eight_cut: 1 is none of off, groups, any"):
        ruleset("house", 4, [("eight_cut", 1)])


def test_rulesets_by_name() -> None:
    assert ruleset("federation").rules.players == 4
    chosen = ruleset("federation", 5, (("fall", "off"), ("blind", "9"), ("points", "1,0,0,0,0")))
    assert (chosen.name, chosen.game) == ("federation", GAME)
    assert chosen.rules == federation(5, fall=False, blind=9, points=[1, 0, 0, 0, 0])
    assert game_of(chosen.rules) is GAMES[0] is GAME


@pytest.mark.parametrize(
    ("name", "players", "options", "message"),
    [
        ("whist", None, (), "unknown game 'whist'; the games are federation, house, uecda"),
        ("federation", 3, (), "federation is played by 4, 5, 6; 3 players need points for each place too"),
        ("federation", 4, (("players", "5"),), "set the number of players with --players"),
        ("federation", 4, (("colour", "red"),), "unknown option 'colour'; the options are players, jokers,"),
        ("federation", 4, (("fall", "maybe"),), "option fall=maybe: say on or off"),
        ("federation", 4, (("blind", "many"),), "option blind=many: not a whole number"),
        ("federation", 4, (("blind", "1,2"),), "option blind: [1, 2] is no whole number from 0 to 52"),
        ("federation", 4, (("eight_cut", "yes"),), "option eight_cut: 'yes' is none of off, groups, any"),
        ("house", 5, (), "house is played by 3, 4; 5 players need points for each place too"),
        ("federation", 4, (("points", "6,4,x,0"),), "option points=6,4,x,0: not a whole number"),
    ],
)
def test_rulesets_that_are_refused(name: str, players: int | None, options: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError) as error:
        ruleset(name, players, options)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("seed", range(100))
def test_round_trip(seed: int) -> None:
    options = random_options(random.Random(seed))
    rules = GAME.options.parse(options)
    assert GAME.options.format(rules) == options
    assert GAME.options.parse(GAME.options.format(rules)) == rules


def test_every_value_of_every_option_by_text() -> None:
    rules = federation()
    for name, words in WORDS.items():
        for word in words:
            assert GAME.options.format(GAME.options.set(rules, {name: word}))[name] == word
    for name in SWITCHES:
        for text, value in (("on", True), ("off", False), ("true", True), ("False", False)):
            assert GAME.options.format(GAME.options.set(rules, {name: text}))[name] is value
    for name in set(COUNTS) - {"players", "blind"}:
        for value in COUNTS[name]:
            assert GAME.options.format(GAME.options.set(rules, {name: str(value)}))[name] == value


def test_kernels_see_small_integers() -> None:
    assert set(WORDS) | set(SWITCHES) | set(COUNTS) | {"points"} == set(Rules._fields)
    for value in federation():
        assert isinstance(value, int) or (len(value) == 6 and all(isinstance(points, int) for points in value))


def test_what_is_refused() -> None:
    assert refused(colour="red").startswith("rules: unknown option 'colour'")
    assert refused(eight_cut="on") == "option eight_cut: 'on' is none of off, groups, any"
    assert refused(eight_cut=["any"]).startswith("option eight_cut: ['any'] is none of")
    assert refused(lock=1) == "option lock: 1 is neither true nor false"
    assert refused(lock="on") == "option lock: 'on' is neither true nor false"
    assert refused(jokers=3) == "option jokers: 3 is no whole number from 0 to 2"
    assert refused(blind=2.0) == "option blind: 2.0 is no whole number from 0 to 52"
    assert refused(blind=50) == "blind=50 leaves 4 cards for 4 players: too few to play"
    for points in ("6,4,2,0", [6, 4, 2], [6, 4, 2, 0, 0], [6, 4, 2, True], [6, 4, 2, 0.5], None):
        assert "option points" in refused(points=points)
    missing = {name: value for name, value in FEDERATION.items() if name != "spade3"}
    with pytest.raises(InputError, match="rules: option 'spade3' is missing"):
        GAME.options.parse(missing)
    with pytest.raises(InputError, match="rules must be an object of options"):
        GAME.options.parse([])  # type: ignore[arg-type]
