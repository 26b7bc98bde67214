"""Ctrl-C amid what takes long."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


@contextmanager
def interrupted(after: float = 0.3, within: float = 2.0) -> Iterator[None]:
    """Interrupt the block after some seconds, as Ctrl-C does; it has to end by that, and within some seconds."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    handler = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, after)
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
    assert time.monotonic() - began < after + within
