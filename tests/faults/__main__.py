"""Runs that are hindered at random moments: ``python -m tests.faults``, from the top of the repository.

It prints how often each fault hit a run, and fails where one was not taken as it should be.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from .moments import KINDS, Mishandled, Trial


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description="hinder runs at random moments")
    parser.add_argument("--moments", type=int, default=100, help="how many are to hit a run (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default: 1)")
    parser.add_argument("--only", choices=KINDS, help="one kind of fault")
    arguments = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder), arguments.seed, [arguments.only] if arguments.only else list(KINDS))
        try:
            while sum(trial.hits.values()) < arguments.moments:
                print(trial.moment(), file=sys.stderr, flush=True)
        except Mishandled as error:
            sys.exit(f"seed {arguments.seed}, after {sum(trial.hits.values())} faults: {error}")
    seconds = time.monotonic() - begun
    print(f"seed {arguments.seed}, {trial.runs} runs, all with the rows of an unbroken one, {seconds:.0f} s")
    for kind, about in KINDS.items():
        print(f"{trial.hits[kind]:5} times {about}")
    print(f"{trial.misses:5} times too late, the run had ended")


main()
