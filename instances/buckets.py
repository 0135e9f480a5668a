"""Token buckets: how much one client may ask for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar
from time import monotonic

REMEMBERED_CLIENTS = 20_000

CLIENT: ContextVar[str] = ContextVar("client", default="")
"""Who the current call is for, as the transport saw it; empty for this process's own work: no limit."""


class Buckets:
    """A token bucket for each client; the least recently seen clients are forgotten first.

    Args:
        rate: Tokens per second, 0 for no limit.
        burst: Tokens of a full bucket.
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, client: str, tokens: float = 1.0) -> float:
        """Takes tokens; returns 0, or the seconds until there are enough and takes none."""
        if not self._rate:
            return 0.0
        # Who asks for more than a bucket holds waits for a full one, not for ever.
        tokens = min(tokens, self._burst)
        now = self._clock()
        level, seen = self._levels.pop(client, (self._burst, now))
        level = min(self._burst, level + (now - seen) * self._rate)
        wait = 0.0 if level >= tokens else (tokens - level) / self._rate
        self._levels[client] = (level if wait else level - tokens, now)
        if len(self._levels) > REMEMBERED_CLIENTS:
            self._levels.popitem(last=False)
        return wait
