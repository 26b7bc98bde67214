"""The ruleset of Voodoo Prince."""

from ..game import Preset
from .rules import OPTIONS

PRESETS = {
    "voodoo_prince": Preset(
        "Voodoo Prince, tricks that one should not win too soon (부두 프린스)",
        {players: OPTIONS.parse({"players": players, "two_player_last": "remainder"}) for players in (4, 3, 5, 2)},
        match_games=(5,),
        any_games=True,
    ),
}
