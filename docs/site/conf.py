"""The site: the README, the pages of docs/ and what the docstrings say, as they lie in the repository.

The source folder is the top of the repository, so that every relative link of a page is the same here and on a code
host. Any warning ends the build: of a page that NAVIGATION does not have, of a link to a page, a heading, a file or a
picture that is not there, of a docstring that cannot be read. Nothing is fetched, neither by the build nor by a reader.
"""

import tomllib
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

from sphinx.ext.napoleon import Config, GoogleDocstring

ROOT = Path(__file__).parents[2]

# The README is the first page; what follows it, by caption, without `.md`.
NAVIGATION = {
    "Using it": [
        "docs/play",
        "docs/tournaments",
        "docs/ratings",
        "docs/machines",
        "docs/studies",
        "docs/agents",
        "docs/formats",
        "docs/benchmarks",
    ],
    "Rules, with our rulings": ["docs/rules", "docs/voodoo_prince", "docs/dobon", "docs/glossary"],
    "Building on it": ["docs/adding-an-agent", "docs/adding-a-game", "docs/design", "docs/api"],
    "The project": ["CONTRIBUTING", "CHANGELOG"],
}

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = PROJECT["name"]
version = release = version_of(project)
project_copyright = "agari contributors"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
root_doc = "README"
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md"]
exclude_patterns = [".*", "build", "runs", "studies"]  # not to be looked through
myst_heading_anchors = 4  # those of a code host

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
default_role = "py:obj"  # a name in backquotes is a link where there is something of that name
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"{project} {version}"
html_extra_path = ["index.html"]
html_copy_source = False
pygments_style = "default"


def add_navigation(app: Any, document: str, content: list[str]) -> None:
    """Put the lists of pages behind the README."""
    if document == root_doc:
        for caption, pages in NAVIGATION.items():
            content[0] += "\n".join(["\n```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```", ""])


def read_docstring(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Read the sections of a docstring; what is said of a field or a property stays as it is.

    Napoleon as an extension would take what stands before a colon there for a type.
    """
    if what not in ("attribute", "property"):
        lines[:] = GoogleDocstring(lines, Config(), app, what, name, thing, options).lines()
    elif lines and lines[0].startswith("Alias for field number"):  # of a NamedTuple, where nothing else is said
        lines.clear()


def setup(app: Any) -> None:
    """Tell Sphinx of the functions above."""
    app.connect("source-read", add_navigation)
    app.connect("autodoc-process-docstring", read_docstring)
