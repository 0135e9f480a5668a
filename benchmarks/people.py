"""People for the browser's measurements: in Chromium, and as the requests that the page makes for one."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator
from itertools import count
from typing import Any

import httpx
from playwright.async_api import Page

from benchmarks.servers import Server

ACTION = '{"operation":"flag_anomaly","target_index":0,"violated_constraints":[]}'
ENVIRONMENT = "forecast-audit"
PACE_S = (2.0, 4.0)

# From the click's own time stamp until the frame after the one that holds the new chip.
ARM = """() => {
  const chips = () => document.querySelectorAll("#timeline button.step").length;
  const before = chips();
  let clicked = 0;
  const click = (event) => { clicked = event.timeStamp; };
  document.getElementById("submit-step").addEventListener("click", click, { capture: true, once: true });
  window.painted = new Promise((done) => {
    const watcher = new MutationObserver(() => {
      if (!clicked || chips() <= before) return;
      watcher.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - clicked)));
    });
    watcher.observe(document.getElementById("timeline"), { childList: true, subtree: true });
  });
}"""


async def in_browser(page: Page, pauses: Iterator[float]) -> list[float]:
    """Plays at that pace on an opened case; milliseconds from click to painted, one for each step."""
    painted: list[float] = []
    for pause in pauses:
        await asyncio.sleep(pause)
        await page.locator("#act label.option", has_text="Flag anomaly").click()
        await page.evaluate(ARM)
        await page.locator("#submit-step").click()
        painted.append(await page.evaluate("window.painted"))
        if await page.locator("#act .end").count():
            await page.locator(".compare li").first.wait_for()
            await page.locator("[data-next]").click()
            await page.locator("#submit-step").wait_for()
    return painted


class OnTheWire:
    """One person as the page's requests: what the browser asks, and the feed it keeps open."""

    def __init__(self, client: httpx.AsyncClient, wire: int, number: int) -> None:
        self._client = client
        self._wire = wire
        self._number = number
        self._keys = count()

    async def play(self, pauses: Iterator[float]) -> list[float]:
        """Plays at that pace; milliseconds from asking for a step to its whole answer, one for each step."""
        stands = await self._ask("begin", environment=ENVIRONMENT, body="{}")
        feed = asyncio.create_task(self._listen(stands["instance"], stands["n"]))
        answered: list[float] = []
        for pause in pauses:
            await asyncio.sleep(pause)
            place = {"instance": stands["instance"], "seen": stands["n"]}
            start = time.perf_counter()
            stands = await self._ask("act", **place, body=ACTION)
            answered.append(1e3 * (time.perf_counter() - start))
            if stands["done"]:
                await self._ask("compare", instance=stands["instance"])
                stands = await self._ask("begin", instance=stands["instance"], seen=stands["n"], body="{}")
        feed.cancel()
        await asyncio.gather(feed, return_exceptions=True)
        return answered

    async def _ask(self, question: str, **body: Any) -> dict[str, Any]:
        """Where the page stands after the answer.

        Raises:
            RuntimeError: If the server had something else to say.
        """
        if question != "compare":
            body["key"] = f"{self._number}-{next(self._keys)}"
        whole = {
            "who": f"guest-{self._number:04x}",
            "base": str(self._client.base_url),
            "offset_min": 0,
            **body,
        }
        answer = await self._client.post(
            "/ui/gradio_api/component_server/",
            json={
                "data": whole,
                "component_id": self._wire,
                "fn_name": question,
                "session_hash": f"p{self._number}",
            },
        )
        said: dict[str, Any] = answer.raise_for_status().json()
        if said["standing"] is None or said["note"] or said["errors"]:
            raise RuntimeError(f"{question}: {said['note'] or said['errors']}")
        return said["standing"]

    async def _listen(self, instance: str, after: int) -> None:
        path = f"/instances/{instance}/events?after={after}"
        async with self._client.stream("GET", path, timeout=None) as feed:
            async for _ in feed.aiter_lines():
                pass


async def wire_id(client: httpx.AsyncClient) -> int:
    """Number of the page's part whose functions its scripts call."""
    config = (await client.get("/ui/config")).raise_for_status().json()
    return next(part["id"] for part in config["components"] if part["props"].get("elem_id") == "wire")


def human_pace(number: int, for_s: float) -> Iterator[float]:
    """Pauses of somebody who thinks before each step, for that long."""
    draws = random.Random(number)
    end = time.monotonic() + for_s
    yield draws.uniform(0, PACE_S[1])
    while time.monotonic() < end:
        yield draws.uniform(*PACE_S)


def address(server: Server) -> str:
    """Where a browser opens a new case."""
    return f"http://127.0.0.1:{server.port}/ui/?env={ENVIRONMENT}"
