"""Rules as data: the presets of D10, and options read, written and refused."""

import random
from typing import Any

import pytest
from agari.sim.daifugo.rules import COUNTS, SWITCHES, WORDS, Rules
from agari.sim.errors import InputError
from agari.sim.games import GAMES, game_of, ruleset, ruleset_names

from ..table import GAME, federation, random_options

FEDERATION = GAME.format_rules(federation())

# The column `federation` of the table in D10.
PRESET = {
    "jokers": 2,
    "deal_from": "random",
    "joker_as": "wild",
    "joker_beyond": "top",
    "sequence_compare": "lowest",
    "revolution": True,
    "sequence_revolution": 0,
    "eight_cut": "groups",
    "spade3": True,
    "lock": True,
    "pass_sits_out": True,
    "lead_pass": False,
    "owner_continues": False,
    "pass_limit": 0,
    "fall": True,
    "j_back": False,
    "foul_finish": "federation",
    "sunk_order": "foul_below",
    "clear_unbeatable": True,
    "tribute_blind": True,
    "seats_every": 4,
    "ranks_every": 4,
    "first_lead": "random",
    "set_bonus": 2,
}
BY_PLAYERS = {
    4: {"players": 4, "blind": 2, "points": [6, 4, 2, 0]},
    5: {"players": 5, "blind": 4, "points": [6, 4, 3, 2, 0]},
    6: {"players": 6, "blind": 0, "points": [6, 4, 3, 3, 2, 0]},
}


def refused(**changes: Any) -> str:
    """The line that says why these options are no rules."""
    with pytest.raises(InputError) as error:
        GAME.parse_rules(FEDERATION | changes)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_presets() -> None:
    preset = GAME.presets["federation"]
    assert {players: GAME.format_rules(rules) for players, rules in preset.by_players.items()} == {
        players: PRESET | values for players, values in BY_PLAYERS.items()
    }
    assert preset.match_games == (4, 8, 12)
    assert ruleset_names() == ["federation"]


def test_rulesets_by_name() -> None:
    assert ruleset("federation").rules.players == 4
    chosen = ruleset("federation", 5, (("fall", "off"), ("blind", "9"), ("points", "1,0,0,0,0")))
    assert (chosen.name, chosen.game) == ("federation", GAME)
    assert chosen.rules == federation(5, fall=False, blind=9, points=[1, 0, 0, 0, 0])
    assert game_of(chosen.rules) is GAMES[0] is GAME


@pytest.mark.parametrize(
    ("name", "players", "options", "message"),
    [
        ("whist", None, (), "unknown game 'whist'; the games are federation"),
        ("federation", 3, (), "federation is played by 4, 5, 6, not by 3"),
        ("federation", 4, (("players", "5"),), "set the number of players with --players"),
        ("federation", 4, (("colour", "red"),), "unknown option 'colour'; the options are players, jokers,"),
        ("federation", 4, (("fall", "maybe"),), "option fall=maybe: say on or off"),
        ("federation", 4, (("blind", "many"),), "option blind=many: not a number"),
        ("federation", 4, (("blind", "1,2"),), "option blind: [1, 2] is no whole number from 0 to 52"),
        ("federation", 4, (("eight_cut", "on"),), "option eight_cut: 'on' is none of off, groups, any"),
        ("federation", 4, (("joker_as", "card"),), "joker_as=card is not honoured yet"),
        ("federation", 4, (("points", "6,4,x,0"),), "option points=6,4,x,0: not a number"),
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
    rules = GAME.parse_rules(options)
    assert GAME.format_rules(rules) == options
    assert GAME.parse_rules(GAME.format_rules(rules)) == rules


def test_every_value_of_every_option_by_text() -> None:
    rules = federation()
    for name, words in WORDS.items():
        for word in words:
            if word != "card":
                assert GAME.format_rules(GAME.set_option(rules, name, word))[name] == word
    for name in SWITCHES:
        for text, value in (("on", True), ("off", False), ("true", True), ("False", False)):
            assert GAME.format_rules(GAME.set_option(rules, name, text))[name] is value
    for name in set(COUNTS) - {"players", "blind"}:
        for value in COUNTS[name]:
            assert GAME.format_rules(GAME.set_option(rules, name, str(value)))[name] == value


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
    assert refused(joker_as="card").startswith("joker_as=card is not honoured yet")
    for points in ("6,4,2,0", [6, 4, 2], [6, 4, 2, 0, 0], [6, 4, 2, True], [6, 4, 2, 0.5], None):
        assert "option points" in refused(points=points)
    missing = {name: value for name, value in FEDERATION.items() if name != "spade3"}
    with pytest.raises(InputError, match="rules: option 'spade3' is missing"):
        GAME.parse_rules(missing)
    with pytest.raises(InputError, match="rules must be an object of options"):
        GAME.parse_rules([])  # type: ignore[arg-type]
