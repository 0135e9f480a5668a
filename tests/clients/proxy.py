"""A proxy on a real socket that loses, delays and breaks what passes through it."""

from __future__ import annotations

import socket
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

import httpx


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens to one request.

    Attributes:
        forward: Whether it reaches the server.
        status: What is answered instead of the server's answer; None: the connection is closed.
        after: A stream is passed on until this many events have gone by.
        until: Nothing is answered before this is set.
    """

    forward: bool
    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    after: int | None = None
    until: threading.Event | None = None


LOST_ANSWER = Fault(forward=True)
LOST_REQUEST = Fault(forward=False)


class Proxy:
    """Applies `faults` to the requests in their order, one to each; without any left, all passes.

    Attributes:
        url: Its address.
        seen: Method and path of every request, with its idempotency key.
    """

    def __init__(self, upstream: str) -> None:
        self.faults: list[Fault] = []
        self.seen: list[tuple[str, str | None]] = []
        self.client = httpx.Client(base_url=upstream, verify=False, timeout=20.0)
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.proxy = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self.client.close()


class _Server(ThreadingHTTPServer):
    proxy: Proxy


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def _pass(self) -> None:
        proxy = self.server.proxy
        proxy.seen.append((f"{self.command} {self.path}", self.headers["Idempotency-Key"]))
        fault = proxy.faults.pop(0) if proxy.faults else None
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if fault is not None and not fault.forward:
            self._answer(fault)
            return
        headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        with proxy.client.stream(self.command, self.path, content=body, headers=headers) as answer:
            if answer.headers.get("content-type", "").startswith("text/event-stream"):
                self._stream(answer, fault)
                return
            answer.read()
        self._answer(fault or _whole(answer))

    do_GET = do_POST = do_DELETE = _pass  # noqa: N815 - the names that the base class calls

    def _answer(self, fault: Fault) -> None:
        if fault.until is not None:
            fault.until.wait()
        if fault.status is None:
            self._hang_up()
            return
        self.send_response(fault.status)
        for name, value in (*fault.headers, ("Content-Length", str(len(fault.body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(fault.body)

    def _stream(self, answer: httpx.Response, fault: Fault | None) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        events = 0
        for chunk in answer.iter_bytes():
            self.wfile.write(chunk)
            events += chunk.count(b"event: entry")
            if fault is not None and fault.after is not None and events >= fault.after:
                break
        self._hang_up()

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Nothing: the tests look at what came of it."""


def _whole(answer: httpx.Response) -> Fault:
    kept = tuple(
        (name, value)
        for name, value in answer.headers.items()
        if name.lower() not in ("content-length", "transfer-encoding", "content-encoding", "connection")
    )
    return Fault(forward=True, status=answer.status_code, headers=kept, body=answer.content)
