"""Keeping: answers that depend on nothing but the message, for an hour.

Decides how long and where: in this process, or in Redis for all servers. Which answers these are is the
conversation's.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

from redis.exceptions import RedisError

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

KEPT_S = 3_600
MOST = 1_000
PREFIX = "auditorium:analyst:"
ANSWER_S = 0.5
"""A store that is slower than this is no help."""
LEFT_S = 10.0
"""How long one that failed is left alone: not every message waits for it."""


class Keeper(Protocol):
    """Texts under keys, each for `KEPT_S`."""

    async def get(self, key: str) -> str | None: ...

    async def put(self, key: str, text: str) -> None: ...

    async def close(self) -> None: ...


class Kept:
    """Texts of this process, the longest unused ones out first.

    Args:
        clock: Seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._texts: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def get(self, key: str) -> str | None:
        """The text, None where there is none or it is too old."""
        until, text = self._texts.get(key, (0.0, ""))
        if self._clock() >= until:
            self._texts.pop(key, None)
            return None
        self._texts.move_to_end(key)
        return text

    async def put(self, key: str, text: str) -> None:
        """Keeps a text from now on."""
        self._texts[key] = (self._clock() + KEPT_S, text)
        self._texts.move_to_end(key)
        if len(self._texts) > MOST:
            self._texts.popitem(last=False)

    async def close(self) -> None:
        """Nothing is held open."""


class KeptInRedis:
    """Texts of all servers. While Redis fails nothing is kept; the log says so once.

    Args:
        clock: Seconds.
    """

    def __init__(self, url: str, clock: Callable[[], float]) -> None:
        from redis.asyncio import from_url  # noqa: PLC0415 - slow to import, and few have one

        self._redis: Redis = from_url(url, decode_responses=True)
        self._clock = clock
        self._left_until = 0.0
        self._failing = False

    async def get(self, key: str) -> str | None:
        """The text, None where there is none or Redis fails."""
        return await self._tried(lambda: self._redis.get(PREFIX + key))

    async def put(self, key: str, text: str) -> None:
        """Keeps a text from now on, if Redis does."""
        await self._tried(lambda: self._redis.set(PREFIX + key, text, ex=KEPT_S))

    async def close(self) -> None:
        """Closes the connections."""
        await self._redis.aclose()

    async def _tried(self, call: Callable[[], Awaitable[Any]]) -> str | None:
        """What Redis says; None if it fails, or failed just now."""
        if self._clock() < self._left_until:
            return None
        try:
            async with asyncio.timeout(ANSWER_S):
                said = await call()
        except (RedisError, OSError, UnicodeDecodeError) as error:
            self._left_until = self._clock() + LEFT_S
            if not self._failing:
                log.warning("Redis keeps no small talk until it answers again: %s", type(error).__name__)
            self._failing = True
            return None
        self._failing = False
        return said if isinstance(said, str) else None
