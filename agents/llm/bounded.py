"""Bounded answers: an endpoint sends as many bytes as an answer may have, and none that unpack into more.

Decides when reading stops, whatever the status. What the bytes mean is for whoever reads them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from httpx2 import AsyncByteStream, Response

ANSWER_BYTES = 4 << 20
"""An answer of the default length has some 50 kilobytes, one of 100,000 tokens a million."""
UNPACKED = "identity"


class Unbounded(Exception):
    """The answer is not read to its end; the text says what is wrong with it and quotes nothing of it."""


async def bound(response: Response) -> None:
    """Makes sure, before the first byte of its body is read, that an answer ends in time.

    Raises:
        Unbounded: If it is packed; and whoever reads it, if it has too many bytes.
    """
    if response.headers.get("content-encoding", UNPACKED).lower() != UNPACKED:
        # Packed, a thousandth of the bytes would do to fill the memory.
        raise Unbounded("sent a packed answer, though it was asked for a plain one")
    assert isinstance(response.stream, AsyncByteStream)
    response.stream = _Bounded(response.stream)


class _Bounded(AsyncByteStream):
    def __init__(self, stream: AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > ANSWER_BYTES:
                raise Unbounded(f"sent an answer of more than {ANSWER_BYTES} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
