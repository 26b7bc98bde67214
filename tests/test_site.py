"""The site, which `make docs` builds: that its build notices faults, and that a page fetches nothing."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx")
pytest.importorskip("myst_parser")
pytest.importorskip("furo")

ROOT = Path(__file__).parents[1]
CONFIGURATION = Path("docs", "site")
COMMAND = re.search(r"^\t\$\(BIN\)/sphinx-build (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout in which each page has nothing but a heading."""
    shutil.copytree(ROOT / CONFIGURATION, tmp_path / CONFIGURATION)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    navigation = runpy.run_path(str(ROOT / CONFIGURATION / "conf.py"))["NAVIGATION"]
    for page in ["README", *(page for pages in navigation.values() for page in pages)]:
        (tmp_path / f"{page}.md").write_text(f"# {page}\n", encoding="utf-8")
    return tmp_path


def build(checkout: Path) -> subprocess.CompletedProcess[str]:
    """Run the command of `make docs`, with its arguments."""
    assert COMMAND
    arguments = COMMAND[1].replace("$(SITE)", "site").split()
    environment = {**os.environ, "PYTHONPATH": ""}
    program = [sys.executable, "-m", "sphinx", *arguments]
    return subprocess.run(program, cwd=checkout, env=environment, capture_output=True, text=True, check=False)


def test_a_sound_site_fetches_nothing(checkout: Path) -> None:
    (checkout / "README.md").write_text("# Start\n\n[rules](docs/rules.md#docs-rules), [file](pyproject.toml)\n")
    done = build(checkout)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    start = (checkout / "site" / "README.html").read_text(encoding="utf-8")
    assert 'href="docs/rules.html#docs-rules"' in start
    assert 'url=README.html"' in (checkout / "site" / "index.html").read_text(encoding="utf-8")
    for path in [*(checkout / "site").rglob("*.html"), *(checkout / "site").rglob("*.css")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"<(script|link|img|iframe)[^>]*(https?:)?//", text), path
        assert not re.search(r"(url\(|@import) *['\"]?(https?:)?//", text), path


FAULTS = {
    "[a page](nowhere.md)": "'nowhere.md'",
    "[a heading](tournaments.md#nowhere)": "'nowhere'",
    "[a heading of this page](#not-here)": "'not-here'",
    "[a source](../sim/nowhere.py)": "'../sim/nowhere.py'",
    "![a picture](images/nowhere.png)": "docs/images/nowhere.png",
    "```{eval-rst}\n.. automodule:: agari.nowhere\n```": "'nowhere' from module 'agari'",
    "```{eval-rst}\n.. autofunction:: agari.sim.games.nowhere\n```": "'nowhere' from module 'agari.sim.games'",
    "```{eval-rst}\n.. automodule:: agari.sim.errors\n   :members: Nowhere\n```": "Nowhere",
}


def test_every_fault_is_noticed(checkout: Path) -> None:
    (checkout / "docs" / "rules.md").write_text("# Rules\n\n" + "\n\n".join(FAULTS) + "\n", encoding="utf-8")
    (checkout / "docs" / "forgotten.md").write_text("# Not in the navigation\n", encoding="utf-8")
    (checkout / "docs" / "design.md").unlink()
    done = build(checkout)
    assert done.returncode == 1, done.stderr
    for named in [*FAULTS.values(), "forgotten.md", "docs/design"]:
        assert any("WARNING" in line and named in line for line in done.stderr.splitlines()), named
