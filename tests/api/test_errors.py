"""One error shape for the hub and one for the contract, whatever goes wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from api.errors import STATUS
from envs.catalog import ENVIRONMENTS
from envs.forecast_audit import ForecastAudit
from instances import errors
from tests.api.calls import (
    COMMONS,
    PREFIX,
    SLUG,
    TASK,
    WRONG,
    assert_contract_error,
    assert_hub_error,
    created,
    opened,
    played,
)
from tests.api.inside import Api, inside


class NextAudit(ForecastAudit):
    """The same work after a change that makes scores incomparable."""

    version = ForecastAudit.version + 1


def test_every_error_of_an_instance_has_a_status():
    codes = {kind.code for kind in errors.InstanceError.__subclasses__()}
    assert codes <= set(STATUS)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b'{"environment": 1}',
        b'{"environment": "forecast-audit", "label": "a\\u0000b"}',
        b'{"environment": "forecast-audit", "label": "\\ud800"}',
        b'{"environment": "forecast-audit", "unknown": 1}',
        b'{"environment": "forecast-audit", "label": "' + b"x" * 81 + b'"}',
        b'{"environment": "' + b"x" * 65 + b'"}',
        b"[" * 100_000,
        b"\xff",
    ],
)
async def test_an_instance_cannot_be_opened_with_a_body_that_does_not_fit(api: Api, body: bytes):
    error = assert_hub_error(await api.client.post("/instances", content=body), 422, "invalid_request")
    assert all(set(complaint) == {"loc", "msg", "type"} for complaint in error["details"])
    assert api.store.count() == 0


@pytest.mark.parametrize("slug", ["nowhere", "", "Forecast-Audit", "forecast_audit", "../forecast-audit"])
async def test_an_instance_of_an_environment_that_is_not_there_is_404(api: Api, slug: str):
    answer = await api.client.post("/instances", json={"environment": slug})
    assert SLUG in assert_hub_error(answer, 404, "unknown_environment")["message"]


@pytest.mark.parametrize(
    "body", [{}, {"at": 0}, {"at": "1"}, {"at": 1.5}, {"at": 2**31}, {"at": 1, "x": 1}, []]
)
async def test_a_fork_with_a_body_that_does_not_fit_is_422(api: Api, body: object):
    answer = await api.client.post(f"/instances/{await opened(api)}/fork", json=body)
    assert_hub_error(answer, 422, "invalid_request")


async def test_a_fork_at_an_entry_that_is_not_there_is_400(api: Api):
    answer = await api.client.post(f"/instances/{await opened(api)}/fork", json={"at": 2})
    assert_hub_error(answer, 400, "bad_fork")


async def test_a_watch_link_that_acts_is_403(api: Api):
    instance = await created(api)
    watch = instance["watch_id"]
    await played(api, instance["id"], "/reset", TASK)
    assert_contract_error(await played(api, watch, "/step", WRONG), 403)
    assert_contract_error(await played(api, watch, "/reset", TASK), 403)
    assert_hub_error(await api.client.post(f"/instances/{watch}/fork", json={"at": 1}), 403, "read_only")
    assert_hub_error(await api.client.delete(f"/instances/{watch}"), 403, "read_only")


async def test_erasing_the_commons_is_403(api: Api):
    await api.client.post(f"{PREFIX}/reset")
    assert_hub_error(await api.client.delete(f"/instances/{COMMONS}"), 403, "read_only")


async def test_a_retired_instance_is_410_to_play_and_open_to_read(tmp_path: Path):
    async with inside(tmp_path) as before:
        instance_id = await opened(before)
    catalog = {SLUG: replace(ENVIRONMENTS[SLUG], environment=NextAudit())}
    async with inside(tmp_path, catalog=catalog) as api:
        base = f"{PREFIX}/instances/{instance_id}"
        for answer in (
            await api.client.get(f"{base}/state"),
            await played(api, instance_id, "/step", WRONG),
            await played(api, instance_id, "/reset", TASK),
        ):
            detail = assert_contract_error(answer, 410)
            assert f"version {ForecastAudit.version}; version {NextAudit.version} runs now" in detail
        fork = await api.client.post(f"/instances/{instance_id}/fork", json={"at": 1})
        assert_hub_error(fork, 410, "retired")
        summary = (await api.client.get(f"/instances/{instance_id}")).json()
        assert (summary["retired"], summary["entries"]) == (True, 1)
        assert len((await api.client.get(f"/instances/{instance_id}/transcript")).json()["entries"]) == 1
        assert (await api.client.delete(f"/instances/{instance_id}")).status_code == 204


async def test_an_instance_that_does_not_replay_is_410(tmp_path: Path):
    async with inside(tmp_path) as before:
        instance_id = await opened(before)
        with before.store.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE journal SET digest = 'tampered'")
    async with inside(tmp_path) as api:
        assert_contract_error(await played(api, instance_id, "/step", WRONG), 410)
        fork = await api.client.post(f"/instances/{instance_id}/fork", json={"at": 1})
        assert_hub_error(fork, 410, "diverged")


async def test_a_store_that_cannot_be_read_is_503_with_a_time_to_retry(tmp_path: Path):
    async with inside(tmp_path, {"AUDITORIUM_CACHED_INSTANCES": "1"}) as api:
        instance_id = await opened(api)
        await created(api)
        with api.store.engine.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE journal RENAME TO elsewhere")
        contract = await played(api, instance_id, "/step", WRONG)
        hub = await api.client.get(f"/instances/{instance_id}")
        assert_contract_error(contract, 503)
        assert_hub_error(hub, 503, "store_unavailable")
        assert contract.headers["retry-after"] == hub.headers["retry-after"] == "1"


async def test_a_full_server_is_503_with_a_time_to_retry(tmp_path: Path):
    async with inside(tmp_path, {"AUDITORIUM_INSTANCES": "1"}) as api:
        await created(api)
        answer = await api.client.post("/instances", json={"environment": SLUG})
        assert_hub_error(answer, 503, "at_capacity")
        assert answer.headers["retry-after"] == "60"


async def test_a_full_episode_is_409(tmp_path: Path):
    async with inside(tmp_path, {"AUDITORIUM_EPISODE_ENTRIES": "10"}) as api:
        instance_id = await opened(api)
        outside = {**WRONG, "target_index": 99}
        answers = [await played(api, instance_id, "/step", outside) for _ in range(11)]
        assert [answer.status_code for answer in answers] == [400] * 10 + [409]
        assert "call reset" in assert_contract_error(answers[-1], 409)


@pytest.mark.parametrize("path", [f"{PREFIX}/state", f"/instances/{COMMONS}"])
async def test_a_mistake_of_ours_is_500_in_the_shape_of_the_address_and_tells_no_trace(
    api: Api, monkeypatch: pytest.MonkeyPatch, path: str
):
    def broken(*_: object) -> object:
        raise RuntimeError("secret of the house")

    monkeypatch.setattr(api.service, "commons", broken)
    transport = httpx.ASGITransport(api.app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        answer = await client.get(path)
    assert answer.status_code == 500
    assert set(answer.json()) == ({"detail"} if path.startswith("/envs/") else {"error"})
    assert "secret" not in answer.text
