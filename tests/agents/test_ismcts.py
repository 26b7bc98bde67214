"""Tree search: its tree is that of the slow twin, and in the end it plays what is best against the best replies."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from agari.agents.ismcts import IsmctsAgent
from agari.agents.montecarlo import MonteCarloAgent

from ..daifugo_table import GAME, decisions, federation, moves_of, position, random_hands, view_of
from ..naive import daifugo as twin
from ..naive import ismcts as slow

FEDERATION = federation()
OPTIONS = GAME.options.format(FEDERATION)


@pytest.mark.parametrize("policy", ["greedy", "random"])
def test_the_tree_is_that_of_the_slow_twin(policy: str) -> None:
    """From the deal to the last decisions, with a budget that opens several levels."""
    agent = IsmctsAgent(playouts=150, policy=policy, seed=3)
    checked = 0
    for rules in (FEDERATION, federation(5, j_back=True)):
        for number, state in enumerate(decisions(rules, seed=2, games=2)):
            if number % 19 == 0 and len(moves_of(rules, state)) > 1:
                view = view_of(rules, state, number)
                thoughts = agent.think(view)
                expected = slow.think(view, 150, agent.least(len(view.moves)), policy, 3)
                assert [visits for visits, _ in expected] == thoughts.playouts.tolist()
                sums = np.array([total for _, total in expected])
                tried = thoughts.playouts > 0
                assert np.allclose((sums / np.maximum(thoughts.playouts, 1))[tried], thoughts.mean[tried])
                checked += 1
    assert checked > 10


def test_a_full_tree_is_played_out_from_where_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    state = list(decisions(FEDERATION, seed=2, games=1))[4]
    view = view_of(FEDERATION, state, 1)
    for most in (1, 10):
        monkeypatch.setattr("agari.agents.ismcts.MOST_NODES", most)
        agent = IsmctsAgent(playouts=120)
        expected = slow.think(view, 120, agent.least(len(view.moves)), "greedy", 0, most)
        assert agent.think(view).playouts.tolist() == [visits for visits, _ in expected]


@cache
def best_worth(state: str, seat: int) -> float:
    """What a position of two is worth to a seat if both play as well as can be, by going through all games."""
    where = json.loads(state)
    if where["turn"] is None:
        return float(twin.points(OPTIONS, where["ranking"], last_of_set=False)[seat])
    worths = [best_worth(json.dumps(twin.apply(OPTIONS, where, play)), seat) for play in twin.legal(OPTIONS, where)]
    return max(worths) if where["turn"] == seat else min(worths)


def endings(count: int) -> Iterator[tuple[dict[str, Any], dict[str, float]]]:
    """Positions of two who are still in, so that each knows all cards, and what each play of the first is worth."""
    source = random.Random(4)
    while count:
        first, second = (" ".join(hand.split()[:4]) for hand in random_hands(source, 2, 0))
        where = position(first, second, "", "", out=[3, 2])
        worth = {
            play: best_worth(json.dumps(twin.apply(OPTIONS, where, play)), 0) for play in twin.legal(OPTIONS, where)
        }
        if max(worth.values()) > np.mean(list(worth.values())) + 1:  # most plays lose
            count -= 1
            yield where, worth


def test_it_finds_what_is_best_against_the_best_replies() -> None:
    """Also where random playouts make a losing play look better than the winning one."""
    found = Counter()
    for where, worth in endings(25):
        view = view_of(FEDERATION, GAME.parse_state(FEDERATION, where), 5)
        for search in (IsmctsAgent, MonteCarloAgent):
            thoughts = search(playouts=4000, policy="random").think(view)
            best = thoughts.playouts.argmax()
            found[search] += worth[GAME.format_move(FEDERATION, thoughts.moves[best])] == max(worth.values())
            if search is IsmctsAgent:
                assert abs(thoughts.mean[best] - max(worth.values())) < 0.4
    assert found[IsmctsAgent] == 25 > found[MonteCarloAgent]
