"""A real database of the test's own, and processes over it that can be started again and again."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Protocol

import pytest
from sqlalchemy import Engine, event

from envs.catalog import Entry as CatalogEntry
from instances.model import Limits
from instances.service import Service
from instances.store import Store, open_engine
from tests.instances.postgres import Postgres, programs
from tests.tiny import TINY


@dataclass
class Clock:
    """Time that passes only when a test says so."""

    now: float = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Process:
    """What one server process holds: a service over a store of its own.

    Attributes:
        connections: Every connection that the process has opened, to be broken by tests.
        statements: Every statement that it sent, in order.
    """

    service: Service
    store: Store
    connections: list[Any] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    stopped: bool = False

    def stop(self) -> None:
        """Ends the process; what it acknowledged must outlive it."""
        if not self.stopped:
            self.service.close()
            self.store.close()
            self.stopped = True


StartProcess = Callable[..., Process]


def start_on(
    url: str,
    clock: Clock,
    catalog: Mapping[str, CatalogEntry] = TINY,
    *,
    busy_ms: int = 10_000,
    **limits: Any,
) -> Process:
    """A process over the database at `url`; its seeds are 1, 2, 3, ….

    Args:
        busy_ms: How long it waits for another process's lock.
        limits: Fields of `Limits`.
    """
    engine = open_engine(url)
    connections: list[Any] = []
    statements: list[str] = []
    _watch(engine, connections, statements, busy_ms)
    store = Store(engine)
    if store.reading is not engine:
        _watch(store.reading, connections, statements, busy_ms)
    service = Service(store, catalog, Limits(**limits), clock=clock, draw=count(1).__next__)
    return Process(service, store, connections, statements)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server for the whole run; where PostgreSQL is not installed, its half of the tests is skipped."""
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed; on Debian: apt-get install postgresql")
    server = Postgres.make(found)
    yield server
    server.remove()


class Databases(Protocol):
    """Where empty databases come from."""

    def new(self) -> str:
        """The URL of an empty database."""
        ...

    def release(self, url: str) -> None:
        """Takes a database back that nobody uses any more."""
        ...


@dataclass
class Files:
    """SQLite databases."""

    folders: pytest.TempPathFactory

    def new(self) -> str:
        return f"sqlite:///{self.folders.mktemp('store') / 'auditorium.db'}"

    def release(self, url: str) -> None:
        """Leaves the file to pytest."""


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def databases(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Databases:
    """What uses this runs on both kinds."""
    return request.getfixturevalue("postgres") if request.param == "postgres" else Files(tmp_path_factory)


@pytest.fixture
def store_url(databases: Databases) -> Iterator[str]:
    """Where the journals of this test are kept."""
    url = databases.new()
    yield url
    databases.release(url)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def start(store_url: str, clock: Clock) -> Iterator[StartProcess]:
    """Starts processes that share one database: `start(episode_entries=3)`."""
    started: list[Process] = []

    def start_one(catalog: Mapping[str, CatalogEntry] = TINY, **settings: Any) -> Process:
        started.append(start_on(store_url, clock, catalog, **settings))
        return started[-1]

    yield start_one
    for process in reversed(started):
        process.stop()


@pytest.fixture
def archive(store_url: str) -> Iterator[Store]:
    """The database as somebody else sees it: only what is committed."""
    store = Store(open_engine(store_url))
    yield store
    store.close()


def _watch(engine: Engine, connections: list[Any], statements: list[str], busy_ms: int) -> None:
    def connected(connection: Any, _record: object) -> None:
        connections.append(connection)
        if isinstance(connection, sqlite3.Connection):
            connection.execute(f"PRAGMA busy_timeout={busy_ms}")
            connection.set_trace_callback(statements.append)
        else:
            connection.autocommit = True
            connection.execute(f"SET lock_timeout = {busy_ms}")
            connection.autocommit = False

    def executing(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        statements.append(statement)

    event.listen(engine, "connect", connected)
    if engine.dialect.name != "sqlite":
        event.listen(engine, "before_cursor_execute", executing)
