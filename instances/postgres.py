"""PostgreSQL: how it is reached, and how one process hears what another has committed.

Knows no table; what is announced, and when, is in `guards`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event
from typing import Any

import psycopg
from psycopg import sql
from sqlalchemy import URL, Engine, create_engine, event

log = logging.getLogger(__name__)

DRIVER = "postgresql+psycopg"
RETRY_S = 0.5
WAIT_S = 0.3
# A machine that does not answer at all must not hold anybody up for minutes, as TCP by itself would.
REACH = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 10_000,
}
# The same for a process that stopped in the middle of a transaction whose locks others wait for.
PATIENCE = "SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '20s'"


def engine(address: URL) -> Engine:
    """An engine over the server at this address, whatever driver the address names."""
    opened = create_engine(address.set(drivername=DRIVER), connect_args=REACH)

    def tune(connection: Any, _record: object) -> None:
        connection.autocommit = True
        connection.execute(PATIENCE)
        connection.autocommit = False

    event.listen(opened, "connect", tune)
    return opened


def reader(opened: Engine) -> Engine:
    """Another engine over the same server, for single queries.

    Each is one moment anyway; a transaction around it would be two more turns to the server.
    """
    return create_engine(opened.url, connect_args=REACH, isolation_level="AUTOCOMMIT")


def listen(
    opened: Engine, channel: str, closing: Event, missed: Callable[[], None], told: Callable[[str], None]
) -> None:
    """Calls `told` with each announcement on `channel`, until `closing` is set.

    Calls `missed` when announcements may have been missed: whenever the server can be reached (again).
    """
    while not closing.is_set():
        try:
            _listen(opened, channel, closing, missed, told)
        except psycopg.Error as error:
            log.warning("no announcements from the database for now: %s", error)
            closing.wait(RETRY_S)


def _listen(
    opened: Engine, channel: str, closing: Event, missed: Callable[[], None], told: Callable[[str], None]
) -> None:
    arguments, options = opened.dialect.create_connect_args(opened.url)
    with psycopg.connect(*arguments, **options, **REACH, autocommit=True) as connection:
        connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
        missed()
        while not closing.is_set():
            for notice in connection.notifies(timeout=WAIT_S):
                told(notice.payload)
