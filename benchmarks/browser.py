"""What a person feels: from click to painted in Chromium, alone and as one of 25 beside an agent load."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from itertools import repeat

import httpx
from playwright.async_api import Browser, Page, async_playwright

from benchmarks.load import Client, Script, open_instances
from benchmarks.people import PACE_S, OnTheWire, address, human_pace, in_browser, wire_id
from benchmarks.servers import Server, auditorium
from benchmarks.steps import episode_script
from tests.ui.conftest import CHROMIUM, SWITCHES

STEPS = 36
PEOPLE = 25
# 25 Chromiums on a small machine would be what is measured; two feel what the others cause.
BROWSERS = 2
AGENTS = 8
AGENT_REQUESTS_PER_S = 25
ALONE_S = 10.0
TOGETHER_S = 24.0


def report() -> None:
    """Prints the three figures."""
    if CHROMIUM is None:
        print("click → painted: there is no chromium on this machine")
        return
    print(
        f"machine: {os.cpu_count()} processors, {os.getloadavg()[0]:.1f} processes wanting them before this"
    )
    with auditorium() as server:
        scripts = [episode_script(instance) for instance in open_instances(server, AGENTS)]
        asyncio.run(_measure(server, scripts))


async def _measure(server: Server, scripts: Sequence[Script]) -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        page = await _opened(browser, server)
        painted = await in_browser(page, repeat(0.0, STEPS))
        await page.close()
        print(f"click → painted               {_spread(painted)}  one person in Chromium")
        alone = await _agents(server, scripts, ALONE_S)
        pages = [await _opened(browser, server) for _ in range(BROWSERS)]
        beside, felt, answered = await _together(server, scripts, pages)
        await browser.close()
    print(f"{PEOPLE} people, a step in {PACE_S[0]:g}–{PACE_S[1]:g} s")
    print(f"  click → painted             {_spread(felt)}  {BROWSERS} of them in Chromium")
    print(f"  step asked → answered       {_spread(answered)}  the others, as the page’s own requests")
    before, after = _quantile(alone, 0.5), _quantile(beside, 0.5)
    print(
        f"{AGENTS} agents, {AGENTS * AGENT_REQUESTS_PER_S} requests/s      p50 {before:6.1f} ms  "
        f"beside the people {after:6.1f} ms  ratio {after / before:5.2f}"
    )


async def _opened(browser: Browser, server: Server) -> Page:
    page = await (await browser.new_context()).new_page()
    await page.goto(address(server))
    await page.locator("#submit-step").wait_for()
    return page


async def _together(
    server: Server, scripts: Sequence[Script], pages: Sequence[Page]
) -> tuple[list[float], list[float], list[float]]:
    """Latencies of the agents, of those in Chromium and of those on the wire, all at once."""
    # The browser keeps one connection for its feed and opens others for what it asks.
    limits = httpx.Limits(max_connections=4 * PEOPLE, max_keepalive_connections=4 * PEOPLE)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}", limits=limits) as client:
        wire = await wire_id(client)
        on_the_wire = [OnTheWire(client, wire, number) for number in range(PEOPLE - len(pages))]
        beside, felt, answered = await asyncio.gather(
            _agents(server, scripts, TOGETHER_S),
            asyncio.gather(
                *(in_browser(page, human_pace(-n, TOGETHER_S)) for n, page in enumerate(pages, 1))
            ),
            asyncio.gather(*(one.play(human_pace(n, TOGETHER_S)) for n, one in enumerate(on_the_wire))),
        )
    return beside, [ms for one in felt for ms in one], [ms for one in answered for ms in one]


async def _agents(server: Server, scripts: Sequence[Script], for_s: float) -> list[float]:
    """Latencies of all agents; each asks at a fixed rate, so that slow answers do not thin the load out."""
    each = await asyncio.gather(*(_agent(server, script, for_s) for script in scripts))
    return [ms for one in each for ms in one]


async def _agent(server: Server, script: Script, for_s: float) -> list[float]:
    client = await Client(server.port).open()
    latencies: list[float] = []
    begun = time.perf_counter()
    for number in range(round(for_s * AGENT_REQUESTS_PER_S)):
        await asyncio.sleep(begun + number / AGENT_REQUESTS_PER_S - time.perf_counter())
        path, body = script[number % len(script)]
        start = time.perf_counter()
        await client.post(path, body)
        latencies.append(1e3 * (time.perf_counter() - start))
    client.close()
    return latencies


def _quantile(values: Sequence[float], q: float) -> float:
    return sorted(values)[min(len(values) - 1, int(q * len(values)))]


def _spread(values: Sequence[float]) -> str:
    low, high = _quantile(values, 0.5), _quantile(values, 0.95)
    return f"p50 {low:6.1f} ms  p95 {high:6.1f} ms  of {len(values):3d} steps"
