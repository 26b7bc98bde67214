"""The one table in which a study reports: a row for each estimate, of whatever measure."""

from collections.abc import Iterator, Sequence

import pandas as pd

STATISTICS = (
    *("matches", "games", "mean", "error", "low", "high"),
    *("difference", "difference_error", "difference_low", "difference_high"),
)
COLUMNS = ("part", "measure", "by", "level", "agent", "arm", *STATISTICS)


def block(
    table: pd.DataFrame, part: str, measure: str, by: str, arms: Sequence[str] = ("",), agent: str = ""
) -> pd.DataFrame:
    """Return the estimates of `statistics.contrast` or `statistics.deviation`, by one key, as rows of the table."""
    (key,) = (name for name in table if name not in {"arm", *STATISTICS})
    named = table.assign(
        part=part,
        measure=measure,
        by=by,
        level=table[key].astype(str),
        agent=agent,
        arm=[arms[number] for number in table["arm"]] if "arm" in table else "",
    )
    return named[list(COLUMNS)]


def agents_apart(results: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield all rows with an empty label, and where there are several agents the rows of each with its label."""
    yield "", results
    labels = sorted(results["agent"].astype(str).unique())
    for label in labels if len(labels) > 1 else []:
        yield label, results[results["agent"] == label]


def ranked_rows(results: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of games with ranks, with a column `kept`: 1.0 where a seat keeps its place."""
    if "place_before" not in results:
        return results.iloc[:0].assign(place_before=0, kept=0.0)
    ranked = results[results["place_before"].notna()].astype({"place_before": int})
    return ranked.assign(kept=(ranked["place"] == ranked["place_before"]).astype(float))


def only(table: pd.DataFrame, part: str, measure: str, by: str, agent: str = "") -> pd.DataFrame:
    """Return the rows of one block."""
    wanted = {"part": part, "measure": measure, "by": by, "agent": agent}
    return table[(table[list(wanted)] == pd.Series(wanted)).all(axis=1)]
