"""The commands for tournaments, and how every command tells its errors."""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pandas as pd
import pytest
from agari.experiments import statistics, store, tournament
from agari.experiments.cli import COMMANDS, main, program
from agari.experiments.commands import tournaments
from agari.sim.errors import InputError
from click.testing import CliRunner, Result

AGARI = [sys.executable, "-c", "from agari.experiments.cli import program; program()"]


def agari(*arguments: object) -> Result:
    """Call the command in this process."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="agari")


def refused(result: Result) -> str:
    """The one line of a command that refused what it was given."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.endswith("\n")
    line = result.stderr[:-1]
    assert line.startswith("agari")
    assert "\n" not in line
    return line


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a small run."""
    folder = tmp_path_factory.mktemp("cli") / "run"
    result = agari("pit", "--agents", "mc(playouts=10),greedy,random", "--matches", 6, "--seed", 7, "--out", folder)
    assert result.exit_code == 0, result.output
    return folder


# What people see


def test_pit_prints_the_standings_and_where_they_are(folder: Path) -> None:
    result = agari("pit", "--agents", "greedy,random", "--matches", 3, "--out", folder / "run")
    assert (result.exit_code, result.stderr.replace("compiling, once\n", "")) == (0, "")
    assert "federation, 4 players: 3 matches, all rotations" in result.stdout
    assert re.search(r"^ *greedy +\d\.\d\d +±\d\.\d\d +48( +\d+%){5} *$", result.stdout, re.M)
    assert re.search(r"^ *greedy +random +\+\d\.\d\d +±\d\.\d\d +3 *$", result.stdout, re.M)
    assert result.stdout.endswith(f"The run is in {folder / 'run'}; for plots: agari plot {folder / 'run'}\n")


def test_pit_takes_all_that_the_readme_says(folder: Path) -> None:
    rules = "--game federation --players 5 --set fall=off --set points=3,2,1,0,0".split()
    rest = "--agents players:Anything,greedy --games 2 --matches 2 --seed -3 --workers 1 --quiet --out run".split()
    result = agari("pit", *rules, *rest)
    assert (result.exit_code, result.output.replace("compiling, once\n", "")) == (0, "")
    played = store.load(folder / "run")
    assert (played.manifest["players"], played.manifest["seed"]) == (5, -3)
    assert played.manifest["rules"]["points"] == [3, 2, 1, 0, 0]
    assert len(played.results) == 2 * 5 * 2 * 5


def test_standings_as_a_table(run: Path) -> None:
    result = agari("standings", run)
    assert result.exit_code == 0
    for agent in ("mc(playouts=10)", "greedy", "random"):
        assert len(re.findall(rf"\b{re.escape(agent)}", result.stdout)) == 3


def test_standings_as_json(run: Path) -> None:
    answer = json.loads(agari("standings", run, "--json").stdout)
    expected = statistics.standings(store.load(run).results)
    assert answer["matches"] == 6
    assert [row["agent"] for row in answer["standings"]] == expected["agent"].tolist()
    assert [row["mean"] for row in answer["standings"]] == expected["mean"].tolist()
    assert sum(answer["standings"][0][f"place_{place}"] for place in range(1, 5)) == pytest.approx(1)
    assert len(answer["pairwise"]) == 3


def test_standings_of_a_single_match_and_of_none(folder: Path) -> None:
    agari("pit", "--agents", "greedy,random", "--matches", 1, "--out", folder / "run", "--quiet")
    rows = json.loads(agari("standings", folder / "run", "--json").stdout)["standings"]
    assert [(row["error"], row["low"], row["high"]) for row in rows] == [(None, None, None)] * 2
    assert "±" not in agari("standings", folder / "run").stdout
    next((folder / "run").glob("results/*")).unlink()
    assert agari("standings", folder / "run").stdout == "None of 1 matches has been played yet.\n"
    assert json.loads(agari("standings", folder / "run", "--json").stdout)["standings"] == []


def test_standings_of_a_part_of_a_run(run: Path, folder: Path) -> None:
    copied = folder / "run"
    for path in [*run.glob("*.json"), *run.glob("*/part-0000[0-2].parquet")]:
        (copied / path.relative_to(run)).parent.mkdir(parents=True, exist_ok=True)
        (copied / path.relative_to(run)).write_bytes(path.read_bytes())
    assert "3 of 6 matches" in agari("standings", copied).stdout


def test_plot_draws_pngs_and_prints_their_paths(run: Path, folder: Path) -> None:
    result = agari("plot", run, "--out", folder / "drawn")
    assert result.exit_code == 0, result.output
    paths = [Path(line) for line in result.stdout.splitlines()]
    assert {path.stem for path in paths} == {"standings", "seat_advantage", "tribute_advantage", "transitions"}
    assert all(path.parent == folder / "drawn" and path.read_bytes()[:4] == b"\x89PNG" for path in paths)


def test_export_writes_csv(run: Path, folder: Path) -> None:
    result = agari("export", run, folder / "csv")
    assert [Path(line).name for line in result.stdout.splitlines()] == ["results.csv", "games.csv"]
    assert len(pd.read_csv(folder / "csv" / "results.csv")) == 6 * 4 * 4 * 4
    agari("export", run)
    assert (run / "csv" / "games.csv").exists()


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0 s"), (59.4, "59 s"), (59.6, "1:00 min"), (200, "3:20 min"), (7505, "2:05 h"), (100 * 3600, "100:00 h")],
)
def test_durations(seconds: float, text: str) -> None:
    assert tournaments._duration(seconds) == text


def test_the_bar_in_a_terminal(folder: Path) -> None:
    """The bar appears where standard error is a terminal, and goes away."""
    import pty

    ours, theirs = pty.openpty()
    command = [*AGARI, "pit", "--agents", "players:Anything(seconds=0.0005)", "--matches", "8", "--out", "run"]
    terminal = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=theirs, env=terminal)
    os.close(theirs)
    shown = b""
    while True:
        try:
            shown += os.read(ours, 10_000)
        except OSError:
            break
    assert process.wait() == 0
    os.close(ours)
    assert re.search(rb"[1-7] of 8 matches  \d+ s left", shown)
    assert shown.rstrip().endswith(b"\x1b[2K")


# Refusals


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("--agents grady", "unknown agent 'grady'; the agents are random, greedy, mc, "),
        ("--agents greedy,", "'' is no agent"),
        ("--agents mc(playouts=many)", "agent mc(playouts=many): playouts=many: must be a whole number"),
        ("--agents mc(depth=3)", "unknown option 'depth'; its options are: playouts, milliseconds,"),
        ("--agents nowhere:Agent", "cannot import nowhere"),
        ("--agents players:Picky(depth=-1)", "players:Picky(depth=-1): raised ValueError: depth must be positive"),
        ("--agents random --players 7", "federation is played by 4, 5, 6; 7 players need points"),
        ("--agents random --players four", "agari pit: Invalid value for '--players': 'four' is not a valid integer."),
        ("--agents random --game hearts", "unknown game 'hearts'; the games are federation"),
        ("--agents random --games 5", "a match of federation has 4, 8 or 12 games, not 5"),
        ("--agents random --matches 0", "0 matches: must be from 1 to"),
        ("--agents random --workers 0", "agari pit: Invalid value for '--workers': 0 is not in the range x>=1."),
        ("--agents random --set fall", "--set fall: write it as option=value"),
        ("--agents random --set fall=maybe", "option fall=maybe: say on or off"),
        ("--agents random --set revolt=on", "unknown option 'revolt'; the options are players, jokers,"),
        ("--agents random --set players=5", "set the number of players with --players"),
        ("--agents random --set joker_as=queen", "option joker_as: 'queen' is none of wild, card"),
        ("--agents random --seed one", "agari pit: Invalid value for '--seed'"),
        ("--agents random --colour", "agari pit: No such option"),
        ("", "say who plays, as in --agents"),
        ("--resume", "there is no run in run to resume; say who plays"),
    ],
)
def test_impossible_tournaments_are_refused_in_one_line(folder: Path, arguments: str, line: str) -> None:
    assert line in refused(agari("pit", "--out", "run", *arguments.split()))
    assert not (folder / "run").exists()


def test_a_directory_must_be_named(folder: Path) -> None:
    assert refused(agari("pit", "--agents", "random")) == "agari pit: Missing option '--out'."


def test_a_directory_with_another_run_or_anything_else_is_never_overwritten(run: Path, folder: Path) -> None:
    before = {path: path.read_bytes() for path in run.rglob("*.parquet")}
    assert "already holds a run: resume it" in refused(agari("pit", "--agents", "random", "--out", run))
    line = refused(agari("pit", "--agents", "random", "--out", run, "--resume"))
    assert "was started with --agents mc(playouts=10),greedy,random, not random" in line
    line = refused(agari("pit", "--out", run, "--resume", "--set", "lock=off", "--matches", 6))
    assert "was started with lock on, not off" in line
    assert {path: path.read_bytes() for path in run.rglob("*.parquet")} == before

    assert "is not empty (it holds players.py)" in refused(agari("pit", "--agents", "random", "--out", folder))
    assert "is not empty" in refused(agari("pit", "--agents", "random", "--out", folder, "--resume"))
    file = folder / "players.py"
    assert re.search("players.py: (File exists|Not a dir)", refused(agari("pit", "--agents", "random", "--out", file)))


def test_a_finished_run_is_resumed_to_its_standings(run: Path) -> None:
    result = agari("pit", "--resume", "--out", run, "--seed", 7, "--agents", "mc(playouts=10), greedy, random")
    assert result.exit_code == 0
    assert "6 matches, all rotations" in result.stdout


@pytest.mark.parametrize("command", ["standings", "rate", "plot", "export"])
def test_where_there_is_no_run(folder: Path, command: str) -> None:
    assert "nothing is not the directory of a run: it has no manifest.json" in refused(agari(command, "nothing"))


def test_a_disk_that_is_full_ends_the_run_with_one_line(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []

    def write_part(directory: Path, chunk: int, *parts: bytes) -> None:
        if len(written) == 2:
            raise InputError(f"cannot write {directory}: No space left on device")
        store.write_part(directory, chunk, *parts)
        written.append(chunk)

    monkeypatch.setattr(tournament, "write_part", write_part)
    line = refused(agari("pit", "--agents", "random", "--matches", 5, "--out", "run"))
    assert line == "agari: cannot write run: No space left on device"
    assert store.finished_chunks(folder / "run") == set(written)


def test_a_command_in_this_process_does_not_end_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that failed may leave a thread of its pool for a moment: only the program itself ends without it."""
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    forever = threading.Event()
    thread = threading.Thread(target=forever.wait)
    thread.start()
    try:
        refused(agari("standings", "nothing"))
        assert ended == []
        with pytest.raises(SystemExit):
            program(["standings", "nothing"])
        assert ended == [2]
    finally:
        forever.set()
        thread.join()


def test_a_log_on_a_full_disk_says_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tournament, "LOG", "/dev/full")
    tournament.run(folder / "run", "players:Talks", 2)
    assert capfd.readouterr() == ("", "")


# The group of commands


def test_help_lists_every_command_and_loads_none() -> None:
    lines = agari("--help").stdout.split("Commands:\n")[1].splitlines()
    assert [line.split()[0] for line in lines] == list(COMMANDS)


@pytest.mark.parametrize("command", [name for name, entry in COMMANDS.items() if entry.module == "tournaments"])
def test_commands_have_help(command: str) -> None:
    result = agari(command, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: agari {command} ")


def test_help_takes_under_half_a_second() -> None:
    times = []
    for _ in range(5):
        began = time.perf_counter()
        subprocess.run(
            [*AGARI[:2], AGARI[2].replace("program()", "program(['--help'])")], check=True, capture_output=True
        )
        times.append(time.perf_counter() - began)
    assert min(times) < 0.5


def test_version() -> None:
    assert re.fullmatch(r"agari, version \d+\.\d+\.\d+\n", agari("--version").stdout)


def test_an_unknown_command() -> None:
    assert refused(agari("pitt")).startswith("agari: No such command 'pitt'.")


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (InputError("no such thing"), 2, "agari: no such thing\n"),
        (OSError(28, "No space left on device", "a/file"), 2, "agari: a/file: No space left on device\n"),
        (OSError("odd"), 2, "agari: odd\n"),
        (KeyboardInterrupt(), 130, "agari: interrupted\n"),
        (BrokenPipeError(32, "Broken pipe"), 1, ""),
    ],
)
def test_how_errors_are_told(monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, line: str) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(store, "load", fail)
    result = agari("standings", "run")
    assert (result.exit_code, result.stdout, result.stderr) == (code, "", line)


def test_a_bug_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(store, "load", fail)
    assert isinstance(agari("standings", "run").exception, RuntimeError)


def test_ctrl_c_that_a_callback_swallowed_still_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    class Swallows:
        def __del__(self) -> None:
            raise KeyboardInterrupt

    def fail(*_: object) -> None:
        Swallows()
        raise RuntimeError("no compiled object")

    monkeypatch.setattr(store, "load", fail)
    result = agari("standings", "run")
    assert (result.exit_code, result.stderr) == (130, "agari: interrupted\n")


@pytest.mark.parametrize("command", ["standings", "export"])
def test_a_reader_that_goes_away(run: Path, command: str) -> None:
    process = subprocess.Popen([*AGARI, command, run], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert (process.wait(), process.stderr.read()) == (1, b"")
    process.stderr.close()


def test_compiling_is_said_once(folder: Path) -> None:
    """By the runner, and not where agents are examined and play, though these compile something too.

    And a module beside the command is found even where Python does not look there.
    """
    arguments = ["pit", "--agents", "players:Compiles,random", "--matches", "2", "--out", "run", "--quiet"]
    compiles = """import numba
from agari.experiments import tournament
from agari.experiments.cli import main
warm_up = tournament._warm_up
tournament._warm_up = lambda plan: [numba.njit(lambda number: number + step)(1) for step in (1, 2)] and warm_up(plan)
main()"""
    command = [sys.executable, "-P", "-c", compiles, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "compiling, once\n")
    assert len(store.load(folder / "run").chunks) == 2


KEYS = ["game", "rules", "games_per_match", "matches", "matches_per_chunk", "agents", "seed", "reproducible"]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("value", ["missing", "many", None, [1], [], 0, -1, 1.5, 10**23])
def test_standings_of_a_run_whose_manifest_was_changed(run: Path, folder: Path, key: str, value: object) -> None:
    """It is refused in one line, also where it could still be read."""
    copy = shutil.copytree(run, folder / "copy")
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest[key] = value
    if value == "missing":
        del manifest[key]
    (copy / "manifest.json").write_text(json.dumps(manifest))
    for arguments in (("standings", copy), ("pit", "--resume", "--out", copy)):
        assert "manifest.json was changed" in refused(agari(*arguments))


@pytest.mark.parametrize("options", ["--rules mine.toml --set jokers=0", "--set jokers=1 --set jokers=2"])
def test_the_same_command_resumes_what_it_started(folder: Path, options: str) -> None:
    """Also where an option is given twice, in a file and by itself: the last one counts, all of them together."""
    (folder / "mine.toml").write_text("jokers = 1\nblind = 52\n" if "rules" in options else "")
    command = ["pit", "--agents", "random", "--matches", "1", "--quiet", "--out", "run", "--set", "blind=2"]
    assert agari(*command, *options.split()).exit_code == 0
    assert agari(*command, *options.split(), "--resume").exit_code == 0
    other = agari(*command, "--resume", "--set", "lock=off")
    assert (other.exit_code, other.stdout) == (2, "")
    assert re.search(r"started with (jokers \d|lock on), not (2|off): ", other.stderr)


def test_a_name_that_is_no_text_is_refused_before_anything_is_played(folder: Path) -> None:
    result = agari("pit", "--agents", "random", "--matches", "1", "--out", "run\udcff")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "is not UTF-8 text: choose another directory" in result.stderr
    assert list(folder.glob("run*")) == []
