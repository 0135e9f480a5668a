"""The store: where journals are kept, and how they are read back.

Decides how a question becomes a query. What is forgotten, and when, is in `upkeep`; what the two databases
have of their own is in `sqlite` and `postgres`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Engine, Select, and_, delete, func, insert, or_, select
from sqlalchemy.engine import Row, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from instances import postgres, rounds, sqlite
from instances.hearing import Hearing, Told
from instances.model import Actor, ActorKind, Entry, EntryKind, HeldOut, Instance
from instances.rows import read_entry, read_instance
from instances.schema import ARTIFACTS, INSTANCES, JOURNAL, KEYS, migrate
from instances.writer import Writer

T = TypeVar("T")

SPACE_DISK = Path("/data")


def open_engine(url: str, *, synchronous: str = "NORMAL") -> Engine:
    """An engine for `sqlite:///path` or `postgresql://user:password@host/database`.

    Args:
        synchronous: SQLite's durability. NORMAL outlives the process, FULL outlives the power supply.
    Raises:
        ArgumentError: If it is the URL of something else.
    """
    # Some hosts hand out `postgres://`, which SQLAlchemy no longer knows.
    address = make_url(url.replace("postgres://", "postgresql://", 1) if url.startswith("postgres:") else url)
    match address.get_backend_name():
        case "sqlite":
            return sqlite.engine(address, synchronous)
        case "postgresql":
            return postgres.engine(address)
        case other:
            raise ArgumentError(
                f"{other} is no database that Auditorium knows; use sqlite:/// or postgresql://"
            )


def database_url(env: Mapping[str, str]) -> tuple[str, bool]:
    """The store that these environment variables name, and whether it outlives the container."""
    if env.get("DATABASE_URL"):
        return env["DATABASE_URL"], True
    folder, durable = _data_dir(env)
    return f"sqlite:///{folder / 'auditorium.db'}", durable


def _data_dir(env: Mapping[str, str]) -> tuple[Path, bool]:
    if env.get("DATA_DIR"):
        return Path(env["DATA_DIR"]), True
    if SPACE_DISK.is_dir() and os.access(SPACE_DISK, os.W_OK):
        return SPACE_DISK, True
    # On a Space everything but the durable disk is gone with the container.
    return Path("data"), "SPACE_ID" not in env


@dataclass(frozen=True, slots=True)
class Standing:
    """An instance as the store has it at one moment.

    Attributes:
        ended: How it ended, None while it lives.
        newest: Number of the journal's last entry, 0 when it has none.
    """

    instance: Instance
    ended: str | None
    newest: int


class Store:
    """Reads of one database, and the writer that everything new goes through.

    The reads block; the service calls them outside its event loop.
    """

    def __init__(self, engine: Engine) -> None:
        migrate(engine)
        self.engine = engine
        self.writer = Writer(engine)
        on_sqlite = engine.dialect.name == "sqlite"
        self._peers = sqlite.Peers(engine) if on_sqlite else None
        self.reading = engine if on_sqlite else postgres.reader(engine)

    @property
    def shared(self) -> bool:
        """Whether other processes may have written what this one has not seen."""
        return self._peers is None or self._peers.met

    def listen(self, told: Told) -> Hearing:
        """Tells, from a thread of its own, when others have committed something; the caller closes it."""
        return Hearing(self.engine, self._peers, told)

    def close(self) -> None:
        """Commits what was handed over and lets the database go; what comes later is refused."""
        self.writer.close()
        self.engine.dispose()
        self.reading.dispose()
        if self._peers is not None:
            self._peers.close()

    def answer(self, query: Callable[[Connection], T]) -> T:
        """What a query answers; a connection that was lost while nobody used it is replaced."""
        try:
            with self.reading.connect() as connection:
                return query(connection)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
        with self.reading.connect() as connection:
            return query(connection)

    def find(self, ref: str) -> Standing | None:
        """The instance whose id or watch id this is, and how it stands now."""
        if not ref.isascii() or "\0" in ref:
            # No id is like that, and not every database lets itself be asked.
            return None
        newest = select(func.coalesce(func.max(JOURNAL.c.n), 0)).where(
            JOURNAL.c.instance_id == INSTANCES.c.id
        )
        query = select(INSTANCES, newest.scalar_subquery().label("newest")).where(
            or_(INSTANCES.c.id == ref, INSTANCES.c.watch_id == ref)
        )

        def standing(connection: Connection) -> Standing | None:
            row = connection.execute(query).first()
            if row is None:
                return None
            submission = row.submission_id and rounds.submission_with(connection, row.submission_id)
            held_out = HeldOut(submission, row.case) if submission else None
            return Standing(read_instance(row, held_out), row.ended, row.newest)

        return self.answer(standing)

    def episode(self, instance_id: str, until: int | None = None) -> tuple[Entry, ...]:
        """The entries of the latest episode, or of the one that entry `until` is in; its reset first."""
        mine = JOURNAL.c.instance_id == instance_id
        if until is not None:
            mine = and_(mine, JOURNAL.c.n <= until)
        first = func.coalesce(func.max(JOURNAL.c.n), 0)
        last_reset = select(first).where(and_(mine, JOURNAL.c.kind == EntryKind.RESET.value))
        return self._entries(and_(mine, JOURNAL.c.n >= last_reset.scalar_subquery()))

    def entries(self, instance_id: str, after: int = 0, *, limit: int | None = None) -> tuple[Entry, ...]:
        """The entries numbered above `after`, at most `limit` of them."""
        return self._entries(and_(JOURNAL.c.instance_id == instance_id, JOURNAL.c.n > after), limit)

    def actors(self, instance_id: str) -> tuple[tuple[Actor, int], ...]:
        """Who acted, and in how many entries, the busiest first."""
        who = (JOURNAL.c.actor_kind, JOURNAL.c.actor_label)
        query = (
            select(*who, func.count().label("entries"))
            .where(JOURNAL.c.instance_id == instance_id)
            .group_by(*who)
            .order_by(func.count().desc(), *who)
            .limit(100)
        )
        rows = self._rows(query)
        return tuple((Actor(ActorKind(row.actor_kind), row.actor_label), row.entries) for row in rows)

    def key(self, instance_id: str, key: str) -> tuple[int, str] | None:
        """The entry number and body fingerprint that an idempotency key stands for."""
        query = select(KEYS.c.n, KEYS.c.fingerprint).where(
            and_(KEYS.c.instance_id == instance_id, KEYS.c.key == key)
        )
        rows = self._rows(query)
        return (rows[0].n, rows[0].fingerprint) if rows else None

    def artifact(self, name: str) -> tuple[str, bytes] | None:
        """Media type and content of the file of that name."""
        query = select(ARTIFACTS.c.media_type, ARTIFACTS.c.content).where(ARTIFACTS.c.name == name)
        rows = self._rows(query)
        return (rows[0].media_type, bytes(rows[0].content)) if rows else None

    def artifacts(self, prefix: str) -> tuple[str, ...]:
        """Names of the kept files that start with `prefix`, in order."""
        query = select(ARTIFACTS.c.name).where(ARTIFACTS.c.name.startswith(prefix, autoescape=True))
        return tuple(sorted(row.name for row in self._rows(query)))

    def secret(self, made: str) -> bytes:
        """The store's own secret; `made` becomes it when there is none yet."""
        with self.engine.begin() as connection:
            return rounds.kept_secret(connection, made).encode()

    def count(self) -> int:
        """How many instances are kept."""
        query = select(func.count().label("kept")).select_from(INSTANCES).where(INSTANCES.c.ended.is_(None))
        return self._rows(query)[0].kept

    def _entries(self, where: ColumnElement[bool], limit: int | None = None) -> tuple[Entry, ...]:
        rows = self._rows(select(JOURNAL).where(where).order_by(JOURNAL.c.n).limit(limit))
        return tuple(read_entry(row) for row in rows)

    def _rows(self, query: Select[*tuple[Any, ...]]) -> Sequence[Row[*tuple[Any, ...]]]:
        return self.answer(lambda connection: connection.execute(query).all())


def put_artifact(connection: Connection, name: str, media_type: str, content: bytes) -> None:
    """Keeps a file under a name; an earlier one of that name is replaced."""
    connection.execute(delete(ARTIFACTS).where(ARTIFACTS.c.name == name))
    connection.execute(insert(ARTIFACTS).values(name=name, media_type=media_type, content=content))
