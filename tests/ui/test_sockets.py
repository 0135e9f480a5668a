"""A journey beside agents on WebSockets: one of their sessions is watched and played in the browser."""

from __future__ import annotations

import json
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.conftest import Server
from tests.ui.conftest import OpenPage
from tests.ui.playing import ENVIRONMENT, has_steps, journal, link, opened, play_step

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.load]

SESSIONS = 64
FLAG = {"operation": "flag_anomaly", "target_index": 4}


def said(socket: ClientConnection, kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """The answer to one frame."""
    socket.send(json.dumps({"type": kind, "data": data}))
    answer: dict[str, Any] = json.loads(socket.recv(timeout=30))
    assert answer["type"] == "observation", answer
    return answer["data"]


def test_one_of_64_socket_sessions_is_watched_and_played_in_the_browser(
    visit: OpenPage, http: httpx.Client, server: Server
) -> None:
    address = f"{server.url.replace('http', 'ws', 1)}/openenv/{ENVIRONMENT}/ws?session_id="
    shared = opened(http)["id"]
    with ExitStack() as stack:
        watched = stack.enter_context(connect(address + shared))
        others = [stack.enter_context(connect(address + opened(http)["id"])) for _ in range(SESSIONS - 1)]
        page = visit(link(shared))
        page.locator("#submit-step").wait_for()
        for socket in (watched, *others):
            assert said(socket, "step", FLAG)["done"] is False
        has_steps(page, 1)
        play_step(page)
        answer = said(watched, "step", FLAG)
        has_steps(page, 3)
        assert answer["done"] is True
        assert [entry["surface"] for entry in journal(http, shared)] == ["http", "ws", "ui", "ws"]
