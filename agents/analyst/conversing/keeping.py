"""Keeping: answers that depend on nothing but the message, for an hour.

Decides how long and where: in this process, or in Redis for all servers. Which answers these are is the
conversation's.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from redis.exceptions import RedisError

if TYPE_CHECKING:
    from redis.asyncio import Redis

log = logging.getLogger(__name__)

KEPT_S = 3_600
MOST = 1_000
PREFIX = "auditorium:analyst:"
ANSWER_S = 1.0
"""A store that is slower than this is no help."""


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
    """Texts of all servers. A Redis that fails keeps nothing, and nobody is told."""

    def __init__(self, url: str) -> None:
        from redis.asyncio import from_url  # noqa: PLC0415 - slow to import, and few have one

        self._redis: Redis = from_url(
            url, decode_responses=True, socket_timeout=ANSWER_S, socket_connect_timeout=ANSWER_S
        )

    async def get(self, key: str) -> str | None:
        """The text, None where there is none or Redis fails."""
        try:
            found = await self._redis.get(PREFIX + key)
        except RedisError as error:
            log.warning("Redis did not answer: %s", type(error).__name__)
            return None
        return found if isinstance(found, str) else None

    async def put(self, key: str, text: str) -> None:
        """Keeps a text from now on, if Redis does."""
        try:
            await self._redis.set(PREFIX + key, text, ex=KEPT_S)
        except RedisError as error:
            log.warning("Redis did not keep: %s", type(error).__name__)

    async def close(self) -> None:
        """Closes the connections."""
        await self._redis.aclose()
