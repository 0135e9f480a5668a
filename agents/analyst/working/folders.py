"""Folders: where a server keeps files at hand, and how those of servers that were killed go.

A server holds a lock on its folder as long as it lives; whoever can take the lock of another's may delete it.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import Self

_PREFIX = "auditorium-analyst-"


class OwnFolder:
    """A new folder for this process; it goes when it is closed, or when the next one is made elsewhere."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock

    @classmethod
    def made(cls) -> Self:
        """A folder in the system's place for such, after those of the dead have been deleted there."""
        _clear(Path(tempfile.gettempdir()))
        while True:
            path = Path(tempfile.mkdtemp(prefix=_PREFIX))
            lock = _locked(path)
            # Between the two steps another server may have taken it for one of the dead.
            if lock is not None and path.exists():
                return cls(path, lock)

    def close(self) -> None:
        """Deletes the folder with everything in it."""
        rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def _clear(place: Path) -> None:
    for path in place.glob(f"{_PREFIX}*"):
        lock = _locked(path)
        if lock is not None:
            rmtree(path, ignore_errors=True)
            os.close(lock)


def _locked(path: Path) -> int | None:
    """The lock of a folder of ours, as an open file; None where somebody else holds it, or it is not ours."""
    with suppress(OSError):
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            if os.fstat(lock).st_uid == os.geteuid():
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return lock
        except OSError:
            pass
        os.close(lock)
    return None
