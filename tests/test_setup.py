"""The package as it is installed, and what must or must not stand in the repository."""

import importlib
import re
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points, metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("sim", "agents", "experiments")
HEAVY = {"numba", "numpy", "pandas", "pyarrow", "matplotlib", "rich"}

# Hosts of package registries, and paths of one machine; written so that this file does not match.
REGISTRIES = r"pyp[i]\.org|pythonhoste[d]\.org|anacond[a]\.org|npmj[s]\.(org|com)|index-ur[l]"
MACHINES = r"(^|[^[:alnum:].])/(home|root|work|tmp|opt|Users)/"


def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize("layer", LAYERS)
def test_layers_are_installed_from_the_top_level_folders(layer: str) -> None:
    module = importlib.import_module(f"agari.{layer}")
    assert Path(str(module.__file__)).resolve() == ROOT / layer / "__init__.py"


def test_agari_is_a_namespace_package() -> None:
    assert importlib.import_module("agari").__file__ is None


def test_every_folder_of_modules_is_installed() -> None:
    folders = {path.parent.relative_to(ROOT) for layer in LAYERS for path in (ROOT / layer).rglob("*.py")}
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert set(setup["packages"]) == {"agari." + ".".join(folder.parts) for folder in folders}


def test_the_command_is_installed() -> None:
    (command,) = entry_points(group="console_scripts", name="agari")
    assert callable(command.load())


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\n"
        "from agari.experiments.cli import main\n"
        "try:\n"
        "    main(['--help'], prog_name='agari')\n"
        "finally:\n"
        "    print(*(name for name in sys.modules if '.' not in name), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: agari")
    assert not HEAVY & set(done.stderr.split())


def test_imports_point_one_way() -> None:
    for depth, layer in enumerate(LAYERS):
        above = "|".join(LAYERS[depth + 1 :])
        for path in (ROOT / layer).rglob("*.py"):
            found = re.search(rf"^\s*(from|import) (\.+|agari\.)({above})\b", path.read_text(encoding="utf-8"), re.M)
            assert not above or not found, path


def test_one_version_everywhere() -> None:
    version = project()["version"]
    assert metadata("agari")["Version"] == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    done = git("grep", "-nIE", "--untracked", f"{REGISTRIES}|{MACHINES}")
    assert done.stdout == ""
    assert done.returncode == 1  # git ran, and found nothing


def test_nothing_that_is_made_is_tracked() -> None:
    done = git("ls-files", "--cached", "--ignored", "--exclude-standard")
    assert done.stdout == ""
    assert done.returncode == 0
