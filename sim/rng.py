"""Random streams: splitmix64, its whole state one int64, made from keys.

A stream is named by what it is for, `key_of(seed, match, game, purpose)`, so that nothing depends on the order in which
games are played, and an agent that draws more numbers cannot change the next deal. The generator is splitmix64
(Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
"""

import hashlib

import numpy as np

from .kernels import small_kernel

# Purposes: the last part of a key says what the stream is for.
DEAL, SEATS, CHANCE, AGENT, WORLD, PLAYOUT, STAGING = 1, 2, 3, 4, 5, 6, 7

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@small_kernel
def scramble(state):
    """Return 64 random bits (uint64) for a stream's state (int64 or uint64): the output function of splitmix64."""
    bits = np.uint64(np.int64(state))
    bits = (bits ^ (bits >> _30)) * _MIX_1
    bits = (bits ^ (bits >> _27)) * _MIX_2
    return bits ^ (bits >> _31)


@small_kernel
def advance(state):
    """Return the next state (int64) of a stream."""
    return np.int64(np.uint64(np.int64(state)) + _GOLDEN)


@small_kernel
def below(state, bound):
    """Return an integer (int64) in 0 … bound−1 for a stream's state; `bound` is at most 2³¹.

    Multiply-and-shift on 32 bits: the bias is under bound / 2³².
    """
    return np.int64(((scramble(state) >> _32) * np.uint64(bound)) >> _32)


@small_kernel
def unit(state):
    """Return a float64 in [0, 1) for a stream's state."""
    return np.float64(scramble(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@small_kernel
def derive(key, part):
    """Return the key (int64) of the stream `part` (int64) within the stream `key`."""
    return np.int64(scramble(np.uint64(scramble(key)) + np.uint64(np.int64(part)) * _GOLDEN + _GOLDEN))


def key_of(*parts: int) -> int:
    """Return the key of a stream named by integers, for example (seed, match, game, purpose)."""
    key = 1  # not 0, which the part −1 would lead to itself
    for part in parts:
        key = int(derive(key, int(np.int64(np.uint64(part % 2**64)))))
    return key


def one_way_key_of(*parts: int) -> int:
    """Return a key from which the parts cannot be found: what an agent is given must not lead back to the deal.

    `key_of` and `derive` can be undone step by step.
    """
    named = ",".join(str(int(part)) for part in parts)
    return int.from_bytes(hashlib.blake2b(named.encode(), digest_size=8).digest(), "little", signed=True)
