"""Sequential tests: a run that ends as soon as it is clear which of two agents wins more points.

The unit is the match with all its rotations, as everywhere: the mean points of one agent less those of the other. They
are taken in by whole chunks in the order of their numbers, so that the end does not depend on the number of workers.

Looking again and again at a usual interval finds a difference sooner or later though there is none. Here the interval
is one of a confidence sequence: with probability 1 - alpha the true mean is in all of them, however many there are and
whenever one stops. It is that of the t-test with a Gaussian mixture (H. Wang and A. Ramdas, "Anytime-valid t-tests and
confidence sequences for Gaussian means with unknown variance", Sequential Analysis 44, 2025): with S the sum of n
values and V that of their squares,

    M = √(c² / (n + c²)) · (1 - S² / ((n + c²) V))^(-n / 2)

ever exceeds 1 / alpha with probability alpha at most, if they are normal with mean 0, of whatever variance.

Of other distributions that holds the better the more matches there are, by the central limit theorem (for the limit see
I. Waudby-Smith et al., Time-uniform central limit theory and asymptotic confidence sequences, 2024).
"""

from collections.abc import Iterable, Sequence
from math import expm1, inf, log, nan, sqrt
from typing import TYPE_CHECKING, NamedTuple

from ..agents.registry import parse_call
from ..sim.errors import InputError, shorten

if TYPE_CHECKING:
    import pandas as pd

    from .store import Row

ALPHA = 0.05
# The c² of the test. It is best for differences that some hundred matches show, and has no answer before the 27th
# (alpha 0.05): few matches may all be alike although another would be very different.
PRIOR_MATCHES = 100.0


class Question(NamedTuple):
    """Whether an agent wins more points than another one, and with which probability the answer may be wrong."""

    agent: str
    other: str
    alpha: float

    def __str__(self) -> str:
        return f"{self.agent} > {self.other}"


def parse_question(text: str, labels: Sequence[str], alpha: float = ALPHA) -> Question:
    """Return the question ``A > B`` about two of the agents with these labels, or raise InputError."""
    by_call = {_call(label): label for label in labels}
    pieces = text.split(">")
    # An option may have a > in it: any of them may be the one between the agents.
    splits = [(">".join(pieces[:n]).strip(), ">".join(pieces[n:]).strip()) for n in range(1, len(pieces))]
    found = next((sides for sides in splits if all(_call(side) in by_call for side in sides)), None)
    if found is None:
        unknown = [[side for side in sides if _call(side) not in by_call] for sides in splits if all(sides)]
        if len(unknown) != 1:
            raise InputError(f'--until {shorten(text)!r}: write it as "A > B", with two of the agents')
        known = shorten(", ".join(dict.fromkeys(labels)))
        raise InputError(f"--until {shorten(text)!r}: {shorten(unknown[0][0])} is none of the agents {known}")
    agent, other = (by_call[_call(side)] for side in found)
    if agent == other:
        raise InputError(f"--until {shorten(text)!r}: copies of one agent share a label, so name two different agents")
    if not 0 < alpha < 1:
        raise InputError(f"--alpha {alpha:g}: must be between 0 and 1, such as 0.05")
    return Question(agent, other, alpha)


def _call(text: str) -> str:
    """Return what is the same for all texts of one agent, however they are spaced and quoted; empty: it is none."""
    try:
        name, options = parse_call(text)
    except InputError:
        return ""
    return repr((name, sorted(options.items(), key=str)))


class Answer(NamedTuple):
    """What some matches say to a question."""

    question: Question
    matches: int  # that both agents played
    difference: float  # the mean points a game of the agent, less those of the other; NaN without matches
    reach: float  # of the interval of the confidence sequence; infinite for the first matches

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.difference - self.reach

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.difference + self.reach

    @property
    def verdict(self) -> str:
        """The answer: yes, no (the other wins more) or undecided."""
        if self.low > 0:
            return "yes"
        return "no" if self.high < 0 else "undecided"


def differences(results: "pd.DataFrame | list[Row]", question: Question) -> "pd.Series[float]":
    """Return how much more the agent wins a game than the other, by match that both play, in the order of matches.

    Takes the rows of whole matches, of which match, agent and points are looked at.
    """
    import pandas as pd

    pair = [question.agent, question.other]
    rows = pd.DataFrame(results, columns=["match", "agent", "points"])
    rows = rows[rows["agent"].isin(pair)].astype({"agent": str})
    means = rows.groupby(["match", "agent"])["points"].mean().unstack("agent").reindex(columns=pair).dropna()
    return means[question.agent] - means[question.other]


def reach(matches: int, variance: float, alpha: float) -> float:
    """Return how far the interval reaches to each side of the mean of so many matches.

    Args:
        variance: their mean squared deviation from their mean.
        alpha: the probability with which the true mean may ever be outside.
    """
    # The largest S² / (n V) at which M is below 1 / alpha; for a hypothetical mean m it is (x̄ - m)² / (variance +
    # (x̄ - m)²).
    bound = 2 * log(alpha) + log(PRIOR_MATCHES / (matches + PRIOR_MATCHES))
    share = (1 + PRIOR_MATCHES / matches) * -expm1(bound / matches)
    return sqrt(variance * share / (1 - share)) if share < 1 else inf


class Trial:
    """The matches of a run as they come, and the answer that they give, taken in the order of chunks.

    Attributes:
        answer: to the question, by the chunks up to the first that is missing, or that with which it is clear.
        next: the number of the chunk that is waited for.
        last: the number of the chunk with which the answer is clear, None until then. It stays as it is.
    """

    def __init__(self, question: Question) -> None:
        self.question = question
        self.answer = Answer(question, 0, nan, inf)
        self.next = 0
        self.last: int | None = None
        self._waiting: dict[int, Sequence[float]] = {}
        self._count, self._mean, self._squares = 0, 0.0, 0.0  # of deviations from the mean

    @property
    def answered(self) -> bool:
        """Whether the answer is clear."""
        return self.last is not None

    def note(self, chunk: int, differences: Iterable[float]) -> None:
        """Take note of the `differences` of a chunk."""
        self._waiting[chunk] = list(differences)
        while self.last is None and self.next in self._waiting:
            for difference in self._waiting.pop(self.next):
                self._count += 1
                deviation = difference - self._mean
                self._mean += deviation / self._count
                self._squares += deviation * (difference - self._mean)
            if self._count:
                width = reach(self._count, self._squares / self._count, self.question.alpha)
                self.answer = Answer(self.question, self._count, self._mean, width)
            if self.answer.verdict != "undecided":
                self.last = self.next
            self.next += 1
