"""The page that adds a game, followed to the letter in a copy of the sources, with a kernel cache of its own."""

import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which the page was followed."""
    top = tmp_path_factory.mktemp("another")
    shutil.copy(ROOT / "pyproject.toml", top)
    (top / "agari").mkdir()
    for name in ("sim", "agents", "experiments", "tests"):
        shutil.copytree(ROOT / name, top / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("sim", "agents", "experiments"):
        (top / "agari" / name).symlink_to(top / name)
    for block in blocks("python"):
        name, _, text = block.removeprefix("# ").partition("\n")
        (top / name).parent.mkdir(exist_ok=True)
        (top / name).write_text(text, encoding="utf-8")
    (diff,) = blocks("diff")
    for change in re.split(r"^# ", diff, flags=re.M)[1:]:
        name, *lines = change.splitlines()
        follow(top / name, lines)
    return top


def follow(path: Path, lines: list[str]) -> None:
    """Change a file: a line with + takes the place of the one with - before it, or follows the one before it."""
    text = path.read_text(encoding="utf-8")
    for before, line in itertools.pairwise(lines):
        if line.startswith("+"):
            found = f"{before[1:]}\n"
            assert text.count(found) == 1, before
            text = text.replace(found, f"{line[1:]}\n" if before.startswith("-") else f"{found}{line[1:]}\n")
    path.write_text(text, encoding="utf-8")


def run(copy: Path, *command: str) -> str:
    """What a command prints that runs on the copy."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "NUMBA_CACHE_DIR": str(copy / "cache")}
    start = "import sys; import agari; agari.__path__ = [sys.argv.pop(1)]\n"
    program = [sys.executable, "-c", start + command[0], str(copy / "agari"), *command[1:]]
    done = subprocess.run(program, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_commands_know_the_game(copy: Path) -> None:
    (commands,) = blocks("text")
    agari = "from agari.experiments.cli import program; program()"
    for line in commands.splitlines():
        if "bench" not in line:  # its figures take long; the tests of the contract measure a few
            words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', line)][1:]
            words = ["4" if word == "100" else word for word in words]
            printed = run(copy, agari, *words)
    assert len(printed.splitlines()) == 2
    assert "duel, 4 players: 4 matches" in run(copy, agari, "standings", "runs/duel")


@pytest.mark.slow
def test_the_game_passes_the_tests_of_the_contract(copy: Path) -> None:
    pytest_on = "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    printed = run(copy, pytest_on, "-p", "no:cacheprovider", "tests/contract", "-k", "duel", "-q")
    assert re.search(r"\d+ passed", printed)
