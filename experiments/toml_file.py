"""TOML files that people write."""

import tomllib
from pathlib import Path
from typing import Any

from ..sim.errors import InputError


def read_toml(path: Path | str) -> dict[str, Any]:
    """Return what a TOML file says; raises InputError with its name where it cannot be read."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:  # ValueError: a number of too many digits
        raise InputError(f"{path}: no valid TOML: {error}") from None
