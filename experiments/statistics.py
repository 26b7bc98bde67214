"""What the results of a tournament say, as pandas frames.

The unit is the match with all its rotations: the games of a match depend on each other through ranks and tribute, and
its rotations share their deals. So every interval is a 95 % t-interval by matches. The functions take the results frame
of a run (`columns.columns_of`; whole matches, rows in any order) and leave it as it is.

Their frames have the columns `matches` and `games` (how many there is data from), the estimate (`mean` or `difference`,
in points a game, or `share`), `error` (its standard error), `low` and `high` (the ends of the interval). With a single
match the last three are NaN.

A game with ranks is one in which the place in the game before counts, `place_before`. Where the results have no such
column, all games are without.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

STANDINGS_COLUMNS = ("match", "game", "rotation", "participant", "agent", "place", "points")
"""The columns that `standings`, `pairwise` and `matches_won` need of the results."""

_OF_DIFFERENCES = ["difference", "difference_error", "difference_low", "difference_high"]
_Z = 1.959963984540054  # the 0.975 quantile of the normal distribution
_SMALL_T = (12.70620, 4.30265, 3.18245, 2.77645)  # the same of Student's t with 1 to 4 degrees of freedom


class Transitions(NamedTuple):
    """How places follow each other: a row for each place in the game before, a column for each place in the game.

    `probabilities` has rows that sum to 1 (NaN for a place without games), `counts` how often each move was made.
    """

    probabilities: pd.DataFrame
    counts: pd.DataFrame


def standings(results: pd.DataFrame) -> pd.DataFrame:
    """Return how much each agent wins and how often it takes each place: a row for each label, the best first.

    Columns: agent, matches, games (that it sat in), mean, error, low, high, place_1 … place_n (shares that sum to 1).
    All rows of an agent in a match, those of its copies too, are averaged first; then each match counts the same.
    """
    table = _estimates(_averages(results), ["agent"])
    table["games"] = pd.Series({agent: _games(results[results["agent"] == agent]) for agent in table.index}, dtype=int)
    counts = _grouped(results, ["agent", "match", "place"])["count"].unstack("place", fill_value=0)
    counts = counts.reindex(columns=_places(results), fill_value=0)
    shares = counts.div(counts.sum(axis=1), axis=0).groupby("agent").mean()
    table = table.join(shares.add_prefix("place_")).reset_index()
    return table.sort_values(["mean", "agent"], ascending=[False, True], ignore_index=True)


def pairwise(results: pd.DataFrame) -> pd.DataFrame:
    """Return how much more one agent wins than another, paired by match: a row for each two, ordered as in `standings`.

    Columns: agent, other, matches (that both played), difference (agent − other; NaN where they never met), error, low,
    high.
    """
    averages = _averages(results)["sum"]
    ranking = averages.groupby("agent").mean().reset_index().sort_values(["sum", "agent"], ascending=[False, True])
    pairs = list(combinations(ranking["agent"], 2))
    means = averages.unstack("agent")
    differences = pd.DataFrame({pair: means[pair[0]] - means[pair[1]] for pair in pairs}, index=means.index)
    differences.columns = pd.MultiIndex.from_tuples(pairs, names=["agent", "other"])
    totals = pd.DataFrame({"sum": differences.unstack().dropna(), "count": 1})
    table = _estimates(totals, ["agent", "other"]).reindex(differences.columns)
    table["matches"] = table["matches"].fillna(0).astype(int)
    return table.drop(columns="games").rename(columns={"mean": "difference"}).reset_index()


def matches_won(results: pd.DataFrame, last_game_decides: bool) -> pd.DataFrame:
    """Return how often each agent wins a match: a row for each label, in order of the share.

    Most points win. Equal points go to the better place in the last game, or with `last_game_decides` off who has as
    many wins too. Each rotation of a match has its own winners.

    Columns: agent, rotations (that it sat in), won (share of these in which it, or one of its copies, wins).
    """
    who = ["match", "rotation", "participant"]
    last_game = results["game"] == results.groupby("match")["game"].transform("max")
    last = results.loc[last_game, [*who, "agent", "place"]].astype({"agent": str})
    sums = _grouped(results, who)["sum"].rename("points").reset_index()
    order = sums.merge(last, on=who).sort_values(["points", "place"], ascending=[False, True])
    if last_game_decides:
        first = order.drop_duplicates(["match", "rotation"])
    else:
        first = order[order["points"] == order.groupby(["match", "rotation"])["points"].transform("max")]
    winners = first.drop_duplicates(["match", "rotation", "agent"])["agent"].value_counts()
    table = order.drop_duplicates(["match", "rotation", "agent"]).groupby("agent").size().to_frame("rotations")
    table["won"] = (winners.reindex(table.index, fill_value=0) / table["rotations"]).astype(float)
    return table.reset_index().sort_values(["won", "agent"], ascending=[False, True], ignore_index=True)


def means(results: pd.DataFrame, category: str, by: str | None = None, of: str = "points") -> pd.DataFrame:
    """Return the mean of a column, by default of the points, for each value of a category: each row counts the same.

    Columns: `by` (another category, where it is given; else all are pooled), `category`, matches, games (rows), mean,
    error, low, high.
    """
    keys = [category] if by is None else [by, category]
    return _estimates(_totals(results, keys, of), keys).reset_index()


def shares(results: pd.DataFrame, column: str, by: str | None = None) -> pd.DataFrame:
    """Return how often each value of a column occurs: the share of the rows that have it, each row counting the same.

    Columns: `by` (a category, where it is given, within which shares sum to 1), `column`, times (rows with this value),
    matches, games (rows with any value), share, error, low, high.
    """
    groups = [] if by is None else [by]
    counts = _grouped(results, [*groups, "match", column])["count"]
    totals = pd.DataFrame({"sum": counts.unstack(column, fill_value=0).stack()})
    totals["count"] = totals["sum"].groupby([*groups, "match"]).transform("sum")
    table = _estimates(totals, [*groups, column]).rename(columns={"mean": "share"})
    table.insert(0, "times", totals["sum"].groupby([*groups, column]).sum())
    return table.reset_index()


def seat_advantage(results: pd.DataFrame, by: str | None = None) -> pd.DataFrame:
    """Return the mean points by distance from the seat that leads or begins, in games without ranks.

    Columns: `by` (such as agent, where it is given; else all are pooled), leader_distance, matches, games, mean, error,
    low, high. Where the game before decides who leads, agents do not sit evenly: `own_advantage` compares each agent
    with itself.
    """
    return means(_unranked(results), "leader_distance", by)


def rank_advantage(results: pd.DataFrame, by: str | None = None) -> pd.DataFrame:
    """Return the mean points by place in the game before, in games with ranks (where the last of that game leads).

    Columns: `by` (such as agent, where it is given; else all are pooled), place_before, matches, games, mean, error,
    low, high. Good agents had good places before, so this is not yet what a place is worth: `tribute_advantage` is.
    """
    return means(_ranked(results), "place_before", by)


def tribute_advantage(results: pd.DataFrame, by: str | None = None) -> pd.DataFrame:
    """Return what the place in the game before is worth, each agent compared with itself, in games with ranks.

    Columns: those of `own_advantage` for place_before.
    """
    return own_advantage(_ranked(results), "place_before", by)


def own_advantage(
    results: pd.DataFrame, category: str, by: str | None = None, baseline: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return what a category is worth, each agent compared with itself.

    Columns: `by` (such as hand_size, where it is given), `category`, agents (that have been there), matches, games,
    difference, error, low, high. The difference is an agent's mean points there less its mean points in all rows of
    `baseline` (by default the same results), averaged over the agents that have both. Where one of these has a single
    match to compare, the error is NaN.
    """
    keys = [category] if by is None else [by, category]
    at_category = _totals(results, ["agent", *keys])
    in_all = _totals(results if baseline is None else baseline, ["agent"])
    there, own = _ratios(at_category, ["agent", *keys]), _ratios(in_all, ["agent"])
    differences = there["mean"].unstack(keys).sub(own["mean"], axis=0)
    fewest = there["matches"].unstack(keys).clip(upper=own["matches"], axis=0).where(differences.notna())

    influences = _influences(at_category, ["agent", *keys]).unstack(keys, fill_value=0)
    own_influences = _influences(in_all, ["agent"])
    both = influences.index.union(own_influences.index)
    influences = influences.reindex(both, fill_value=0.0).sub(own_influences.reindex(both, fill_value=0.0), axis=0)
    seen = differences.notna().reindex(both, level="agent")
    influences = influences.where(seen, 0.0).groupby("match").sum() / differences.count()

    by_category = at_category.reset_index("match").groupby(keys)
    table = pd.DataFrame(
        {
            "agents": differences.count(),
            "matches": by_category["match"].nunique(),
            "games": by_category["count"].sum(),
            "difference": differences.mean(),
            "error": np.sqrt((influences**2).sum()).where(fewest.min() > 1),
        }
    )
    return _with_interval(table, "difference").reset_index()


def transitions(results: pd.DataFrame) -> Transitions:
    """Return how often each place follows each place in the game before, in games with ranks."""
    rows = _ranked(results)
    counts = _grouped(rows, ["place_before", "place"])["count"].unstack("place", fill_value=0)
    places = _places(results)
    counts = counts.reindex(index=places.rename("place_before"), columns=places, fill_value=0)
    return Transitions(counts.div(counts.sum(axis=1), axis=0), counts)


def contrast(results: pd.DataFrame, keys: Sequence[str], of: str = "points") -> pd.DataFrame:
    """Return the mean of a column in each arm of a study, and how far it is from that in arm 0, paired by match.

    Columns: arm, `keys`, matches, games (rows), mean, error, low, high, difference, difference_error, difference_low,
    difference_high; the last four are NaN in arm 0.
    """
    by = ["arm", *keys]
    totals = _totals(results, by, of)
    table = _estimates(totals, by)
    base = totals[totals.index.get_level_values("arm") == 0].droplevel("arm")
    others = [
        pd.concat({arm: _differences(own.droplevel("arm"), base, list(keys))}, names=["arm"])
        for arm, own in totals.groupby("arm")
        if arm != 0
    ]
    found = pd.concat(others) if others else pd.DataFrame(index=table.index[:0])
    return table.join(found.reindex(columns=_OF_DIFFERENCES)).reset_index()


def deviation(results: pd.DataFrame, keys: Sequence[str], of: str = "points") -> pd.DataFrame:
    """Return the mean of a column for each value of `keys`, and how far it is from the mean of all rows, by match.

    Columns: `keys`, matches, games (rows), mean, error, low, high, difference, difference_error, difference_low,
    difference_high.
    """
    by = list(keys)
    totals = _totals(results, by, of)
    everything = _totals(results, [], of)
    base = pd.DataFrame(
        everything.loc[totals.index.get_level_values("match")].to_numpy(), totals.index, ["sum", "count"]
    )
    return _estimates(totals, by).join(_differences(totals, base, by)).reset_index()


def student_t(freedom: pd.Series) -> pd.Series:
    """Return the 0.975 quantile of Student's t for whole degrees of freedom from 1, to 1e-4; NaN below."""
    n = freedom.where(freedom >= 1).astype(float)
    z = _Z
    series = (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )  # Abramowitz and Stegun 26.7.5
    return n.map(dict(enumerate(_SMALL_T, 1))).fillna(series)


def _grouped(rows: pd.DataFrame, keys: list[str], of: str = "points") -> pd.DataFrame:
    """Return the sum and count of a column for all `keys` that there are, in their order, labels as texts.

    All that is done with every row of a run is done here, by pyarrow: rows may be many millions, and matches are few.
    """
    table = pa.Table.from_pandas(rows[list(dict.fromkeys([*keys, of]))], preserve_index=False)
    groups = table.group_by(keys).aggregate([(of, "sum"), (of, "count")])
    frame = groups.select([*keys, f"{of}_sum", f"{of}_count"]).to_pandas()
    frame.columns = pd.Index([*keys, "sum", "count"])
    labels = [name for name in keys if isinstance(frame[name].dtype, pd.CategoricalDtype)]
    return frame.dropna(subset=keys).astype(dict.fromkeys(labels, str)).set_index(keys).sort_index()


def _games(rows: pd.DataFrame) -> int:
    """Return of how many games rows are."""
    match, rotation, game = (rows[name].to_numpy(np.int64) for name in ("match", "rotation", "game"))
    numbers = np.sort((match * (rotation.max() + 1) + rotation) * (game.max() + 1) + game, kind="stable")
    return 1 + int(np.count_nonzero(np.diff(numbers)))


def _ranked(results: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of games with ranks."""
    if "place_before" not in results:
        return results.iloc[:0].assign(place_before=0)
    return results[results["place_before"].notna()].astype({"place_before": int})


def _unranked(results: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of games without ranks."""
    return results[results["place_before"].isna()] if "place_before" in results else results


def _places(rows: pd.DataFrame) -> pd.Index:
    """Return the places 1 … n of a game of n players, though nobody may have come to some; none without rows.

    Where places are shared the last one is seldom taken, so the rows of a game are counted too.
    """
    if rows.empty:
        return pd.RangeIndex(1, 1, name="place")
    game = rows[["match", "rotation", "game"]]
    players = int((game == game.iloc[0]).all(axis=1).sum())
    return pd.RangeIndex(1, max(players, int(rows["place"].max())) + 1, name="place")


def _averages(rows: pd.DataFrame) -> pd.DataFrame:
    """Return each agent's mean points in each match, as totals of one, so that each match counts the same."""
    totals = _grouped(rows, ["agent", "match"])
    return pd.DataFrame({"sum": totals["sum"] / totals["count"], "count": 1})


def _totals(rows: pd.DataFrame, keys: list[str], of: str = "points") -> pd.DataFrame:
    """Return the sum and count of the points, or `of` another column, by `keys` and match: each row counts the same."""
    return _grouped(rows, [*keys, "match"], of)


def _ratios(totals: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return matches, games and mean for each of `keys`."""
    groups = totals.groupby(keys)
    whole = groups.sum()
    return pd.DataFrame({"matches": groups.size(), "games": whole["count"], "mean": whole["sum"] / whole["count"]})


def _influences(totals: pd.DataFrame, keys: list[str]) -> pd.Series:
    """Return how far each match pulls the mean of its `keys` away; the root of the sum of squares is the error.

    This is the linearised error of a ratio (Cochran, Sampling Techniques, ch. 6). Where all matches count the same it
    is the usual error of a mean of matches. Infinite or NaN where there is a single match.
    """
    groups = totals.groupby(keys)
    whole = groups.transform("sum")
    matches = groups["sum"].transform("size")
    deviations = (totals["sum"] - totals["count"] * whole["sum"] / whole["count"]) / whole["count"]
    return deviations * np.sqrt(matches / (matches - 1))


def _estimates(totals: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return matches, games, mean, error, low and high for each of `keys`."""
    table = _ratios(totals, keys)
    squares = (_influences(totals, keys) ** 2).groupby(keys).sum()
    table["error"] = np.sqrt(squares).where(table["matches"] > 1)
    return _with_interval(table, "mean")


def _differences(totals: pd.DataFrame, base: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return for each of `keys` the ratio of `totals` less that of `base`, paired by match."""
    ratios = _ratios(totals, keys)
    difference = ratios["mean"] - _ratios(base, keys)["mean"]
    influences = _influences(totals, keys).sub(_influences(base, keys), fill_value=0.0)
    squares = (influences**2).groupby(keys).sum()
    error = pd.Series(np.sqrt(squares)).where(ratios["matches"] > 1)
    table = _with_interval(
        pd.DataFrame({"matches": ratios["matches"], "difference": difference, "error": error}), "difference"
    ).drop(columns="matches")
    return table.rename(columns={name: f"difference_{name}" for name in ("error", "low", "high")})


def _with_interval(table: pd.DataFrame, estimate: str) -> pd.DataFrame:
    """Return a table of matches, estimate and error with the columns low and high."""
    reach = table["error"] * student_t(table["matches"] - 1)
    return table.assign(low=table[estimate] - reach, high=table[estimate] + reach)
