"""Answers as they come: server-sent events of one turn.

Decides their order and what a caller who leaves puts an end to. What is answered is the conversation's.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

from fastapi.sse import KEEPALIVE_COMMENT, EventSourceResponse, ServerSentEvent, format_sse_event
from pydantic_core import to_json
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from api.deps import caller_of, service_of
from api.errors import describe
from envs.analyst.models import Action, Answered
from envs.analyst.turns import Turn
from instances.errors import CallFailed
from instances.model import Answer

PULSE_S = 15.0
REFUSED_S = 0.25
"""How long a refusal can take that is still told by a status."""
CHUNK = 48
"""Characters of a fragment, about."""

_WORDS = re.compile(r"\s*\S+\s*|\s+")

Words = asyncio.Queue[str | None]


class Turning(EventSourceResponse):
    """The events of a turn; when its caller leaves, so does the work on it."""

    def __init__(self, work: asyncio.Task[Answer], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._work = work

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._work.cancel()


async def streamed(request: Request, ref: str, action: Action) -> Turning:
    """Begins a turn, and answers with its events.

    Raises:
        InstanceError, Refusal: If it is refused at once; nothing is recorded.
    """
    words: Words = asyncio.Queue()
    service, caller = service_of(request), caller_of(request)
    work = asyncio.create_task(service.step(ref, action, caller, words.put))
    work.add_done_callback(lambda _: words.put_nowait(None))
    try:
        await asyncio.wait([work], timeout=REFUSED_S)
    except BaseException:
        work.cancel()
        raise
    refusal = work.exception() if work.done() and not work.cancelled() else None
    if refusal is not None and not isinstance(refusal, CallFailed):
        raise refusal
    headers = {"X-Instance-Id": ref, "Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return Turning(work, _events(work, words), headers=headers)


def pieces(text: str) -> Iterator[str]:
    """The text in fragments of whole words; joined they are the text."""
    held = ""
    for word in _WORDS.findall(text):
        if held and len(held) + len(word) > CHUNK:
            yield held
            held = ""
        held += word
    if held:
        yield held


async def _events(work: asyncio.Task[Answer], words: Words) -> AsyncIterator[bytes]:
    yield _event("sources", "[]")
    async for word in _until_done(words):
        yield KEEPALIVE_COMMENT if word is None else _event("status", word)
    failure = _failure(work)
    if failure is not None:
        yield _event("error", failure)
        return
    turn = _turn(work.result())
    for piece in pieces(turn.text):
        yield _event("chunk", piece)
    yield _event("done", to_json({"message_id": turn.message_id}).decode())


def _failure(work: asyncio.Task[Answer]) -> str | None:
    """Why there is no answer; None if there is one."""
    if work.cancelled():
        return "The server is going down; nothing was recorded. Ask again."
    error = work.exception()
    if isinstance(error, Exception):
        return describe(error)[1]
    return None


async def _until_done(words: Words) -> AsyncIterator[str | None]:
    """Words as they come; None when there was none for a while."""
    while True:
        try:
            async with asyncio.timeout(PULSE_S):
                word = await words.get()
        except TimeoutError:
            yield None
            continue
        if word is None:
            return
        yield word


def _turn(answer: Answer) -> Turn:
    assert answer.held.episode is not None
    action = answer.held.episode.actions[-1]
    assert isinstance(action, Answered), "a message is recorded with its answer"
    return action.outcome


def _event(name: str, text: str) -> bytes:
    event = ServerSentEvent(event=name, raw_data=text)
    return format_sse_event(event=event.event, data_str=event.raw_data)
