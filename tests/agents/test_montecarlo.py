"""Monte Carlo: spends what it may, thinks the same by the same seed, and its means are right where they are known."""

import json
from functools import cache
from typing import Any

import numpy as np
from agari.agents.montecarlo import MonteCarloAgent
from agari.agents.search import Thoughts

from ..daifugo_table import GAME, Position, federation, position, view_of
from ..naive import daifugo as twin

FEDERATION = federation()
OPTIONS = GAME.options.format(FEDERATION)
FORCED_WIN = position("H5 D8", "C5 C6 C9", "C7 D9 DT", "CT CJ CQ")
LEAD = position("S4 H4 D8 HT CA JK", "C5 D9 SK H2", "C6 S7 HQ D2", "C7 S3 HJ JK")


def think(where: Position, key: int = 0, **options: Any) -> Thoughts:
    return MonteCarloAgent(**options).think(view_of(FEDERATION, GAME.parse_state(FEDERATION, where), key))


def by_text(thoughts: Thoughts) -> dict[str, float]:
    """The mean of each move."""
    return dict(zip((GAME.format_move(FEDERATION, move) for move in thoughts.moves), thoughts.mean, strict=True))


def same(first: Thoughts, second: Thoughts) -> bool:
    return all(np.array_equal(one, other, equal_nan=True) for one, other in zip(first, second, strict=True))


@cache
def random_worth(state: str, seat: int) -> float:
    """What a finished or unfinished position is worth to a seat if all play at random, by going through all games."""
    where = json.loads(state)
    if where["turn"] is None:
        return float(twin.points(OPTIONS, where["ranking"], last_of_set=False)[seat])
    plays = twin.legal(OPTIONS, where)
    return sum(random_worth(json.dumps(twin.apply(OPTIONS, where, play)), seat) for play in plays) / len(plays)


def test_means_are_those_of_all_games() -> None:
    """Two are still in, so the seat knows all cards, and random playouts can be averaged exactly."""
    where = position("S4 H4 C9 JK", "D5 CT SQ D2", "", "", out=[3, 2])
    state = GAME.parse_state(FEDERATION, where)
    thoughts = MonteCarloAgent(playouts=24_000, policy="random").think(view_of(FEDERATION, state))
    for move, mean, error in zip(thoughts.moves, thoughts.mean, thoughts.standard_error, strict=True):
        play = GAME.format_move(FEDERATION, move)
        exact = random_worth(json.dumps(twin.apply(OPTIONS, where, play)), 0)
        assert abs(mean - exact) < 4 * error + 1e-9, play
    assert len(set(by_text(thoughts).values())) > 3


def test_standard_errors_say_how_far_means_spread() -> None:
    """The mean of a move that many playouts went to, over seeds: it spreads by about the error that is claimed."""
    runs = [think(LEAD, playouts=3000, seed=seed) for seed in range(60)]
    best = int(np.argmax(sum(run.playouts for run in runs)))
    assert min(run.playouts[best] for run in runs) > 300
    spread = np.std([run.mean[best] for run in runs], ddof=1)
    claimed = np.mean([run.standard_error[best] for run in runs])
    assert 0.75 < spread / claimed < 1.3
