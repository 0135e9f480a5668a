"""The store: where journals are kept, and how they are read back."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from sqlite3 import OperationalError
from typing import Any, TypeVar

from sqlalchemy import (
    Connection,
    Engine,
    and_,
    create_engine,
    delete,
    event,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.engine import Row, make_url

from envs.kernel.outcome import Status
from instances import rounds
from instances.errors import Diverged
from instances.model import Actor, ActorKind, Entry, EntryKind, HeldOut, Instance, Surface
from instances.schema import ARTIFACTS, INSTANCES, JOURNAL, KEYS, migrate
from instances.writer import Writer

T = TypeVar("T")

SPACE_DISK = Path("/data")


def open_engine(url: str, *, synchronous: str = "NORMAL") -> Engine:
    """An engine for `sqlite:///path` or a server's URL.

    Args:
        synchronous: SQLite's durability. NORMAL outlives the process, FULL outlives the power supply.
    """
    address = make_url(url)
    if address.get_backend_name() != "sqlite":
        return create_engine(address, pool_pre_ping=True)
    if address.database:
        Path(address.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(address)

    def tune(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA busy_timeout=10000")
        _to_wal(cursor)
        cursor.execute(f"PRAGMA synchronous={synchronous}")
        cursor.close()

    event.listen(engine, "connect", tune)
    return engine


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


def _to_wal(cursor: Any) -> None:
    """Switches to write-ahead logging; the driver does not wait for others who switch at the same moment."""
    for pause_s in (0.02, 0.1, 0.5, 2.0, 5.0):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except OperationalError:
            time.sleep(pause_s)
    cursor.execute("PRAGMA journal_mode=WAL")


class Store:
    """Reads of one database, and the writer that everything new goes through.

    The reads block; the service calls them outside its event loop.
    """

    def __init__(self, engine: Engine) -> None:
        migrate(engine)
        self.engine = engine
        self.writer = Writer(engine)

    def close(self) -> None:
        """Commits what is waiting and lets the database go."""
        self.writer.close()
        self.engine.dispose()

    def find(self, ref: str) -> tuple[Instance, str | None] | None:
        """The instance whose id or watch id this is, and how it ended (None: it lives)."""
        query = select(INSTANCES).where(or_(INSTANCES.c.id == ref, INSTANCES.c.watch_id == ref))
        with self.engine.connect() as connection:
            row = connection.execute(query).first()
            if row is None:
                return None
            submission = row.submission_id and rounds.submission_with(connection, row.submission_id)
        held_out = HeldOut(submission, row.case) if submission else None
        return _instance(row, held_out), row.ended

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
        with self.engine.connect() as connection:
            return tuple((Actor(ActorKind(kind), label), n) for kind, label, n in connection.execute(query))

    def key(self, instance_id: str, key: str) -> tuple[int, str] | None:
        """The entry number and body fingerprint that an idempotency key stands for."""
        query = select(KEYS.c.n, KEYS.c.fingerprint).where(
            and_(KEYS.c.instance_id == instance_id, KEYS.c.key == key)
        )
        with self.engine.connect() as connection:
            row = connection.execute(query).first()
        return None if row is None else (row.n, row.fingerprint)

    def answer(self, query: Callable[[Connection], T]) -> T:
        """What a query answers on a connection of its own."""
        with self.engine.connect() as connection:
            return query(connection)

    def artifact(self, name: str) -> tuple[str, bytes] | None:
        """Media type and content of the file of that name."""
        query = select(ARTIFACTS.c.media_type, ARTIFACTS.c.content).where(ARTIFACTS.c.name == name)
        with self.engine.connect() as connection:
            row = connection.execute(query).first()
        return None if row is None else (row.media_type, bytes(row.content))

    def artifacts(self, prefix: str) -> tuple[str, ...]:
        """Names of the kept files that start with `prefix`, in order."""
        query = select(ARTIFACTS.c.name).where(ARTIFACTS.c.name.startswith(prefix, autoescape=True))
        with self.engine.connect() as connection:
            return tuple(connection.execute(query.order_by(ARTIFACTS.c.name)).scalars())

    def secret(self, made: str) -> bytes:
        """The store's own secret; `made` becomes it when there is none yet."""
        with self.engine.begin() as connection:
            return rounds.kept_secret(connection, made).encode()

    def count(self) -> int:
        """How many instances are kept."""
        with self.engine.connect() as connection:
            return connection.execute(
                select(func.count()).select_from(INSTANCES).where(INSTANCES.c.ended.is_(None))
            ).scalar_one()

    def idle(self, before: float, only: str | None = None) -> Iterator[str]:
        """Ids of living instances with nothing since `before` whose latest episode has not ended.

        Args:
            only: Ask of this instance alone.
        """
        among = () if only is None else (INSTANCES.c.id == only,)
        mine = () if only is None else (JOURNAL.c.instance_id == only,)
        last = (
            select(JOURNAL.c.instance_id, func.max(JOURNAL.c.n).label("n"))
            .where(*mine)
            .group_by(JOURNAL.c.instance_id)
            .subquery()
        )
        query = (
            select(INSTANCES.c.id)
            .outerjoin(last, last.c.instance_id == INSTANCES.c.id)
            .outerjoin(JOURNAL, and_(JOURNAL.c.instance_id == last.c.instance_id, JOURNAL.c.n == last.c.n))
            .where(
                and_(
                    *among,
                    INSTANCES.c.ended.is_(None),
                    INSTANCES.c.created_at < before,
                    or_(JOURNAL.c.at.is_(None), JOURNAL.c.at < before),
                    or_(JOURNAL.c.status.is_(None), JOURNAL.c.status == Status.RUNNING.value),
                )
            )
        )
        with self.engine.connect() as connection:
            yield from connection.execute(query).scalars()

    def overlong(self, limit: int) -> list[tuple[str, int]]:
        """Instances with more than `limit` entries, each with the reset from which the newest ones go on."""
        lengths = (
            select(JOURNAL.c.instance_id, (func.max(JOURNAL.c.n) - limit).label("cut"))
            .group_by(JOURNAL.c.instance_id)
            .having(func.count() > limit)
            .subquery()
        )
        query = (
            select(JOURNAL.c.instance_id, func.max(JOURNAL.c.n))
            .join(lengths, lengths.c.instance_id == JOURNAL.c.instance_id)
            .where(and_(JOURNAL.c.n <= lengths.c.cut, JOURNAL.c.kind == EntryKind.RESET.value))
            .group_by(JOURNAL.c.instance_id)
        )
        with self.engine.connect() as connection:
            return [(row[0], row[1]) for row in connection.execute(query)]

    def _entries(self, where: Any, limit: int | None = None) -> tuple[Entry, ...]:
        query = select(JOURNAL).where(where).order_by(JOURNAL.c.n).limit(limit)
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        return tuple(_entry(row) for row in rows)


def put_artifact(connection: Connection, name: str, media_type: str, content: bytes) -> None:
    """Keeps a file under a name; an earlier one of that name is replaced."""
    connection.execute(delete(ARTIFACTS).where(ARTIFACTS.c.name == name))
    connection.execute(insert(ARTIFACTS).values(name=name, media_type=media_type, content=content))


def bury(connection: Connection, instance_ids: Sequence[str], reason: str) -> None:
    """Deletes the journals and leaves tombstones without personal data."""
    for instance_id in instance_ids:
        connection.execute(delete(JOURNAL).where(JOURNAL.c.instance_id == instance_id))
        connection.execute(delete(KEYS).where(KEYS.c.instance_id == instance_id))
        connection.execute(
            update(INSTANCES).where(INSTANCES.c.id == instance_id).values(label="", ended=reason)
        )


def forget_before(connection: Connection, instance_id: str, n: int) -> None:
    """Deletes the entries numbered below `n`; the rest folds as before when `n` is a reset."""
    for table in (JOURNAL, KEYS):
        connection.execute(delete(table).where(and_(table.c.instance_id == instance_id, table.c.n < n)))


def instance_row(instance: Instance) -> tuple[Any, ...]:
    """The instance as a row of `INSTANCES`."""
    return (
        instance.id,
        instance.watch_id,
        instance.environment,
        instance.version,
        instance.label,
        instance.created_at,
        instance.assisted,
        None,
        instance.held_out and instance.held_out.submission.id,
        instance.held_out and instance.held_out.case,
    )


def entry_row(instance_id: str, entry: Entry) -> tuple[Any, ...]:
    """The entry as a row of `JOURNAL`."""
    return (
        instance_id,
        entry.n,
        entry.kind.value,
        entry.actor.kind.value,
        entry.actor.label,
        entry.surface.value,
        entry.at,
        entry.body,
        entry.seed,
        entry.memory,
        entry.status.value,
        entry.outcome,
        entry.digest,
    )


def _instance(row: Row[Any], held_out: HeldOut | None) -> Instance:
    return Instance(
        id=row.id,
        watch_id=row.watch_id,
        environment=row.environment,
        version=row.version,
        label=row.label,
        created_at=row.created_at,
        assisted=bool(row.assisted),
        held_out=held_out,
    )


def _entry(row: Row[Any]) -> Entry:
    try:
        return _read_entry(row)
    except ValueError as error:
        raise Diverged(
            f"Entry {row.n} cannot be read, so this instance cannot be continued: {error}."
        ) from error


def _read_entry(row: Row[Any]) -> Entry:
    return Entry(
        n=row.n,
        kind=EntryKind(row.kind),
        actor=Actor(ActorKind(row.actor_kind), row.actor_label),
        surface=Surface(row.surface),
        at=row.at,
        body=row.body,
        seed=row.seed,
        memory=row.memory,
        status=Status(row.status),
        outcome=row.outcome,
        digest=row.digest,
    )
