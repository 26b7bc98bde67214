"""The rows of runs, to be compared byte for byte."""

from pathlib import Path

import pyarrow.parquet as parquet
from agari.experiments.columns import CLOCK_COLUMNS


def rows_of(directory: Path) -> dict[str, list]:
    """All parts of a run as Python values without the clock columns: by table and file, the rows in their order."""
    parts = {}
    for path in sorted(directory.glob("*/part-*.parquet")):
        table = parquet.read_table(path)
        clocks = [name for name in CLOCK_COLUMNS if name in table.column_names]
        parts[f"{path.parent.name}/{path.name}"] = table.drop_columns(clocks).to_pylist()
    return parts
