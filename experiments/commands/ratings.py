"""The command for ratings: rate."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..jsonl import print_rich, write_json
from .tournaments import NAMED_PATH, records

if TYPE_CHECKING:
    import pandas as pd


@click.command()
@click.argument("directories", metavar="DIRECTORY...", nargs=-1, required=True, type=NAMED_PATH)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the bootstrap.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def rate(directories: tuple[Path, ...], seed: int, as_json: bool) -> None:
    """Rate the agents in all runs in DIRECTORY... by whole finish orders, after Plackett and Luce.

    The runs must be of the same rules. 400 points are odds of 10 to 1 to finish ahead; the mean of the agents is 0.
    Intervals are 95 % intervals by matches.
    """
    from .. import ratings, store
    from ..plan import plan_of

    runs = [store.load(directory) for directory in directories]
    table = ratings.rate(runs, seed)
    if as_json:
        write_json({"scale": ratings.SCALE, "seed": seed, "ratings": records(table)})
    else:
        print_rich(_table(table, plan_of(runs[0].manifest).title))


def _table(ratings: "pd.DataFrame", title: str) -> Any:
    from ..tables import WholeTable

    rows = [
        [
            row["agent"],
            f"{row['rating']:+.0f}",
            _interval(row["low"], row["high"], "+.0f"),
            f"{row['ahead']:.1%}",
            "–" if row["ahead"] == 0.5 else _interval(row["ahead_low"], row["ahead_high"], ".1%"),
            f"{row['matches']:,}",
            f"{row['games']:,}",
        ]
        for row in ratings.to_dict("records")
    ]
    headings = ["agent", "rating", "95 %", "ahead of\nthe best", "95 %", "matches", "games"]
    return WholeTable(headings, rows, ("agent",), "right", f"{title}: ratings by whole finish orders")


def _interval(low: float, high: float, form: str) -> str:
    return "–" if math.isnan(low) else f"{low:{form}} … {high:{form}}"
