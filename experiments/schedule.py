"""Who plays whom: the matches of a tournament, and the chunks in which they are handed out.

All of it follows from the numbers of agents, seats and matches and from the seed, so that a worker needs to be told no
more than the number of a chunk.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil, gcd
from random import Random
from typing import NamedTuple

from ..sim.rng import key_of

CHUNK_SECONDS = 2.0  # what a chunk should take, so that little is lost with it
FEWEST_CHUNKS = 64  # enough for many workers, and for something to be seen
MOST_CHUNKS = 5000  # not too many files, but …
MOST_MATCHES = 500  # … a chunk is held in memory
PERIOD = 240  # about after how many matches the balanced line-ups begin anew, in another order

# Purpose of a random stream beside those of the matches, which are the numbers from 0.
LINE_UPS = -1


class Match(NamedTuple):
    """A match to be played once for each rotation of its agents."""

    number: int
    key: int  # names its deals, leaders and seat changes
    agents: tuple[int, ...]  # by participant: which of the tournament's agents, in rotation 0

    def rotations(self, labels: Sequence[str]) -> int:
        """Return after how many rotations the agents, of which copies share a label, sit as they did at the start."""
        seats = [labels[agent] for agent in self.agents]
        return next(n for n in range(1, len(seats) + 1) if seats[n:] + seats[:n] == seats)

    def seated(self, rotation: int) -> tuple[int, ...]:
        """Return the agents by participant in a rotation: each has moved on by as many places."""
        places = len(self.agents)
        return tuple(self.agents[(participant + rotation) % places] for participant in range(places))


def match_of(number: int, agents: int, seats: int, seed: int) -> Match:
    """Return a match of a tournament.

    Up to `seats` agents take the seats in turn, going on in the next match where they stopped. Of more agents each
    match has some, so that all play equally often (within one match, at any time) and meet each other about as often.
    """
    if agents <= seats:
        first = number * seats
        line_up = tuple((first + participant) % agents for participant in range(seats))
    else:
        round_length = agents // gcd(agents, seats)  # the fewest matches in which all can play equally often
        length = round_length * ceil(PERIOD / round_length)
        period, index = divmod(number, length)
        line_up = _balanced_line_ups(agents, seats, length, key_of(seed, LINE_UPS, period))[index]
    return Match(number, key_of(seed, number), line_up)


@lru_cache(maxsize=4)
def _balanced_line_ups(agents: int, seats: int, length: int, key: int) -> tuple[tuple[int, ...], ...]:
    """Return line-ups in which those come first who played least, and of these whoever met the others least."""
    random = Random(key)
    played = [0] * agents
    met = [[0] * agents for _ in range(agents)]
    line_ups = []
    for _ in range(length):
        left = sorted(range(agents), key=lambda _: random.random())
        line_up: list[int] = []
        while len(line_up) < seats:
            meetings = {agent: sum(met[agent][other] for other in line_up) for agent in left}
            line_up.append(min(left, key=lambda agent: (played[agent], meetings[agent])))
            left.remove(line_up[-1])
        for agent in line_up:
            played[agent] += 1
            for other in line_up:
                met[agent][other] += 1
        line_ups.append(tuple(line_up))
    return tuple(line_ups)


def matches_per_chunk(matches: int, match_seconds: float) -> int:
    """Return how many matches, each of about so many seconds with all its rotations, to hand out at a time."""
    in_time = int(CHUNK_SECONDS / match_seconds)
    return max(1, min(in_time, matches // FEWEST_CHUNKS), min(ceil(matches / MOST_CHUNKS), MOST_MATCHES))


def chunk_count(matches: int, per_chunk: int) -> int:
    """Return how many chunks there are."""
    return ceil(matches / per_chunk)


def chunk_matches(chunk: int, matches: int, per_chunk: int) -> range:
    """Return the numbers of the matches of a chunk."""
    return range(chunk * per_chunk, min((chunk + 1) * per_chunk, matches))
