"""Forking: each file is read in by a process of its own, which has little memory and time and ends with it.

The workshop's process has forked one that waits for files before it has a thread or a source open; that one
forks again for each of them. Whatever a file does to its reader, nobody else loses anything. Leaves to
`sources` what reading is.
"""

from __future__ import annotations

import logging
import os
import resource
import selectors
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import BinaryIO, cast

import duckdb

from agents.analyst.sources.receiving import Readings, UploadRefused, too_much_memory, too_slow
from agents.analyst.sources.shelf import Shelf
from agents.analyst.working.asked import ReaderLimits
from agents.analyst.working.messages import Cancel, DoReceive, Ended, framed, next_ended, next_said
from envs.analyst.problems import Cancelled, Unavailable

FAILED = "this file could not be read in; save it in another form and send it again"
log = logging.getLogger(__name__)


class Forker:
    """The workshop's end: hands files over, and hears from its own thread what became of them."""

    def __init__(self, connection: socket.socket, pid: int) -> None:
        self._sending = connection.makefile("wb")
        self._hearing = connection.makefile("rb")
        self._lock = Lock()
        self._pid = pid

    @classmethod
    def forked(cls, folder: Callable[[str], Path], limits: ReaderLimits) -> Forker:
        """Forks the process that waits for files; to be called before there is a thread.

        Args:
            folder: Of an analysis, by its id.
        """
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            ours.close()
            # What the server says and is told is the workshop's alone.
            os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())
            os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
            _Waiting(theirs, folder, limits).run()
            os._exit(0)
        theirs.close()
        return cls(ours, pid)

    def send(self, message: DoReceive | Cancel) -> None:
        """Hands a file over, or calls it back."""
        with self._lock, suppress(BrokenPipeError):
            self._sending.write(framed(message))
            self._sending.flush()

    def hear(self, told: Callable[[Ended], None]) -> None:
        """Tells what became of each file until the other process ends."""
        while (ended := next_ended(self._hearing)) is not None:
            told(ended)
        os.waitpid(self._pid, 0)


@dataclass
class _Reader:
    """A process that reads one file, and what it has said until now."""

    pid: int
    job: DoReceive
    output: BinaryIO
    said: bytearray = field(default_factory=bytearray)
    cancelled: bool = False


class _Waiting:
    """The process that waits for files; it has one thread."""

    def __init__(
        self, connection: socket.socket, folder: Callable[[str], Path], limits: ReaderLimits
    ) -> None:
        self._connection = connection
        # What a buffer holds, no selector sees.
        self._input = cast(BinaryIO, connection.makefile("rb", buffering=0))
        self._output = connection.makefile("wb")
        self._folder = folder
        self._limits = limits
        self._selector = selectors.DefaultSelector()
        self._readers: dict[int, _Reader] = {}

    def run(self) -> None:
        """Works until the other end closes."""
        self._selector.register(self._connection, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is not self._connection:
                    self._hear(key.data)
                elif not self._take():
                    for reader in self._readers.values():
                        os.kill(reader.pid, signal.SIGKILL)
                    return

    def _take(self) -> bool:
        match next_said(self._input):
            case DoReceive() as job:
                self._begin(job)
            case Cancel(job=number) if number in self._readers:
                self._readers[number].cancelled = True
                os.kill(self._readers[number].pid, signal.SIGKILL)
            case None:
                return False
            case _:
                pass
        return True

    def _begin(self, job: DoReceive) -> None:
        ours, theirs = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(ours)
            os.close(self._connection.fileno())
            _read_in(job, self._folder(job.analysis_id), self._limits, theirs)
        os.close(theirs)
        reader = _Reader(pid, job, os.fdopen(ours, "rb", buffering=0))
        self._readers[job.job] = reader
        self._selector.register(reader.output, selectors.EVENT_READ, reader)

    def _hear(self, reader: _Reader) -> None:
        said = reader.output.read(2**16)
        if said:
            reader.said += said
            return
        self._selector.unregister(reader.output)
        reader.output.close()
        _, status = os.waitpid(reader.pid, 0)
        del self._readers[reader.job.job]
        Shelf(self._folder(reader.job.analysis_id)).discard(reader.job.upload.source_id)
        ended = Ended.model_validate_json(bytes(reader.said)) if status == 0 else self._broken(reader, status)
        self._output.write(framed(ended))
        self._output.flush()

    def _broken(self, reader: _Reader, status: int) -> Ended:
        """How the reading of a file ended whose process said nothing."""
        name, job = reader.job.upload.filename, reader.job
        if reader.cancelled:
            return Ended(job=job.job, code=Cancelled.code, message="nobody waits for this file any more")
        ended_by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
        if ended_by == signal.SIGXCPU:
            return _refused(job, too_slow(name, self._limits.computing_s))
        if ended_by == signal.SIGALRM:
            return _refused(job, too_slow(name, self._limits.elapsed_s))
        log.warning("the reader of an upload ended with status %d", status)
        # A library that gets no memory ends its process, and so does the system.
        return _refused(job, too_much_memory(name, self._limits.memory))


def _read_in(job: DoReceive, folder: Path, limits: ReaderLimits, output: int) -> None:
    """Reads one file and ends the process."""
    status = 1
    try:
        signal.alarm(limits.elapsed_s)
        resource.setrlimit(resource.RLIMIT_CPU, (limits.computing_s, limits.computing_s + 1))
        memory = _shared() + limits.memory
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        resource.setrlimit(resource.RLIMIT_FSIZE, (limits.disk, limits.disk))
        with os.fdopen(output, "wb") as written:
            written.write(_ended(job, folder, limits).model_dump_json().encode())
        status = 0
    finally:
        # Nothing of the process that was forked is this one's to tidy up.
        os._exit(status)


def _shared() -> int:
    """Bytes of data that this process has from the one that forked it, which the limit counts too."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    except FileNotFoundError:
        # Only Linux tells so, and only Linux keeps to the limit.
        return 0
    return pages * resource.getpagesize()


def _ended(job: DoReceive, folder: Path, limits: ReaderLimits) -> Ended:
    upload, shelf = job.upload, Shelf(folder)
    try:
        if upload.source_id in shelf.ids():
            with shelf.open(upload.source_id) as opened:
                return Ended(job=job.job, sources=(opened.source,))
        content = Path(job.path).read_bytes()
        readings = Readings(upload.readings, frozenset(upload.others))
        source = shelf.receive(upload.filename, content, upload.source_id, readings)
    except UploadRefused as refused:
        return Ended(job=job.job, code=refused.code, message=str(refused), refused=True)
    except (MemoryError, duckdb.OutOfMemoryException):
        return _refused(job, too_much_memory(upload.filename, limits.memory))
    except Exception:
        log.exception("an upload could not be read in")
        return Ended(job=job.job, code=Unavailable.code, message=FAILED)
    return Ended(job=job.job, sources=(source,))


def _refused(job: DoReceive, refused: UploadRefused) -> Ended:
    return Ended(job=job.job, code=refused.code, message=str(refused), refused=True)
