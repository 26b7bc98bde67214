"""Tournaments: who plays whom, the processes that play, the tables that they leave, and what these say."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .store import load

__all__ = ["load"]


def __getattr__(name: str) -> Any:
    # The store needs pyarrow, which costs more time to import than `agari --help` may take.
    if name == "load":
        from .store import load

        return load
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
