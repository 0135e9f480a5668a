"""Three servers on one PostgreSQL serve the same instances, whatever happens to one or to the database."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import httpx
import pytest
from sqlalchemy import make_url

from tests.conftest import Server, launch
from tests.instances.load import (
    SETTINGS,
    SLUG,
    Call,
    Load,
    assert_all_there,
    calls,
    client_of,
    open_instances,
    retry,
    send,
)
from tests.instances.postgres import Postgres

pytestmark = pytest.mark.slow

REPLICA = ("-m", "tests.instances.replica")
REPLICAS = 3
WRITERS = 16
PATIENCE_S = 60.0
LOAD_S = 2.0
GONE_S = 3.0


@dataclass
class Cluster:
    """Three servers over one database."""

    postgres: Postgres
    store_url: str
    folders: pytest.TempPathFactory
    servers: list[Server] = field(default_factory=list)

    def start(self) -> Server:
        return launch(self.folders.mktemp("replica"), REPLICA, DATABASE_URL=self.store_url, **SETTINGS)


@pytest.fixture(scope="module")
def cluster(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(postgres, postgres.new(), tmp_path_factory)
    with ThreadPoolExecutor(REPLICAS) as threads:
        made.servers = list(threads.map(lambda _: made.start(), range(REPLICAS)))
    yield made
    for server in made.servers:
        server.stop()
    postgres.release(made.store_url)


@dataclass
class Play:
    """Sixteen players, each with an instance of their own beside the shared ones, on all servers in turn."""

    cluster: Cluster
    ids: list[str]
    load: Load = field(default_factory=Load)
    refusals: list[httpx.Response] = field(default_factory=list)
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, meanwhile: Callable[[], None] | None = None) -> None:
        clients = [client_of(server.url, WRITERS) for server in self.cluster.servers]
        players = [asyncio.create_task(self._play(writer, clients)) for writer in range(WRITERS)]
        await self._everywhere()
        if meanwhile is not None:
            await asyncio.to_thread(meanwhile)
            await asyncio.sleep(LOAD_S)
        self.over.set()
        await asyncio.gather(*players)
        for client in clients:
            await client.aclose()

    async def _everywhere(self) -> None:
        """Until every instance was played, however slow the machine, and a while longer."""
        until = time.monotonic() + PATIENCE_S
        while len({instance_id for instance_id, _ in self.load.answered}) < len(self.ids):
            assert time.monotonic() < until, "some instances were never played"
            await asyncio.sleep(0.1)
        await asyncio.sleep(LOAD_S)

    async def _play(self, writer: int, clients: list[httpx.AsyncClient]) -> None:
        own, shared = self.ids[writer], self.ids[WRITERS:]
        for count, call in enumerate(calls(random.Random(own), own, shared)):
            if self.over.is_set():
                return
            self.load.unanswered[call.key] = call
            await self._send(clients[(writer + count) % len(clients)], call)

    async def _send(self, client: httpx.AsyncClient, call: Call) -> None:
        try:
            answer = await send(client, call)
        except httpx.TransportError:
            await asyncio.sleep(0.05)
            return
        if answer.status_code == 503:
            self.refusals.append(answer)
            await asyncio.sleep(0.05)
        else:
            self.load.note(call, answer)

    async def check(self) -> None:
        """Nothing is lost, doubled or out of order, and what was not answered can be sent again."""
        server = self.cluster.servers[0]
        await assert_all_there(server.url, self.cluster.store_url, self.ids, self.load)
        await retry(server.url, self.load)
        await assert_all_there(server.url, self.cluster.store_url, self.ids, self.load)


@pytest.fixture
async def play(cluster: Cluster) -> Play:
    _forget(cluster)
    return Play(cluster, await open_instances(cluster.servers[0].url, WRITERS + 2))


def _forget(cluster: Cluster) -> None:
    with cluster.postgres.connect(make_url(cluster.store_url).database or "") as connection:
        connection.execute("TRUNCATE journal, idempotency_keys")


async def test_sixteen_writers_over_three_servers_lose_double_and_reorder_nothing(play: Play):
    await play.run()
    assert not play.load.unanswered
    assert not play.refusals
    await play.check()


async def test_a_server_that_is_killed_takes_nothing_with_it_that_it_acknowledged(play: Play):
    cluster = play.cluster

    def kill() -> None:
        cluster.servers[-1].process.kill()
        cluster.servers[-1].process.wait()

    await play.run(kill)
    assert not play.refusals
    assert play.load.unanswered
    await play.check()
    cluster.servers[-1] = await asyncio.to_thread(cluster.start)


@pytest.mark.parametrize("end", [Postgres.stop, Postgres.crash], ids=["stopped", "crashed"])
async def test_while_the_database_is_gone_calls_get_503_and_nothing_acknowledged_is_lost(
    play: Play, end: Callable[[Postgres], None]
):
    answered = 0

    def bounce() -> None:
        nonlocal answered
        end(play.cluster.postgres)
        with httpx.Client(base_url=play.cluster.servers[0].url, timeout=10.0) as client:
            for path in (f"/instances/{play.ids[0]}", f"/instances/{play.ids[0]}/transcript"):
                answer = client.get(path)
                assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
                assert answer.json()["error"]["code"] == "store_unavailable"
            assert client.get("/health").status_code == 200
        asyncio.run(asyncio.sleep(GONE_S))
        answered = len(play.load.answered)
        play.cluster.postgres.start()

    await play.run(bounce)
    assert play.refusals
    assert {refusal.headers["retry-after"] for refusal in play.refusals} == {"1"}
    assert len(play.load.answered) > answered
    await play.check()


async def test_the_feed_of_one_server_shows_what_another_has_committed(cluster: Cluster):
    here, there, _ = cluster.servers
    (instance_id,) = await open_instances(here.url, 1)
    async with (
        client_of(here.url, 2) as player,
        client_of(there.url, 2) as watcher,
        watcher.stream("GET", f"/instances/{instance_id}/events") as stream,
        asyncio.timeout(20),
    ):
        lines = stream.aiter_lines()
        await anext(lines)
        await send(player, Call(instance_id, "reset", {}, "a"))
        await send(player, Call(instance_id, "step", {"operation": "accept"}, "b"))
        seen = [line async for line in _until(lines, "id: 2")]
        assert [line for line in seen if line.startswith("id:")] == ["id: 1", "id: 2"]
        await player.delete(f"/instances/{instance_id}")
        assert "event: gone" in [line async for line in _until(lines, "event: gone")]
    assert (await asyncio.to_thread(httpx.get, f"{there.url}/instances/{instance_id}")).status_code == 410


async def _until(lines, last: str):
    async for line in lines:
        yield line
        if line == last:
            return


def test_the_servers_agree_on_what_is_drawn_from_the_secret(cluster: Cluster):
    body = {"environment": SLUG, "agent": "ada", "version": "1", "level": "easy", "cases": 10}
    entered = httpx.post(f"{cluster.servers[0].url}/submissions", json=body).json()
    numbers = [
        [
            case["instance_id"]
            for case in httpx.get(f"{server.url}/submissions/{entered['id']}").json()["cases"]
        ]
        for server in cluster.servers
    ]
    assert numbers == [[case["instance_id"] for case in entered["cases"]]] * REPLICAS
