"""The options of Voodoo Prince and the table of the game by number of players (V1.1)."""

from typing import NamedTuple

import numpy as np

from ..options import Count, Options, Word

MAX_PLAYERS = 5
REMAINDER, OWN = range(2)  # what the last of two players scores (V3.3)

# By number of players: the highest rank of each colour, cards dealt to each, tricks with which one leaves.
HIGHEST = np.array([0, 0, 10, 10, 12, 15], np.int64)
HAND = np.array([0, 0, 13, 13, 13, 14], np.int64)
NEED = np.array([0, 0, 7, 4, 3, 3], np.int64)


class Rules(NamedTuple):
    """The options, as small integers: words by their index."""

    players: int
    two_player_last: int


OPTIONS = Options(
    Rules,
    {
        "players": Count(2, MAX_PLAYERS),
        "two_player_last": Word(("remainder", "own")),
    },
)
