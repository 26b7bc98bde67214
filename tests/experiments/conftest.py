"""Where the tests of tournaments play."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the current one, beside a user's module `players`."""
    shutil.copy(Path(__file__).with_name("players.py"), tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path
