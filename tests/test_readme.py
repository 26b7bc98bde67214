"""What the README and the documents say: every command and snippet runs, every table agrees with the code.

The ``sh`` and ``python`` blocks of a document run in their order, in a folder of their own in which `docs` is there. A
Python block that begins with the name of a file (``# my_module.py``) is saved under that name instead. Numbers of
matches and playouts are cut. The lines ``make tournament`` and ``make test`` are left out: the first has a test here,
the second is this suite. Links are checked when the site is built (`make docs`).
"""

import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from agari.agents.registry import AGENTS, describe_options
from agari.experiments.columns import AFTER, BEFORE
from agari.experiments.columns import GAMES as GAME_COLUMNS
from agari.experiments.studies.tables import COLUMNS as STUDY_COLUMNS
from agari.sim import game as contract
from agari.sim.daifugo.presets import PRESETS
from agari.sim.daifugo.rules import COUNTS, OPTIONS, SWITCHES, WORDS, Rules
from agari.sim.game import Column, option_text
from agari.sim.games import GAMES

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FOLLOWED = {"adding-a-game.md"}  # by a test of its own, test_adding_a_game.py
MATCHES, PLAYOUTS = "2", "10"  # instead of those that stand there


def blocks(document: Path) -> list[tuple[str, str]]:
    """The blocks of a document that run: language and text."""
    return re.findall(r"^```(sh|python)\n(.*?)^```$", document.read_text(encoding="utf-8"), re.M | re.S)


def cut(text: str) -> str:
    """A block with fewer matches and playouts, and without the two make commands."""
    text = re.sub(r"((?:matches|deals)[ =])\d+", rf"\g<1>{MATCHES}", text)
    text = re.sub(r"(playouts=)\d+", rf"\g<1>{PLAYOUTS}", text)
    return re.sub(r"^make (tournament|test)\b.*$", "", text, flags=re.M)


def run(command: list[str], folder: Path) -> str:
    """What a command printed that must succeed; `agari` and `python` are those of this environment."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    quiet = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True}
    done = subprocess.run(command, cwd=folder, env=environment, **quiet)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def table_of(document: str, heading: str) -> list[list[str]]:
    """The cells of the first table after a heading of a document, backquotes left out, without its head."""
    text = (ROOT / "docs" / document).read_text(encoding="utf-8").partition(f"{heading}\n")[2]
    lines = re.search(r"(^\|.*\|\n)+", text, re.M)
    assert lines, f"no table after {heading!r} in {document}"
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines.group().splitlines()[2:]]


@pytest.mark.parametrize(
    "document", [path for path in DOCUMENTS if blocks(path) and path.name not in FOLLOWED], ids=lambda path: path.stem
)
def test_every_block_runs(document: Path, tmp_path: Path) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    for language, text in blocks(document):
        named = re.match(r"# (\w+\.py)\n", text)
        if named:
            (tmp_path / named[1]).write_text(text, encoding="utf-8")
        elif language == "python":
            run([sys.executable, "-c", cut(text)], tmp_path)
        else:
            run(["sh", "-ec", cut(text)], tmp_path)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_tournament(tmp_path: Path) -> None:
    """It plays, shows and draws; a second time it finds nothing left to play."""
    first = tmp_path / "first"
    command = ["make", "--no-print-directory", "-C", str(ROOT), "tournament", f"VENV={sys.prefix}"]
    command += [f"--old-file={sys.prefix}/ready", f"FIRST_RUN={first}", f"MATCHES={MATCHES}"]
    for _ in range(2):
        assert "mc(playouts=200)" in run(command, tmp_path)
        assert (first / "plots" / "standings.png").stat().st_size > 10_000


def test_options_are_those_of_the_code() -> None:
    table = table_of("rules.md", "## D10 Options and rulesets")
    assert [row[0] for row in table] == list(Rules._fields)
    for name, values, meaning, *columns, clause in table:
        assert meaning
        assert re.fullmatch(r"D\d+(\.\d+)?", clause)
        if name in WORDS:
            assert values.replace("`", "").split(", ") == list(WORDS[name])
        else:
            assert values.startswith("a switch") == (name in SWITCHES)
            assert (name in SWITCHES) != (name in COUNTS or name == "points")
        for cell, preset in zip(columns, PRESETS.values(), strict=True):
            shown = [option_text(OPTIONS.format(rules)[name]) for _, rules in sorted(preset.by_players.items())]
            expected = shown if len(set(shown)) > 1 else shown[:1]
            assert cell.split(" · ") == [text.replace(",", " ") for text in expected], name


def test_the_study_that_is_shown_is_the_example() -> None:
    (shown,) = re.findall(
        r"^```toml\n(.*?)^```$", (ROOT / "docs" / "studies.md").read_text(encoding="utf-8"), re.M | re.S
    )
    assert shown == (ROOT / "docs" / "examples" / "j_back.toml").read_text(encoding="utf-8")


def test_columns_of_a_study_are_those_of_the_code() -> None:
    rows = table_of("studies.md", "## What is left")
    assert [name for names, _ in rows for name in re.findall(r"\w+", names)] == list(STUDY_COLUMNS)


@pytest.mark.parametrize(
    ("document", "heading"),
    [("adding-a-game.md", "## 1. Rules, state and kernels"), ("design.md", "## The contract")],
)
def test_kernels_are_those_of_the_contract(document: str, heading: str) -> None:
    kernels = {
        f"{name}{inspect.signature(declared)}"
        for name, declared in vars(contract).items()
        if hasattr(declared, "implementations")
    }
    rows = [row[0] for row in table_of(document, heading)]
    assert len(rows) == len(kernels)
    assert set(rows) == kernels


@pytest.mark.parametrize("search", ["mc", "ismcts"])
def test_options_of_searches_are_those_of_the_code(search: str) -> None:
    documented = {name: default for name, default, _ in table_of("agents.md", "## Those that come along")}
    options = describe_options(AGENTS[search])
    assert list(documented) == list(options)
    assert [type(default)(documented[name]) for name, default in options.items()] == list(options.values())


@pytest.mark.parametrize(
    ("heading", "columns"),
    [
        ("### `results`", (*BEFORE, *AFTER)),
        ("### `games`", GAME_COLUMNS),
        *((f"#### `{game.name}`", game.columns) for game in GAMES),
    ],
)
def test_columns_are_those_of_the_code(heading: str, columns: tuple[Column, ...]) -> None:
    rows = table_of("tournaments.md", heading)
    assert rows == [[column.name, column.type, column.unit, column.meaning] for column in columns]
