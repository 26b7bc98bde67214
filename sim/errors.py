"""The one error that is meant for people, and how those of other people's code are told."""


class InputError(ValueError):
    """Something that a person gave is wrong; the message is one line that says what, and what would be right."""


def shorten(text: str) -> str:
    """Return a text of any length as one line of at most 600 characters."""
    line = " ".join(text[:2000].split())
    return line if len(line) <= 600 else line[:599] + "…"


def told(error: BaseException) -> str:
    """Return name and message of an error as one line; there are errors whose message cannot be had."""
    try:
        message = str(error)
    except Exception:
        message = ""
    return shorten(f"{type(error).__name__}: {message}").removesuffix(":")
