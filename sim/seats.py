"""Seats around a table, and the places that they end with: what games have in common."""

from collections.abc import Sequence

import numpy as np

from .kernels import small_kernel, trailing_zeros


@small_kernel
def next_seat(rules, seats, seat):
    """Return the first of a non-empty mask of seats clockwise after `seat`."""
    around = np.int64(seats) | np.int64(seats) << rules.players
    found = seat + 1 + trailing_zeros(around >> (seat + 1))
    return found - rules.players if found >= rules.players else found


def shared_places(points: Sequence[float]) -> list[int]:
    """Return the place of each seat by points, 1 for the most; equal points share the better place."""
    return [1 + sum(other > own for other in points) for own in points]
