"""What stands before every request: how many a client may make."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Collection
from time import monotonic

from starlette.responses import Response
from starlette.types import Scope

from api.errors import error_response, json_response

REMEMBERED_CLIENTS = 20_000


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

    def wait_s(self, client: str) -> float:
        """Takes a token; returns 0, or the seconds until there is one again."""
        if not self._rate:
            return 0.0
        now = self._clock()
        level, seen = self._levels.pop(client, (self._burst, now))
        level = min(self._burst, level + (now - seen) * self._rate)
        wait = 0.0 if level >= 1.0 else (1.0 - level) / self._rate
        self._levels[client] = (level if wait else level - 1.0, now)
        if len(self._levels) > REMEMBERED_CLIENTS:
            self._levels.popitem(last=False)
        return wait


class Guard:
    """Refuses clients that ask too often, in the shape of the address they asked.

    Args:
        trusted_proxies: How many proxies append to `X-Forwarded-For`; the rest is the caller's word.
        root_paths: Addresses at the root that speak a contract; the rest of the root is the hub's.
    """

    def __init__(
        self, requests: Buckets, creations: Buckets, trusted_proxies: int, root_paths: Collection[str] = ()
    ) -> None:
        self._requests = requests
        self._creations = creations
        self._proxies = trusted_proxies
        self._root_paths = root_paths

    def refusal(self, scope: Scope) -> Response | None:
        """The answer for a client that must wait, None for one that may go on."""
        path: str = scope["path"]
        # The page's own files come in bursts of a hundred and cost nothing.
        if path.startswith("/ui/") and scope["method"] == "GET":
            return None
        client = _client(scope, self._proxies)
        wait = self._requests.wait_s(client)
        if not wait and scope["method"] == "POST" and _opens(path):
            wait = self._creations.wait_s(client)
        if not wait:
            return None
        headers = {"Retry-After": str(max(1, math.ceil(wait)))}
        message = f"Too many requests from {client}; wait {headers['Retry-After']} s and go on more slowly."
        if path.startswith("/envs/") or path in self._root_paths:
            return json_response({"detail": message}, 429, headers)
        return error_response("too_many_requests", message, headers=headers)


def _opens(path: str) -> bool:
    return path == "/instances" or (path.startswith("/instances/") and path.endswith("/fork"))


def _client(scope: Scope, proxies: int) -> str:
    """The address that the outermost trusted proxy saw."""
    if proxies:
        # A proxy may add a line of its own instead of writing into the caller's.
        lines = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        if lines:
            hops = b",".join(lines).decode("latin-1").split(",")
            return hops[max(0, len(hops) - proxies)].strip()[:64]
    peer = scope.get("client")
    return peer[0] if peer else "unknown"
