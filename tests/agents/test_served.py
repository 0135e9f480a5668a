"""The whole server: a run that takes long shows that it lives before any gateway gives it up."""

from __future__ import annotations

import threading

import httpx
import pytest

from tests.agents.loopback import Loopback, calls, held_until
from tests.agents.playing import KEY
from tests.conftest import StartServer

ALLOW = calls("allow", {})


@pytest.mark.slow
def test_a_caller_of_a_long_run_has_its_address_while_the_model_still_thinks(
    start_server: StartServer, loopback: Loopback
):
    released = threading.Event()
    loopback.script.append(held_until(released, ALLOW))
    server = start_server(
        OPENAI_BASE_URL=loopback.base_url,
        OPENAI_API_KEY=KEY,
        AUDITORIUM_AGENT_MODELS="openai:test-model",
        AUDITORIUM_AGENT_ANSWER_S="0.1",
    )
    with httpx.stream("POST", f"{server.url}/envs/moderation/agent/run", json={}, timeout=30) as answer:
        pieces = answer.iter_bytes()
        assert next(pieces).strip() == b""
        # Nothing has let the model answer yet, so this is before the end.
        run = httpx.get(answer.headers["location"]).json()
        assert (run["state"], run["result"]["done"]) == ("running", False)
        watched = httpx.get(f"{server.url}/instances/{run['watch_id']}").json()
        assert watched["entries"] == 1
        released.set()
        told = b"".join(pieces)
    assert told.strip().startswith(b'{"task_id":"easy_harassment"')
    assert httpx.get(run["url"]).json()["state"] == "finished"
    server.stop()
    assert KEY not in server.log.read_text()
