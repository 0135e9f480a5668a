"""OpenEnv at the root: it wins every collision, and what it covers stands elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.api.calls import RIGHT, SLUG, TASK, assert_hub_error
from tests.api.inside import Api, inside
from tests.api.openenv.sockets import OPENENV, connected

ROOTED = {"AUDITORIUM_ROOT_ENV": SLUG, "AUDITORIUM_ROOT_PROTOCOL": "openenv"}


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with inside(tmp_path, ROOTED) as running:
        yield running


async def test_an_episode_is_played_at_the_root(api: Api):
    opened = (await api.client.post("/reset", json=TASK)).json()
    session = opened["metadata"]["session_id"]
    answer = await api.client.post("/step", params={"session_id": session}, json={"action": RIGHT})
    assert answer.json()["done"] is True
    async with connected(api.app, "/ws", f"session_id={session}") as socket:
        assert (await socket.ask("state"))["data"]["done"] is True
    listed = await api.client.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert listed.json()["result"]["tools"]


@pytest.mark.parametrize("path", ["/health", "/metadata", "/schema", "/openapi.json", "/"])
async def test_the_roots_descriptions_are_openenvs(api: Api, path: str):
    assert (await api.client.get(path)).json() == (await api.client.get(OPENENV + path)).json()


async def test_what_the_hub_says_of_its_health_stands_in_the_catalogue(api: Api):
    assert set((await api.client.get("/health")).json()) == {"status"}
    assert {"durable", "note"} <= set((await api.client.get("/catalog")).json()["health"])


async def test_a_browser_at_the_root_still_goes_to_the_page(api: Api):
    answer = await api.client.get("/", headers={"Accept": "text/html,*/*"})
    assert (answer.status_code, answer.headers["location"]) == (307, "/ui/")


async def test_the_hub_and_its_document_are_where_the_root_leaves_room(api: Api):
    assert (await api.client.post("/instances", json={"environment": SLUG})).status_code == 201
    document = (await api.client.get("/docs/openapi.json")).json()
    assert "/instances" in document["paths"]
    assert "/docs/openapi.json" in (await api.client.get("/docs")).text
    assert_hub_error(await api.client.get("/nowhere"), 404, "not_found")


async def test_a_429_at_the_root_has_openenvs_shape(tmp_path: Path):
    limits = {"AUDITORIUM_REQUESTS_PER_S": "0.001", "AUDITORIUM_REQUEST_BURST": "1"}
    async with inside(tmp_path, ROOTED | limits) as api:
        await api.client.get("/health")
        answer = await api.client.post("/step", json={})
        assert (answer.status_code, set(answer.json())) == (429, {"detail"})
        assert_hub_error(await api.client.get("/catalog"), 429, "too_many_requests")


async def test_without_the_protocol_the_contract_is_at_the_root_and_no_socket(tmp_path: Path):
    async with inside(tmp_path, {"AUDITORIUM_ROOT_ENV": SLUG}) as api:
        assert "expected_operation" in (await _stepped(api)).json()["info"]
        with pytest.raises(AssertionError):
            async with connected(api.app, "/ws") as socket:
                pytest.fail(str(socket))


async def _stepped(api: Api):
    await api.client.post("/reset", json=TASK)
    return await api.client.post("/step", json=RIGHT)
