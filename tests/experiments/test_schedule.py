"""Who plays whom, and how it is cut into chunks."""

from collections import Counter
from itertools import combinations, pairwise

import pytest
from agari.experiments.schedule import chunk_count, chunk_matches, match_of, matches_per_chunk
from agari.sim.rng import key_of


def line_ups(agents: int, seats: int, matches: int, seed: int = 7) -> list[tuple[int, ...]]:
    return [match_of(number, agents, seats, seed).agents for number in range(matches)]


def test_each_rotation_moves_every_agent_on_by_one_participant() -> None:
    match = match_of(3, 4, 4, 7)
    assert match.seated(0) == match.agents
    assert match.seated(1) == (*match.agents[1:], match.agents[0])
    for participant in range(4):
        assert sorted(match.seated(rotation)[participant] for rotation in range(4)) == [0, 1, 2, 3]


def test_the_key_of_a_match_names_its_cards_whoever_plays() -> None:
    assert match_of(5, 4, 4, 7).key == match_of(5, 9, 6, 7).key == key_of(7, 5)
    assert len({match_of(number, 4, 4, seed).key for number in range(50) for seed in (7, 8)}) == 100


def test_as_many_agents_as_seats() -> None:
    assert set(line_ups(4, 4, 10)) == {(0, 1, 2, 3)}


def test_fewer_agents_repeat() -> None:
    assert set(line_ups(1, 4, 3)) == {(0, 0, 0, 0)}
    assert set(line_ups(2, 4, 3)) == {(0, 1, 0, 1)}
    assert line_ups(3, 4, 4) == [(0, 1, 2, 0), (1, 2, 0, 1), (2, 0, 1, 2), (0, 1, 2, 0)]


@pytest.mark.parametrize("seats", [4, 5, 6])
@pytest.mark.parametrize("more", [1, 2, 3, 4, 5, 11])
def test_more_agents_play_and_meet_equally(seats: int, more: int) -> None:
    agents = seats + more
    plays = Counter(dict.fromkeys(range(agents), 0))
    meetings = Counter(dict.fromkeys(combinations(range(agents), 2), 0))
    for number, line_up in enumerate(line_ups(agents, seats, 700)):
        assert len(set(line_up)) == seats
        plays.update(line_up)
        meetings.update(combinations(sorted(line_up), 2))
        assert max(plays.values()) - min(plays.values()) <= 1, number
    # Never far apart, and not in proportion to the number of matches.
    assert max(meetings.values()) - min(meetings.values()) <= 10


def test_all_groups_of_agents_come_up() -> None:
    assert len({frozenset(line_up) for line_up in line_ups(6, 4, 200)}) == 15


def test_balanced_line_ups_follow_from_the_seed() -> None:
    assert line_ups(7, 4, 300) == line_ups(7, 4, 300)
    assert line_ups(7, 4, 300) != line_ups(7, 4, 300, seed=8)
    assert line_ups(7, 4, 300)[:50] != line_ups(7, 4, 300)[245:295]


def test_a_match_does_not_depend_on_those_before() -> None:
    assert match_of(10_000, 7, 4, 7) == match_of(10_000, 7, 4, 7)
    assert match_of(10_000, 7, 4, 7).number == 10_000


@pytest.mark.parametrize("matches", [1, 2, 63, 64, 65, 250, 999, 1_000_000])
@pytest.mark.parametrize("match_seconds", [1e-3, 0.02, 0.5, 60.0])
def test_chunks_cover_all_matches_once(matches: int, match_seconds: float) -> None:
    size = matches_per_chunk(matches, match_seconds)
    chunks = [chunk_matches(chunk, matches, size) for chunk in range(chunk_count(matches, size))]
    assert all(chunks)
    assert sum(map(len, chunks)) == matches
    assert all(before.stop == after.start for before, after in pairwise(chunks))
    assert (chunks[0].start, chunks[-1].stop) == (0, matches)


def test_size_of_chunks() -> None:
    assert matches_per_chunk(250, match_seconds=0.5) == 3  # enough chunks
    assert matches_per_chunk(10_000, match_seconds=0.5) == 4  # of about two seconds
    assert matches_per_chunk(2_000, match_seconds=60.0) == 1
    assert matches_per_chunk(100_000, match_seconds=60.0) == 20  # not too many
    assert matches_per_chunk(10**9, match_seconds=0.01) == 500  # none too large for the memory
