"""A few of the moments that ``python -m tests.faults`` tries a hundred of."""

from pathlib import Path

from .moments import KINDS, Trial


def test_runs_that_are_hindered_at_random_moments_lose_nothing(tmp_path: Path) -> None:
    trial = Trial(tmp_path, 1, list(KINDS))
    for _ in range(len(KINDS)):
        trial.moment()
    trial.finish()
    assert sum(trial.hits.values()) >= 2  # the others came too late
