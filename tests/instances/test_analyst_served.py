"""An analysis over a real socket, on PostgreSQL: what ends a query, and what a restart keeps."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace

import httpx
import psycopg
import pytest
import uvicorn
from sqlalchemy import make_url

from agents.analyst.conversing.conversation import Conversation
from tests.api.inside import Api, inside
from tests.contract.analyst_talk import CHAT, TRACE, USER, read, talk, trace
from tests.instances.postgres import Postgres

pytestmark = pytest.mark.anyio

HEAVY = "total weight of parcels by city"
PATIENCE_S = 60.0


@dataclass
class Served:
    """A server on a port, and a way to keep its source from answering."""

    api: Api
    client: httpx.AsyncClient
    source: psycopg.Connection
    store_url: str

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Every query on the parcels waits as long as this lasts."""
        with self.source.transaction():
            self.source.execute("LOCK TABLE parcels IN ACCESS EXCLUSIVE MODE")
            yield

    async def has_queries(self, count: int) -> None:
        """Waits until so many queries wait for the parcels."""
        async with asyncio.timeout(PATIENCE_S):
            while self._waiting() != count:  # noqa: ASYNC110 - a database tells nobody
                await asyncio.sleep(0.05)

    def _waiting(self) -> int:
        found = self.source.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).fetchone()
        assert found is not None
        return found[0]


@pytest.fixture(scope="module")
async def served(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    store_url, source_url = postgres.new(), postgres.new()
    settings = {"DATABASE_URL": store_url, "AUDITORIUM_SOURCE_URL": source_url.replace("+psycopg", "")}
    with postgres.connect(make_url(source_url).database or "") as source:
        source.execute("CREATE TABLE parcels (city text, weight numeric, sent_on date)")
        source.execute("INSERT INTO parcels VALUES ('Medan', 3, '2026-03-01'), ('Bandung', 5, '2026-03-02')")
        async with (
            inside(tmp_path_factory.mktemp("served"), settings) as api,
            on_a_port(api) as url,
            httpx.AsyncClient(base_url=f"{url}/envs/analyst", timeout=PATIENCE_S) as client,
        ):
            # The worker starts, and looks at the source once, with the first question.
            assert "Bandung 5" in (await talk(client, "an_first", HEAVY)).text
            yield Served(api, client, source, store_url)
    for each in (store_url, source_url):
        postgres.release(each)


@asynccontextmanager
async def on_a_port(api: Api) -> AsyncIterator[str]:
    """Uvicorn, as `app.py` runs it, on a free port."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(api.app, lifespan="off", log_level="warning"))
    serving = asyncio.create_task(server.serve([listening]))
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    await serving


async def test_who_leaves_ends_the_query_and_the_next_question_is_answered_while_others_would_wait(
    served: Served,
):
    own = (await served.api.service.create("analyst")).id
    body = {"user_id": USER, "analysis_id": own, "message": HEAVY}
    with served.busy():
        async with served.client.stream("POST", CHAT, json=body) as answer:
            assert answer.status_code == 200
            await served.has_queries(1)
        await served.has_queries(0)
        assert (await served.api.service.progress(own))[1] == 0
        assert (await talk(served.client, own, "how many customers are there?")).names[-1] == "done"
    assert "Bandung 5" in (await talk(served.client, own, HEAVY)).text


async def test_a_query_without_end_is_ended_with_its_turn_which_leaves_no_trace(
    served: Served, monkeypatch: pytest.MonkeyPatch
):
    own = (await served.api.service.create("analyst")).id
    conversation = served.api.service.effects["analyst"]
    assert isinstance(conversation, Conversation)
    hasty = replace(conversation.workshop._settings, turn_s=1.0)
    monkeypatch.setattr(conversation.workshop, "_settings", hasty)
    with served.busy():
        told = read(
            await served.client.post(CHAT, json={"user_id": USER, "analysis_id": own, "message": HEAVY})
        )
        await served.has_queries(0)
    assert told.events[-1] == ("error", "this took longer than 1 s; ask about less")
    assert (await served.api.service.progress(own))[1] == 0


async def test_what_was_answered_is_traced_by_a_server_that_started_later(
    served: Served, tmp_path_factory: pytest.TempPathFactory
):
    told = await talk(served.client, "an_42", HEAVY)
    before = await trace(served.client, "an_42", told)
    settings = {"DATABASE_URL": served.store_url}
    async with inside(tmp_path_factory.mktemp("later"), settings) as later:
        params = {"analysis_id": "an_42", "message_id": told.message_id}
        answer = await later.client.get(f"/envs/analyst{TRACE}", params=params)
    assert (answer.status_code, answer.json()) == (200, before)
