"""How much a client may send and how often, and what it is told when that was too much."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from instances.buckets import REMEMBERED_CLIENTS, Buckets
from tests.api.calls import (
    PREFIX,
    SLUG,
    TASK,
    WRONG,
    assert_contract_error,
    assert_hub_error,
    entries,
    opened,
    played,
)
from tests.api.inside import Api, inside

LIMIT = 1_024
TWO_REQUESTS = {"AUDITORIUM_REQUESTS_PER_S": "0.001", "AUDITORIUM_REQUEST_BURST": "2"}


@pytest.fixture
async def narrow(tmp_path: Path) -> AsyncIterator[Api]:
    async with inside(tmp_path, {"AUDITORIUM_BODY_BYTES": str(LIMIT)}) as running:
        yield running


async def _pieces(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 256):
        yield b" " * 256


async def test_a_body_over_the_limit_is_413_and_nothing_is_played(narrow: Api):
    instance_id = await opened(narrow)
    body = b'{"operation": "accept"}'.ljust(LIMIT + 1)
    prefix = f"{PREFIX}/instances/{instance_id}"
    assert_contract_error(await narrow.client.post(f"{prefix}/step", content=body), 413)
    assert_contract_error(await narrow.client.post(f"{prefix}/reset", content=body), 413)
    assert_hub_error(await narrow.client.post("/instances", content=body), 413, "body_too_large")
    fork = await narrow.client.post(f"/instances/{instance_id}/fork", content=body)
    assert_hub_error(fork, 413, "body_too_large")
    assert len(await entries(narrow, instance_id)) == 1


async def test_a_body_of_undeclared_length_is_413_as_soon_as_it_grows_over_the_limit(narrow: Api):
    answer = await narrow.client.post(f"{PREFIX}/step", content=_pieces(2 * LIMIT))
    assert "content-length" not in answer.request.headers
    assert f"{LIMIT} are allowed" in assert_contract_error(answer, 413)


@pytest.mark.parametrize("declared", ["0", "-1", "x", "1e9", ""])
async def test_a_body_longer_than_declared_is_413_all_the_same(narrow: Api, declared: str):
    headers = {"Content-Length": declared}
    answer = await narrow.client.post(f"{PREFIX}/step", content=b" " * 2 * LIMIT, headers=headers)
    assert_contract_error(answer, 413)


async def test_a_body_of_exactly_the_limit_is_taken(narrow: Api):
    instance_id = await opened(narrow)
    body = b'{"operation": "accept"}'.ljust(LIMIT)
    answer = await narrow.client.post(f"{PREFIX}/instances/{instance_id}/step", content=body)
    assert answer.status_code == 200


async def test_a_client_that_asks_too_often_is_429_with_a_time_to_wait(tmp_path: Path):
    settings = {"AUDITORIUM_REQUESTS_PER_S": "0.1", "AUDITORIUM_REQUEST_BURST": "3"}
    async with inside(tmp_path, settings) as api:
        answers = [await api.client.get("/health") for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
        assert answers[-1].headers["retry-after"] == "10"
        assert "wait 10 s" in assert_hub_error(answers[-1], 429, "too_many_requests")["message"]


async def test_a_429_has_the_shape_of_the_address(tmp_path: Path):
    async with inside(tmp_path, TWO_REQUESTS) as api:
        await api.client.get("/health")
        await api.client.get("/health")
        for path in ("/", "/health", "/catalog", "/instances/x", "/nowhere", "/openapi.json", "/docs"):
            assert_hub_error(await api.client.get(path), 429, "too_many_requests")
        for path in (f"{PREFIX}/state", f"{PREFIX}/instances/x/state", "/envs/nowhere"):
            assert_contract_error(await api.client.get(path), 429)


async def test_a_429_at_the_root_has_the_contracts_shape_where_the_contract_is_served(tmp_path: Path):
    async with inside(tmp_path, {"AUDITORIUM_ROOT_ENV": SLUG, **TWO_REQUESTS}) as api:
        await api.client.get("/health")
        await api.client.get("/health")
        for path in ("/", "/health", "/state", "/step", "/reset", "/metadata", "/schema"):
            assert_contract_error(await api.client.get(path), 429)
        assert_hub_error(await api.client.get("/catalog"), 429, "too_many_requests")


async def test_one_client_that_asks_too_often_costs_the_others_nothing(tmp_path: Path):
    async with inside(tmp_path, TWO_REQUESTS) as api:
        for _ in range(5):
            await api.client.get("/health")
        async with api.client_at("", address="198.51.100.1") as other:
            assert (await other.get("/health")).status_code == 200


async def test_openings_and_forks_have_a_limit_of_their_own(tmp_path: Path):
    settings = {"AUDITORIUM_CREATIONS_PER_S": "0.01", "AUDITORIUM_CREATION_BURST": "2"}
    async with inside(tmp_path, settings) as api:
        instance_id = await opened(api)
        fork = {"at": 1}
        assert (await api.client.post(f"/instances/{instance_id}/fork", json=fork)).status_code == 201
        third = await api.client.post("/instances", json={"environment": SLUG})
        assert_hub_error(third, 429, "too_many_requests")
        assert int(third.headers["retry-after"]) == 100
        fourth = await api.client.post(f"/instances/{instance_id}/fork", json=fork)
        assert_hub_error(fourth, 429, "too_many_requests")
        assert (await played(api, instance_id, "/step", WRONG)).status_code == 200
        assert (await api.client.post(f"{PREFIX}/reset", json=TASK)).status_code == 200
        assert api.store.count() == 3


async def test_a_rate_of_zero_is_no_limit(tmp_path: Path):
    settings = {"AUDITORIUM_REQUESTS_PER_S": "0", "AUDITORIUM_REQUEST_BURST": "1"}
    async with inside(tmp_path, settings) as api:
        assert {(await api.client.get("/health")).status_code for _ in range(20)} == {200}


@pytest.mark.parametrize(
    ("proxies", "lines", "shared"),
    [
        # Without a proxy the header is the caller's own word and changes nothing.
        (0, [["10.0.0.1"], ["10.0.0.2"]], True),
        # One proxy writes the address it saw behind whatever the caller wrote.
        (1, [["10.0.0.1"], ["10.0.0.2"]], False),
        (1, [["6.6.6.1, 10.0.0.1"], ["6.6.6.2, 10.0.0.1"]], True),
        (1, [["6.6.6.1", "10.0.0.1"], ["6.6.6.2", "10.0.0.1"]], True),
        (1, [["6.6.6.1, 10.0.0.1"], ["6.6.6.1, 10.0.0.2"]], False),
        # Of two, the outer one saw the caller.
        (2, [["10.0.0.1, 172.16.0.1"], ["10.0.0.1, 172.16.0.2"]], True),
        (2, [["10.0.0.1, 172.16.0.1"], ["10.0.0.2, 172.16.0.1"]], False),
        (2, [["6.6.6.1, 10.0.0.1, 172.16.0.1"], ["6.6.6.2, 10.0.0.1, 172.16.0.1"]], True),
    ],
)
async def test_a_client_is_who_the_trusted_proxies_saw(
    tmp_path: Path, proxies: int, lines: list[list[str]], shared: bool
):
    settings = {
        "AUDITORIUM_TRUSTED_PROXIES": str(proxies),
        "AUDITORIUM_REQUESTS_PER_S": "0.001",
        "AUDITORIUM_REQUEST_BURST": "1",
    }
    async with inside(tmp_path, settings) as api:
        first, second = [
            await api.client.get("/health", headers=[("X-Forwarded-For", line) for line in forwarded])
            for forwarded in lines
        ]
    assert first.status_code == 200
    assert second.status_code == (429 if shared else 200)


@pytest.mark.parametrize("forwarded", [b"", b",,,", b"\xff\xfe", b"x" * 8_000])
async def test_a_forwarded_address_that_cannot_be_breaks_nothing(tmp_path: Path, forwarded: bytes):
    async with inside(tmp_path, {"AUDITORIUM_TRUSTED_PROXIES": "1", **TWO_REQUESTS}) as api:
        answers = [
            await api.client.get("/health", headers=[(b"X-Forwarded-For", forwarded)]) for _ in range(3)
        ]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert len(answers[-1].content) < 500


def test_a_bucket_fills_again_at_its_rate_and_never_over_its_brim():
    now = [0.0]
    buckets = Buckets(rate=2.0, burst=3.0, clock=lambda: now[0])
    assert [buckets.wait_s("a") for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    now[0] = 0.5
    assert [buckets.wait_s("a") for _ in range(2)] == [0.0, 0.5]
    now[0] = 1_000.0
    assert [buckets.wait_s("a") for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]


def test_clients_are_not_remembered_without_end():
    buckets = Buckets(rate=1.0, burst=1.0, clock=lambda: 0.0)
    for n in range(REMEMBERED_CLIENTS + 1):
        assert buckets.wait_s(f"client {n}") == 0.0
    assert buckets.wait_s(f"client {REMEMBERED_CLIENTS}") > 0.0
    assert buckets.wait_s("client 0") == 0.0
