"""A server that is killed under load comes back with all that it acknowledged, and nothing half there."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from envs.forecast_audit import ForecastAudit
from instances import journal
from instances.schema import KEYS
from instances.store import Store, open_engine
from tests.conftest import Server, StartServer

pytestmark = pytest.mark.slow

SLUG = "forecast-audit"
CLIENTS = 32
ROUNDS = 3
LOAD_S = 2.0
SETTINGS = {
    "AUDITORIUM_REQUESTS_PER_S": "0",
    "AUDITORIUM_CREATIONS_PER_S": "0",
    # Fewer than are played, so that journals are folded again and again.
    "AUDITORIUM_CACHED_INSTANCES": "8",
}
RESETS = [{}, {"difficulty": "easy"}, {"task_id": "hard_energy_forecast_004"}]
STEPS = [
    {"operation": "accept"},
    {"operation": "impute", "target_index": 1, "predicted_value": 0.1, "rationale": "naïve – 中"},
    {"operation": "flag_anomaly", "target_index": 99},
]


@dataclass(frozen=True, slots=True)
class Call:
    """One call that a client made."""

    instance_id: str
    kind: str
    body: dict[str, Any]
    key: str


@dataclass(slots=True)
class Load:
    """What the clients know: the calls that were answered, by their number, and those that were not."""

    answered: dict[tuple[str, int], Call] = field(default_factory=dict)
    unanswered: dict[str, Call] = field(default_factory=dict)


async def test_what_was_acknowledged_survives_kill_9(start_server: StartServer):
    load, ids = Load(), list[str]()
    server = start_server(**SETTINGS)
    for _ in range(ROUNDS):
        ids += await _open(server, CLIENTS + 2)
        await _play_until_killed(server, ids[-CLIENTS - 2 :], load)
        assert len(load.unanswered) > 0
        server = start_server(**SETTINGS)
        await _assert_all_there(server, ids, load)
        await _retry(server, load)
        await _assert_all_there(server, ids, load)
    assert len(load.answered) > CLIENTS * ROUNDS


async def _open(server: Server, count: int) -> list[str]:
    async with _client(server) as client:
        answers = [await client.post("/instances", json={"environment": SLUG}) for _ in range(count)]
    return [answer.json()["id"] for answer in answers]


async def _play_until_killed(server: Server, ids: list[str], load: Load) -> None:
    own, shared = ids[:CLIENTS], ids[CLIENTS:]
    async with _client(server) as client:
        players = [asyncio.create_task(_play(client, mine, shared, load)) for mine in own]
        await asyncio.sleep(LOAD_S)
        server.process.kill()
        server.process.wait()
        await asyncio.gather(*players)


async def _play(client: httpx.AsyncClient, own: str, shared: list[str], load: Load) -> None:
    """Calls on the player's own instance and on the shared ones until the server is gone."""
    for call in _calls(random.Random(own), own, shared):
        load.unanswered[call.key] = call
        try:
            answer = await _send(client, call)
        except httpx.TransportError:
            return
        _note(load, call, answer)


def _client(server: Server) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=CLIENTS, max_keepalive_connections=CLIENTS)
    return httpx.AsyncClient(base_url=server.url, timeout=30.0, limits=limits)


def _calls(rng: random.Random, own: str, shared: list[str]) -> Iterator[Call]:
    while True:
        instance_id = own if rng.random() < 0.7 else rng.choice(shared)
        kind = "reset" if rng.random() < 0.3 else "step"
        body = rng.choice(RESETS if kind == "reset" else STEPS)
        yield Call(instance_id, kind, body, f"{rng.getrandbits(128):032x}")


async def _send(client: httpx.AsyncClient, call: Call) -> httpx.Response:
    path = f"/envs/{SLUG}/instances/{call.instance_id}/{call.kind}"
    return await client.post(path, json=call.body, headers={"Idempotency-Key": call.key})


def _note(load: Load, call: Call, answer: httpx.Response) -> None:
    assert answer.status_code in (200, 400), answer.text
    del load.unanswered[call.key]
    # A refusal of the rules is recorded and numbered; a step without an episode is neither.
    if "x-step" in answer.headers:
        place = (answer.headers["x-instance-id"], int(answer.headers["x-step"]))
        assert place not in load.answered
        load.answered[place] = call


async def _retry(server: Server, load: Load) -> None:
    """Sends what was not answered once more: whether it had been played or not, it is played once."""
    async with _client(server) as client:
        for call in list(load.unanswered.values()):
            _note(load, call, await _send(client, call))


async def _assert_all_there(server: Server, ids: list[str], load: Load) -> None:
    store = Store(open_engine(f"sqlite:///{server.data_dir / 'auditorium.db'}"))
    numbers = {instance_id: _replayed(store, instance_id) for instance_id in ids}
    with store.engine.connect() as connection:
        keys = {row.key: (row.instance_id, row.n) for row in connection.execute(select(KEYS))}
    store.close()
    assert all(n in numbers[instance_id] for instance_id, n in keys.values())
    assert len(set(keys.values())) == len(keys) == sum(map(len, numbers.values()))
    async with _client(server) as client:
        for instance_id in ids:
            await _assert_in_transcript(client, instance_id, load)
    for place, call in load.answered.items():
        assert keys[call.key] == place


def _replayed(store: Store, instance_id: str) -> set[int]:
    """The numbers of a journal that has no gap and replays to its digests."""
    entries = store.entries(instance_id)
    journal.fold(ForecastAudit(), entries)
    assert [entry.n for entry in entries] == list(range(1, len(entries) + 1))
    return {entry.n for entry in entries}


async def _assert_in_transcript(client: httpx.AsyncClient, instance_id: str, load: Load) -> None:
    transcript = (await client.get(f"/instances/{instance_id}/transcript")).json()
    assert transcript["next"] is None
    entries = {entry["n"]: entry for entry in transcript["entries"]}
    for (owner, n), call in load.answered.items():
        if owner == instance_id:
            assert entries[n]["kind"] == call.kind
            assert call.body.items() <= entries[n]["body"].items()
