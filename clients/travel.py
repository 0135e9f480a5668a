"""How requests travel: ours as httpx's arguments, httpx's answers and failures as ours."""

from __future__ import annotations

from typing import Any

import httpx

from clients.protocol import Caller
from clients.wire import Answer, Lost, Request

HOME = "http://localhost:7860"
# The server says every 15 s that it is still there.
STREAM_SILENCE_S = 60.0


def settings(base_url: str, caller: Caller) -> dict[str, Any]:
    """The keyword arguments of an httpx client."""
    scheme = httpx.URL(base_url).scheme
    if scheme not in ("http", "https"):
        raise ValueError(f"{base_url!r} is no http or https address; use e.g. {HOME}")
    return {
        "base_url": base_url.rstrip("/"),
        "headers": dict(caller.headers),
        "timeout": caller.timeout_s,
        # Plain http has no certificates, and to load the authorities takes as long as twenty steps.
        "verify": scheme == "https",
    }


def patient(caller: Caller) -> httpx.Timeout:
    return httpx.Timeout(caller.timeout_s, read=max(caller.timeout_s, STREAM_SILENCE_S))


def sent(request: Request) -> dict[str, Any]:
    """The keyword arguments of an httpx request."""
    return {
        "method": request.method,
        "url": request.path,
        "json": request.body,
        "headers": dict(request.headers),
        "params": dict(request.query),
    }


def answer_of(answer: httpx.Response, body: bytes) -> Answer:
    return Answer(answer.status_code, answer.headers, body)


def lost(error: httpx.TransportError) -> Lost:
    never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout)
    return Lost(f"{type(error).__name__}: {error}", arrived=not never_sent)
