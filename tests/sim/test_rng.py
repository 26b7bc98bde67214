"""Random streams: splitmix64 as published, and keys that give streams of their own."""

from collections import Counter
from itertools import product

import numba
import pytest
from agari.sim.rng import advance, below, derive, key_of, scramble, unit
from hypothesis import given
from hypothesis import strategies as st

KEYS = st.integers(-(2**63), 2**63 - 1)
GOLDEN, MASK = 0x9E3779B97F4A7C15, 2**64 - 1


def mixed(state: int) -> int:
    """The output function of splitmix64, in unbounded integers."""
    bits = state & MASK
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & MASK
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & MASK
    return bits ^ bits >> 31


def test_published_outputs_of_splitmix64() -> None:
    state, outputs = 1234567, []
    for _ in range(5):
        state = advance(state)
        outputs.append(int(scramble(state)))
    assert outputs == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(KEYS, st.integers(1, 2**31))
def test_kernels_agree_with_unbounded_integers(key: int, bound: int) -> None:
    assert scramble(key) == mixed(key)
    assert advance(key) & MASK == (key + GOLDEN) & MASK
    assert below(key, bound) == (mixed(key) >> 32) * bound >> 32
    assert unit(key) == (mixed(key) >> 11) / 2**53


@given(KEYS, KEYS)
def test_derived_keys_agree_with_unbounded_integers(key: int, part: int) -> None:
    assert derive(key, part) & MASK == mixed(mixed(key) + (part + 1) * GOLDEN)


def test_below_is_uniform() -> None:
    counts: Counter[int] = Counter()
    state = 0
    for _ in range(13_000):
        state = advance(state)
        counts[int(below(state, 13))] += 1
    assert sorted(counts) == list(range(13))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 32.9  # χ² of 12 degrees, p = 0.001


@given(st.lists(st.integers(-(2**70), 2**70), min_size=1, max_size=4))
def test_keys_are_int64_and_made_part_by_part(parts: list[int]) -> None:
    key = key_of(*parts)
    assert -(2**63) <= key < 2**63
    assert key_of(*parts, 5) == derive(key, 5)


def test_keys_differ() -> None:
    keys = {key_of(*parts) for count in (1, 2, 3) for parts in product(range(-15, 15), repeat=count)}
    assert len(keys) == 30 + 30**2 + 30**3
    assert key_of(1, 2) != key_of(2, 1)


@pytest.mark.parametrize("key", [0, -1, 2**63 - 1, -(2**63)])
def test_streams_next_to_each_other_have_nothing_in_common(key: int) -> None:
    def draws(state: int) -> set[int]:
        seen = set()
        for _ in range(1000):
            state = advance(state)
            seen.add(int(scramble(state)))
        return seen

    streams = [draws(int(derive(key, part))) for part in range(4)]
    assert len(set.union(*streams)) == 4000


def test_inside_a_kernel() -> None:
    @numba.njit
    def inside(key):
        return derive(key, 3), below(key, 10)

    assert inside(42) == (derive(42, 3), below(42, 10))
