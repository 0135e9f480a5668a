"""Agents over a store of a test's own, without a wire to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from agents.ledger import Run
from agents.runs import Runs
from agents.settings import AgentSettings
from envs.catalog import ENVIRONMENTS, Entry
from instances.model import Actor, ActorKind, Caller, Surface
from instances.service import Service
from instances.store import Store, open_engine
from tests.instances.conftest import Clock
from tests.tiny import TINY

KEY = "sk-loopback-0123456789abcdef"
CATALOG: Mapping[str, Entry] = {**ENVIRONMENTS, **TINY}
ALICE = "203.0.113.1"
BOB = "203.0.113.2"
BY_HAND = Caller(Actor(ActorKind.HUMAN, "ada"), Surface.UI)
ENOUGH_S = 60.0


@dataclass
class Agents:
    """A process whose agents may play.

    Attributes:
        paused: The pauses between two calls, which are noted instead of made.
    """

    service: Service
    store: Store
    runs: Runs
    settings: AgentSettings
    clock: Clock
    paused: list[float]

    async def opened(self, slug: str = "number-hunt", **request: Any) -> str:
        """An instance with a running episode."""
        instance = await self.service.create(slug)
        kind = self.service.environment(slug).request_type
        await self.service.reset(instance.id, kind(**{"seed": 3, **request}), BY_HAND)
        return instance.id

    async def played(self, ref: str, client: str = ALICE) -> Run:
        """A run of the first model, from its start to its end."""
        run = await self.runs.start(ref, self.runs.model(None), client)
        return await self.runs.wait(run.id, ENOUGH_S)


@asynccontextmanager
async def running(url: str, settings: AgentSettings, clock: Clock | None = None) -> AsyncIterator[Agents]:
    """A process over the database at `url`; two of them share it."""
    store = Store(open_engine(url))
    clock, paused = clock or Clock(), list[float]()
    service = Service(store, CATALOG, clock=clock)

    async def sleep(seconds: float) -> None:
        paused.append(seconds)

    runs = Runs(service, settings, sleep)
    try:
        yield Agents(service, store, runs, settings, clock, paused)
    finally:
        await runs.close()
        service.close()
        store.close()
