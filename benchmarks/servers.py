"""Servers under measurement: processes of their own, and what they cost."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Server:
    """A running process that listens on loopback."""

    pid: int
    port: int

    def cpu_s(self) -> float:
        """Processor time that the process has used, user and system."""
        # What the C library's clock_getcpuclockid makes of a process; /proc counts in hundredths of a second.
        return time.clock_gettime((~self.pid << 3) | 2)

    def resident_bytes(self) -> int:
        """Memory that the process holds."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE_BYTES

    def threads(self) -> int:
        """Threads that the process runs."""
        return len(list(Path(f"/proc/{self.pid}/task").iterdir()))


@contextmanager
def serving(command: list[str], port: int, settings: Mapping[str, str]) -> Iterator[Server]:
    """Runs a command until the block ends; the block starts when the port answers."""
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **settings}, stdout=subprocess.DEVNULL)
    try:
        _await_port(port, process)
        yield Server(process.pid, port)
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def auditorium() -> Iterator[Server]:
    """The whole application on a fresh store, without rate limits."""
    port = free_port()
    with TemporaryDirectory() as folder:
        settings = {
            "HOST": "127.0.0.1",
            "PORT": str(port),
            "DATA_DIR": folder,
            "AUDITORIUM_REQUESTS_PER_S": "0",
            "AUDITORIUM_CREATIONS_PER_S": "0",
        }
        with serving([sys.executable, "app.py"], port, settings) as server:
            yield server


@contextmanager
def echo() -> Iterator[Server]:
    """A bare Starlette application that answers the JSON it got, on the same uvicorn."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "benchmarks.echo:app", "--port", str(port), "--no-access-log"]
    with serving([*command, "--log-level", "warning"], port, {}) as server:
        yield server


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with status {process.returncode}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("the server did not answer within 30 s")
