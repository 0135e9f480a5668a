"""A model's endpoint on this machine: speaks OpenAI's chat completions, and says what a test tells it to."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from agents.llm.bounded import ANSWER_BYTES

Turn = Callable[[dict[str, Any]], Awaitable[Response]]

USAGE = {"prompt_tokens": 700, "completion_tokens": 20, "total_tokens": 720}


@dataclass
class Asked:
    """One request that came in."""

    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def rules(self) -> str:
        return self.body["messages"][0]["content"]

    @property
    def case(self) -> str:
        return self.body["messages"][1]["content"]


@dataclass
class Loopback:
    """The endpoint.

    Attributes:
        script: What it answers to the next requests, in order.
        always: What it answers when the script is at its end.
    """

    base_url: str
    script: deque[Turn] = field(default_factory=deque)
    asked: list[Asked] = field(default_factory=list)
    always: Turn | None = None

    async def answer(self, request: Request) -> Response:
        body = await request.json()
        self.asked.append(Asked(body, dict(request.headers)))
        turn = self.script.popleft() if self.script else self.always
        return await turn(body) if turn else PlainTextResponse("the script is at its end", 418)


def calls(name: str, arguments: Any, usage: Any = USAGE, **more: Any) -> Turn:
    """A function call; arguments that are text are sent as they are."""
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    function = {"name": name, "arguments": written}
    message = {"content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
    return _completes(message, "tool_calls", usage, **more)


def says(text: Any, finish: str = "stop", usage: Any = USAGE) -> Turn:
    """Words."""
    return _completes({"content": text}, finish, usage)


def refuses(why: str) -> Turn:
    return _completes({"content": None, "refusal": why}, "stop", USAGE)


def fails(status: int, message: str = "no", **headers: str) -> Turn:
    """An error as OpenAI's servers send it."""

    async def turn(body: dict[str, Any]) -> Response:
        error = {"message": message, "type": "some_error", "param": None, "code": None}
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return JSONResponse({"error": error}, status, given)

    return turn


def sends(content: str, media_type: str = "text/html") -> Turn:
    """Something else than a completion."""

    async def turn(body: dict[str, Any]) -> Response:
        return Response(content, media_type=media_type)

    return turn


async def hangs(body: dict[str, Any]) -> Response:
    """Answers when nobody waits any more."""
    await asyncio.sleep(3)
    return PlainTextResponse("too late")


async def breaks_off(body: dict[str, Any]) -> Response:
    """Promises more than it sends, and closes."""

    async def half() -> AsyncIterator[bytes]:
        yield b'{"choices": ['

    return StreamingResponse(half(), headers={"Content-Length": "1000"}, media_type="application/json")


def floods(status: int = 200) -> Turn:
    """Sends twice as much as is read of an answer, in pieces and without saying how much it will be."""

    async def turn(body: dict[str, Any]) -> Response:
        async def flood() -> AsyncIterator[bytes]:
            for _ in range(32):
                yield b" " * (ANSWER_BYTES // 16)

        return StreamingResponse(flood(), status, media_type="application/json")

    return turn


def packed(size: int) -> Turn:
    """So many bytes in a thousandth of them, whatever was asked for."""

    async def turn(body: dict[str, Any]) -> Response:
        return Response(gzip.compress(b" " * size), headers={"Content-Encoding": "gzip"})

    return turn


def only(style: str, then: Turn) -> Turn:
    """An endpoint that takes one style of request and answers 400 to the others."""

    async def turn(body: dict[str, Any]) -> Response:
        asked = "tools" if "tools" in body else "schema" if "response_format" in body else "plain"
        return await (then if asked == style else fails(400))(body)

    return turn


def held_until(released: threading.Event, then: Turn) -> Turn:
    """The model thinks until the test lets it answer."""

    async def turn(body: dict[str, Any]) -> Response:
        await asyncio.to_thread(released.wait, 60.0)
        return await then(body)

    return turn


def meanwhile(work: Callable[[], Coroutine[Any, Any, Any]], then: Turn) -> Turn:
    """Something else happens in the test's event loop while the model thinks."""
    loop = asyncio.get_running_loop()

    async def turn(body: dict[str, Any]) -> Response:
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), loop))
        return await then(body)

    return turn


@contextmanager
def serving() -> Iterator[Loopback]:
    """The endpoint on a free port, with a thread of its own."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        loopback = Loopback(f"http://127.0.0.1:{listening.getsockname()[1]}/v1")
        app = Starlette(routes=[Route("/v1/chat/completions", loopback.answer, methods=["POST"])])
        # What a broken answer makes uvicorn log is meant.
        server = uvicorn.Server(
            uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1)
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield loopback
        finally:
            server.should_exit = True
            thread.join()


def _completes(message: dict[str, Any], finish: str, usage: Any, **more: Any) -> Turn:
    async def turn(body: dict[str, Any]) -> Response:
        choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
        completion = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": body["model"],
            "choices": [choice],
            **more,
        }
        return JSONResponse(completion if usage is None else {**completion, "usage": usage})

    return turn
