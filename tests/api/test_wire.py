"""On a real wire: live entries, and bytes that no client library would send."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.api.calls import OUTSIDE, PREFIX, SLUG, TASK
from tests.conftest import Server, StartServer


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=10.0) as client:
        yield client


@pytest.fixture
def instance(client: httpx.Client) -> dict[str, str]:
    """A new instance in its first episode."""
    made = client.post("/instances", json={"environment": SLUG}).json()
    client.post(f"{PREFIX}/instances/{made['id']}/reset", json=TASK)
    return made


def _step(client: httpx.Client, instance: dict[str, str]) -> None:
    client.post(f"{PREFIX}/instances/{instance['id']}/step", json=OUTSIDE)


@contextmanager
def _listening(
    client: httpx.Client, ref: str, query: str = "", **headers: str
) -> Iterator[Iterator[dict[str, Any]]]:
    """The events of an instance, from the moment on that none can be missed."""
    with client.stream("GET", f"/instances/{ref}/events{query}", headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["x-instance-id"] == ref
        lines = answer.iter_lines()
        assert next(lines).startswith(":")
        yield _events(lines)


def _events(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    event: dict[str, Any] = {}
    for line in lines:
        name, _, value = line.partition(": ")
        if name in ("event", "id"):
            event[name] = value
        elif name == "data":
            event[name] = json.loads(value)
        elif not line and event:
            yield event
            event = {}


def test_an_entry_arrives_within_a_second_on_the_id_and_on_the_watch_link(
    client: httpx.Client, instance: dict[str, str]
):
    for ref in (instance["id"], instance["watch_id"]):
        with _listening(client, ref) as events:
            began = time.monotonic()
            _step(client, instance)
            event = next(events)
            assert time.monotonic() - began < 1.0
        assert event["event"] == "entry"
        assert event["id"] == str(event["data"]["n"])
        transcript = client.get(f"/instances/{ref}/transcript").json()["entries"]
        assert event["data"] == transcript[-1]
        assert event["data"]["digest"] is None
        assert ref == instance["id"] or instance["id"] not in json.dumps(event)


def test_a_listener_resumes_behind_the_last_event_it_has(client: httpx.Client, instance: dict[str, str]):
    for _ in range(4):
        _step(client, instance)
    for query, headers, expected in (
        ("", {"Last-Event-ID": "3"}, ["4", "5"]),
        ("?after=2", {}, ["3", "4", "5"]),
        ("?after=0", {"Last-Event-ID": "4"}, ["5"]),
        ("?after=0", {"Last-Event-ID": "nonsense"}, ["1", "2", "3", "4", "5"]),
    ):
        with _listening(client, instance["id"], query, **headers) as events:
            assert [next(events)["id"] for _ in expected] == expected


def test_the_end_of_the_instance_is_an_event_and_the_end_of_the_stream(
    client: httpx.Client, instance: dict[str, str]
):
    with _listening(client, instance["watch_id"]) as events:
        assert client.delete(f"/instances/{instance['id']}").status_code == 204
        assert next(events) == {"event": "gone", "data": {}}
        assert list(events) == []
    assert client.get(f"/instances/{instance['watch_id']}/events").status_code == 410


def test_listeners_are_counted_and_uncounted(client: httpx.Client, instance: dict[str, str]):
    def watchers() -> int:
        return client.get(f"/instances/{instance['id']}").json()["watchers"]

    with _listening(client, instance["id"]), _listening(client, instance["watch_id"]):
        assert watchers() == 2
    deadline = time.monotonic() + 5.0
    while watchers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert watchers() == 0


def test_head_of_a_stream_does_not_wait_for_its_end(client: httpx.Client, instance: dict[str, str]):
    answer = client.head(f"/instances/{instance['id']}/events")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-type"].startswith("text/event-stream")


def test_a_stream_that_cannot_be_is_refused_with_a_status(client: httpx.Client, instance: dict[str, str]):
    answer = client.get(f"/instances/{instance['id']}/events?after=x")
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid_request")


@pytest.mark.slow
def test_one_watcher_too_many_is_refused_with_a_status(start_server: StartServer):
    server = start_server(AUDITORIUM_WATCHERS="1")
    with httpx.Client(base_url=server.url, timeout=10.0) as client:
        ref = client.post("/instances", json={"environment": SLUG}).json()["id"]
        with _listening(client, ref):
            answer = client.get(f"/instances/{ref}/events")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "at_capacity")


RAW = {
    "a chunked body over the limit": (
        f"POST {PREFIX}/step HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        + b"40000\r\n"
        + b" " * 0x40000
        + b"\r\n1\r\n \r\n0\r\n\r\n",
        413,
    ),
    "a declared body over the limit": (
        f"POST {PREFIX}/step HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n".encode(),
        413,
    ),
    "an id with a line break": (
        f"GET {PREFIX}/instances/a%0d%0aX-Evil:%20yes/state HTTP/1.1\r\nHost: x\r\n\r\n".encode(),
        404,
    ),
    "an id with a NUL": (b"GET /instances/%00 HTTP/1.1\r\nHost: x\r\n\r\n", 404),
    "an id that is not UTF-8": (b"GET /instances/%ff%fe/transcript HTTP/1.1\r\nHost: x\r\n\r\n", 404),
    "an id of another script": (
        f"GET {PREFIX}/instances/%E6%97%A5/state HTTP/1.1\r\nHost: x\r\n\r\n".encode(),
        404,
    ),
    "a header id that is not ASCII": (
        f"GET {PREFIX}/state HTTP/1.1\r\nHost: x\r\nX-Instance-Id: ".encode() + b"\xe6\x97\xa5\r\n\r\n",
        404,
    ),
    "a broken host": (b"GET /nowhere HTTP/1.1\r\nHost: [\r\n\r\n", 404),
    "no host": (b"GET /nowhere HTTP/1.1\r\n\r\n", 404),
    "two hosts": (b"GET /nowhere HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 404),
    "a whole address": (b"GET http://evil.example/health HTTP/1.1\r\nHost: x\r\n\r\n", 200),
    "no path": (b"GET * HTTP/1.1\r\nHost: x\r\n\r\n", 404),
    "an unknown method": (b"BREW /health HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "no request": (b"\x16\x03\x01\x02\x00\x01\x00", 400),
}


@pytest.mark.parametrize(("request_bytes", "status"), RAW.values(), ids=RAW)
def test_no_bytes_bring_the_server_down(server: Server, request_bytes: bytes, status: int):
    answer = _exchange(server, request_bytes)
    head, _, _ = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 ")
    assert int(head.split()[1]) == status
    assert b"x-evil" not in head.lower()
    assert httpx.get(f"{server.url}/health").status_code == 200


def test_a_body_that_stops_arriving_plays_nothing(
    server: Server, client: httpx.Client, instance: dict[str, str]
):
    path = f"{PREFIX}/instances/{instance['id']}/step"
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"
    logged = len(server.log.read_text())
    with _connected(server) as wire:
        wire.sendall(head.encode() + b'{"operation": "accept"}')
    assert len(client.get(f"/instances/{instance['id']}/transcript").json()["entries"]) == 1
    assert client.get("/health").status_code == 200
    assert "Traceback" not in server.log.read_text()[logged:]


def _connected(server: Server) -> socket.socket:
    address = urlsplit(server.url)
    return socket.create_connection((address.hostname, address.port), timeout=10.0)


def _exchange(server: Server, request_bytes: bytes) -> bytes:
    """What comes back until the server has no more to say for a while."""
    answer = b""
    with _connected(server) as wire:
        wire.sendall(request_bytes)
        wire.settimeout(2.0)
        try:
            while b"\r\n\r\n" not in answer and (part := wire.recv(65_536)):
                answer += part
        except ConnectionResetError:
            pass
    return answer
