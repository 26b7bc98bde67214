"""What every command holds to: its errors are one short line, its output whole or an error, its tables never cut."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from agari.experiments.cli import COMMANDS, main
from agari.experiments.tables import FOLDED, WholeTable
from agari.sim.errors import LONGEST_LINE
from click.testing import CliRunner
from rich.cells import cell_len
from rich.console import Console

AGARI = [sys.executable, "-c", "from agari.experiments.cli import program; program(prog_name='agari')"]
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
POSITIONS = EXAMPLES / "positions.jsonl"
LONG = "9" * 5000

needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a run of six with long names."""
    folder = tmp_path_factory.mktemp("cli") / "run"
    agents = "mc(playouts=2,policy=greedy),mc(playouts=3,policy=random,seed=12345),greedy,random"
    arguments = ["pit", "--players", "6", "--agents", agents, "--matches", "2", "--out", str(folder), "--quiet"]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    return folder


@pytest.fixture(params=[*COMMANDS, "--help", "--version", "pit --help", ""])
def printing(request: pytest.FixtureRequest, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A command line that prints something, of each command there is; nothing can be read."""
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    rest = {
        "pit": f"--resume --out {run}",
        "standings": f"{run}",
        "rate": f"{run}",
        "plot": f"{run} --out {tmp_path}",
        "export": f"{run} {tmp_path}",
        "replay": f"{EXAMPLES / 'games.jsonl'}",
        "tribute": f"{EXAMPLES / 'tributes.jsonl'}",
        "perft": f"{EXAMPLES / 'perft.jsonl'} --depth 2",
        "analyze": f"{POSITIONS} --agent mc(playouts=20)",
        "bench": "--signature",
        "play": "--seed 3",
        "watch": f"{run}",
        "study": f"seat --game house --players 3 --deals 2 --out {tmp_path / 'study'}",
    } | dict.fromkeys(("legal", "apply"), str(POSITIONS))
    return [*request.param.split(), *rest.get(request.param, "").split()]


def ended(arguments: list[str]) -> int:
    """The exit code of a command line in this process."""
    with pytest.raises(SystemExit) as end:
        main(arguments, prog_name="agari")
    assert end.value.code is None or isinstance(end.value.code, int)
    return end.value.code or 0


# Standard output and standard error that are not as they should be


@pytest.fixture
def full() -> Iterator[io.TextIOWrapper]:
    with open("/dev/full", "w") as stream:
        yield stream


def complaint(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err.replace("compiling, once\n", "")


def test_closed_output(
    printing: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert ended(printing) == 2
    assert complaint(capsys) == "agari: cannot write to standard output: it is closed\n"


@needs_full
def test_full_output(
    printing: list[str],
    full: io.TextIOWrapper,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "stdout", full)
    assert ended(printing) == 2
    assert complaint(capsys) == "agari: cannot write to standard output: No space left on device\n"


def test_output_in_ascii(
    printing: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What ASCII lacks becomes question marks."""
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
    assert ended(printing) == 0
    assert complaint(capsys) == ""
    sys.stdout.flush()
    assert written.getvalue()


@needs_full
@pytest.mark.parametrize("arguments", ["--help", "--version", "pit --help", "games", "agents"])
def test_full_output_of_a_process(arguments: str) -> None:
    """Python has nothing to add when it exits."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*AGARI, *arguments.split()], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (2, "agari: cannot write to standard output: No space left on device\n")


@needs_full
@pytest.mark.parametrize("stream", ["closed", "full"])
def test_errors_that_cannot_be_told(stream: str) -> None:
    """The exit code still says that there was one."""
    redirected = {"closed": "2>&-", "full": "2>/dev/full"}[stream]
    for arguments, code in (("pitt", 2), ("legal nowhere", 2), ("--version", 0)):
        command = ["sh", "-c", f'"$@" {redirected}', "sh", *AGARI, *arguments.split()]
        assert subprocess.run(command, stdout=subprocess.DEVNULL).returncode == code


# One line


@pytest.mark.parametrize(
    "arguments",
    [
        ["--foo"],
        ["games", "--foo"],
        ["games", "more"],
        ["pit"],
        ["two\nlines"],
        ["--two\nlines"],
        ["two\nlines" + LONG],
        *([command, "two\r\nlines\x0b\x85\u2028of" + long] for command in COMMANDS for long in ("", LONG)),
        ["bench", "--positions", str(10**12)],
        ["bench", "--games", str(10**12)],
        ["bench", "--game", "two\nlines"],
        ["pit", "--agents", "random", "--out", ""],
        ["standings", ""],
        ["export", "run", ""],
        ["perft", str(POSITIONS), "--depth", LONG],
        ["analyze", str(POSITIONS), "--seed", LONG],
        *(
            ["pit", "--out", "new", "--agents", "random", option, value]
            for option in ("--game", "--players", "--games", "--matches", "--seed", "--workers", "--agents", "--set")
            for value in ("two\nlines", f"jokers={LONG}", f"{LONG}=1", LONG)
        ),
    ],
)
def test_every_error_is_one_short_line(folder: Path, arguments: list[str]) -> None:
    result = CliRunner().invoke(main, arguments, prog_name="agari")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("agari")
    assert len(result.stderr.splitlines()) == 1
    assert len(result.stderr) <= LONGEST_LINE + 1
    assert not (folder / "new").exists()


def test_a_thread_that_never_ends_keeps_no_command(folder: Path) -> None:
    """Of an agent that analyzes in the command's own process, also where it fails afterwards."""
    source = "from agari.agents.montecarlo import MonteCarloAgent as M\nimport threading, time\nclass T(M):\n"
    source += "    def __init__(self):\n        super().__init__(20)\n"
    source += "        threading.Thread(target=time.sleep, args=(1000,)).start()\n"
    (folder / "threaded.py").write_text(source)
    command = [*AGARI, "analyze", "-", "--agent", "threaded:T", "--json"]
    given = POSITIONS.read_text().splitlines()[0]
    for text, code in ((given, 0), (given + "\n{", 2)):
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, cwd=folder)
        assert (done.returncode, len(done.stdout.splitlines())) == (code, 1)


def test_a_bare_command_shows_the_help() -> None:
    bare, helped = (CliRunner().invoke(main, arguments, prog_name="agari") for arguments in ([], ["-h"]))
    assert (bare.exit_code, bare.stdout, bare.stderr) == (0, helped.stdout, "")
    assert "--version" in bare.stdout


@pytest.mark.parametrize(
    "setting", ["NUMBA_NUM_THREADS=x", "NUMBA_NUM_THREADS=0", "NUMBA_BOUNDSCHECK=x", "NUMBA_OPT=9"]
)
def test_settings_that_numba_cannot_read(setting: str) -> None:
    name, _, value = setting.partition("=")
    for arguments in (["legal", str(POSITIONS)], ["games"]):
        done = subprocess.run([*AGARI, *arguments], env=os.environ | {name: value}, capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith("agari: numba refuses a NUMBA_* setting of the environment, unset it: ")


# Tables


def unstyled(text: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", text)


@pytest.mark.parametrize("width", [1, 20, 40, 60, 80, 500])
def test_a_table_is_never_cut(width: int) -> None:
    long = "mc(playouts=1000,policy=greedy,seed=3)"
    rows = [[long, "1.25", "first row"], ["日本語のとても長い名前です", "1,234,567,890", "second"]]
    table = WholeTable(["agent", "a\nnumber", "rest"], rows, folded=("agent", "rest"))
    written = io.StringIO()
    Console(file=written, width=width).print(table, crop=False)
    lines = [line for line in written.getvalue().splitlines() if line.strip()]
    assert "…" not in written.getvalue()
    assert "1,234,567,890" in written.getvalue()
    first_column = "".join(line.split("  ")[1].strip() for line in lines if line[2] not in " ─")
    assert first_column == f"agent{long}{rows[1][0]}"
    assert max(map(cell_len, lines)) <= max(width, FOLDED + len("1,234,567,890") + len("first row") + 3 * 3 + 1)


@pytest.mark.parametrize("columns", [10, 40, 60, 80])
@pytest.mark.parametrize("command", ["standings", "games", "agents"])
def test_tables_in_a_narrow_terminal_have_all_that_a_pipe_gets(run: Path, command: str, columns: int) -> None:
    arguments = [command, str(run)] if command == "standings" else [command]
    piped, narrow = (
        CliRunner().invoke(main, arguments, env={"COLUMNS": str(columns), "FORCE_COLOR": terminal}).stdout
        for terminal in (None, "1")
    )

    def letters(text: str) -> list[str]:
        return sorted(unstyled(text).translate(dict.fromkeys(map(ord, " \n─"))))

    assert "…" not in piped + narrow
    assert letters(narrow) == letters(piped)


def test_a_pipe_gets_each_row_in_one_line(run: Path) -> None:
    shown = CliRunner().invoke(main, ["standings", str(run)], env={"COLUMNS": "40"}).stdout
    assert re.search(r"^ +mc\(playouts=3,policy=random,seed=12345\) .*\d%( +\d+%){6} *$", shown, re.M)
    shown = CliRunner().invoke(main, ["games"], env={"COLUMNS": "40"}).stdout
    assert re.search(r"^ +first_lead .* random, diamond3, diamond3_always *$", shown, re.M)
