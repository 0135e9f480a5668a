"""A model on a loopback endpoint, and agents that ask it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from agents.llm.models import Model, read_models
from agents.runs import Runs
from agents.settings import AgentSettings
from tests.agents.calling import asking, no_pause
from tests.agents.loopback import Loopback, serving
from tests.agents.playing import CATALOG, KEY, Agents, running
from tests.api.inside import Api, inside


@pytest.fixture(scope="session")
def endpoint_server() -> Iterator[Loopback]:
    with serving() as loopback:
        yield loopback


@pytest.fixture
def loopback(endpoint_server: Loopback) -> Loopback:
    """The endpoint, with an empty script."""
    endpoint_server.script.clear()
    endpoint_server.asked.clear()
    endpoint_server.always = None
    return endpoint_server


@pytest.fixture
def model(loopback: Loopback) -> Model:
    """A model that answers there, at one dollar a million tokens in and ten out."""
    env = {"OPENAI_BASE_URL": loopback.base_url, "OPENAI_API_KEY": KEY}
    return read_models("openai:test-model@1/10", env)[0]


@pytest.fixture
def settings(model: Model) -> AgentSettings:
    return AgentSettings(models=(model,), call_s=20.0, run_s=60.0, output_tokens=1_000)


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'auditorium.db'}"


@pytest.fixture
async def agents(store_url: str, settings: AgentSettings) -> AsyncIterator[Agents]:
    async with running(store_url, settings) as started:
        yield started


@pytest.fixture
async def api(tmp_path: Path, loopback: Loopback) -> AsyncIterator[Api]:
    """The API in this process; the loopback's model plays."""
    async with inside(tmp_path, asking(loopback), CATALOG) as served:
        served.app.state.runs = Runs(served.service, served.app.state.settings.agents, no_pause)
        yield served
