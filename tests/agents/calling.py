"""A model that plays over HTTP: the settings under which it may, and the calls that let it."""

from __future__ import annotations

from typing import Any

import httpx

from tests.agents.loopback import Loopback, calls
from tests.agents.playing import BY_HAND, ENOUGH_S, KEY
from tests.api.inside import Api

HARD = {"task_id": "hard_misinformation", "seed": 777}
LOOK = calls("fetch_user_history", {})
ALLOW = calls("allow", {})


def asking(loopback: Loopback, **settings: str) -> dict[str, str]:
    """Settings under which the loopback's model plays."""
    return {
        "OPENAI_BASE_URL": loopback.base_url,
        "OPENAI_API_KEY": KEY,
        "AUDITORIUM_AGENT_MODELS": "openai:test-model@1/10",
        **settings,
    }


async def no_pause(seconds: float) -> None:
    """Failures of the endpoint are tried again at once."""


async def agent_run(
    api: Api, body: Any = HARD, base: str = "/envs/moderation", **headers: str
) -> httpx.Response:
    """What the moderation contract's `/agent/run` answers."""
    return await api.client.post(f"{base}/agent/run", json=body, headers=headers)


async def opened(api: Api, slug: str, reset: bool = True) -> tuple[str, str]:
    """Id and watch link of an instance, with a running episode."""
    instance = (await api.client.post("/instances", json={"environment": slug})).json()
    if reset:
        kind = api.service.environment(slug).request_type
        await api.service.reset(instance["id"], kind(seed=3), BY_HAND)
    return instance["id"], instance["watch_id"]


async def ended(api: Api, url: str) -> dict[str, Any]:
    """The run at that address, when it is over."""
    run_id = url.rpartition("/")[2]
    await api.app.state.runs.wait(run_id, ENOUGH_S)
    return (await api.client.get(f"/runs/{run_id}")).json()
