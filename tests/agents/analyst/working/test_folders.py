"""A server's folder goes with it, and with the next one where it was killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agents.analyst.working.folders import OwnFolder

KILLED = """
import os, signal
from agents.analyst.working.folders import OwnFolder
(OwnFolder.made().path / "data").write_text("left behind")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def _place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def test_what_a_killed_server_leaves_goes_with_the_next_start(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED], env={"TMPDIR": str(tmp_path)}, check=False)
    assert [path.name for path in tmp_path.glob("*/data")] == ["data"]
    folder = OwnFolder.made()
    assert list(tmp_path.iterdir()) == [folder.path]
    folder.close()
    assert list(tmp_path.iterdir()) == []


def test_servers_side_by_side_keep_theirs(tmp_path: Path) -> None:
    other = tmp_path / "of-somebody-else"
    other.mkdir()
    first, second = OwnFolder.made(), OwnFolder.made()
    assert {path.name for path in tmp_path.iterdir()} == {first.path.name, second.path.name, other.name}
    first.close()
    second.close()
