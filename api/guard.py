"""What stands before every request: how many a client may make."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from starlette.responses import Response
from starlette.types import Scope

from api.errors import error_response, extra_headers, json_response
from instances.buckets import CLIENT, Buckets
from instances.errors import TooManyRequests


class Guard:
    """Refuses clients that ask too often, in the shape of the address they asked.

    Args:
        trusted_proxies: How many proxies append to `X-Forwarded-For`; the rest is the caller's word.
        root_paths: Addresses at the root that speak a contract; the rest of the root is the hub's.
    """

    def __init__(self, requests: Buckets, trusted_proxies: int, root_paths: Collection[str] = ()) -> None:
        self._requests = requests
        self._proxies = trusted_proxies
        self._root_paths = root_paths

    def refusal(self, scope: Scope) -> Response | None:
        """The answer for a client that must wait, None for one that may go on."""
        path: str = scope["path"]
        # The page's own files come in bursts of a hundred and cost nothing.
        if path.startswith("/ui/") and scope.get("method") == "GET":
            return None
        client = _client(scope, self._proxies)
        CLIENT.set(client)
        wait = self._requests.wait_s(client)
        if not wait:
            return None
        error = TooManyRequests.of(client, wait)
        headers = extra_headers(error.code, error, None)
        if path.startswith(("/envs/", "/openenv/")) or path in self._root_paths:
            return json_response({"detail": error.message}, 429, headers)
        return error_response(error.code, error.message, headers=headers)

    async def turn(self, client: str) -> None:
        """Waits until a client may make another request: slows down whoever cannot be refused."""
        while wait := self._requests.wait_s(client):  # noqa: ASYNC110 - nothing tells when a bucket is full
            await asyncio.sleep(wait)

    def charge(self, client: str, requests: int) -> None:
        """Counts further requests of a client that came as one.

        Raises:
            TooManyRequests: If it must wait; none is counted then.
        """
        wait = self._requests.wait_s(client, requests) if requests else 0.0
        if wait:
            raise TooManyRequests.of(client, wait)


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
