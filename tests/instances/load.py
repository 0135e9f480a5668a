"""Clients that play over HTTP and keep book of what was answered, to be held against the journals."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
from sqlalchemy import select

from envs.forecast_audit import ForecastAudit
from instances import journal
from instances.schema import KEYS
from instances.store import Store, open_engine

SLUG = "forecast-audit"
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

    def note(self, call: Call, answer: httpx.Response) -> None:
        """Takes an answer down."""
        assert answer.status_code in (200, 400), answer.text
        self.unanswered.pop(call.key, None)
        # A refusal of the rules is recorded and numbered; a step without an episode is neither.
        if "x-step" in answer.headers:
            place = (answer.headers["x-instance-id"], int(answer.headers["x-step"]))
            assert self.answered.get(place, call) == call
            self.answered[place] = call


def client_of(url: str, connections: int) -> httpx.AsyncClient:
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    return httpx.AsyncClient(base_url=url, timeout=30.0, limits=limits)


async def open_instances(url: str, count: int) -> list[str]:
    """New instances, by their ids."""
    async with client_of(url, 4) as client:
        answers = [await client.post("/instances", json={"environment": SLUG}) for _ in range(count)]
    return [answer.json()["id"] for answer in answers]


def calls(rng: random.Random, own: str, shared: list[str]) -> Iterator[Call]:
    """Calls on a player's own instance and on shared ones, without end."""
    while True:
        instance_id = own if rng.random() < 0.7 else rng.choice(shared)
        kind = "reset" if rng.random() < 0.3 else "step"
        body = rng.choice(RESETS if kind == "reset" else STEPS)
        yield Call(instance_id, kind, body, f"{rng.getrandbits(128):032x}")


async def send(client: httpx.AsyncClient, call: Call) -> httpx.Response:
    path = f"/envs/{SLUG}/instances/{call.instance_id}/{call.kind}"
    return await client.post(path, json=call.body, headers={"Idempotency-Key": call.key})


async def retry(url: str, load: Load) -> None:
    """Sends what was not answered once more: whether it had been played or not, it is played once."""
    async with client_of(url, 4) as client:
        for call in list(load.unanswered.values()):
            load.note(call, await send(client, call))


async def assert_all_there(url: str, store_url: str, ids: list[str], load: Load) -> None:
    """Every answered call stands in its journal under its number, and every entry is one call's."""
    store = Store(open_engine(store_url))
    numbers = {instance_id: _replayed(store, instance_id) for instance_id in ids}
    with store.engine.connect() as connection:
        keys = {row.key: (row.instance_id, row.n) for row in connection.execute(select(KEYS))}
    store.close()
    assert all(n in numbers[instance_id] for instance_id, n in keys.values())
    assert len(set(keys.values())) == len(keys) == sum(map(len, numbers.values()))
    async with client_of(url, 4) as client:
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
