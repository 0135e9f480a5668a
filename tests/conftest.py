"""The real app as a subprocess, for every test that needs a wire."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).resolve().parent.parent
START_S = 60.0
STOP_S = 15.0
# What a developer may have set for a server of their own must not reach the tests' servers.
SETTINGS = (
    *("HOST", "PORT", "DATA_DIR", "DATABASE_URL", "REDIS_URL", "AUDITORIUM_", "GRADIO_"),
    *("HF_TOKEN", "OPENAI_", "GOOGLE_API_KEY", "GEMINI_API_KEY"),
)


@dataclass(frozen=True, slots=True)
class Server:
    """A running app.

    Attributes:
        url: Where it answers, without a slash at the end.
        data_dir: Where it keeps its journals.
        process: Its process, to be killed by tests that ask what survives.
        log: File with all that it printed.
    """

    url: str
    data_dir: Path
    process: subprocess.Popen[bytes]
    log: Path

    def stop(self) -> None:
        """Asks the server to end, and waits until it has.

        Raises:
            TimeoutError: If it had to be killed.
        """
        self.process.terminate()
        try:
            self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise TimeoutError(
                f"the server did not end within {STOP_S:g} s of SIGTERM\n{_tail(self.log)}"
            ) from None


StartServer = Callable[..., Server]


def launch(folder: Path, program: Sequence[str] = ("app.py",), **settings: str) -> Server:
    """Starts `python app.py` on a free port and waits until it is healthy.

    Args:
        program: What Python runs instead.
        folder: Holds its log and, unless `DATA_DIR` is set, its data; two starts on one folder share them.
        settings: Environment variables.
    """
    folder.mkdir(parents=True, exist_ok=True)
    port = settings.get("PORT") or str(_free_port())
    data_dir = Path(settings.get("DATA_DIR", folder / "data"))
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
    own = {"HOST": "127.0.0.1", "PORT": port, "DATA_DIR": str(data_dir), **settings}
    log = folder / f"server-{port}.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, *program], cwd=ROOT, env=inherited | own, stdout=output, stderr=subprocess.STDOUT
        )
    server = Server(f"http://127.0.0.1:{port}", data_dir, process, log)
    try:
        _wait_until_healthy(server)
    except BaseException:
        process.kill()
        process.wait()
        raise
    return server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app with its default settings, one for the whole run: bring an instance of your own."""
    running = launch(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[StartServer]:
    """Starts apps of the test's own: `start_server(AUDITORIUM_ROOT_ENV="forecast-audit")`.

    All that one test starts share a data folder, so a second start sees what the first one kept.
    """
    started: list[Server] = []

    def start(**settings: str) -> Server:
        started.append(launch(tmp_path / "server", **settings))
        return started[-1]

    yield start
    for running in started:
        if running.process.poll() is None:
            running.stop()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(server: Server) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if server.process.poll() is not None:
            raise RuntimeError(f"app.py ended with status {server.process.returncode}\n{_tail(server.log)}")
        try:
            if httpx.get(f"{server.url}/health", timeout=2.0).is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise TimeoutError(f"the server was not healthy within {START_S:g} s\n{_tail(server.log)}")


def _tail(log: Path, lines: int = 40) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])
