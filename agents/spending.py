"""Spending: what models used, and the most that one client and everybody may use on a day.

Decides whether a call may be made, before it is made: what it can use at most is reserved, and what it did
not use is given back. The counts are the store's, so neither a restart nor a second server forgets them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from agents.settings import Caps
from instances.errors import TooManyRequests
from instances.schema import SPENDING
from instances.service import Service

EVERYBODY = ""
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Amount:
    """Tokens, and millionths of a dollar as far as prices are known."""

    tokens: int
    micro_usd: int


@dataclass(frozen=True, slots=True)
class Reserved:
    """What was set aside for one call. `alias`: the client's on that day."""

    day: str
    alias: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class _Cap:
    who: str
    words: str
    most: Amount


class Spending:
    """The spending of one store's clients, day by day (UTC)."""

    def __init__(self, service: Service, caps: Caps) -> None:
        self._service = service
        self._caps = caps

    async def afford(self, client: str, *, priced: bool) -> None:
        """Makes sure that something is left for a client today.

        Args:
            priced: Whether dollars count beside tokens.
        Raises:
            TooManyRequests: With the seconds until tomorrow.
        """
        day, alias = self._today(client)
        rows = await self._service.read(partial(_used, day=day))
        for cap in self._caps_of(alias):
            used = rows.get(cap.who, Amount(0, 0))
            if used.tokens >= cap.most.tokens or (priced and used.micro_usd >= cap.most.micro_usd):
                raise self._spent(cap)

    async def reserve(
        self, client: str, most: Amount, noting: Callable[[Connection], None] | None = None
    ) -> Reserved:
        """Sets aside the most that a call can use.

        Args:
            noting: Writes what has to be known as soon as that much is set aside, and never without it.
        Raises:
            TooManyRequests: If not that much is left today; nothing is set aside then.
        """
        day, alias = self._today(client)
        caps = tuple(self._caps_of(alias))

        def take(connection: Connection) -> None:
            self._take(connection, day, caps, most)
            if noting is not None:
                noting(connection)

        await self._service.change(take)
        return Reserved(day, alias, most)

    def give_back(self, connection: Connection, reserved: Reserved, used: Amount) -> None:
        """Counts what a call used instead of what was set aside for it."""
        for who in (reserved.alias, EVERYBODY):
            connection.execute(
                update(SPENDING)
                .where(_row(reserved.day, who))
                .values(
                    tokens=SPENDING.c.tokens - reserved.amount.tokens + used.tokens,
                    micro_usd=SPENDING.c.micro_usd - reserved.amount.micro_usd + used.micro_usd,
                )
            )

    def _take(self, connection: Connection, day: str, caps: tuple[_Cap, ...], most: Amount) -> None:
        for cap in caps:
            _open_row(connection, day, cap.who)
            left = [SPENDING.c.tokens + most.tokens <= cap.most.tokens]
            if most.micro_usd:
                # A model without a price is bounded by its tokens alone.
                left.append(SPENDING.c.micro_usd + most.micro_usd <= cap.most.micro_usd)
            taken: Any = connection.execute(
                update(SPENDING)
                .where(_row(day, cap.who), *left)
                .values(
                    tokens=SPENDING.c.tokens + most.tokens,
                    micro_usd=SPENDING.c.micro_usd + most.micro_usd,
                )
            )
            if taken.rowcount == 0:
                raise self._spent(cap)

    def _caps_of(self, alias: str) -> Iterator[_Cap]:
        caps = self._caps
        mine = Amount(caps.client_tokens, math.floor(caps.client_usd * MILLION))
        # The client before everybody, always: two calls that lock two rows must lock them in one order.
        yield _Cap(alias, "You have used what one client may use of models on one day", mine)
        everybody = Amount(caps.tokens, math.floor(caps.usd * MILLION))
        yield _Cap(EVERYBODY, "This server has used what it may spend on models on one day", everybody)

    def _spent(self, cap: _Cap) -> TooManyRequests:
        wait_s = until_tomorrow_s(self._service.now())
        most = f"{cap.most.tokens} tokens or {cap.most.micro_usd / MILLION:g} US dollars"
        return TooManyRequests(f"{cap.words} ({most}); it starts anew in {wait_s} s, at 00:00 UTC.", wait_s)

    def _today(self, client: str) -> tuple[str, str]:
        day = datetime.fromtimestamp(self._service.now(), UTC).date().isoformat()
        # Another alias every day: nobody can be followed from one day to the next.
        return day, self._service.alias(f"{day} {client}")


def until_tomorrow_s(at: float) -> int:
    """Whole seconds until the day's shares start anew."""
    now = datetime.fromtimestamp(at, UTC)
    tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return max(1, math.ceil((tomorrow - now).total_seconds()))


def forget_before(connection: Connection, day: str) -> None:
    """Deletes what was counted on days before this one."""
    connection.execute(delete(SPENDING).where(SPENDING.c.day < day))


def _used(connection: Connection, day: str) -> dict[str, Amount]:
    rows = connection.execute(select(SPENDING).where(SPENDING.c.day == day))
    return {row.who: Amount(row.tokens, row.micro_usd) for row in rows}


def _row(day: str, who: str) -> ColumnElement[bool]:
    return and_(SPENDING.c.day == day, SPENDING.c.who == who)


def _open_row(connection: Connection, day: str, who: str) -> None:
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    nothing = {"day": day, "who": who, "tokens": 0, "micro_usd": 0}
    connection.execute(dialect.insert(SPENDING).values(nothing).on_conflict_do_nothing())
