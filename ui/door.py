"""The door of the page: of all that Gradio offers to callers, only what the page itself uses is let through.

Uploads, queues and event routes would take bodies and keep state without limit for whoever asks.
"""

from __future__ import annotations

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# The page's questions are a form and a few words; this is many times the largest.
MOST_BYTES = 262_144
GRADIO = "/gradio_api/"
QUESTIONS = "/gradio_api/component_server/"


class Door:
    """Wraps the mounted page.

    Args:
        path: Where the page is mounted.
    """

    def __init__(self, app: ASGIApp, path: str) -> None:
        self._app = app
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        asked = scope["path"].removeprefix(self._path)
        if asked.startswith(GRADIO) and (asked != QUESTIONS or scope["method"] != "POST"):
            message = "The page has no such route; programs use the API, see /docs."
            await _refused(404, message, scope, receive, send)
            return
        if scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        if body is None:
            await _refused(413, f"At most {MOST_BYTES} bytes are allowed here.", scope, receive, send)
            return
        await self._app(scope, _replayed(body, receive), send)


async def _refused(status: int, message: str, scope: Scope, receive: Receive, send: Send) -> None:
    error = {"code": "not_found" if status == 404 else "body_too_large", "message": message, "details": None}
    await JSONResponse({"error": error}, status)(scope, receive, send)


async def _body(receive: Receive) -> bytes | None:
    """The whole body, None when it is too large."""
    chunks: list[bytes] = []
    size = 0
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        chunk: bytes = message.get("body", b"")
        size += len(chunk)
        if size > MOST_BYTES:
            return None
        chunks.append(chunk)
        more = message.get("more_body", False)
    return b"".join(chunks)


def _replayed(body: bytes, receive: Receive) -> Receive:
    told = False

    async def again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
