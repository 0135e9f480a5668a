"""Upkeep: what the store forgets, and the statements that make it forget."""

from __future__ import annotations

from sqlalchemy import Connection, and_, delete, func, or_, select, update

from envs.kernel.outcome import Status
from instances.model import EntryKind
from instances.schema import FILES, INSTANCES, JOURNAL, KEYS, REVEALED, RUNS


def idle(connection: Connection, before: float, only: str | None = None) -> list[str]:
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
    return list(connection.execute(query).scalars())


def overlong(connection: Connection, limit: int) -> list[tuple[str, int]]:
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
    return [(row[0], row[1]) for row in connection.execute(query)]


def expire(connection: Connection, instance_id: str, before: float) -> bool:
    """Ends an instance if it is still idle; whether it was."""
    mine = and_(INSTANCES.c.id == instance_id, INSTANCES.c.ended.is_(None))
    # Changes nothing, but keeps everybody else from adding an entry until it is decided.
    connection.execute(update(INSTANCES).where(mine).values(label=INSTANCES.c.label))
    if not idle(connection, before, instance_id):
        return False
    bury(connection, instance_id, "expired")
    return True


def bury(connection: Connection, instance_id: str, reason: str) -> None:
    """Deletes the journal and the files, and leaves a tombstone without personal data."""
    # The tombstone first: it waits for whoever is adding an entry, and keeps out whoever comes later.
    connection.execute(update(INSTANCES).where(INSTANCES.c.id == instance_id).values(label="", ended=reason))
    for table in (JOURNAL, KEYS, REVEALED, FILES):
        connection.execute(delete(table).where(table.c.instance_id == instance_id))
    # Why a model stopped may quote what somebody wrote here.
    connection.execute(update(RUNS).where(RUNS.c.instance_id == instance_id).values(detail=""))


def raise_up(connection: Connection, instance_id: str, watch_id: str, at: float) -> None:
    """Lets an instance that has ended begin anew, with an empty journal and another watch link."""
    ended = and_(INSTANCES.c.id == instance_id, INSTANCES.c.ended.is_not(None))
    connection.execute(
        update(INSTANCES).where(ended).values(watch_id=watch_id, created_at=at, ended=None, assisted=False)
    )


def forget_before(connection: Connection, instance_id: str, n: int) -> None:
    """Deletes the entries numbered below `n`; the rest folds as before when `n` is a reset."""
    for table in (JOURNAL, KEYS, REVEALED):
        connection.execute(delete(table).where(and_(table.c.instance_id == instance_id, table.c.n < n)))
