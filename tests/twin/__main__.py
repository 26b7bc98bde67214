"""The long comparison of the kernels with the slow twin: ``python -m tests.twin``, from the top of the repository.

It compares random positions until so many different ones have been met, in parts that depend on the seed and on their
number alone, so that the figures do not depend on the number of workers. It prints how many different positions were
met under each value of each option and for each clause, and fails where there were too few. With ``--faults`` it also
shows that each of the faults of `faults.py`, made in a copy of the kernels, is noticed.
"""

import argparse
import sys
import time
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor

from ..naive import daifugo as twin
from .faults import FAULTS, try_faults
from .tally import Seen, Tally, seen
from .walk import steps

PART = 5000  # positions
RARE = 100_000  # each value and each clause has to be met once in so many positions


def compare_part(seed: int, part: int) -> list[Seen]:
    """The positions of one part, all of which agreed; else a `Difference` says where not."""
    found = seen(steps(seed, part, PART))
    twin.deck_beats.cache_clear()
    return found


def compare(seed: int, positions: int, workers: int) -> Tally:
    """Compare parts, in their order, until so many different positions have been met."""
    tally, part, running = Tally(), 0, deque[Future[list[Seen]]]()
    told = begun = time.monotonic()
    with ProcessPoolExecutor(workers) as pool:
        while tally.distinct < positions:
            while len(running) < 2 * workers:
                running.append(pool.submit(compare_part, seed, part))
                part += 1
            tally.add(running.popleft().result())
            if time.monotonic() - told > 60:
                told = time.monotonic()
                print(f"{tally.distinct:,} positions in {told - begun:.0f} s", file=sys.stderr, flush=True)
        pool.shutdown(cancel_futures=True)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.twin", description="compare the kernels with the slow twin")
    parser.add_argument("--positions", type=int, default=1_000_000, help="different positions (default: a million)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="of the random positions (default: 1)")
    parser.add_argument("--faults", action="store_true", help="also try the seeded faults")
    arguments = parser.parse_args()
    failed = False
    if arguments.positions:
        begun = time.monotonic()
        tally = compare(arguments.seed, arguments.positions, arguments.workers)
        print(f"seed {arguments.seed}, no difference, {time.monotonic() - begun:.0f} s")
        print(tally.report())
        rare = tally.rare(max(1, tally.distinct // RARE))
        failed = bool(rare)
        print(f"\nmet too seldom: {', '.join(rare) or 'nothing'}", flush=True)
    if arguments.faults:
        caught = 0
        for fault, answer in zip(FAULTS, try_faults(FAULTS, arguments.seed, arguments.workers), strict=True):
            at = f"at position {answer.position:,}" if answer.caught else f"NOT within {answer.position:,} positions"
            print(f"{fault.clause:6} {fault.what}: {at}", flush=True)
            caught += answer.caught
        print(f"{caught} of {len(FAULTS)} seeded faults noticed")
        failed |= caught < len(FAULTS)
    sys.exit(failed)


if __name__ == "__main__":
    main()
