"""What the journeys do again and again, in the words of a person at the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from playwright.sync_api import Page, expect

ENVIRONMENT = "forecast-audit"
REPAIR = {
    "operation": "repair_and_finalize",
    "target_index": 4,
    "predicted_value": 49.0,
    "severity": "high",
    "violated_constraints": ["Output cannot exceed the inverter rating of 100 MW."],
    "rationale": "17:00 shows 131 MW, above the inverter rating of 100 MW.",
}


def opened(http: httpx.Client, task_id: str = "hard_energy_forecast_001") -> dict[str, str]:
    """A new instance with that case on it: `id`, `watch_id`, `base_url` (path only)."""
    return began(http, ENVIRONMENT, {"task_id": task_id})


def began(
    http: httpx.Client,
    environment: str,
    request: Mapping[str, Any],
    by: Mapping[str, str] | None = None,
    route: str = "/reset",
) -> dict[str, str]:
    """A new instance of any environment on which such a case was begun, by the contract's route for it."""
    made: dict[str, str] = (
        http.post("/instances", json={"environment": environment}).raise_for_status().json()
    )
    base = f"/envs/{environment}/instances/{made['id']}"
    http.post(f"{base}{route}", json=request, headers=by).raise_for_status()
    return made | {"base_url": base}


def link(instance: str, environment: str = ENVIRONMENT, **more: str) -> str:
    """The page's address of an instance, below `/ui/`."""
    query = "&".join(f"{key}={value}" for key, value in {"instance": instance, **more}.items())
    return f"?env={environment}&{query}"


def instance_of(page: Page) -> str:
    """The instance that the page's address names."""
    return parse_qs(urlsplit(page.url).query)["instance"][0]


def choose(page: Page, label: str) -> None:
    """Takes the operation of that name."""
    page.locator("#act label.option", has_text=label).click()


def submit(page: Page) -> None:
    page.locator("#submit-step").click()


def steps(page: Page) -> int:
    """How many steps the timeline shows, the reset not counted."""
    return page.locator("#timeline button.step").count() - 1


def has_steps(page: Page, count: int) -> None:
    """Waits until the timeline shows that many steps."""
    expect(page.locator("#timeline button.step")).to_have_count(count + 1)


def play_step(page: Page, operation: str = "Flag anomaly", index: int = 4) -> None:
    """One step by the form, awaited."""
    choose(page, operation)
    before = steps(page)
    page.fill("#act-target_index", str(index))
    submit(page)
    has_steps(page, before + 1)


def journal(http: httpx.Client, instance: str) -> list[dict[str, object]]:
    entries: list[dict[str, object]] = http.get(f"/instances/{instance}/transcript").json()["entries"]
    return entries


def sideways(page: Page) -> int:
    """By how many pixels the page can be scrolled sideways."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
