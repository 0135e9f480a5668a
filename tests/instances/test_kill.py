"""A server that is killed under load comes back with all that it acknowledged, and nothing half there."""

from __future__ import annotations

import asyncio
import random

import httpx
import pytest

from tests.conftest import Server, StartServer
from tests.instances.load import (
    SETTINGS,
    Load,
    assert_all_there,
    calls,
    client_of,
    open_instances,
    retry,
    send,
)

pytestmark = pytest.mark.slow

CLIENTS = 32
ROUNDS = 3
LOAD_S = 2.0


async def test_what_was_acknowledged_survives_kill_9(start_server: StartServer):
    load, ids = Load(), list[str]()
    server = start_server(**SETTINGS)
    store_url = f"sqlite:///{server.data_dir / 'auditorium.db'}"
    for _ in range(ROUNDS):
        ids += await open_instances(server.url, CLIENTS + 2)
        await _play_until_killed(server, ids[-CLIENTS - 2 :], load)
        assert len(load.unanswered) > 0
        server = start_server(**SETTINGS)
        await assert_all_there(server.url, store_url, ids, load)
        await retry(server.url, load)
        await assert_all_there(server.url, store_url, ids, load)
    assert len(load.answered) > CLIENTS * ROUNDS


async def _play_until_killed(server: Server, ids: list[str], load: Load) -> None:
    own, shared = ids[:CLIENTS], ids[CLIENTS:]
    async with client_of(server.url, CLIENTS) as client:
        players = [asyncio.create_task(_play(client, mine, shared, load)) for mine in own]
        await asyncio.sleep(LOAD_S)
        server.process.kill()
        server.process.wait()
        await asyncio.gather(*players)


async def _play(client: httpx.AsyncClient, own: str, shared: list[str], load: Load) -> None:
    """Calls on the player's own instance and on the shared ones until the server is gone."""
    for call in calls(random.Random(own), own, shared):
        load.unanswered[call.key] = call
        try:
            answer = await send(client, call)
        except httpx.TransportError:
            return
        load.note(call, answer)
