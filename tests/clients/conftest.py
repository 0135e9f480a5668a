"""A server on a real socket with every environment, the tiny one too, and a proxy that breaks what passes."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import anyio.from_thread
import pytest
import uvicorn

from api.app import create_app
from api.settings import read_settings
from clients.http import AsyncAuditorium, Auditorium
from clients.protocol import Caller
from clients.wire import Retry
from instances.service import Service
from instances.store import Store, open_engine
from tests.clients.blocking import Blocking
from tests.clients.proxy import Proxy
from tests.laws.plays import CATALOGUE

NEVER_TIRED = {"AUDITORIUM_CREATIONS_PER_S": "0", "AUDITORIUM_REQUESTS_PER_S": "0"}
Connect = Callable[..., Any]


@pytest.fixture(scope="session", params=CATALOGUE)
def slug(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the whole catalogue is served, one server for the whole run."""
    folder = tmp_path_factory.mktemp("clients")
    settings = read_settings({"DATA_DIR": str(folder), **NEVER_TIRED}, frozenset(CATALOGUE))
    store = Store(open_engine(settings.database_url))
    service = Service(store, CATALOGUE, settings.limits)
    with _served(create_app(service, settings)) as url:
        yield url
    service.close()
    store.close()


@pytest.fixture
def proxy(url: str) -> Iterator[Proxy]:
    with Proxy(url) as running:
        yield running


@pytest.fixture
def pauses() -> list[float]:
    """The pauses that the clients of this test wanted; none of them is passed."""
    return []


@pytest.fixture(params=["sync", "async"])
def connect(request: pytest.FixtureRequest, pauses: list[float]) -> Iterator[Connect]:
    """Makes a client of either kind, with the methods of the blocking one: `connect(url, retry=…)`."""
    opened: list[Any] = []
    with anyio.from_thread.start_blocking_portal() as portal:

        def connect(url: str, **caller: Any) -> Any:
            who = Caller(**{"timeout_s": 20.0, "retry": Retry(draw=lambda: 0.5), **caller})
            if request.param == "sync":
                opened.append(Auditorium(url, who, sleep=pauses.append))
            else:

                async def note(seconds: float) -> None:
                    pauses.append(seconds)

                opened.append(Blocking(portal, AsyncAuditorium(url, who, sleep=note)))
            return opened[-1]

        yield connect
        for client in opened:
            client.close()


@contextmanager
def _served(app: Any) -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
