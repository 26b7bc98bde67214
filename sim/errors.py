"""The one error that is meant for people, and how those of other people's code are told."""

LONGEST_LINE = 600  # characters: an error may quote what was given, and that may be anything


class InputError(ValueError):
    """Something that a person gave is wrong; the message is one line that says what, and what would be right."""


class Unplayable(InputError):
    """A position is given from which no game can be played to its end."""


def shorten(text: str) -> str:
    """Return a text of any length as one line of at most `LONGEST_LINE` characters, without the middle if need be."""
    line = " ".join(text.split())
    half = (LONGEST_LINE - 3) // 2
    return line if len(line) <= LONGEST_LINE else f"{line[:half]} … {line[-half:]}"


def told(error: BaseException) -> str:
    """Return name and message of an error as one line; there are errors whose message cannot be had."""
    try:
        message = str(error)
    except Exception:
        message = ""
    return shorten(f"{type(error).__name__}: {message}").removesuffix(":")
