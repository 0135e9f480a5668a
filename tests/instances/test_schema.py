"""A store is made, recognised, and refused when a newer Auditorium wrote it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect, select
from sqlalchemy.exc import IntegrityError

from instances import guards
from instances.schema import (
    INSTANCES,
    JOURNAL,
    META,
    METADATA,
    MIGRATIONS,
    SchemaMismatch,
    migrate,
    version,
)
from instances.store import Store, open_engine

NEWEST = len(MIGRATIONS)
BY_KEY = 4
"""The last version whose journal was laid out by its key."""


@pytest.fixture
def engine(store_url: str):
    engine = open_engine(store_url)
    yield engine
    engine.dispose()


def test_an_empty_database_gets_every_table(engine: Engine):
    assert migrate(engine) == (0, NEWEST)
    assert set(inspect(engine).get_table_names()) == set(METADATA.tables)
    with engine.connect() as connection:
        assert version(connection) == NEWEST


def test_a_store_of_this_version_is_left_alone(engine: Engine):
    migrate(engine)
    assert migrate(engine) == (NEWEST, NEWEST)


def test_a_store_of_a_newer_version_is_refused_and_left_alone(engine: Engine):
    migrate(engine)
    with engine.begin() as connection:
        connection.execute(META.update().where(META.c.key == "schema_version").values(value="99"))
    with pytest.raises(SchemaMismatch, match=f"schema version 99, this Auditorium knows up to {NEWEST}"):
        Store(engine)
    with engine.connect() as connection:
        assert version(connection) == 99


def test_an_older_journal_is_laid_out_anew_with_its_entries_and_its_guard(tmp_path: Path):
    engine = open_engine(f"sqlite:///{tmp_path / 'auditorium.db'}")
    older, row = by_key(engine)
    assert migrate(engine) == (older, NEWEST)
    with engine.begin() as connection:
        assert [tuple(found) for found in connection.execute(select(JOURNAL))] == [row]
        with pytest.raises(IntegrityError, match="takes no more entries"):
            connection.execute(JOURNAL.insert().values(("nobody's", *row[1:])))
    assert "WITHOUT ROWID" not in layout(engine)
    engine.dispose()


def by_key(engine: Engine) -> tuple[int, tuple[object, ...]]:
    """Makes a store as it was before the journal kept its order; returns its version and its one entry."""
    migrate(engine)
    made = layout(engine)
    instance = ("i", "w", "tiny", 1, "", 1.0, False, None, None, None)
    row = ("i", 1, "step", "human", "", "ui", 2.0, "{}", None, None, "RUNNING", "{}", "0" * 32)
    with engine.begin() as connection:
        guards.lift(connection)
        connection.exec_driver_sql("DROP TABLE journal")
        connection.exec_driver_sql(f"{made} WITHOUT ROWID")
        guards.put(connection)
        connection.execute(INSTANCES.insert().values(instance))
        connection.execute(JOURNAL.insert().values(row))
        older = BY_KEY
        connection.execute(META.update().where(META.c.key == "schema_version").values(value=str(older)))
    return older, row


def layout(engine: Engine) -> str:
    """The statement that made the journal."""
    with engine.connect() as connection:
        query = "SELECT sql FROM sqlite_master WHERE name = 'journal'"
        return str(connection.exec_driver_sql(query).scalar_one())


def test_processes_that_start_at_once_make_one_store(store_url: str):
    engines = [open_engine(store_url) for _ in range(6)]
    with ThreadPoolExecutor(6) as threads:
        outcomes = list(threads.map(migrate, engines))
    assert sorted(outcomes) == [(0, NEWEST)] + [(NEWEST, NEWEST)] * 5
    for engine in engines:
        engine.dispose()


def test_the_folder_of_a_new_store_is_made(tmp_path: Path):
    engine = open_engine(f"sqlite:///{tmp_path / 'a' / 'b' / 'auditorium.db'}")
    assert migrate(engine) == (0, NEWEST)
    engine.dispose()


@pytest.mark.parametrize("synchronous", ["NORMAL", "FULL"])
def test_the_store_outlives_its_process_and_if_asked_the_power_supply(tmp_path: Path, synchronous: str):
    engine = open_engine(f"sqlite:///{tmp_path / 'auditorium.db'}", synchronous=synchronous)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert (
            connection.exec_driver_sql("PRAGMA synchronous").scalar() == {"NORMAL": 1, "FULL": 2}[synchronous]
        )
    engine.dispose()
