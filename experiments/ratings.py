"""Ratings: how strong agents are by the whole finish orders of their games, under the model of Plackett and Luce.

An agent of strength w (log-strength θ = ln w) finishes first among those at the table with probability w / Σ w, second
among the others in the same way, and so on. So it finishes ahead of another with probability w / (w + w'), whoever else
is there. Copies of an agent at one table have the same strength each.

Of all games the likelihood needs only how often each set of agents was left to be ordered, since

    ln L = Σ_agents θ · seats − Σ_sets count · ln Σ_agents seats in the set · exp θ

(sets of one are in it too, where the two terms cancel). Where places are shared, all orders that agree with them count
the same, as if lots were drawn. A million games are thus a few thousand numbers, and so is each bootstrap sample.

The likelihood is concave, and Newton's method finds its top. That is what `choix.ilsr_rankings` estimates (Maystre and
Grossglauser, Fast and accurate inference of Plackett-Luce models, NIPS 2015), but from a list of all orders, each as
often as it occurred, without weights.

- Luce, Individual Choice Behavior, 1959; Plackett, The analysis of permutations, 1975
- Hunter, MM algorithms for generalized Bradley-Terry models, 2004: when there is a finite estimate
- Rubin, The Bayesian bootstrap, 1981
- Sun and Tran-Dinh, Generalized self-concordant functions, 2019: steps that always lead to the top
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, groupby
from math import comb, log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..sim.errors import InputError, shorten
from .plan import MOST_MATCHES, Plan, tournament_of
from .statistics import student_t

if TYPE_CHECKING:
    from .store import Run

SCALE = 400 / log(10)  # rating points per unit of log-strength, as in Elo's system: 400 points are odds of 10 to 1
SAMPLES = 1000  # of the bootstrap: the standard errors are known to 2 %
CONVERGED = 1e-9  # the longest step that is none
BLOCK = 4_000_000  # numbers in memory at a time

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Finishes(NamedTuple):
    """How games ended: a row for each game, a column for each seat."""

    labels: list[str]
    units: Integers  # by game: the match with all its rotations, from 0
    agents: Integers  # by game and seat: the index of a label
    places: Integers  # by game and seat: 1 is first; equal ones are shared


class _Counts(NamedTuple):
    """How often each set of agents was left to be ordered."""

    sets: Floats  # by set and agent: the seats of the agent in it
    full: NDArray[np.bool_]  # by set: whether it is a whole table
    units: Integers  # by entry, ascending: in this match …
    indices: Integers  # … this set …
    counts: Floats  # … was left so often


def rate(runs: Sequence["Run"], seed: int = 0) -> pd.DataFrame:
    """Return the ratings of all agents of runs of the same rules: a row for each label, the best first.

    Columns: agent, matches, games (that it sat in), strength (θ, their mean over the agents being 0), rating (the same
    in points, `SCALE`), low, high (the ends of its 95 % interval), ahead (the chance to finish ahead of the best agent,
    0.5 for itself), ahead_low, ahead_high. With a single match the intervals are NaN.

    Args:
        seed: of the bootstrap, which draws matches with all their rotations. Matches of equal number in runs of equal
            seed have the same deals, so they are drawn together.

    Raises:
        InputError: the runs are not of the same rules, no game was played, agents never met, or the ratings are not
            finite because one was always ahead.
    """
    return rate_finishes(_finishes(runs), seed)


def rate_finishes(finishes: Finishes, seed: int = 0) -> pd.DataFrame:
    """Return the ratings by how games ended; the frame and the errors are those of `rate`."""
    orders, which = _distinct_orders(finishes)
    _refuse_unbounded(finishes.labels, orders)
    counts = _count_sets(finishes, orders, which)
    totals = np.bincount(counts.indices, counts.counts, len(counts.sets)).astype(float)
    strengths = _fit(counts, totals, np.zeros(len(finishes.labels)))
    samples = np.array([_fit(counts, sample, strengths) for sample in _bootstrap(counts, seed)])

    took_part = (orders[:, :, None] % len(finishes.labels) == np.arange(len(finishes.labels))).any(axis=1)
    matches = np.array([np.count_nonzero(np.bincount(finishes.units[games])) for games in took_part.T[:, which]])
    best = int(np.argmax(strengths))
    reach = _reach(samples, matches)
    gap = strengths - strengths[best]
    gap_reach = _reach(samples - samples[:, [best]], np.minimum(matches, matches[best]))
    table = pd.DataFrame(
        {
            "agent": finishes.labels,
            "matches": matches,
            "games": np.bincount(which) @ took_part,
            "strength": strengths,
            "rating": SCALE * strengths,
            "low": SCALE * (strengths - reach),
            "high": SCALE * (strengths + reach),
            "ahead": _chance(gap),
            "ahead_low": _chance(gap - gap_reach),
            "ahead_high": _chance(gap + gap_reach),
        }
    )
    return table.sort_values(["rating", "agent"], ascending=[False, True], ignore_index=True)


def _chance(gap: Floats) -> Floats:
    """Return the chance to finish ahead of somebody, by how much more one's log-strength is."""
    return 1 / (1 + np.exp(-gap))


def _reach(samples: Floats, matches: Integers) -> Floats:
    """Return how far 95 % intervals reach, by agent, from the spread of the samples and the number of matches.

    A t-interval, as everywhere else. The weights of n matches add up to a fixed sum, by which the spread of their means
    is (n - 1) / (n + 1) of what it should be.
    """
    freedom = pd.Series(matches - 1)
    quantiles = student_t(freedom).to_numpy()
    return quantiles * samples.std(axis=0) * np.sqrt((matches + 1) / freedom.where(freedom > 0).to_numpy())


# From runs to counts


def _finishes(runs: Sequence["Run"]) -> Finishes:
    """Return how the games of runs ended."""
    plans = [tournament_of(run.directory, run.manifest) for run in runs]
    for run, plan in zip(runs, plans, strict=True):
        if (plan.game.name, plan.rules) != (plans[0].game.name, plans[0].rules):
            raise InputError(
                f"{runs[0].directory} is of {plans[0].title}, {run.directory} of {plan.title}: "
                f"rate runs of the same rules together"
            )
    labels = sorted({label for plan in plans for label in plan.agents})
    seeds = sorted({plan.seed for plan in plans})
    tables = [_finishes_of(run, plan, labels, seeds.index(plan.seed)) for run, plan in zip(runs, plans, strict=True)]
    units, agents, places = map(np.concatenate, zip(*tables, strict=True))
    if not len(units):
        raise InputError("no match has been played yet: there is nothing to rate")
    played, agents = np.unique(agents, return_inverse=True)
    matches = np.unique(units, return_inverse=True)[1]
    return Finishes([labels[index] for index in played], matches, agents.reshape(places.shape), places)


def _finishes_of(run: "Run", plan: Plan, labels: list[str], seed: int) -> tuple[Integers, Integers, Integers]:
    """Return unit, agents and places of the games of a run; the seed is one of those of all runs, by its number."""
    rows = run.table("results", ["match", "agent", "place"])  # sorted by game and seat
    rows["agent"] = rows["agent"].cat.set_categories(labels).cat.codes
    matches, agents, places = rows.to_numpy(np.int64).T.reshape(3, -1, plan.rules.players)
    return seed * MOST_MATCHES + matches[:, 0], agents, places


def _distinct_orders(finishes: Finishes) -> tuple[Integers, Integers]:
    """Return the different finish orders, and by game which of them it is.

    An order is a row of places and agents, as place · number of labels + agent, ascending.
    """
    keys = np.sort(finishes.places * len(finishes.labels) + finishes.agents, axis=1)
    which = np.zeros(len(keys), np.int64)
    for column in keys.T:
        which = pd.factorize(which * (keys.max() + 1) + column)[0]
    return keys[np.unique(which, return_index=True)[1]], which


def _left_to_order(order: Sequence[tuple[int, int]]) -> Iterator[tuple[tuple[int, ...], float]]:
    """Yield each set of agents that was left while an order of (place, agent) came about, and how often it was.

    Of those who share a place any may have been the first, the second …: each part of them was left with the same
    chance, together with all behind them.
    """
    behind: tuple[int, ...] = ()
    for _, group in groupby(reversed(order), key=lambda pair: pair[0]):
        tied = [agent for _, agent in group]
        for size in range(1, len(tied) + 1):
            for left in combinations(tied, size):
                yield tuple(sorted((*left, *behind))), 1 / comb(len(tied), size)
        behind = (*tied, *behind)


def _count_sets(finishes: Finishes, orders: Integers, which: Integers) -> _Counts:
    """Return how often each set of agents was left in each match."""
    agents, seats = len(finishes.labels), finishes.agents.shape[1]
    numbers: dict[tuple[int, ...], int] = {}
    indices, shares, first = [], [], [0]
    for order in orders:
        for left, share in _left_to_order([divmod(int(key), agents) for key in order]):
            indices.append(numbers.setdefault(left, len(numbers)))
            shares.append(share)
        first.append(len(indices))

    entries, times = np.unique(finishes.units * len(orders) + which, return_counts=True)
    units, order_of = np.divmod(entries, len(orders))
    lengths = np.diff(first)[order_of]
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    pick = np.repeat(np.array(first)[order_of], lengths) + within
    sets = np.array([np.bincount(left, minlength=agents) for left in numbers], float)
    return _Counts(
        sets,
        sets.sum(axis=1) == seats,
        np.repeat(units, lengths),
        np.array(indices)[pick],
        np.array(shares)[pick] * np.repeat(times, lengths),
    )


def _refuse_unbounded(labels: list[str], orders: Integers) -> None:
    """Raise InputError unless there is a finite estimate: everybody was ahead of everybody, through others at least."""
    if len(labels) < 2:
        raise InputError(f"there is only {shorten(labels[0])} in these games: rate two agents or more")
    places, agents = np.divmod(orders, len(labels))
    ahead = np.eye(len(labels), dtype=bool)
    for first, second in combinations(range(orders.shape[1]), 2):
        ahead[agents[:, first], agents[:, second]] = True
        tied = places[:, first] == places[:, second]
        ahead[agents[tied, second], agents[tied, first]] = True
    for relation, said in (
        (ahead | ahead.T, "{0} and {1} never met, nor through others: rate them with a run in which they do"),
        (ahead, "{0} was never ahead of {1}, nor through others, so no rating is finite: play more matches"),
    ):
        for through in range(len(labels)):
            relation |= relation[:, [through]] & relation[[through]]
        if not relation.all():
            raise InputError(said.format(*(shorten(labels[index]) for index in np.argwhere(~relation)[0])))


# From counts to strengths


def _fit(counts: _Counts, totals: Floats, start: Floats) -> Floats:
    """Return the log-strengths, of mean 0, under which so many of each set are most likely."""
    seats = (totals * counts.full) @ counts.sets
    strengths, length = start, np.inf
    while length > CONVERGED:
        weights = counts.sets * np.exp(strengths)
        chances = weights / weights.sum(axis=1, keepdims=True)
        expected = totals @ chances
        information = np.diag(expected) - (chances.T * totals) @ chances
        # Only differences matter; what is added here holds their mean where it is.
        step = np.linalg.solve(information + expected.mean(), seats - expected)
        length = np.ptp(step)
        strengths = strengths + step * (np.log1p(length) / length if length else 0.0)
    return strengths - strengths.mean()


def _bootstrap(counts: _Counts, seed: int) -> Floats:
    """Return how often each set is left in each sample: the matches weighted at random, by sample and set.

    The weights are exponential (the Bayesian bootstrap), so that every match has a part in every sample: who was ahead
    of whom only once is so in all of them, and their strengths are finite.
    """
    random = np.random.default_rng(seed)
    matches, width = int(counts.units[-1]) + 1, len(counts.sets)
    totals = np.zeros((SAMPLES, width))
    size = max(1, BLOCK // max(SAMPLES, width))
    for start in range(0, matches, size):
        number = min(size, matches - start)
        first, last = np.searchsorted(counts.units, [start, start + number])
        cells = (counts.units[first:last] - start) * width + counts.indices[first:last]
        block = np.bincount(cells, counts.counts[first:last], number * width).reshape(number, width)
        totals += random.exponential(size=(number, SAMPLES)).T @ block
    return totals
