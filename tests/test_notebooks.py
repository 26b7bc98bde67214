"""The notebooks: stripped of outputs, and running on a small tournament."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
FIRST_RUN = "../runs/first"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_stripped(path: Path) -> None:
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert cells
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)


def test_first_tournament(tmp_path: Path) -> None:
    run = tmp_path / "run"
    agari = Path(sys.executable).with_name("agari")
    command = [agari, "pit", "--agents", "greedy,random", "--matches", "2", "--seed", "7", "--out", run]
    subprocess.run(command, check=True, capture_output=True)

    notebook = nbformat.read(ROOT / "notebooks" / "01_first_tournament.ipynb", as_version=4)
    named = [cell for cell in notebook.cells if cell.cell_type == "code" and FIRST_RUN in cell.source]
    assert len(named) == 1
    named[0].source = named[0].source.replace(FIRST_RUN, str(run))
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()

    shown = [set(output.data) for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert sum("image/png" in kinds for kinds in shown) == 4
    assert sum("text/html" in kinds for kinds in shown) == 4
