"""How kernels are compiled: the intrinsics, the cache that is never stale, and the same results in every mode."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numba
import numpy as np
import pytest
from agari.sim import kernels
from agari.sim.daifugo.state import STATE_DTYPE
from agari.sim.kernels import copy_record, highest_bit, popcount, scratch64, scratch128, trailing_zeros
from hypothesis import given
from hypothesis import strategies as st

from ..daifugo_table import decisions, federation
from ..playing import fields

PACKAGE = Path(kernels.__file__).parent.parent

# --- Intrinsics -------------------------------------------------------------------------------------------------


@numba.njit
def both_counts(bits):
    return popcount(bits), trailing_zeros(bits)


@numba.njit
def highest(bits):
    return highest_bit(bits)


@numba.njit
def copied(target, source):
    copy_record(target, source)


@numba.njit
def squares(count):
    room = scratch64()
    for index in range(count):
        room[index] = index * index
    other = scratch128()
    for index in range(2 * count):
        other[index] = -1
    return sum([room[index] for index in range(count)])


@given(st.integers(0, 2**63 - 1))
def test_bit_counts(bits: int) -> None:
    assert both_counts(bits) == (bits.bit_count(), trailing_zeros(bits)) == (popcount(bits), trailing_zeros(bits))
    assert bits == 0 or bits >> trailing_zeros(bits) & 1


def test_trailing_zeros_at_the_ends() -> None:
    assert both_counts(0) == (0, 64)
    assert [trailing_zeros(1 << index) for index in range(63)] == list(range(63))


@given(st.integers(0, 2**63 - 1))
def test_highest_bit(bits: int) -> None:
    assert highest(bits) == highest_bit(bits) == bits.bit_length() - 1


def test_copy_record() -> None:
    for state in decisions(federation(5), seed=1):
        for copy in (copied, copy_record):
            target = np.zeros(1, STATE_DTYPE)[0]
            copy(target, state)
            assert fields(target) == fields(state)


def test_copy_record_of_another_kind_is_refused() -> None:
    with pytest.raises(numba.TypingError):
        copied(np.zeros(1, np.dtype((np.record, [("turn", "i8")])))[0], np.zeros(1, STATE_DTYPE)[0])


def test_scratch_room_is_apart_from_other_scratch_room() -> None:
    assert squares(64) == sum(index * index for index in range(64))


# --- The cache --------------------------------------------------------------------------------------------------

START = """
import json, sys
from agari.sim import kernels
compiled = []
kernels.on_first_compilation(lambda: compiled.append(True))
from agari.agents.outer import outer
print(json.dumps({"answer": int(outer(5)), "compiled": len(compiled), "folders": sorted(
    folder.name for folder in kernels.cache_root().iterdir())}))
"""


class Copy:
    """A copy of the package to edit, with two kernels of which one calls the other, and a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.top, self.cache = folder / "agari", folder / "cache"
        for layer in kernels.LAYERS:
            shutil.copytree(PACKAGE / layer, self.top / layer, ignore=shutil.ignore_patterns("__pycache__"))
        self.write("sim/inner.py", "@small_kernel\ndef inner(x):\n    return x + 1\n")
        self.write("agents/outer.py", "@kernel\ndef outer(x):\n    return 10 * inner(x)\n")

    def write(self, name: str, text: str) -> None:
        imports = {"sim/inner.py": "from .kernels import small_kernel\n"}.get(
            name, "from ..sim.inner import inner\nfrom ..sim.kernels import kernel\n"
        )
        (self.top / name).write_text(imports + text, encoding="utf-8")

    def start(self, **settings: str) -> dict[str, int | list[str]]:
        """What a new process finds."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
        environment |= {"PYTHONPATH": str(self.top.parent), "NUMBA_CACHE_DIR": str(self.cache), **settings}
        done = subprocess.run(
            [sys.executable, "-c", START], env=environment, capture_output=True, text=True, timeout=300, check=True
        )
        return json.loads(done.stdout)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The copy, after its first start."""
    copy = Copy(tmp_path_factory.mktemp("package"))
    first = copy.start()
    assert (first["answer"], first["compiled"]) == (60, 1)  # said once, though there were two kernels
    return copy


def test_second_start_compiles_nothing(package: Copy) -> None:
    assert package.start()["compiled"] == 0


def test_an_edited_kernel_in_another_file_is_never_served_stale(package: Copy) -> None:
    before = package.start()
    path = package.top / "sim" / "inner.py"
    text, clock = path.read_text(encoding="utf-8"), path.stat()
    path.write_text(text.replace("x + 1", "x + 2"), encoding="utf-8")
    os.utime(path, ns=(clock.st_atime_ns, clock.st_mtime_ns))  # neither its size nor its date tells
    edited = package.start()
    assert (edited["answer"], edited["compiled"]) == (70, 1)
    path.write_text(text, encoding="utf-8")
    again = package.start()
    assert (again["answer"], again["compiled"]) == (60, 0)  # what was compiled for these sources is still there
    assert set(before["folders"]) < set(edited["folders"])


def test_a_layer_above_does_not_compile_those_below_again(package: Copy) -> None:
    folders = package.start()["folders"]
    (package.top / "experiments" / "new.py").write_text("", encoding="utf-8")
    assert package.start() == {"answer": 60, "compiled": 0, "folders": folders}
    package.write("agents/outer.py", "@kernel\ndef outer(x):\n    return 100 * inner(x)\n")
    edited = package.start()
    assert (edited["answer"], edited["compiled"]) == (600, 1)
    new = set(edited["folders"]) - set(folders)
    assert [name.split("-")[0] for name in new] == ["agents"]
    package.write("agents/outer.py", "@kernel\ndef outer(x):\n    return 10 * inner(x)\n")


def test_settings_of_numba_are_part_of_the_folder(package: Copy) -> None:
    plain = package.start()["folders"]
    checked = package.start(NUMBA_BOUNDSCHECK="1")
    assert (checked["answer"], checked["compiled"]) == (60, 1)
    assert len(set(checked["folders"]) - set(plain)) == 2
    assert package.start(NUMBA_BOUNDSCHECK="1")["compiled"] == package.start()["compiled"] == 0


def test_folders_that_nobody_used_for_long_are_dropped(package: Copy) -> None:
    root = package.cache / "agari"
    for name, days in (("sim-old", 31), ("agents-recent", 29)):
        (root / name / "inside").mkdir(parents=True)
        os.utime(root / name, (time.time() - days * 86400,) * 2)
    folders = package.start()["folders"]
    assert "sim-old" not in folders
    assert "agents-recent" in folders
    for folder in root.iterdir():
        os.utime(folder, (time.time() - 20 * 86400,) * 2)
    assert package.start()["compiled"] == 0
    touched = [folder.name for folder in root.iterdir() if folder.stat().st_mtime > time.time() - 86400]
    assert sorted(name.split("-")[0] for name in touched) == ["agents", "sim"]  # those that were used


def test_a_cache_that_cannot_be_written_costs_only_time(package: Copy, tmp_path: Path) -> None:
    """Nothing is kept in another place, where it would be stale one day."""
    place = tmp_path / "file"
    place.write_text("")
    start = START.replace("kernels.cache_root().iterdir()", "[]")
    environment = dict(os.environ) | {"PYTHONPATH": str(package.top.parent), "NUMBA_CACHE_DIR": str(place)}
    done = subprocess.run([sys.executable, "-c", start], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["answer"] == 60
    assert not [path for path in package.top.rglob("*") if path.suffix in (".nbi", ".nbc")]


def test_numbas_choice_of_caches_is_not_for_our_kernels(package: Copy) -> None:
    started = package.start(NUMBA_CACHE_LOCATOR_CLASSES="InTreeCacheLocator")
    assert started["answer"] == 60
    assert package.start(NUMBA_CACHE_LOCATOR_CLASSES="InTreeCacheLocator")["compiled"] == 0
    assert package.start(NUMBA_CACHE_LOCATOR_CLASSES="Nowhere")["answer"] == 60
    assert not [path for path in package.top.rglob("*") if path.suffix in (".nbi", ".nbc")]


# --- Every mode -------------------------------------------------------------------------------------------------

GAMES = """
import json, warnings
import numpy as np
from agari.agents.match import play_match
from agari.agents.registry import parse_agents
from agari.sim.games import ruleset
from agari.sim.kernels import on_first_compilation

warnings.simplefilter("ignore", RuntimeWarning)  # uint64 wraps around, which numpy mentions for scalars
compiled = []
on_first_compilation(lambda: compiled.append(True))
records = []
for players, text in ((4, "random,greedy"), (5, "greedy,random"), (6, "mc(playouts=12),random,greedy")):
    game, rules = ruleset("federation", players)[1:]
    specs = parse_agents(text)
    agents = [specs[index % len(specs)].build() for index in range(players)]
    for played in play_match(game, rules, agents, [text] * players, games=2, match_key=players):
        records.append(game.record(rules, played.state, played.moves))
print(json.dumps({"records": records, "compiled": len(compiled)}))
"""


def games(**settings: str) -> dict[str, object]:
    """Records of some games, and how often a new process said that it compiles."""
    environment = dict(os.environ) | settings
    done = subprocess.run(
        [sys.executable, "-c", GAMES], env=environment, capture_output=True, text=True, timeout=600, check=True
    )
    return json.loads(done.stdout)


def test_nothing_compiled_at_a_second_start_and_the_same_games_without_compilation() -> None:
    compiled = games()
    assert len(compiled["records"]) == 6
    assert games() == compiled | {"compiled": 0}
    assert games(NUMBA_DISABLE_JIT="1") == compiled | {"compiled": 0}


def test_same_games_with_checked_bounds() -> None:
    checked = games(NUMBA_BOUNDSCHECK="1")
    assert checked["records"] == games()["records"]
