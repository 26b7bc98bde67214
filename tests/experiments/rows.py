"""The rows of runs: to be written without being played, and compared byte for byte."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow.parquet as parquet
from agari.experiments import store
from agari.experiments.columns import CLOCK_COLUMNS
from agari.experiments.store import Row, encode_part
from agari.sim.game import Game


def write_part(directory: Path, game: Game, chunk: int, results: Sequence[Row], games: Sequence[Row]) -> None:
    """Write the rows of one chunk of a run."""
    store.write_part(directory, chunk, encode_part(game, "results", results), encode_part(game, "games", games))


def rows_of(directory: Path) -> dict[str, list]:
    """All parts of a run as Python values without the clock columns: by table and file, the rows in their order."""
    parts = {}
    for path in sorted(directory.glob("*/part-*.parquet")):
        table = parquet.read_table(path)
        clocks = [name for name in CLOCK_COLUMNS if name in table.column_names]
        parts[f"{path.parent.name}/{path.name}"] = table.drop_columns(clocks).to_pylist()
    return parts
