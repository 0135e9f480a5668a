"""The API in this process, without a page and without a wire."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from agents.analyst.conversing.opening import conversing
from api.app import Auditorium, create_app
from api.settings import read_settings
from envs.catalog import ENVIRONMENTS, Entry
from instances.service import Service
from instances.store import Store, open_engine

CLIENT = "203.0.113.9"


@dataclass
class Api:
    """A running application.

    Attributes:
        client: Speaks to it from `CLIENT`; an error that the application does not answer is raised.
    """

    app: Auditorium
    client: httpx.AsyncClient
    service: Service
    store: Store

    def client_at(self, base_url: str, address: str = CLIENT) -> httpx.AsyncClient:
        """Another client, with another base URL or from another address."""
        transport = httpx.ASGITransport(self.app, client=(address, 50_000))
        return httpx.AsyncClient(transport=transport, base_url=f"http://test{base_url}")


@asynccontextmanager
async def inside(
    folder: Path, settings: Mapping[str, str] | None = None, catalog: Mapping[str, Entry] = ENVIRONMENTS
) -> AsyncIterator[Api]:
    """Runs the API over a database in the folder.

    Args:
        settings: Environment variables.
    """
    read = read_settings({"DATA_DIR": str(folder), **(settings or {})}, frozenset(ENVIRONMENTS))
    store = Store(open_engine(read.database_url))
    effects = {"analyst": conversing(store, read.analyst, read.agents)} if "analyst" in catalog else {}
    service = Service(store, catalog, read.limits, effects=effects)
    app = create_app(service, read)
    transport = httpx.ASGITransport(app, client=(CLIENT, 50_000))
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            yield Api(app, client, service, store)
    finally:
        await app.state.runs.close()
        for effect in service.effects.values():
            await effect.close()
        service.close()
        store.close()
