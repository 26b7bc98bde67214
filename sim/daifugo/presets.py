"""The rulesets of Daifugo that have a name: the columns of D10."""

from typing import Any

from ..game import Preset
from .rules import OPTIONS, Rules

FEDERATION: dict[str, Any] = {
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
    "tribute": True,
    "tribute_blind": True,
    "seats_every": 4,
    "ranks_every": 4,
    "first_lead": "random",
    "set_bonus": 2,
}

HOUSE: dict[str, Any] = {
    "jokers": 2,
    "blind": 0,
    "deal_from": "random",
    "joker_as": "wild",
    "joker_beyond": "none",
    "sequence_compare": "disjoint",
    "revolution": True,
    "sequence_revolution": 0,
    "eight_cut": "any",
    "spade3": True,
    "lock": True,
    "pass_sits_out": True,
    "lead_pass": False,
    "owner_continues": False,
    "pass_limit": 0,
    "fall": True,
    "j_back": True,
    "foul_finish": "off",
    "sunk_order": "time",
    "clear_unbeatable": False,
    "tribute": True,
    "tribute_blind": False,
    "seats_every": 0,
    "ranks_every": 0,
    "first_lead": "diamond3",
    "set_bonus": 0,
}

UECDA: dict[str, Any] = {
    "jokers": 1,
    "blind": 0,
    "deal_from": "daifugo",
    "joker_as": "card",
    "joker_beyond": "both",
    "sequence_compare": "disjoint",
    "revolution": True,
    "sequence_revolution": 5,
    "eight_cut": "any",
    "spade3": True,
    "lock": True,
    "pass_sits_out": True,
    "lead_pass": True,
    "owner_continues": True,
    "pass_limit": 20,
    "fall": False,
    "j_back": False,
    "foul_finish": "off",
    "sunk_order": "foul_below",
    "clear_unbeatable": False,
    "tribute": True,
    "tribute_blind": False,
    "seats_every": 3,
    "ranks_every": 100,
    "first_lead": "diamond3_always",
    "set_bonus": 0,
}


def _by_players(options: dict[str, Any], *differences: dict[str, Any]) -> dict[int, Rules]:
    """Return rules by number of players: the options, with what each number has of its own."""
    return {own["players"]: OPTIONS.parse({**options, **own}) for own in differences}


PRESETS = {
    "federation": Preset(
        "Daifugo under the Japanese federation's rules (부호공주)",
        _by_players(
            FEDERATION,
            {"players": 4, "blind": 2, "points": [6, 4, 2, 0]},
            {"players": 5, "blind": 4, "points": [6, 4, 3, 2, 0]},
            {"players": 6, "blind": 0, "points": [6, 4, 3, 3, 2, 0]},
        ),
        match_games=(4, 8, 12),
        switched_on={"eight_cut": "groups", "foul_finish": "federation"},
    ),
    "house": Preset(
        "Daifugo under house rules, each of which can be switched off (대부호)",
        _by_players(HOUSE, {"players": 4, "points": [3, 2, 1, 0]}, {"players": 3, "points": [2, 1, 0]}),
        match_games=(3, 5, 7),
        switched_on={"eight_cut": "any", "foul_finish": "house"},
    ),
    "uecda": Preset(
        "Daihinmin under the standard rules of the UEC contest",
        _by_players(UECDA, {"players": 5, "points": [5, 4, 3, 2, 1]}),
        match_games=(100,),
        any_games=True,
        switched_on={"eight_cut": "any", "foul_finish": "house"},
    ),
}
