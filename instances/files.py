"""Files: what was uploaded to an instance, in parts, so that a large one does not hold the journal up.

A file is there as soon as its head, part 0, is, and ends with its instance. Leaves to others what a head
says.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, and_, delete, insert, literal, select, update

from instances.errors import Gone
from instances.schema import FILES, INSTANCES

PART = 2**18
"""Bytes of a part, about: a backup holds some hundreds of rows at once."""


def hold(connection: Connection, instance_id: str) -> None:
    """Keeps an instance from ending, and others from adding files to it, until the transaction ends.

    Raises:
        Gone: If it has ended already, or never was.
    """
    living = and_(INSTANCES.c.id == instance_id, INSTANCES.c.ended.is_(None))
    held = connection.execute(update(INSTANCES).where(living).values(label=INSTANCES.c.label))
    if not held.rowcount:
        raise Gone("This instance has ended and takes no files; open a new one.")


def put_part(connection: Connection, instance_id: str, name: str, part: int, content: bytes) -> None:
    """Adds a part of a file; part 0, its head, comes last.

    Raises:
        Gone: As `hold`.
    """
    hold(connection, instance_id)
    row = {"instance_id": instance_id, "name": name, "part": part, "content": content}
    connection.execute(insert(FILES).values(row))


def heads(connection: Connection, instance_id: str) -> Mapping[str, bytes]:
    """The files of an instance by name, each with its head."""
    query = select(FILES.c.name, FILES.c.content).where(
        and_(FILES.c.instance_id == instance_id, FILES.c.part == 0)
    )
    return {row.name: bytes(row.content) for row in connection.execute(query.order_by(FILES.c.name))}


def body(connection: Connection, instance_id: str, name: str) -> bytes:
    """A file's parts after its head, joined; empty where there is no such file."""
    mine = and_(FILES.c.instance_id == instance_id, FILES.c.name == name, FILES.c.part > 0)
    parts = connection.execute(select(FILES.c.content).where(mine).order_by(FILES.c.part)).scalars()
    return b"".join(bytes(part) for part in parts)


def parts(connection: Connection, instance_id: str) -> tuple[tuple[str, int], ...]:
    """Name and number of every part of an instance's files, each head after what it is the head of."""
    of = select(FILES.c.name, FILES.c.part).where(FILES.c.instance_id == instance_id)
    found = connection.execute(of.order_by(FILES.c.name, FILES.c.part.desc()))
    return tuple((row.name, row.part) for row in found)


def copy_part(connection: Connection, origin: str, instance_id: str, name: str, part: int) -> None:
    """Gives an instance a part of another one's file; nothing where that is gone.

    Raises:
        Gone: As `hold`.
    """
    hold(connection, instance_id)
    there = and_(FILES.c.instance_id == origin, FILES.c.name == name, FILES.c.part == part)
    row = select(literal(instance_id), FILES.c.name, FILES.c.part, FILES.c.content).where(there)
    connection.execute(insert(FILES).from_select(["instance_id", "name", "part", "content"], row))


def remove(connection: Connection, instance_id: str, name: str) -> bool:
    """Deletes a file; whether anything of it was there."""
    mine = and_(FILES.c.instance_id == instance_id, FILES.c.name == name)
    return bool(connection.execute(delete(FILES).where(mine)).rowcount)
