"""The async client behind the blocking one's methods, so that one test asks both."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Any

from anyio.from_thread import BlockingPortal

from clients.http import AsyncInstance


class Blocking:
    """Waits in another thread for whatever the wrapped client or instance has to await."""

    def __init__(self, portal: BlockingPortal, inner: Any) -> None:
        self._portal = portal
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not inspect.ismethod(found):
            return found
        return partial(self._call, found)

    def _call(self, method: Any, *args: Any, **kwargs: Any) -> Any:
        result = self._portal.call(partial(_awaited, method, *args, **kwargs))
        if isinstance(result, AsyncIterator):
            return self._iterate(result)
        return Blocking(self._portal, result) if isinstance(result, AsyncInstance) else result

    def _iterate(self, items: AsyncIterator[Any]) -> Iterator[Any]:
        while True:
            try:
                yield self._portal.call(items.__anext__)
            except StopAsyncIteration:
                return


async def _awaited(method: Any, *args: Any, **kwargs: Any) -> Any:
    result = method(*args, **kwargs)
    return await result if inspect.isawaitable(result) else result
