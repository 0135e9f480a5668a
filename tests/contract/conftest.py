"""Servers and clients for contracts; a test module says in `SLUG` whose."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.api.inside import Api, inside


@pytest.fixture
async def api(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Api]:
    """A server of the test's own, with the contract at the root too."""
    async with inside(tmp_path, {"AUDITORIUM_ROOT_ENV": request.module.SLUG}) as running:
        yield running


@pytest.fixture(scope="module")
async def shared_api(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Api]:
    """One server for a module: bring an instance of your own."""
    async with inside(tmp_path_factory.mktemp("shared")) as running:
        yield running


@pytest.fixture(params=["root", "prefix", "instance"])
async def contract(api: Api, request: pytest.FixtureRequest) -> AsyncIterator[httpx.AsyncClient]:
    """A client that knows nothing of instances, at each base URL that it may be given."""
    slug = request.module.SLUG
    match request.param:
        case "root":
            base_url = ""
        case "prefix":
            base_url = f"/envs/{slug}"
        case _:
            base_url = f"/envs/{slug}/instances/{(await api.service.create(slug)).id}"
    async with api.client_at(base_url) as client:
        yield client


@pytest.fixture
async def alone(shared_api: Api, request: pytest.FixtureRequest) -> AsyncIterator[httpx.AsyncClient]:
    """A client on an instance of its own, on the module's server."""
    slug = request.module.SLUG
    async with shared_api.client_at(
        f"/envs/{slug}/instances/{(await shared_api.service.create(slug)).id}"
    ) as client:
        yield client
