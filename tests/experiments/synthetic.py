"""Made-up results of tournaments, for tests that need whole tables and no games."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

POINTS = {2: [2, 0], 3: [2, 1, 0], 4: [6, 4, 2, 0], 5: [6, 4, 3, 2, 0], 6: [6, 4, 3, 3, 2, 0]}


def result_rows(
    matches: int, agents: Sequence[str], players: int = 4, games: int = 4, ranked: bool = True, seed: int = 0
) -> list[dict[str, Any]]:
    """Rows of `columns.RESULTS`, in which earlier agents, leaders and those with a good place before do better."""
    random = np.random.default_rng(seed)
    rows = []
    for match in range(matches):
        table = [agents[(match * (len(agents) > players) + seat) % len(agents)] for seat in range(players)]
        hands, leaders = random.normal(size=(games, players)), random.integers(players, size=games)
        for rotation in range(players):
            seated = [table[(seat - rotation) % players] for seat in range(players)]
            skill = np.array([-0.6 * agents.index(agent) for agent in seated])
            before = None
            for game in range(games):
                leader = leaders[game] if before is None else np.argmax(before)
                distance = (np.arange(players) - leader) % players
                value = hands[game] + skill + 0.3 * (distance == 0) + random.gumbel(size=players)
                value -= 0.0 if before is None else 0.3 * before
                place = np.argsort(np.argsort(-value)) + 1
                rows += [
                    {
                        "match": match,
                        "set": 0,
                        "game": game,
                        "deal": match * games + game,
                        "deal_seed": 2**40 + match * games + game,
                        "rotation": rotation,
                        "seat": seat,
                        "participant": seat,
                        "agent": seated[seat],
                        "leader_distance": int(distance[seat]),
                        "hand_size": 13,
                        "hand_strength": float(hands[game, seat]),
                        "place_before": None if before is None else int(before[seat]),
                        "gave": "JK S2" if before is not None and before[seat] == players else "",
                        "got": "JK S2" if before is not None and before[seat] == 1 else "",
                        "place": int(place[seat]),
                        "reason": "last" if place[seat] == players else "out",
                        "points": float(
                            POINTS[players][place[seat] - 1] + 2 * (game == games - 1 and place[seat] == 1)
                        ),
                        "plays": 8,
                        "decisions": 22,
                        "seconds": float(random.exponential()),
                    }
                    for seat in range(players)
                ]
                before = place if ranked else None
    return rows


def game_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of `columns.GAMES` that go with these results."""
    first_seats = (row for row in rows if row["seat"] == 0)
    return [
        {key: row[key] for key in ("match", "game", "rotation", "deal_seed")}
        | {"record": f'{{"plays": ["S:H9", "-"], "deal": {row["deal"]}}}'}
        for row in first_seats
    ]


def results_frame(*args: Any, **kwargs: Any) -> pd.DataFrame:
    """The rows of `result_rows` as a frame."""
    return pd.DataFrame(result_rows(*args, **kwargs)).astype({"place_before": "Int8", "agent": "category"})
