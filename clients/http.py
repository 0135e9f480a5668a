"""Two drivers of the same calls: `Auditorium` blocks, `AsyncAuditorium` awaits.

Decides how a flow is carried out. What is called and when it is retried is `protocol`'s and `wire`'s; each
call here has the signature and the docstring of the flow behind it.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator
from contextlib import aclosing, closing
from functools import update_wrapper
from inspect import signature
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar

import anyio
import httpx

from clients.protocol import Caller, Hub, Session
from clients.records import Entry, Opened
from clients.travel import HOME, answer_of, lost, patient, sent, settings
from clients.wire import Answer, Flow, Lost, Pause, Request

C_co = TypeVar("C_co", covariant=True)
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])
P = ParamSpec("P")


class _Blocking(Protocol[C_co]):
    @property
    def calls(self) -> C_co: ...

    def carry_out(self, flow: Flow[T]) -> T: ...


class _Awaiting(Protocol[C_co]):
    @property
    def calls(self) -> C_co: ...

    async def carry_out(self, flow: Flow[T]) -> T: ...


def _blocking(call: Callable[Concatenate[C_co, P], Flow[T]]) -> Callable[Concatenate[_Blocking[C_co], P], T]:
    def blocking(self: _Blocking[C_co], *args: P.args, **kwargs: P.kwargs) -> T:
        return self.carry_out(call(self.calls, *args, **kwargs))

    return _described(blocking, call)


def _awaiting(
    call: Callable[Concatenate[C_co, P], Flow[T]],
) -> Callable[Concatenate[_Awaiting[C_co], P], Coroutine[Any, Any, T]]:
    async def awaiting(self: _Awaiting[C_co], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.carry_out(call(self.calls, *args, **kwargs))

    return _described(awaiting, call)


def _described(method: F, call: Callable[..., object]) -> F:
    """The method with the docstring and the signature of its flow, which returns what the flow comes to."""
    update_wrapper(method, call)
    told = signature(call)
    comes_to = str(told.return_annotation).removeprefix("Flow[").removesuffix("]")
    vars(method)["__signature__"] = told.replace(return_annotation=comes_to)
    return method


class Auditorium:
    """A server, for callers that block. Holds connections: close it, or use it in a `with`.

    Args:
        base_url: Where the server answers, e.g. `https://owner-space.hf.space`.
        sleep: Passes the pauses between attempts.
    Raises:
        ValueError: If the address is no http or https URL.
    """

    def __init__(
        self,
        base_url: str = HOME,
        caller: Caller | None = None,
        *,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.calls = Hub(caller or Caller())
        self.pause = sleep
        self._client = httpx.Client(**settings(base_url, self.calls.caller))

    catalog = _blocking(Hub.catalog)
    schemas = _blocking(Hub.schemas)
    batch_reset = _blocking(Hub.batch_reset)
    batch_step = _blocking(Hub.batch_step)

    def open(self, slug: str, label: str = "") -> Instance:
        """Opens an instance; its `opened` has the links to play and to watch it."""
        return self.holding(self.carry_out(self.calls.open(slug, label)))

    def instance(self, slug: str, instance_id: str) -> Instance:
        """An instance that is there already; nothing is sent."""
        return Instance(self, Session(self.calls.caller, slug, instance_id))

    def holding(self, opened: Opened) -> Instance:
        """The instance that was just opened, with its links."""
        return Instance(self, Session(self.calls.caller, opened.environment, opened.id), opened)

    def carry_out(self, flow: Flow[T]) -> T:
        """Does what a flow asks for until it returns."""
        came: Answer | Lost | None = None
        try:
            while True:
                came = self._do(flow.send(came))
        except StopIteration as end:
            return end.value

    def stream(self, request: Request) -> Generator[bytes | Answer | Lost]:
        """The chunks of a stream, then how it broke; or what there was instead of one."""
        try:
            with self._client.stream(**sent(request), timeout=patient(self.calls.caller)) as answer:
                if answer.is_success:
                    yield from answer.iter_bytes()
                    yield Lost("the stream ended", arrived=True)
                else:
                    yield answer_of(answer, answer.read())
        except httpx.TransportError as error:
            yield lost(error)

    def close(self) -> None:
        """Gives the connections back; a second time does nothing."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _do(self, wanted: Request | Pause) -> Answer | Lost | None:
        if isinstance(wanted, Pause):
            self.pause(wanted.seconds)
            return None
        try:
            answer = self._client.request(**sent(wanted))
        except httpx.TransportError as error:
            return lost(error)
        return answer_of(answer, answer.content)


class Instance:
    """One instance, for callers that block.

    Attributes:
        opened: Its links, None for one that was not opened here.
    """

    def __init__(self, server: Auditorium, session: Session, opened: Opened | None = None) -> None:
        self.server = server
        self.calls = session
        self.carry_out = server.carry_out
        self.id = session.id
        self.opened = opened

    reset = _blocking(Session.reset)
    step = _blocking(Session.step)
    state = _blocking(Session.state)
    transcript = _blocking(Session.transcript)
    erase = _blocking(Session.erase)

    def fork(self, at: int) -> Instance:
        """A new instance that stands where this one stood after entry `at`."""
        return self.server.holding(self.carry_out(self.calls.fork(at)))

    def events(self, after: int | None = None) -> Generator[Entry]:
        """Entries as they are committed, behind `after` or from now on; ends with the instance."""
        feed = self.carry_out(self.calls.feed(after))
        while not feed.ended:
            with closing(self.server.stream(feed.request)) as stream:
                for came in stream:
                    if isinstance(came, bytes):
                        yield from feed.take(came)
                    elif not feed.ended:
                        self.server.pause(feed.pause_s(came))


class AsyncAuditorium:
    """A server, for callers that await; otherwise as `Auditorium`."""

    def __init__(
        self,
        base_url: str = HOME,
        caller: Caller | None = None,
        *,
        sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
    ) -> None:
        self.calls = Hub(caller or Caller())
        self.pause = sleep
        self._client = httpx.AsyncClient(**settings(base_url, self.calls.caller))

    catalog = _awaiting(Hub.catalog)
    schemas = _awaiting(Hub.schemas)
    batch_reset = _awaiting(Hub.batch_reset)
    batch_step = _awaiting(Hub.batch_step)

    async def open(self, slug: str, label: str = "") -> AsyncInstance:
        """Opens an instance; its `opened` has the links to play and to watch it."""
        return self.holding(await self.carry_out(self.calls.open(slug, label)))

    def instance(self, slug: str, instance_id: str) -> AsyncInstance:
        """An instance that is there already; nothing is sent."""
        return AsyncInstance(self, Session(self.calls.caller, slug, instance_id))

    def holding(self, opened: Opened) -> AsyncInstance:
        """The instance that was just opened, with its links."""
        return AsyncInstance(self, Session(self.calls.caller, opened.environment, opened.id), opened)

    async def carry_out(self, flow: Flow[T]) -> T:
        """Does what a flow asks for until it returns."""
        came: Answer | Lost | None = None
        try:
            while True:
                came = await self._do(flow.send(came))
        except StopIteration as end:
            return end.value

    async def stream(self, request: Request) -> AsyncGenerator[bytes | Answer | Lost]:
        """The chunks of a stream, then how it broke; or what there was instead of one."""
        try:
            async with self._client.stream(**sent(request), timeout=patient(self.calls.caller)) as answer:
                if answer.is_success:
                    async for chunk in answer.aiter_bytes():
                        yield chunk
                    yield Lost("the stream ended", arrived=True)
                else:
                    yield answer_of(answer, await answer.aread())
        except httpx.TransportError as error:
            yield lost(error)

    async def close(self) -> None:
        """Gives the connections back; a second time does nothing."""
        await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _do(self, wanted: Request | Pause) -> Answer | Lost | None:
        if isinstance(wanted, Pause):
            await self.pause(wanted.seconds)
            return None
        try:
            answer = await self._client.request(**sent(wanted))
        except httpx.TransportError as error:
            return lost(error)
        return answer_of(answer, answer.content)


class AsyncInstance:
    """One instance, for callers that await; otherwise as `Instance`."""

    def __init__(self, server: AsyncAuditorium, session: Session, opened: Opened | None = None) -> None:
        self.server = server
        self.calls = session
        self.carry_out = server.carry_out
        self.id = session.id
        self.opened = opened

    reset = _awaiting(Session.reset)
    step = _awaiting(Session.step)
    state = _awaiting(Session.state)
    transcript = _awaiting(Session.transcript)
    erase = _awaiting(Session.erase)

    async def fork(self, at: int) -> AsyncInstance:
        """A new instance that stands where this one stood after entry `at`."""
        return self.server.holding(await self.carry_out(self.calls.fork(at)))

    async def events(self, after: int | None = None) -> AsyncGenerator[Entry]:
        """Entries as they are committed, behind `after` or from now on; ends with the instance."""
        feed = await self.carry_out(self.calls.feed(after))
        while not feed.ended:
            async with aclosing(self.server.stream(feed.request)) as stream:
                async for came in stream:
                    if isinstance(came, bytes):
                        for entry in feed.take(came):
                            yield entry
                    elif not feed.ended:
                        await self.server.pause(feed.pause_s(came))
