"""Revealing: which episodes their player was shown the hidden truth of.

Decides what is kept of it. Who may be shown what is the routes'.
"""

from __future__ import annotations

from sqlalchemy import Connection, and_, insert, select

from instances.schema import REVEALED


def reveal(connection: Connection, instance_id: str, n: int) -> None:
    """Notes it of the episode that entry `n` opened; once is enough."""
    if not revealed(connection, instance_id, n):
        connection.execute(insert(REVEALED).values(instance_id=instance_id, n=n))


def revealed(connection: Connection, instance_id: str, n: int) -> bool:
    """Whether it was noted of the episode that entry `n` opened."""
    mine = and_(REVEALED.c.instance_id == instance_id, REVEALED.c.n == n)
    return connection.execute(select(REVEALED.c.n).where(mine)).first() is not None
