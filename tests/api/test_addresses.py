"""Which instance a call means, which addresses there are, and how one that is not there is answered."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from envs.catalog import ENVIRONMENTS
from envs.forecast_audit import ForecastAudit
from tests.api.calls import (
    COMMONS,
    OUTSIDE,
    PREFIX,
    SLUG,
    TASK,
    WRONG,
    assert_contract_error,
    assert_hub_error,
    created,
    entries,
    opened,
    played,
)
from tests.api.inside import Api, inside


class OtherAudit(ForecastAudit):
    """The same work under another address."""

    slug = "other-audit"


CATALOG = {**ENVIRONMENTS, "other-audit": replace(ENVIRONMENTS[SLUG], environment=OtherAudit())}


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with inside(tmp_path, catalog=CATALOG) as running:
        yield running


async def test_a_call_that_names_no_instance_plays_the_commons(api: Api):
    answer = await api.client.post(f"{PREFIX}/reset", json=TASK)
    assert answer.headers["x-instance-id"] == COMMONS
    assert len(await entries(api, COMMONS)) == 1
    assert (await api.client.get(f"{PREFIX}/instances/{COMMONS}/state")).status_code == 200


async def test_the_path_beats_the_header_and_the_header_the_commons(api: Api):
    first, second = await opened(api), await opened(api)
    by_header = await api.client.post(f"{PREFIX}/step", json=WRONG, headers={"X-Instance-Id": second})
    by_path = await played(api, first, "/step", WRONG, {"X-Instance-Id": second})
    assert (by_header.headers["x-instance-id"], by_path.headers["x-instance-id"]) == (second, first)
    assert [len(await entries(api, ref)) for ref in (first, second, COMMONS)] == [2, 2, 0]


async def test_every_contract_answer_names_its_instance(api: Api):
    instance_id = await opened(api)
    for ref, prefix in ((COMMONS, PREFIX), (instance_id, f"{PREFIX}/instances/{instance_id}")):
        for method, path, body in (
            ("POST", "/step", {"operation": "delete"}),
            ("POST", "/reset", {"task_id": "invalid_task"}),
            ("POST", "/reset", TASK),
            ("POST", "/step", OUTSIDE),
            ("POST", "/step", WRONG),
            ("GET", "/state", None),
            ("GET", "/", None),
            ("GET", "/health", None),
            ("GET", "/metadata", None),
            ("GET", "/schema", None),
        ):
            answer = await api.client.request(method, prefix + path, json=body)
            assert answer.headers["x-instance-id"] == ref, f"{method} {path} → {answer.status_code}"


async def test_an_error_names_the_instance_that_the_caller_named(api: Api):
    nobody = "0" * 32
    for answer in (
        await api.client.get(f"{PREFIX}/instances/{nobody}/state"),
        await api.client.get(f"{PREFIX}/state", headers={"X-Instance-Id": nobody}),
        await played(api, nobody, "/step", WRONG),
        await api.client.get(f"/instances/{nobody}"),
        await api.client.get(f"/instances/{nobody}/transcript"),
        await api.client.get(f"/instances/{nobody}/events"),
        await api.client.post(f"/instances/{nobody}/fork", json={"at": 1}),
        await api.client.post(f"/instances/{nobody}/fork", json={"at": 0}),
        await api.client.delete(f"/instances/{nobody}"),
    ):
        assert answer.status_code in (404, 422)
        assert answer.headers["x-instance-id"] == nobody


async def test_every_recorded_call_tells_its_number(api: Api):
    instance_id = (await created(api))["id"]
    calls = [("/reset", TASK), ("/step", OUTSIDE), ("/step", WRONG), ("/reset", TASK)]
    answers = [await played(api, instance_id, path, body) for path, body in calls]
    assert [answer.headers.get("x-step") for answer in answers] == ["1", "2", "3", "4"]
    state = await api.client.get(f"{PREFIX}/instances/{instance_id}/state")
    assert state.headers["x-step"] == "4"


async def test_an_id_under_the_prefix_of_another_environment_is_404_and_told_where_to_go(api: Api):
    other = (await api.service.create("other-audit")).id
    for answer in (
        await api.client.get(f"{PREFIX}/instances/{other}/state"),
        await played(api, other, "/reset", TASK),
        await api.client.post(f"{PREFIX}/reset", json=TASK, headers={"X-Instance-Id": other}),
        await api.client.get(f"{PREFIX}/instances/default-other-audit-v1/state"),
    ):
        detail = assert_contract_error(answer, 404)
        assert "other-audit" in detail or "POST /instances" in detail
    assert await entries(api, other) == []


HOPELESS_IDS = {
    "unknown": "nobody",
    "NUL": "%00",
    "NUL inside": "a%00b",
    "line break": "a%0D%0ASet-Cookie:%20a=b",
    "slash": "a%2Fb",
    "dots": "..%2F..",
    "percent": "%25",
    "letters of another script": "%E6%97%A5%E6%9C%AC",
    "latin": "%E9t%E9",
    "not UTF-8": "%ff%fe",
    "quote": "'%20OR%201=1",
    "very long": "x" * 8_000,
    "blank": "%20",
}


@pytest.mark.parametrize("ref", HOPELESS_IDS.values(), ids=HOPELESS_IDS)
async def test_an_id_that_cannot_be_is_404_on_every_route(api: Api, ref: str):
    assert_contract_error(await api.client.get(f"{PREFIX}/instances/{ref}/state"), 404)
    assert_contract_error(await played(api, ref, "/step", WRONG), 404)
    for answer in (
        await api.client.get(f"/instances/{ref}"),
        await api.client.get(f"/instances/{ref}/transcript"),
        await api.client.get(f"/instances/{ref}/events"),
        await api.client.post(f"/instances/{ref}/fork", json={"at": 1}),
        await api.client.delete(f"/instances/{ref}"),
    ):
        assert answer.status_code == 404
        assert set(answer.json()) == {"error"}


@pytest.mark.parametrize("ref", [b"", b"\xff\xfe", b"a b", b"x" * 8_000])
async def test_a_header_id_that_cannot_be_is_404(api: Api, ref: bytes):
    answer = await api.client.get(f"{PREFIX}/state", headers=[(b"X-Instance-Id", ref)])
    assert_contract_error(answer, 404)


async def test_a_percent_encoded_id_is_the_same_id(api: Api):
    instance_id = await opened(api)
    encoded = "".join(f"%{ord(letter):02X}" for letter in instance_id)
    assert (await api.client.get(f"{PREFIX}/instances/{encoded}/state")).status_code == 200
    assert (await api.client.get(f"/instances/{encoded}")).json()["id"] == instance_id


@pytest.mark.parametrize(
    "path", ["/nowhere", "/instances/a/b/c", "/catalog/more", "/instances//transcript", "/docs/more", "/%00"]
)
async def test_an_address_that_is_not_there_is_404_in_the_hubs_shape(api: Api, path: str):
    error = assert_hub_error(await api.client.get(path), 404, "not_found")
    assert "/docs" in error["message"]


@pytest.mark.parametrize(
    "path",
    ["/envs/nowhere/state", f"{PREFIX}/nowhere", f"{PREFIX}/instances/a/b/c", "/envs//state", "/envs/"],
)
async def test_an_address_that_is_not_there_below_envs_is_404_in_the_contracts_shape(api: Api, path: str):
    assert_contract_error(await api.client.get(path), 404)


@pytest.mark.parametrize("path", ["//", "//instances", f"/{PREFIX}/state", f"{PREFIX}//state"])
async def test_a_double_slash_is_no_address(api: Api, path: str):
    answer = await api.client.get(f"http://test{path}")
    assert answer.status_code == 404
    assert set(answer.json()) in ({"error"}, {"detail"})


@pytest.mark.parametrize("path", ["/catalog/", f"{PREFIX}/state/", PREFIX, "/health/"])
async def test_one_slash_too_many_or_too_few_is_redirected_on_the_same_host(api: Api, path: str):
    answer = await api.client.get(path)
    assert answer.status_code == 307
    assert answer.headers["location"].startswith("http://test/")
    again = await api.client.get(answer.headers["location"])
    assert again.status_code in (200, 400)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/catalog", {"GET", "HEAD"}),
        ("PUT", "/instances", {"POST"}),
        ("GET", "/instances", {"POST"}),
        ("PATCH", "/instances/x", {"DELETE", "GET", "HEAD"}),
        ("OPTIONS", "/instances/x", {"DELETE", "GET", "HEAD"}),
        ("GET", "/instances/x/fork", {"POST"}),
        ("BREW", "/health", {"GET", "HEAD"}),
    ],
)
async def test_a_method_that_a_hub_route_does_not_take_is_405(
    api: Api, method: str, path: str, allowed: set[str]
):
    answer = await api.client.request(method, path)
    assert_hub_error(answer, 405, "method_not_allowed")
    assert set(answer.headers["allow"].split(", ")) == allowed


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/reset", {"POST"}),
        ("GET", "/step", {"POST"}),
        ("OPTIONS", "/step", {"POST"}),
        ("POST", "/state", {"GET", "HEAD"}),
        ("PUT", "/", {"GET", "HEAD"}),
    ],
)
async def test_a_method_that_a_contract_route_does_not_take_is_405(
    api: Api, method: str, path: str, allowed: set[str]
):
    for prefix in (PREFIX, f"{PREFIX}/instances/{COMMONS}"):
        answer = await api.client.request(method, prefix + path)
        assert_contract_error(answer, 405)
        assert set(answer.headers["allow"].split(", ")) == allowed


@pytest.mark.parametrize(
    "path", ["/", "/health", "/catalog", f"{PREFIX}/state", f"{PREFIX}/instances/nobody/state"]
)
async def test_head_is_get_without_a_body(api: Api, path: str):
    await api.client.post(f"{PREFIX}/reset", json=TASK)
    head, get = await api.client.head(path), await api.client.get(path)
    assert (head.status_code, head.headers) == (get.status_code, get.headers)


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize("root_env", ["", SLUG])
async def test_a_browser_at_the_root_goes_to_the_page(tmp_path: Path, root_env: str):
    async with inside(tmp_path, {"AUDITORIUM_ROOT_ENV": root_env}) as api:
        answer = await api.client.get("/", headers={"Accept": BROWSER})
        assert (answer.status_code, answer.headers["location"]) == (307, "/ui/")


@pytest.mark.parametrize("accept", ["*/*", "application/json", "", "text/plain"])
async def test_everybody_else_at_the_root_gets_json(api: Api, accept: str):
    answer = await api.client.get("/", headers={"Accept": accept})
    assert answer.json() == {
        "name": "auditorium",
        "ui": "/ui/",
        "docs": "/docs",
        "health": "/health",
        "catalog": "/catalog",
    }


async def test_at_the_root_the_contract_wins_and_the_hub_stays_reachable(tmp_path: Path):
    async with inside(tmp_path, {"AUDITORIUM_ROOT_ENV": SLUG}) as api:
        assert (await api.client.get("/health")).json() == {"status": "healthy"}
        assert (await api.client.get("/")).json()["name"] == "forecast-audit-openenv"
        assert (await api.client.get("/catalog")).json()["health"]["status"] == "healthy"
        assert (await api.client.post("/reset", json=TASK)).headers["x-instance-id"] == COMMONS
        assert (await api.client.get(f"{PREFIX}/state")).json()["task_id"] == TASK["task_id"]
        assert_contract_error(await api.client.post("/step", json={}), 422)
        assert_contract_error(await api.client.get("/step"), 405)
        assert_hub_error(await api.client.get("/nowhere"), 404, "not_found")


@pytest.mark.parametrize("host", ["[", "a b", "", "x" * 300, "evil.example:99999", "[::1", "\x7f"])
@pytest.mark.parametrize("path", ["/", "/nowhere", "/catalog", f"{PREFIX}/state", f"{PREFIX}/x"])
async def test_a_host_that_cannot_be_breaks_nothing(api: Api, host: str, path: str):
    answer = await api.client.get(path, headers=[(b"Host", host.encode())])
    assert answer.status_code < 500
