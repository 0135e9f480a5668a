"""What Gradio would offer to callers and the page does not need is not there."""

from __future__ import annotations

import httpx
import pytest

from tests.conftest import Server


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/ui/gradio_api/upload"),
        ("POST", "/ui/gradio_api/queue/join"),
        ("POST", "/ui/gradio_api/run/predict"),
        ("POST", "/ui/gradio_api/call/x"),
        ("GET", "/ui/gradio_api/heartbeat/x"),
        ("GET", "/ui/gradio_api/file=/etc/passwd"),
        ("GET", "/ui/gradio_api/component_server/"),
    ],
)
def test_routes_that_the_page_does_not_use_are_not_there(server: Server, method: str, path: str):
    answer = httpx.request(method, server.url + path, json={} if method == "POST" else None)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


def test_a_body_over_the_limit_is_refused_before_it_is_read_whole(server: Server):
    def chunks():
        for _ in range(64):
            yield b"x" * 65_536

    answer = httpx.post(f"{server.url}/ui/gradio_api/component_server/", content=chunks())
    assert answer.status_code == 413
