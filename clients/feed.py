"""The journal as it is written: server-sent events to entries, and where to go on after a break.

Does no I/O: a driver opens `request`, hands over the bytes, and asks how long to wait when they end.
"""

from __future__ import annotations

import json

from clients import records
from clients.errors import Unreachable
from clients.records import Entry
from clients.wire import Answer, Lost, Request, Retry, error_of, worth_another


class Feed:
    """One listener of one instance; goes on behind the last entry it has, so that none is lost or told twice.

    Args:
        path: Address of the instance's events.
        after: Number of the last entry that the listener has.

    Attributes:
        ended: Whether the instance has ended, and the feed with it.
    """

    def __init__(self, path: str, after: int, retry: Retry) -> None:
        self.ended = False
        self._path = path
        self._after = after
        self._retry = retry
        self._breaks = 0
        self._waited_s = 0.0
        self._rest = b""
        self._event: dict[str, str] = {}

    @property
    def request(self) -> Request:
        """What opens the stream."""
        return Request("GET", self._path, query={"after": str(self._after)})

    def take(self, chunk: bytes) -> list[Entry]:
        """The entries that these bytes complete."""
        # Lines are split as bytes: text lines would also break at separators that stand inside the JSON.
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        self._breaks, self._waited_s = 0, 0.0
        return [entry for line in lines if (entry := self._line(line.rstrip(b"\r").decode())) is not None]

    def pause_s(self, came: Answer | Lost) -> float:
        """How long to wait before the stream is opened again.

        Args:
            came: What there was instead of a stream, or how it broke.
        Raises:
            Refused: If the answer was an error that waiting does not change.
            Unreachable: If it broke too often in a row.
        """
        self._rest, self._event = b"", {}
        self._breaks += 1
        wait_s = self._retry.wait_s(self._breaks, came)
        self._waited_s += wait_s
        if (
            worth_another(came, self.request)
            and self._breaks < self._retry.attempts
            and self._waited_s <= self._retry.patience_s
        ):
            return wait_s
        if isinstance(came, Answer):
            raise error_of(came)
        raise Unreachable(f"the feed at {self._path} broke {self._breaks} times in a row ({came.why})")

    def _line(self, line: str) -> Entry | None:
        if line:
            name, _, value = line.partition(":")
            self._event[name] = value.removeprefix(" ")
            return None
        event, self._event = self._event, {}
        self.ended = self.ended or event.get("event") == "gone"
        if event.get("event") != "entry":
            return None
        entry = records.entry(json.loads(event["data"]))
        self._after = entry.n
        return entry
