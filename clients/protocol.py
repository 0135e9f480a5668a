"""The calls that there are: which request each sends and what its answer means.

Written once for every driver, as flows; whether a request is sent again is `wire`'s, how it travels `http`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from clients import records
from clients.errors import Gone
from clients.feed import Feed
from clients.records import BatchAnswer, Catalog, Entry, Opened, Schemas, State, TimeStep
from clients.wire import Answer, Flow, JsonObject, Request, Retry, exchange

LARGEST_BATCH = 1_024
Moves = Sequence[tuple[str, Mapping[str, Any]]]


def new_key() -> str:
    """A fresh idempotency key."""
    return uuid4().hex


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, and how patiently.

    Attributes:
        actor: human, agent, baseline or anonymous, then optionally a colon and a label.
        headers: Sent with every request, e.g. the `Authorization` that a private Space wants.
        timeout_s: How long one attempt may take.
        keys: Makes the idempotency key of each move; a retry of the move sends the same one.
    """

    actor: str = "agent"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    timeout_s: float = 30.0
    retry: Retry = field(default_factory=Retry)
    keys: Callable[[], str] = new_key


@dataclass(frozen=True, slots=True)
class Hub:
    """What can be asked of a server before there is an instance, and of many instances at once."""

    caller: Caller

    def catalog(self) -> Flow[Catalog]:
        """What there is to play."""
        return records.read((yield from self._exchange(Request("GET", "/catalog"))), records.catalog)

    def schemas(self, slug: str) -> Flow[Schemas]:
        """JSON schemas of an environment's action, observation and state.

        Raises:
            UnknownEnvironment: If there is none with this slug; the message lists those that there are.
        """
        (yield from self.catalog()).environment(slug)
        answer = yield from self._exchange(Request("GET", f"/openenv/{slug}/schema"))
        return records.read(answer, records.schemas)

    def open(self, slug: str, label: str = "") -> Flow[Opened]:
        """Opens an instance. One whose answer is lost stays behind unplayed, which harms nobody."""
        request = Request("POST", "/instances", {"environment": slug, "label": label})
        return records.read((yield from self._exchange(request)), records.opened)

    def batch_reset(self, moves: Moves) -> Flow[tuple[BatchAnswer, ...]]:
        """Resets many instances: ids, each with its reset's options; up to 1,024 in one commit.

        A batch whose answer is lost is not sent again: its moves carry no keys.
        """
        return (yield from self._batch("reset", moves))

    def batch_step(self, moves: Moves) -> Flow[tuple[BatchAnswer, ...]]:
        """Steps many instances: ids, each with its action; up to 1,024 in one commit.

        A batch whose answer is lost is not sent again: its moves carry no keys.
        """
        return (yield from self._batch("step", moves))

    def _batch(self, verb: str, moves: Moves) -> Flow[tuple[BatchAnswer, ...]]:
        answers: list[BatchAnswer] = []
        for start in range(0, len(moves), LARGEST_BATCH):
            entries = [{"id": ref, "body": dict(body)} for ref, body in moves[start : start + LARGEST_BATCH]]
            headers = {"X-Actor": self.caller.actor}
            path = f"/instances/batch/{verb}"
            answer = yield from self._exchange(
                Request("POST", path, {"entries": entries}, headers, repeatable=False)
            )
            answers += records.read(answer, records.batch_answers)
        return tuple(answers)

    def _exchange(self, request: Request) -> Flow[Answer]:
        return exchange(request, self.caller.retry)


@dataclass(slots=True)
class Session:
    """One caller's place in one instance.

    Attributes:
        n: Number of the journal's last entry as this caller knows it; None before any answer told it.
    """

    caller: Caller
    slug: str
    id: str
    n: int | None = None

    def reset(self, **options: Any) -> Flow[TimeStep]:
        """Starts an episode, wherever the instance stands; options are `seed` and the environment's own."""
        return (yield from self._move("reset", options, {}))

    def step(self, action: Mapping[str, Any]) -> Flow[TimeStep]:
        """Plays an action.

        Raises:
            StaleStep: If somebody else has moved since the last answer; nothing is played.
        """
        expected = {} if self.n is None else {"X-Expected-Step": str(self.n)}
        return (yield from self._move("step", {"action": dict(action)}, expected))

    def state(self) -> Flow[State]:
        """Looks at the episode; the next step is one on what was seen here."""
        request = Request("GET", f"/openenv/{self.slug}/state", query={"session_id": self.id})
        seen = records.read((yield from exchange(request, self.caller.retry)), records.state)
        self.n = seen.n
        return seen

    def transcript(self, after: int = 0) -> Flow[tuple[Entry, ...]]:
        """The journal behind an entry, page by page."""
        entries: list[Entry] = []
        page: int | None = after
        while page is not None:
            request = Request("GET", f"/instances/{self.id}/transcript", query={"after": str(page)})
            answer = yield from exchange(request, self.caller.retry)
            page, more = records.read(answer, _page)
            entries += more
        return tuple(entries)

    def fork(self, at: int) -> Flow[Opened]:
        """Opens an instance that stands where this one stood after entry `at`."""
        request = Request("POST", f"/instances/{self.id}/fork", {"at": at})
        return records.read((yield from exchange(request, self.caller.retry)), records.opened)

    def erase(self) -> Flow[None]:
        """Erases the journal; what is erased already counts as done."""
        try:
            yield from exchange(Request("DELETE", f"/instances/{self.id}"), self.caller.retry)
        except Gone as gone:
            if gone.code != "gone":
                raise

    def feed(self, after: int | None) -> Flow[Feed]:
        """A listener behind an entry; without one, behind the latest that there is now."""
        if after is None:
            answer = yield from exchange(Request("GET", f"/instances/{self.id}"), self.caller.retry)
            after = records.read(answer, lambda body: int(body["entries"]))
        return Feed(f"/instances/{self.id}/events", after, self.caller.retry)

    def _move(self, verb: str, body: JsonObject, headers: Mapping[str, str]) -> Flow[TimeStep]:
        request = Request(
            "POST",
            f"/openenv/{self.slug}/{verb}",
            body,
            {"X-Actor": self.caller.actor, "Idempotency-Key": self.caller.keys(), **headers},
            {"session_id": self.id},
        )
        step = records.read((yield from exchange(request, self.caller.retry)), records.time_step)
        self.n = step.n
        return step


def _page(body: JsonObject) -> tuple[int | None, list[Entry]]:
    return body["next"], [records.entry(entry) for entry in body["entries"]]
