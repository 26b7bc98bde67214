"""Made-up results of tournaments of each game, for tests that need whole tables and no games."""

from collections.abc import Iterator, Sequence
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
                        "arm": 0,
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
        {key: row[key] for key in ("match", "arm", "game", "rotation", "deal_seed")}
        | {"record": f'{{"plays": ["S:H9", "-"], "deal": {row["deal"]}}}'}
        for row in first_seats
    ]


def results_frame(*args: Any, **kwargs: Any) -> pd.DataFrame:
    """The rows of `result_rows` as a frame."""
    return pd.DataFrame(result_rows(*args, **kwargs)).astype({"place_before": "Int8", "agent": "category"})


Row = dict[str, Any]


def _tables(
    matches: int, agents: Sequence[str], players: int, games: int, random: np.random.Generator
) -> Iterator[tuple[Row, list[str], np.ndarray]]:
    """Of each game of whole matches: what all its rows have, who sits there, and how good each seat is there."""
    for match in range(matches):
        table = [agents[(match + seat) % len(agents)] for seat in range(players)]
        for rotation in range(players):
            seated = [table[(seat - rotation) % players] for seat in range(players)]
            skill = np.array([-0.6 * agents.index(agent) for agent in seated])
            for game in range(games):
                deal = match * games + game
                number = {"match": match, "arm": 0, "rotation": rotation, "game": game}
                common = number | {"deal": deal, "deal_seed": 2**40 + deal}
                yield common, seated, skill + random.gumbel(size=players)


def _seats(common: Row, seated: list[str], leader: int, points: Sequence[float], own: Sequence[Row]) -> list[Row]:
    """The rows of a game, `own` its game's columns by seat; equal points share the better place."""
    return [
        {
            **common,
            "seat": seat,
            "participant": seat,
            "agent": agent,
            "leader_distance": (seat - leader) % len(seated),
            **own[seat],
            "place": 1 + sum(other > points[seat] for other in points),
            "points": float(points[seat]),
            "plays": 8,
            "decisions": 22,
            "seconds": 0.5,
        }
        for seat, agent in enumerate(seated)
    ]


def voodoo_rows(matches: int, agents: Sequence[str], players: int = 4, games: int = 5, seed: int = 0) -> list[Row]:
    """Rounds of Voodoo Prince, in which the good leave late, and best of all second to last; naming trump helps."""
    random = np.random.default_rng(seed)
    rows: list[Row] = []
    last = 0
    for common, seated, values in _tables(matches, agents, players, games, random):
        named = common["game"] > 0
        leader = last if named else common["match"] % players
        values[leader] += 0.8 * named
        best_first = [int(seat) for seat in np.argsort(-values)]
        order = [*best_first[-2::-1], best_first[-1]]  # of leaving
        last = order[-1]
        points = [0 if seat == last else 2 * order.index(seat) + int(random.integers(3)) for seat in range(players)]
        own = [
            {
                "trump": "RYGBP"[common["deal"] % 5],
                "named_trump": named and seat == leader,
                "trumps": 3,
                "hand_strength": 0.5,
                "tricks": 2,
                "exit": 1 + order.index(seat),
                "reason": "last" if seat == last else "left",
            }
            for seat in range(players)
        ]
        rows += _seats(common, seated, leader, points, own)
    return rows


def dobon_rows(matches: int, agents: Sequence[str], players: int = 4, games: int = 10, seed: int = 0) -> list[Row]:
    """Deals of Dobon, which the good win, and which end in every way; who won begins the next."""
    random = np.random.default_rng(seed)
    rows: list[Row] = []
    first = 0
    for common, seated, values in _tables(matches, agents, players, games, random):
        end = ["out", "dobon", "return", "stopped"][random.choice(4, p=[0.5, 0.35, 0.1, 0.05])]
        best, worst = int(np.argmax(values)), int(np.argmin(values))
        leader = first if common["game"] else common["match"] % players
        reasons = ["stopped" if end == "stopped" else "other"] * players
        points = [-1.0 if end == "out" else 0.0] * players
        if end == "out":
            reasons[best], points[best] = "out", players - 1.0
        elif end != "stopped":
            paid = players - 1.0 if end == "dobon" else 2.0 * (players - 1)
            reasons[best], reasons[worst] = ("shooter", "shot") if end == "dobon" else ("returned", "refuted")
            points[best], points[worst] = paid, -paid
        first = best
        shared = {"end": end, "turns": int(random.geometric(1 / 25)), "cards_left": 3, "value_left": 20}
        own = [{**shared, "reason": reason} for reason in reasons]
        rows += _seats(common, seated, leader, points, own)
    return rows


def frame_of(rows: list[Row]) -> pd.DataFrame:
    """Rows as a frame with labels, as a run has it."""
    frame = pd.DataFrame(rows)
    return frame.astype({name: "category" for name in ("agent", "reason", "end", "trump") if name in frame})
