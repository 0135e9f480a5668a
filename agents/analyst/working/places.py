"""Places: whose file is read in now, and who waits for a place.

So many at once and of one caller one, so that nobody's many files hold up the others; who waits comes in
order. Leaves to others what is done in a place.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

AGAIN_S = 5
MOST_WAITING = 32


class Busy(Exception):
    """No place came free in time.

    Attributes:
        retry_after_s: After that another try makes sense.
    """

    def __init__(self, ahead: int) -> None:
        plural = "upload is" if ahead == 1 else "uploads are"
        super().__init__(f"{ahead} {plural} before yours; send it again in {AGAIN_S} s.")
        self.retry_after_s = AGAIN_S


class Places:
    """The places of one event loop."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._taken: list[str] = []
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def place(self, caller: str, longest_s: float | None = None) -> AsyncGenerator[None]:
        """Holds a place.

        Args:
            caller: Of whom no other file may have a place meanwhile.
            longest_s: How long it waits for one; None for as long as it takes.
        Raises:
            Busy: If there was none in time, or too many wait already.
        """
        await self._take(caller, longest_s)
        try:
            yield
        finally:
            self._taken.remove(caller)
            self._pass_on()

    async def _take(self, caller: str, longest_s: float | None) -> None:
        if longest_s is not None and len(self._waiting) >= MOST_WAITING:
            raise Busy(self._ahead())
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((caller, mine))
        self._pass_on()
        try:
            await asyncio.wait_for(asyncio.shield(mine), longest_s)
        except BaseException as error:
            if mine.done():
                self._taken.remove(caller)
                self._pass_on()
            ahead = self._ahead(mine)
            with suppress(ValueError):
                self._waiting.remove((caller, mine))
            if isinstance(error, TimeoutError):
                raise Busy(ahead) from error
            raise

    def _ahead(self, mine: asyncio.Future[None] | None = None) -> int:
        """How many hold a place or came before."""
        futures = [future for _, future in self._waiting]
        return len(self._taken) + (futures.index(mine) if mine in futures else len(futures))

    def _pass_on(self) -> None:
        for caller, waiting in list(self._waiting):
            if len(self._taken) >= self._count:
                return
            if caller not in self._taken:
                self._waiting.remove((caller, waiting))
                self._taken.append(caller)
                waiting.set_result(None)
