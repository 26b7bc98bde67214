"""The statistics of tournaments, by hand where hands can and by simulation where they cannot."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from agari.experiments.statistics import (
    contrast,
    deviation,
    matches_won,
    means,
    own_advantage,
    pairwise,
    rank_advantage,
    seat_advantage,
    shares,
    standings,
    student_t,
    transitions,
    tribute_advantage,
)

from .synthetic import dobon_rows, frame_of, results_frame, voodoo_rows

ALL: list[Callable[[pd.DataFrame], Any]] = [
    standings,
    pairwise,
    seat_advantage,
    rank_advantage,
    tribute_advantage,
    transitions,
]
T_1, T_2 = 12.7062, 4.30265  # the 0.975 quantiles of Student's t with 1 and 2 degrees of freedom


def frame(rows: Sequence[Sequence[Any]]) -> pd.DataFrame:
    """Results of rows match, rotation, game, agent, leader_distance, place_before, place, points."""
    columns = ["match", "rotation", "game", "agent", "leader_distance", "place_before", "place", "points"]
    return pd.DataFrame(rows, columns=columns).astype({"place_before": "Int8", "points": float})


def only(table: pd.DataFrame, **where: Any) -> pd.Series:
    """The one row of a table that has these values."""
    for column, value in where.items():
        table = table[table[column] == value]
    assert len(table) == 1
    return table.iloc[0]


def close(row: pd.Series, **values: float) -> None:
    """The row has these values, to 1e-6 of their size."""
    assert row[list(values)].astype(float).to_dict() == pytest.approx(values, nan_ok=True)


TWO_MATCHES = frame(
    [
        # In match 0 "a" has 6 and 4, "b" and its copy 0, 2 and 2, 0; in match 1 "a" has 2 and 4, "b" 4, 0 and 0, 2.
        (0, 0, 0, "a", 0, None, 1, 6),
        (0, 0, 0, "b", 1, None, 3, 0),
        (0, 0, 0, "b", 2, None, 2, 2),
        (0, 1, 0, "a", 1, None, 1, 4),
        (0, 1, 0, "b", 2, None, 2, 2),
        (0, 1, 0, "b", 0, None, 3, 0),
        (1, 0, 0, "a", 2, None, 2, 2),
        (1, 0, 0, "b", 0, None, 1, 4),
        (1, 0, 0, "b", 1, None, 3, 0),
        (1, 1, 0, "a", 0, None, 1, 4),
        (1, 1, 0, "b", 1, None, 3, 0),
        (1, 1, 0, "b", 2, None, 2, 2),
    ]
)


def test_standings_by_hand() -> None:
    table = standings(TWO_MATCHES)
    assert table["agent"].tolist() == ["a", "b"]
    # "a" has 5 and 3 in the two matches: mean 4, deviation √2, error √2/√2.
    close(only(table, agent="a"), matches=2, games=4, mean=4, error=1, low=4 - T_1, high=4 + T_1)
    close(only(table, agent="a"), place_1=0.75, place_2=0.25, place_3=0)
    # "b" has 1 and 1.5, its copies averaged; it sat in four games, though in eight seats.
    close(only(table, agent="b"), matches=2, games=4, mean=1.25, error=0.25, low=1.25 - T_1 / 4, high=1.25 + T_1 / 4)
    close(only(table, agent="b"), place_1=1 / 8, place_2=3 / 8, place_3=1 / 2)


def test_pairs_are_paired_by_match() -> None:
    table = pairwise(TWO_MATCHES)
    # 5 − 1 and 3 − 1.5: mean 2.75, error 1.25.
    assert len(table) == 1
    close(only(table, agent="a", other="b"), matches=2, difference=2.75, error=1.25, low=2.75 - 1.25 * T_1)
    # A constant lead is certain, however much the matches differ.
    lead = frame([(m, 0, 0, agent, 0, None, 1, 10 * m + 3 * (agent == "x")) for m in range(4) for agent in "xy"])
    close(only(pairwise(lead), agent="x", other="y"), difference=3, error=0, low=3, high=3)
    assert only(standings(lead), agent="x")["error"] > 5


def test_pairs_count_only_matches_that_both_played() -> None:
    points = {0: {"a": 1, "b": 4}, 1: {"a": 3, "b": 3, "c": 0}, 2: {"a": 5, "b": 1}, 3: {"c": 2, "d": 1}}
    results = frame([(m, 0, 0, agent, 0, None, 1, p) for m, row in points.items() for agent, p in row.items()])
    table = pairwise(results)
    assert len(table) == 6
    error = math.sqrt(37 / 9)  # of −3, 0 and 4
    close(only(table, agent="a", other="b"), matches=3, difference=1 / 3, error=error, high=1 / 3 + T_2 * error)
    close(only(table, agent="a", other="c"), matches=1, difference=3, error=math.nan, low=math.nan, high=math.nan)
    close(only(table, agent="b", other="d"), matches=0, difference=math.nan, low=math.nan)


def test_seats_by_hand() -> None:
    table = seat_advantage(TWO_MATCHES)
    # The leader has 6, 0 in match 0 and 4, 4 in match 1; the next seat 0, 4 and 0, 0; the last 2, 2 and 2, 2.
    assert table["leader_distance"].tolist() == [0, 1, 2]
    close(only(table, leader_distance=0), matches=2, games=4, mean=3.5, error=0.5, low=3.5 - T_1 / 2)
    close(only(table, leader_distance=1), matches=2, games=4, mean=1, error=1)
    close(only(table, leader_distance=2), matches=2, games=4, mean=2, error=0, low=2, high=2)
    # "a" leads once in each match, with 6 and 4; it never sits last in match 0.
    by_agent = seat_advantage(TWO_MATCHES, by="agent")
    close(only(by_agent, agent="a", leader_distance=0), matches=2, games=2, mean=5, error=1)
    close(only(by_agent, agent="a", leader_distance=2), matches=1, games=1, mean=2, error=math.nan)


ARMS = pd.DataFrame(
    # In match 0 place 1 has 2, 4 without and 6, 6 with, in match 1 0 and 2; place 2 is in match 1 alone.
    [
        (0, 0, 0, 0, "a", 1, 2), (0, 0, 0, 1, "a", 1, 4), (0, 1, 0, 0, "a", 1, 6), (0, 1, 0, 1, "a", 1, 6),
        (1, 0, 0, 0, "a", 1, 0), (1, 0, 0, 0, "b", 2, 5), (1, 1, 0, 0, "a", 1, 2), (1, 1, 0, 0, "b", 2, 8),
    ],
    columns=["match", "arm", "rotation", "game", "agent", "place", "points"],
)  # fmt: skip


def test_arms_are_paired_by_match() -> None:
    table = contrast(ARMS, ["place"])
    assert table[["arm", "place"]].to_numpy().tolist() == [[0, 1], [0, 2], [1, 1], [1, 2]]
    # Sums 6 of 2 rows and 0 of 1 make 2; 12 of 2 and 2 of 1 make 14/3. Each match pulls the ratio away by its
    # deviation / 3, times √2: without 2/3 and −2/3, with 8/9 and −8/9, so the difference by 2/9 · √2 and its opposite.
    close(only(table, arm=0, place=1), matches=2, games=3, mean=2, error=4 / 3, difference=math.nan)
    close(only(table, arm=1, place=1), matches=2, games=3, mean=14 / 3, error=16 / 9, difference=8 / 3)
    error = 4 / 9
    close(only(table, arm=1, place=1), difference_error=error, difference_high=8 / 3 + T_1 * error)
    close(only(table, arm=1, place=2), matches=1, mean=8, difference=3, difference_error=math.nan)


def test_a_constant_difference_between_arms_is_certain() -> None:
    base = results_frame(30, ["a", "b"])
    higher = base.assign(arm=1, points=base["points"] + 0.5)
    table = contrast(pd.concat([base, higher]), ["leader_distance"])
    assert table.loc[table["arm"] == 1, "difference"].to_numpy() == pytest.approx(0.5)
    assert table.loc[table["arm"] == 1, "difference_error"].to_numpy() == pytest.approx(0, abs=1e-12)
    assert (table["error"] > 0.01).all()


def test_an_arm_without_the_first_ones_rows_has_no_difference() -> None:
    table = contrast(ARMS[(ARMS["arm"] == 1) | (ARMS["place"] == 1)], ["place"])
    close(only(table, arm=1, place=2), mean=8, difference=math.nan)


def test_how_far_values_are_from_the_mean_of_all() -> None:
    table = deviation(TWO_MATCHES, ["leader_distance"])
    # The leader has 6, 0 and 4, 4; all rows 14 of 6 and 12 of 6: mean 13/6. By match 3 − 14/6 and 4 − 2.
    close(only(table, leader_distance=0), mean=3.5, difference=3.5 - 13 / 6, difference_error=(2 - 2 / 3) / 2)
    assert table["difference"].sum() == pytest.approx(0)


@pytest.mark.parametrize("worth", [0.0, 0.4])
def test_intervals_of_differences_hold_the_truth(worth: float) -> None:
    """Of 400 runs in which arms share the luck of a match, about 95 in 100."""
    random = np.random.default_rng(11)
    held = 0
    for _ in range(400):
        luck = random.normal(size=20)
        rows = [
            (match, arm, 0, game, "a", 1, 3 * luck[match] + worth * arm + random.normal())
            for match in range(20)
            for arm in (0, 1)
            for game in range(3)
        ]
        row = contrast(pd.DataFrame(rows, columns=ARMS.columns), ["place"]).iloc[1]
        held += row["difference_low"] <= worth <= row["difference_high"]
        assert row["difference_error"] < 0.75 * row["error"]  # the luck of the matches is not in it
    assert 0.91 < held / 400 < 0.985


RANKED = frame(
    [
        (0, 0, 0, "a", 0, None, 1, 100),  # games without ranks play no part
        (0, 0, 0, "b", 1, None, 2, 0),
        (0, 0, 1, "a", 1, 1, 1, 6),
        (0, 0, 1, "b", 0, 2, 2, 4),
        (0, 0, 2, "a", 0, 2, 2, 2),
        (0, 0, 2, "b", 1, 1, 1, 4),
        (1, 0, 1, "a", 1, 1, 1, 4),
        (1, 0, 1, "b", 0, 2, 2, 1),
        (1, 0, 2, "a", 0, 2, 2, 0),
        (1, 0, 2, "b", 1, 1, 1, 3),
    ]
)


def test_ranked_games_by_hand() -> None:
    # After place 1: 6, 4 in match 0 and 4, 3 in match 1, so 5 and 3.5; after place 2: 4, 2 and 1, 0.
    table = rank_advantage(RANKED)
    close(only(table, place_before=1), matches=2, games=4, mean=4.25, error=0.75, low=4.25 - 0.75 * T_1)
    close(only(table, place_before=2), matches=2, games=4, mean=1.75, error=1.25)
    by_agent = rank_advantage(RANKED, by="agent")
    close(only(by_agent, agent="b", place_before=1), matches=2, games=2, mean=3.5, error=0.5)
    assert seat_advantage(RANKED)["games"].tolist() == [1, 1]


def test_tribute_by_hand() -> None:
    # "a" has 5 after place 1 and 1 after place 2, so ±2 about its 3; "b" 3.5 and 2.5, so ±0.5 about its 3. By matches:
    # half of a's 6 − 2 and of b's 4 − 4 is +1 on average, then half of 4 − 0 and 3 − 1, +1.5.
    table = tribute_advantage(RANKED)
    close(only(table, place_before=1), agents=2, matches=2, games=4, difference=1.25, error=0.25, low=1.25 - T_1 / 4)
    close(only(table, place_before=2), agents=2, matches=2, games=4, difference=-1.25, error=0.25, high=T_1 / 4 - 1.25)


def test_tribute_compares_an_agent_with_itself() -> None:
    """A good agent is often first and wins whatever place it had: places are worth nothing, though the means differ."""
    random = np.random.default_rng(0)
    rows = []
    for match in range(400):
        for game in range(1, 4):
            good_before = 1 if random.random() < 0.9 else 2
            luck = random.normal()
            rows.append((match, 0, game, "good", 0, good_before, 1, 5 + luck))
            rows.append((match, 0, game, "bad", 0, 3 - good_before, 2, 1 - luck))
    results = frame(rows)
    assert rank_advantage(results)["mean"].tolist() == pytest.approx([4.6, 1.4], abs=0.2)
    table = tribute_advantage(results)
    assert table["difference"].tolist() == pytest.approx([0, 0], abs=0.25)
    assert (table["low"] < 0).all()
    assert (table["high"] > 0).all()


def test_an_agent_that_was_never_there_takes_no_part() -> None:
    rows = [(m, 0, g, "a", 0, before, 1, m + 3 * (before == 1)) for m in range(3) for g, before in ((1, 1), (2, 2))]
    rows += [(m, 0, g, "b", 0, 2, 2, 7 * m * g) for m in range(3) for g in (1, 2)]
    table = tribute_advantage(frame(rows))
    close(only(table, place_before=1), agents=1, matches=3, difference=1.5, error=0)
    close(only(table, place_before=2), agents=2, matches=3, difference=-0.75, error=0)  # b is always there: 0


def test_transitions_by_hand() -> None:
    moves = [(1, 1), (1, 1), (1, 2), (2, 3), (2, 1), (3, 3), (3, 2), (3, 3), (2, 2), (1, 3), (None, 4)]
    results = frame([(0, 0, game, "a", 0, before, after, 0) for game, (before, after) in enumerate(moves)])
    probabilities, counts = transitions(results)
    assert counts.to_numpy().tolist() == [[2, 1, 1, 0], [1, 1, 1, 0], [0, 1, 2, 0], [0, 0, 0, 0]]
    assert probabilities.loc[1].tolist() == [0.5, 0.25, 0.25, 0]
    assert probabilities.loc[3].tolist() == pytest.approx([0, 1 / 3, 2 / 3, 0])
    assert probabilities.loc[4].isna().all()
    assert (counts.index.name, counts.columns.name) == ("place_before", "place")


def test_transitions_of_a_tournament_sum_to_one() -> None:
    results = results_frame(20, ["x", "y", "z"], players=5)
    probabilities, counts = transitions(results)
    assert probabilities.shape == (5, 5)
    assert probabilities.sum(axis=1).tolist() == pytest.approx([1] * 5)
    ranked_games = 20 * 5 * 3
    assert counts.sum(axis=0).tolist() == counts.sum(axis=1).tolist() == [ranked_games] * 5


# Games that have other columns


def test_a_game_without_ranks_needs_no_columns_of_another() -> None:
    results = frame_of(dobon_rows(4, ["x", "y"]))
    assert seat_advantage(results)["games"].tolist() == [4 * 4 * 10] * 4  # all games
    assert len(standings(results)) == 2
    for nothing in (rank_advantage(results), tribute_advantage(results)):
        assert len(nothing) == 0
    assert transitions(results).counts.to_numpy().sum() == 0


def ratio(parts: dict[int, list[float]]) -> tuple[float, float]:
    """The mean of all values, and its error by matches (Cochran), from the values of each match."""
    count = sum(map(len, parts.values()))
    mean = sum(map(sum, parts.values())) / count
    squares = sum(sum(value - mean for value in values) ** 2 for values in parts.values())
    return mean, math.sqrt(squares * len(parts) / (len(parts) - 1)) / count


def by_match(rows: Sequence[dict[str, Any]], of: str) -> dict[int, list[float]]:
    """The values of a column, by match."""
    return {match: [row[of] for row in rows if row["match"] == match] for match in {row["match"] for row in rows}}


def test_means_of_any_column_by_any_category() -> None:
    rows = dobon_rows(7, ["x", "y", "z"], seed=4)
    table = means(frame_of(rows), "end", by="agent", of="turns")
    assert len(table) == 3 * 4
    for row in table.to_dict("records"):
        some = [r for r in rows if r["agent"] == row["agent"] and r["end"] == row["end"]]
        mean, error = ratio(by_match(some, "turns"))
        assert (row["mean"], row["error"], row["games"]) == pytest.approx((mean, error, len(some)))
        assert row["matches"] == len({r["match"] for r in some})


def test_shares_by_hand() -> None:
    # Of two and four rows of the matches 0 and 1 one each is "u", and one of match 1 is "w".
    results = frame(
        [(0, 0, g, "a", 0, None, 1, 0) for g in range(2)] + [(1, 0, g, "a", 0, None, 1, 0) for g in range(4)]
    )
    table = shares(results.assign(kind=list("uv") + list("uvvw")), "kind")
    # "u": 2 of 6; the matches differ from a third by +1/3 and −1/3, together √2/3 of 6 rows, times √2.
    close(only(table, kind="u"), times=2, matches=2, games=6, share=1 / 3, error=1 / 9, high=1 / 3 + T_1 / 9)
    # "w": 1 of 6; −1/3 and +1/3.
    close(only(table, kind="w"), times=1, matches=2, games=6, share=1 / 6, error=1 / 9)


def test_shares_within_groups() -> None:
    rows = voodoo_rows(6, ["x", "y", "z"], seed=2)
    table = shares(frame_of(rows), "exit", by="agent")
    assert table.groupby("agent")["share"].sum().tolist() == pytest.approx([1] * 3)
    for row in table.to_dict("records"):
        hits = [{**r, "hit": r["exit"] == row["exit"]} for r in rows if r["agent"] == row["agent"]]
        share, error = ratio(by_match(hits, "hit"))
        assert (row["share"], row["error"]) == pytest.approx((share, error))
        assert (row["times"], row["games"]) == (sum(r["hit"] for r in hits), len(hits))


def own_by_loops(rows: Sequence[dict[str, Any]], baseline: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """What `own_advantage` says of rows of one category: the difference, and its error by matches."""
    agents = sorted({row["agent"] for row in rows} & {row["agent"] for row in baseline})
    differences, pulls = [], dict.fromkeys((row["match"] for row in baseline), 0.0)
    for agent in agents:
        there = by_match([row for row in rows if row["agent"] == agent], "points")
        own = by_match([row for row in baseline if row["agent"] == agent], "points")
        differences.append(ratio(there)[0] - ratio(own)[0])
        for sign, parts in ((1, there), (-1, own)):
            mean, count = ratio(parts)[0], sum(map(len, parts.values()))
            for match, values in parts.items():
                pull = sum(value - mean for value in values) / count * math.sqrt(len(parts) / (len(parts) - 1))
                pulls[match] += sign * pull / len(agents)
    return sum(differences) / len(agents), math.sqrt(sum(pull**2 for pull in pulls.values()))


def test_own_advantage_is_that_of_slow_loops() -> None:
    rows = voodoo_rows(9, ["x", "y", "z"], seed=3)
    table = own_advantage(frame_of(rows), "leader_distance")
    assert table["agents"].tolist() == [3] * 4
    for row in table.to_dict("records"):
        some = [r for r in rows if r["leader_distance"] == row["leader_distance"]]
        assert (row["difference"], row["error"]) == pytest.approx(own_by_loops(some, rows))


def test_own_advantage_against_another_baseline() -> None:
    rows = voodoo_rows(9, ["x", "y", "z"], seed=3)
    named = [r for r in rows if r["named_trump"]]
    drawn = [r for r in rows if r["leader_distance"] == 0 and not r["named_trump"]]
    table = own_advantage(frame_of(named), "leader_distance", baseline=frame_of(drawn))
    close(only(table, agents=3), games=len(named))
    assert (table["difference"][0], table["error"][0]) == pytest.approx(own_by_loops(named, drawn))


def test_own_advantage_needs_two_matches_of_the_baseline_too() -> None:
    rows = frame([(m, 0, 0, "a", d, None, 1, m + d) for m in range(3) for d in range(2)])
    for baseline in (rows[rows["match"] == 1], rows[rows["match"] > 0]):
        table = own_advantage(rows, "leader_distance", baseline=baseline)
        assert table["difference"].tolist() == pytest.approx(
            (rows.groupby("leader_distance")["points"].mean() - baseline["points"].mean()).tolist()
        )
        assert table["error"].isna().all() == (baseline["match"].nunique() == 1)


def test_an_agent_that_the_baseline_lacks_takes_no_part() -> None:
    rows = frame([(m, 0, 0, agent, 0, None, 1, points) for m in range(3) for agent, points in (("a", 5), ("b", 9))])
    table = own_advantage(rows, "leader_distance", baseline=rows[rows["agent"] == "a"].assign(points=2.0))
    close(only(table, leader_distance=0), agents=1, difference=3, error=0)


# Intervals


def test_student_t_as_in_the_tables() -> None:
    table = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 6: 2.4469, 7: 2.3646, 8: 2.3060, 9: 2.2622}
    table |= {10: 2.2281, 15: 2.1314, 20: 2.0860, 30: 2.0423, 60: 2.0003, 120: 1.9799, 10**7: 1.9600}
    assert student_t(pd.Series([*table])).tolist() == pytest.approx([*table.values()], abs=3e-4)


def test_student_t_needs_a_degree_of_freedom() -> None:
    assert student_t(pd.Series([0, -1])).isna().all()


@pytest.mark.parametrize("matches", [2, 5, 30])
def test_intervals_cover_the_truth(matches: int) -> None:
    """Of 3000 agents without skill, whose games of a match hang together, 95 % have intervals around zero."""
    random = np.random.default_rng(matches)
    agents, games = 3000, 6
    points = random.normal(size=(agents, matches, 1)) + random.normal(size=(agents, matches, games))
    agent, match, game = (axis.ravel() for axis in np.indices(points.shape))
    results = pd.DataFrame({"agent": agent.astype(str), "match": match, "game": game, "points": points.ravel()})
    results = results.assign(rotation=0, leader_distance=0, place_before=pd.NA, place=1)
    for table in (standings(results), seat_advantage(results, by="agent")):
        assert len(table) == agents
        covered = (table["low"] < 0) & (table["high"] > 0)
        assert covered.mean() == pytest.approx(0.95, abs=0.012)  # three standard errors of a share of 3000


def test_intervals_cover_the_truth_where_matches_are_uneven() -> None:
    """The same with 0 to 8 games in a match, and more of them where the points are high."""
    random = np.random.default_rng(5)
    agents, matches = 1500, 40
    effect = random.normal(size=(agents, matches))
    counts = random.binomial(8, 1 / (1 + np.exp(-effect)))
    agent, match = (np.repeat(axis.ravel(), counts.ravel()) for axis in np.indices(effect.shape))
    points = effect[agent, match] + random.normal(size=len(agent))
    results = pd.DataFrame({"agent": agent.astype(str), "match": match, "points": points})
    results = results.assign(game=0, rotation=0, leader_distance=0, place_before=1, place=1)
    wide = np.random.default_rng(6).normal(size=10**6)
    shares = 1 / (1 + np.exp(-wide))
    truth = (wide * shares).mean() / shares.mean()  # what a game yields on average
    table = rank_advantage(results, by="agent")
    covered = (table["low"] < truth) & (table["high"] > truth)
    assert covered.mean() == pytest.approx(0.94, abs=0.02)


def test_tribute_errors_agree_with_the_jackknife() -> None:
    """Leaving out one match at a time is an independent way to the error of an average of ratios."""
    matches = 60
    results = results_frame(matches, ["x", "y", "z", "w"], players=4)
    table = tribute_advantage(results).set_index("place_before")
    without = {m: tribute_advantage(results[results["match"] != m]).set_index("place_before") for m in range(matches)}
    left_out = pd.DataFrame({match: table["difference"] for match, table in without.items()})
    deviations = left_out.sub(left_out.mean(axis=1), axis=0)
    jackknife = np.sqrt((matches - 1) / matches * (deviations**2).sum(axis=1))
    assert table["error"].tolist() == pytest.approx(jackknife.tolist(), rel=0.05)


def test_rotations_of_a_match_are_not_independent() -> None:
    """The same match once more, as if its rotations told nothing new, makes no interval narrower."""
    results = results_frame(12, ["x", "y"], players=4)
    doubled = pd.concat([results, results.assign(rotation=results["rotation"] + 4)])
    for function in (standings, seat_advantage, rank_advantage, tribute_advantage):
        once, twice = function(results), function(doubled)
        assert twice["error"].tolist() == pytest.approx(once["error"].tolist())
        assert twice["games"].tolist() == (2 * once["games"]).tolist()


# Whatever comes


@pytest.mark.parametrize("function", ALL)
def test_order_and_kind_of_labels_do_not_matter(function: Callable[[pd.DataFrame], Any]) -> None:
    results = results_frame(8, ["x", "mc(playouts=200,policy=greedy)", "y"], players=4)
    before = results.copy()
    shuffled = results.sample(frac=1, random_state=3).astype({"agent": object})
    labels = ["y", "unused", *(label for label in results["agent"].cat.categories if label != "y")]
    labelled = results.assign(agent=results["agent"].cat.set_categories(labels))
    floating = results.astype({"place_before": float})
    expected = function(results)
    for other in (shuffled, labelled, floating):
        for one, two in zip(tables(expected), tables(function(other)), strict=True):
            pd.testing.assert_frame_equal(one, two)
    pd.testing.assert_frame_equal(results, before)


def tables(value: Any) -> tuple[pd.DataFrame, ...]:
    return value if isinstance(value, tuple) else (value,)


@pytest.mark.parametrize("function", ALL)
def test_no_rows_make_empty_tables(function: Callable[[pd.DataFrame], Any]) -> None:
    results = results_frame(2, ["x", "y"])
    full, empty = tables(function(results)), tables(function(results[results["match"] < 0]))
    for one, two in zip(full, empty, strict=True):
        assert len(two) == 0
        assert {column for column in one if not str(column).startswith("place_") and column not in range(9)} <= set(two)


@pytest.mark.parametrize("function", [standings, pairwise, seat_advantage, rank_advantage, tribute_advantage])
def test_a_single_match_has_estimates_but_no_intervals(function: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
    table = function(results_frame(1, ["x", "y", "z"]))
    estimate = "mean" if "mean" in table else "difference"
    assert len(table) >= 3
    assert table[estimate].notna().all()
    assert table[["error", "low", "high"]].isna().all(axis=None)


def test_games_with_and_without_ranks_are_kept_apart() -> None:
    unranked = results_frame(5, ["x", "y"], ranked=False)
    assert len(rank_advantage(unranked)) == len(tribute_advantage(unranked)) == 0
    assert transitions(unranked).counts.to_numpy().sum() == 0
    assert seat_advantage(unranked)["games"].tolist() == [5 * 4 * 4] * 4
    mixed = results_frame(5, ["x", "y"])
    assert seat_advantage(mixed)["games"].tolist() == [5 * 4] * 4
    assert rank_advantage(mixed)["games"].tolist() == [5 * 4 * 3] * 4


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_whole_tournament_adds_up(players: int) -> None:
    agents = ["a", "b", "c", "d", "e", "f", "g"]
    results = results_frame(14, agents, players)
    table = standings(results)
    assert sorted(table["agent"]) == agents
    assert (table["matches"] * players * 4 == table["games"]).all()
    assert table["mean"].is_monotonic_decreasing
    shares = table.filter(like="place_")
    assert shares.columns.tolist() == [f"place_{place}" for place in range(1, players + 1)]
    assert shares.sum(axis=1).tolist() == pytest.approx([1] * 7)
    assert (table["mean"] * table["games"]).sum() == pytest.approx(results["points"].sum())
    pairs = pairwise(results)
    assert len(pairs) == 21
    assert pairs["agent"].tolist() == [agent for row, agent in enumerate(table["agent"]) for _ in range(6 - row)]


def test_D9_5_most_points_win_a_match_and_the_last_game_breaks_a_tie() -> None:  # noqa: N802
    """Participants keep their points when seats change; copies of an agent win together; each rotation has a winner."""

    def game(
        rotation: int, number: int, agents: str, participants: list[int], places: list[int]
    ) -> list[dict[str, Any]]:
        return [
            {
                "match": 0,
                "rotation": rotation,
                "game": number,
                "seat": seat,
                "participant": participants[seat],
                "agent": agents[participants[seat]],
                "place": places[seat],
                "points": [5.0, 3.0, 1.0][places[seat] - 1],
            }
            for seat in range(3)
        ]

    rows = (
        # Participants 0 and 1 both have eight points; 1 was first in the last game.
        game(0, 0, "xyz", [0, 1, 2], [1, 2, 3])
        + game(0, 1, "xyz", [2, 0, 1], [3, 2, 1])
        # Participant 2, which is y now, has ten.
        + game(1, 0, "xzy", [0, 1, 2], [3, 2, 1])
        + game(1, 1, "xzy", [0, 1, 2], [2, 3, 1])
        # Here y sits twice.
        + game(2, 0, "yyz", [0, 1, 2], [2, 1, 3])
        + game(2, 1, "yyz", [0, 1, 2], [2, 1, 3])
    )
    for seed in range(3):
        shuffled = pd.DataFrame(rows).sample(frac=1, random_state=seed)
        table = matches_won(shuffled, last_game_decides=True)
        assert table.to_dict("records") == [
            {"agent": "y", "rotations": 3, "won": 1.0},
            {"agent": "x", "rotations": 2, "won": 0.0},
            {"agent": "z", "rotations": 3, "won": 0.0},
        ]
        shared = matches_won(shuffled, last_game_decides=False).set_index("agent")["won"]
        assert shared.to_dict() == {"y": 1.0, "x": 0.5, "z": 0.0}
