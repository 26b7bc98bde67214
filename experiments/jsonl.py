"""JSON Lines in and out: one JSON object a line, from a file or standard input to standard output.

And all else that goes to standard output or standard error, since every command can meet a full disk, a reader that
went away, a closed stream, or one that cannot encode what is written.
"""

import io
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any, TextIO

from ..sim.errors import InputError, shorten

UNBOUNDED = 100_000  # columns: more than any table has

_KINDS = {
    list: "an array",
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}
_BLANKS = re.compile(r"[ \t\r\n]*")
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[-+.\w]+')


def answer_each(path: str, answer: Callable[[dict[str, Any]], Any]) -> Iterator[Any]:
    """Yield the answer to each record of a file, one after the other; errors name file, line and field.

    Args:
        path: a file of JSON Lines, or of one JSON array of records; ``-`` is standard input.
        answer: raises an `InputError` that names the field.
    """
    for place, record in read_records(path):
        try:
            answered = answer(record)
        except InputError as error:
            raise InputError(f"{place}: {shorten(str(error))}") from None
        except RecursionError:  # the record could just be read, but what it nests cannot be quoted
            raise InputError(f"{place}: nested too deeply") from None
        yield answered


def read_records(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield for each record of a file where it begins, as ``file:line``, and the record. Blank lines are no records.

    A line is read when it is asked for, an array as a whole.
    """
    name = "<stdin>" if path == "-" else path
    if path == "-" and sys.stdin is None:
        raise InputError(f"{name}: is closed")
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            for place, value in _read_values(file, name):
                if not isinstance(value, dict):
                    raise InputError(f"{place}: must be a JSON object, not {_KINDS[type(value)]}")
                yield place, value
    except OSError as error:
        raise InputError(f"{name}: {error.strerror or error}") from None


def write_json(value: Any) -> None:
    """Write a value to standard output as one line of JSON, at once."""
    write_text(json.dumps(value, allow_nan=False) + "\n")


def write_text(text: str) -> None:
    """Write text to standard output, at once; what its encoding lacks becomes a question mark.

    Raises:
        BrokenPipeError: nobody reads it any more, as after ``head``: time to end quietly.
    """
    with _standard_output() as stream:
        stream.write(text)


def print_rich(*things: Any) -> None:
    """Write what rich can render to standard output: tables, and text as it is. Only a terminal bounds the width."""
    from rich.console import Console

    with _standard_output() as stream:
        console = Console(file=stream, markup=False, highlight=False, emoji=False)
        if not stream.isatty() or console.width < 1:
            console.width = UNBOUNDED
        console.print(*things, sep="\n", crop=False)


def complain(line: str) -> None:
    """Write a line to standard error, at once; where that cannot be written to, there is nobody to tell."""
    if sys.stderr is not None:
        with suppress(OSError), _written_at_once(sys.stderr):
            sys.stderr.write(line + "\n")


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    """Give standard output to a block that writes to it; an OSError becomes an InputError."""
    if sys.stdout is None:
        raise InputError("cannot write to standard output: it is closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        with _written_at_once(sys.stdout):
            yield sys.stdout
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"cannot write to standard output: {error.strerror or error}") from None


@contextmanager
def _written_at_once(stream: TextIO) -> Iterator[None]:
    """Flush a stream after a block that writes to it."""
    try:
        yield
        stream.flush()
    except OSError:
        # What is left in the buffer would fail once more when Python exits, with a traceback and another exit code.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise


class _Refused(ValueError):
    """A number that JSON does not have, or that is too large to compute with."""

    def __init__(self, token: str, problem: str) -> None:
        super().__init__(problem)
        self.token, self.problem = token, problem


def _constant(token: str) -> None:
    raise _Refused(token, f"{token} is no number in JSON")


def _whole(token: str) -> int:
    try:
        return int(token)
    except ValueError:
        raise _Refused(token, f"a number of {len(token)} digits is too large") from None


def _real(token: str) -> float:
    number = float(token)
    if math.isinf(number):
        raise _Refused(token, f"{shorten(token)} is too large a number")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        raise InputError(f"{next(key for key in keys if keys.count(key) > 1)!r} stands twice in one object")
    return values


_DECODER = json.JSONDecoder(parse_constant=_constant, parse_int=_whole, parse_float=_real, object_pairs_hook=_object)


def _read_values(file: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Yield ``file:line`` and value of each value of a binary file: one a line, or the elements of one array."""
    may_be_array = True
    for line, data in enumerate(file, 1):
        text = _decode(data, name, line)
        if line == 1:
            text = text.removeprefix("\ufeff")
        begin = _skip_blanks(text, 0)
        if begin == len(text):
            continue
        if may_be_array and text[begin] == "[":
            yield from _read_array(text + _decode(file.read(), name, line + 1), begin, name, line)
            return
        may_be_array = False
        value, end = _read_value(text, begin, name, line)
        if end < len(text):
            raise _no_json(text, end, name, line, "one value a line is expected")
        yield f"{name}:{line}", value


def _read_array(text: str, place: int, name: str, first_line: int) -> Iterator[tuple[str, Any]]:
    """Yield ``file:line`` and value of each element of the array at `place` of a text that begins in `first_line`."""
    line, end = first_line, _skip_blanks(text, place + 1)
    while text[end : end + 1] != "]":
        begin = _skip_blanks(text, place + 1)
        line += text.count("\n", place, begin)
        value, end = _read_value(text, begin, name, first_line)
        yield f"{name}:{line}", value
        line += text.count("\n", begin, end)
        place = end
        if text[place : place + 1] not in (",", "]"):
            raise _no_json(text, place, name, first_line, "Expecting ',' or ']'")
    end = _skip_blanks(text, end + 1)
    if end < len(text):
        raise _no_json(text, end, name, first_line, "nothing may follow the array")


def _read_value(text: str, begin: int, name: str, first_line: int) -> tuple[Any, int]:
    """Return the value at `begin` of a text that begins in `first_line`, and the place after it and white space."""
    try:
        value, end = _DECODER.raw_decode(text, begin)
    except json.JSONDecodeError as error:
        raise _no_json(text, error.pos, name, first_line, error.msg) from None
    except _Refused as error:
        token = next(match for match in _TOKENS.finditer(text, begin) if match.group() == error.token)
        raise _no_json(text, token.start(), name, first_line, error.problem) from None
    except (InputError, RecursionError) as error:
        problem = str(error) if isinstance(error, InputError) else "nested too deeply"
        raise InputError(f"{name}:{_line_of(text, begin, first_line)}: {shorten(problem)}") from None
    return value, _skip_blanks(text, end)


def _skip_blanks(text: str, place: int) -> int:
    """Return the first place from `place` on that is not JSON's white space."""
    blanks = _BLANKS.match(text, place)
    assert blanks is not None
    return blanks.end()


def _decode(data: bytes, name: str, line: int) -> str:
    """Return bytes that begin in `line` as text."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        raise InputError(f"{name}:{line}: the text is not UTF-8: it holds the byte 0x{data[error.start]:02x}") from None


def _line_of(text: str, place: int, first_line: int) -> int:
    return first_line + text.count("\n", 0, place)


def _no_json(text: str, place: int, name: str, first_line: int, problem: str) -> InputError:
    """Return the error that names line and column of a place in a text that begins in `first_line`."""
    column = place - text.rfind("\n", 0, place)
    return InputError(f"{name}:{_line_of(text, place, first_line)}: no JSON at column {column}: {problem}")
