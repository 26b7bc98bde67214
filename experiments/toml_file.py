"""TOML files that people write."""

import tomllib
from pathlib import Path
from typing import Any

from ..sim.errors import InputError


def read_toml(path: Path | str) -> dict[str, Any]:
    """Return what a TOML file says; raises InputError with its name where it cannot be read."""
    try:
        values = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:  # ValueError: a number of too many digits
        raise InputError(f"{path}: no valid TOML: {error}") from None
    if _has_huge_number(values):  # in hexadecimal it may have more digits than Python will ever write
        raise InputError(f"{path}: no valid TOML: a number of more than 64 bits")
    return values


def _has_huge_number(value: Any) -> bool:
    """Return whether a value has a whole number in it that TOML has no room for."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return any(map(_has_huge_number, value))
    return isinstance(value, int) and not -(2**63) <= value < 2**63
