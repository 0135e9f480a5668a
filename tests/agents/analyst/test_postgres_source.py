"""A Postgres that the owner names is asked through a chat, with its SQL in the trace and in time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.api.inside import inside
from tests.contract.analyst_talk import talk, trace

pytestmark = pytest.mark.anyio
QUESTION = "total length_km by band in parade"
# Quick while the server looks at it, and endless once the pace is set.
PACED = """
    CREATE TABLE pace (seconds INTEGER);
    INSERT INTO pace VALUES (0);
    CREATE VIEW parade AS SELECT n AS length_km, 'left' || coalesce(pg_sleep(seconds)::text, '') AS band
    FROM pace, generate_series(1, 3) AS n;
"""


@pytest.fixture
async def client(shop_url: str, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    url = shop_url.replace("postgresql+psycopg", "postgresql")
    with _connected(shop_url) as connection:
        connection.execute(PACED.encode())
    try:
        settings = {"AUDITORIUM_SOURCE_URL": url, "AUDITORIUM_ANALYST_TURN_S": "300"}
        async with inside(tmp_path, settings) as api, api.client_at("/envs/analyst") as client:
            yield client
    finally:
        with _connected(shop_url) as connection:
            connection.execute(b"DROP VIEW parade; DROP TABLE pace")


async def test_a_chat_asks_the_owners_postgres_and_cannot_hold_it_up(
    client: httpx.AsyncClient, shop_url: str
) -> None:
    told = await talk(client, "an_42", QUESTION)
    assert "left" in told.text
    (source,) = (await trace(client, "an_42", told))["sources"]
    assert source["source_id"] == "src_postgres"
    assert source["query"].lstrip().upper().startswith(("SELECT", "WITH"))
    with _connected(shop_url) as connection:
        connection.execute(b"UPDATE pace SET seconds = 60")
    told = await talk(client, "an_42", QUESTION)
    assert "was stopped after 10 s" in told.text
    with _connected(shop_url) as connection:
        running = connection.execute(
            b"SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%parade%'"
            b" AND pid <> pg_backend_pid()"
        ).fetchone()
    assert running == (0,)


def _connected(url: str) -> psycopg.Connection[tuple[object, ...]]:
    return psycopg.connect(url.replace("postgresql+psycopg", "postgresql"), autocommit=True)
