"""The notebooks: stripped of outputs, and running on a small tournament or few positions."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_is_stripped(path: Path) -> None:
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert cells
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_links_lead_to_files(path: Path) -> None:
    """Those of pages are checked when the site is built."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r"\]\(([^)]*)\)", cell.source):
                assert (path.parent / target).is_file(), target


def execute(name: str, folder: Path, **changed: str) -> list[set[str]]:
    """Run a notebook in a folder, with other values of its first cell; return of which kinds each output is."""
    notebook = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    lines = dict(line.split(" = ", 1) for line in first.source.splitlines())
    assert set(changed) <= set(lines)
    first.source = "\n".join(f"{name} = {value}" for name, value in (lines | changed).items())
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    return [set(output.get("data", ())) for output in outputs]


def counts(shown: list[set[str]]) -> tuple[int, int]:
    """How many pictures and tables are shown."""
    return sum("image/png" in kinds for kinds in shown), sum("text/html" in kinds for kinds in shown)


def test_first_tournament(tmp_path: Path) -> None:
    run = tmp_path / "run"
    agari = Path(sys.executable).with_name("agari")
    command = [agari, "pit", "--agents", "greedy,random", "--matches", "2", "--seed", "7", "--out", run]
    subprocess.run(command, check=True, capture_output=True)
    assert counts(execute("01_first_tournament", tmp_path, DIRECTORY=repr(str(run)))) == (4, 4)


def test_seat_and_tribute(tmp_path: Path) -> None:
    studies = repr(str(tmp_path / "studies"))
    assert counts(execute("02_seat_and_tribute", tmp_path, DEALS="3", MATCHES="2", DIRECTORY=studies)) == (2, 4)


def test_move_generation(tmp_path: Path) -> None:
    assert counts(execute("03_move_generation", tmp_path, POSITIONS="512")) == (2, 3)


def test_your_own_agent(tmp_path: Path) -> None:
    assert counts(execute("04_your_own_agent", tmp_path, MATCHES="2")) == (2, 6)
