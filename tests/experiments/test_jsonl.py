"""Reading and writing JSON Lines: what is read, and that every error is one line that names file and line."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from agari.experiments.jsonl import answer_each, read_records, write_json
from agari.sim.errors import LONGEST_LINE, InputError


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test is in a folder of its own."""
    monkeypatch.chdir(tmp_path)


def records(data: bytes) -> list[tuple[str, Any]]:
    """Where the records of a file `cases` begin, and the records."""
    Path("cases").write_bytes(data)
    return list(read_records("cases"))


def problem(data: bytes) -> str:
    """What is wrong with a file `cases`."""
    with pytest.raises(InputError) as raised:
        records(data)
    assert "\n" not in str(raised.value)
    return str(raised.value)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n  \r\n\t", []),
        (b"\xef\xbb\xbf", []),
        (b'{"a": 1}', [1]),
        (b'{"a": 1}\n', [1]),
        (b'{"a": 1}\r\n{"a": 2}\r\n', [1, 2]),
        (b'\xef\xbb\xbf{"a": 1}\n\n   {"a": 2}  \n', [1, 3]),
        (b'{"a": "\xe2\x80\xa8"}\n{"a": 2}', [1, 2]),  # a line separator of Unicode, within a text
        (b"[]", []),
        (b" [ ] \n", []),
        (b'[{"a": 1}, {"a": 2}]', [1, 1]),
        (b'\n[\n{"a": 1},\n{"a":\n2}, {"a": 3}\n,\n\n{"a": 4}]\n\n', [3, 4, 5, 8]),
        (b'\xef\xbb\xbf[{"a": 1}\n,{"a": 2}]', [1, 2]),
    ],
)
def test_what_is_read(data: bytes, lines: list[int]) -> None:
    """Lines and arrays, blank lines, ends of lines of Windows, a byte order mark."""
    read = records(data)
    assert [place for place, _ in read] == [f"cases:{line}" for line in lines]
    assert read == list(zip((place for place, _ in read), json_values(data), strict=True))


def json_values(data: bytes) -> list[Any]:
    """The values of a file, read in another way."""
    text = data.decode("utf-8-sig").strip()
    return json.loads(text if text.startswith("[") else f"[{','.join(filter(str.strip, text.split(chr(10))))}]")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"a": 1}\n\n{"a": 1,}\n', "cases:3: no JSON at column "),
        (b'{"a": 1}\n{"a" 1}', "cases:2: no JSON at column 6: Expecting ':' delimiter"),
        (b"{", "cases:1: no JSON at column 2: Expecting property name enclosed in double quotes"),
        (b'\xef\xbb\xbf{"a" 1}', "cases:1: no JSON at column 6: Expecting ':' delimiter"),
        (b'{"a": 1} {"a": 2}', "cases:1: no JSON at column 10: one value a line is expected"),
        (b'{"a": 1}\n[{"a": 2}]', "cases:2: must be a JSON object, not an array"),
        (b"7", "cases:1: must be a JSON object, not a number"),
        (b'"x\\ny"', "cases:1: must be a JSON object, not a text"),
        (b"true", "cases:1: must be a JSON object, not true or false"),
        (b"[null]", "cases:1: must be a JSON object, not null"),
        (b"[{},\n 7.5]", "cases:2: must be a JSON object, not a number"),
        (b"[{}\n {}]", "cases:2: no JSON at column 2: Expecting ',' or ']'"),
        (b"[{}\n [{}]]", "cases:2: no JSON at column 2: Expecting ',' or ']'"),
        (b"[{},\n", "cases:2: no JSON at column 1: Expecting value"),
        (b"[", "cases:1: no JSON at column 2: Expecting value"),
        (b"[{}", "cases:1: no JSON at column 4: Expecting ',' or ']'"),
        (b"[{},\n]", "cases:2: no JSON at column 1: Expecting value"),
        (b"[,]", "cases:1: no JSON at column 2: Expecting value"),
        (b"[{}]\n\n []", "cases:3: no JSON at column 2: nothing may follow the array"),
        (b'[{},\n\n{"a": nul}]', "cases:3: no JSON at column 7: Expecting value"),
        (b'{}\n{"NaN": NaN}', "cases:2: no JSON at column 9: NaN is no number in JSON"),
        (b'[{},\n{"a": [1, -Infinity]}]', "cases:2: no JSON at column 11: -Infinity is no number in JSON"),
        (b'{"1e999": 1e999}', "cases:1: no JSON at column 11: 1e999 is too large a number"),
        (b'{"a": ' + b"9" * 5000 + b"}", "cases:1: no JSON at column 7: a number of 5000 digits is too large"),
        (b'{}\n{"a": 1, "b": {"c": 1, "c": 1}}', "cases:2: 'c' stands twice in one object"),
        (b'{"a": ' + b"[" * 200_000, "cases:1: nested too deeply"),
        (b'{"a": 1}\n{"a": "\xff"}', "cases:2: the text is not UTF-8: it holds the byte 0xff"),
        (b"[{},\n{},\n\xfe]", "cases:3: the text is not UTF-8: it holds the byte 0xfe"),
        ('{"a": 1}'.encode("utf-16"), "cases:1: the text is not UTF-8: it holds the byte 0xff"),
    ],
)
def test_what_is_wrong(data: bytes, expected: str) -> None:
    assert problem(data).startswith(expected)
    if not expected.endswith("column "):  # what Python calls a comma too many depends on its version
        assert problem(data) == expected


def test_a_file_that_cannot_be_read() -> None:
    Path("folder").mkdir()
    for name, why in (("nowhere", "No such file or directory"), ("folder", "Is a directory")):
        with pytest.raises(InputError, match=f"^{name}: {why}$"):
            list(read_records(name))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"a": "\xe2\x99\xa0"}\n7')))
    reader = read_records("-")
    assert next(reader) == ("<stdin>:1", {"a": "♠"})
    with pytest.raises(InputError, match=r"^<stdin>:2: must be a JSON object, not a number$"):
        next(reader)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match=r"^<stdin>: is closed$"):
        next(read_records("-"))


def test_answers_come_one_by_one() -> None:
    """What is before a wrong record is answered before that is looked at."""

    def answer(record: dict[str, Any]) -> Any:
        if record["a"] < 0:
            raise InputError("a: is negative")
        return record["a"]

    Path("cases").write_text('{"a": 3}\n{"a": 4}\n{"a": -1}\n{', encoding="utf-8")
    answers = answer_each("cases", answer)
    assert (next(answers), next(answers)) == (3, 4)
    with pytest.raises(InputError, match=r"^cases:3: a: is negative$"):
        next(answers)


def test_long_problems_are_shortened() -> None:
    def answer(record: dict[str, Any]) -> Any:
        raise InputError(f"a: {record['a']!r} is no suit")

    Path("cases").write_text(json.dumps({"a": "x" * 10_000}), encoding="utf-8")
    with pytest.raises(InputError, match=r"^cases:1: a: 'xx+ … x+' is no suit$") as raised:
        list(answer_each("cases", answer))
    assert len(str(raised.value)) <= LONGEST_LINE + len("cases:1: ")


def test_values_that_are_nested_too_deeply_to_be_quoted() -> None:
    """However deep it is: either it cannot be read, or it can be quoted, or the line says so."""

    def answer(record: dict[str, Any]) -> Any:
        raise InputError(f"a: {record['a']!r} is no suit")

    limit = sys.getrecursionlimit()
    for depth in (*range(limit - 200, limit + 20), 10_000, 50_000):
        Path("cases").write_text(f'{{"a": {"[" * depth}{"]" * depth}}}', encoding="utf-8")
        with pytest.raises(InputError, match=r"^cases:1: (nested too deeply|a: .* is no suit)$"):
            list(answer_each("cases", answer))


def test_what_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    """One line a value, in ASCII so that no terminal can fail to show it."""
    write_json({"id": "♠\n\ud800", "x": None})
    assert capsys.readouterr().out == '{"id": "\\u2660\\n\\ud800", "x": null}\n'
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(float("nan"))


ENDLESS = """
from agari.experiments.jsonl import write_json
from agari.sim.errors import LONGEST_LINE, InputError
try:
    while True:
        write_json({"id": 1})
except BrokenPipeError:
    print("nobody reads", file=__import__("sys").stderr)
except InputError as error:
    print(error, file=__import__("sys").stderr)
"""


def test_nobody_reads_the_output() -> None:
    """It ends, and Python has nothing to say about what is left in the buffer."""
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == '{"id": 1}\n'
        process.stdout.close()
        assert process.stderr.read() == "nobody reads\n"
    assert process.returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
def test_a_full_disk() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", ENDLESS], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (0, "cannot write to standard output: No space left on device\n")
