"""The tables, in a dialect-free form, and how an older store becomes a newer one."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    insert,
    inspect,
    select,
    update,
)

from instances import guards

METADATA = MetaData()

META = Table(
    "meta", METADATA, Column("key", String(64), primary_key=True), Column("value", Text, nullable=False)
)

INSTANCES = Table(
    "instances",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("watch_id", String(64), nullable=False, unique=True),
    Column("environment", String(64), nullable=False),
    Column("version", Integer, nullable=False),
    Column("label", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("assisted", Boolean, nullable=False),
    Column("ended", String(16)),
    Column("submission_id", String(64), index=True),
    Column("case", Integer),
)
"""`ended` makes a row a tombstone: `erased` or `expired`; it keeps no label and has no journal."""

JOURNAL = Table(
    "journal",
    METADATA,
    Column("instance_id", String(64), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("actor_kind", String(16), nullable=False),
    Column("actor_label", Text, nullable=False),
    Column("surface", String(16), nullable=False),
    Column("at", Float, nullable=False),
    Column("body", Text, nullable=False),
    Column("seed", BigInteger),
    Column("memory", Text),
    Column("status", String(16), nullable=False),
    Column("outcome", Text, nullable=False),
    Column("digest", String(32), nullable=False),
)

KEYS = Table(
    "idempotency_keys",
    METADATA,
    Column("instance_id", String(64), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("n", Integer, nullable=False),
    Column("fingerprint", String(32), nullable=False),
    sqlite_with_rowid=False,
)

ARTIFACTS = Table(
    "artifacts",
    METADATA,
    Column("name", String(255), primary_key=True),
    Column("media_type", String(64), nullable=False),
    Column("content", LargeBinary, nullable=False),
)
"""What evaluations leave: files by name."""

ROUNDS = Table(
    "rounds",
    METADATA,
    Column("name", String(96), primary_key=True),
    Column("environment", String(64), nullable=False),
    Column("level", String(32), nullable=False),
    Column("cases", Integer, nullable=False),
    Column("closes_at", Float, nullable=False),
)

SUBMISSIONS = Table(
    "submissions",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("round", String(96), nullable=False, index=True),
    Column("agent", Text, nullable=False),
    Column("agent_version", Text, nullable=False),
    Column("cases", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("closed_at", Float),
)

RUNS = Table(
    "agent_runs",
    METADATA,
    Column("id", String(64), primary_key=True),
    Column("instance_id", String(64), nullable=False),
    Column("model", String(96), nullable=False),
    Column("state", String(16), nullable=False),
    Column("detail", Text, nullable=False),
    Column("last_n", Integer, nullable=False),
    Column("started_at", Float, nullable=False),
    Column("deadline_at", Float, nullable=False),
    Column("ended_at", Float),
    Column("priced", Boolean, nullable=False),
    Column("calls", Integer, nullable=False),
    Column("unmetered", Integer, nullable=False),
    Column("prompt_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("micro_usd", BigInteger, nullable=False),
)
"""What a language model was asked to play, and what that used. `unmetered`: calls whose use nobody told."""

REVEALED = Table(
    "revealed",
    METADATA,
    Column("instance_id", String(64), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
)
"""Episodes, by the entry that opened them, whose player was shown what is hidden while they ran."""

SPENDING = Table(
    "spending",
    METADATA,
    Column("day", String(10), primary_key=True),
    Column("who", String(64), primary_key=True),
    Column("tokens", BigInteger, nullable=False),
    Column("micro_usd", BigInteger, nullable=False),
)
"""What models used on a day (UTC), reserved or spent; `who` is a client's alias, or empty for everybody."""

FILES = Table(
    "files",
    METADATA,
    Column("instance_id", String(64), primary_key=True),
    Column("name", String(96), primary_key=True),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False),
)
"""What was uploaded to an instance, in parts; part 0 tells what the file is."""

ALONE = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(4712001)"}
"""What lets one process at a time through; on PostgreSQL any number will do that nobody else uses."""

TABLES = (INSTANCES, JOURNAL, KEYS)
"""What the writer appends to, in this order."""


class SchemaMismatch(Exception):
    """The store was written by a newer Auditorium than this one."""


def _first(connection: Connection) -> None:
    METADATA.create_all(connection)


def _agents(connection: Connection) -> None:
    METADATA.create_all(connection, [RUNS, SPENDING])


def _revealed(connection: Connection) -> None:
    METADATA.create_all(connection, [REVEALED])


def _files(connection: Connection) -> None:
    METADATA.create_all(connection, [FILES])


def _as_they_come(connection: Connection) -> None:
    """SQLite's journal keeps rows in the order in which they come, not in that of their keys.

    With rows of many instances in one commit, a place for each costs twice as much as one place for all.
    """
    if connection.dialect.name == "sqlite":
        guards.lift(connection)
        connection.exec_driver_sql("ALTER TABLE journal RENAME TO journal_by_key")
        JOURNAL.create(connection)
        connection.exec_driver_sql("INSERT INTO journal SELECT * FROM journal_by_key ORDER BY at")
        connection.exec_driver_sql("DROP TABLE journal_by_key")
        guards.put(connection)


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (
    _first,
    guards.put,
    _agents,
    _revealed,
    _as_they_come,
    _files,
)
"""Migration i turns version i into version i + 1; version 0 is an empty database."""


def version(connection: Connection) -> int:
    """The schema version that the store is at; 0 for an empty one."""
    if not inspect(connection).has_table(META.name):
        return 0
    found = connection.execute(select(META.c.value).where(META.c.key == "schema_version")).scalar()
    return int(found or 0)


def migrate(engine: Engine) -> tuple[int, int]:
    """Brings the store to the newest version, all or nothing.

    Returns:
        The version before and after.
    Raises:
        SchemaMismatch: If the store is newer than this code.
    """
    newest = len(MIGRATIONS)
    with engine.begin() as connection:
        # Another process may be starting too. (SQLite's driver opens no transaction for DDL by itself.)
        connection.exec_driver_sql(ALONE[engine.dialect.name])
        before = version(connection)
        if before > newest:
            raise SchemaMismatch(
                f"the store has schema version {before}, this Auditorium knows up to {newest}; "
                "start the newer Auditorium, or restore a backup made by this one"
            )
        for step in MIGRATIONS[before:]:
            step(connection)
        _record(connection, before, newest)
    return before, newest


def _record(connection: Connection, before: int, after: int) -> None:
    if before == 0:
        connection.execute(insert(META).values(key="schema_version", value=str(after)))
    elif before != after:
        connection.execute(update(META).where(META.c.key == "schema_version").values(value=str(after)))
