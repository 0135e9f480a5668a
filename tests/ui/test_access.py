"""axe-core finds nothing serious on any page or state, in either theme."""

from __future__ import annotations

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.ui.conftest import OpenPage
from tests.ui.playing import REPAIR, has_steps, link, opened, submit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SERIOUS = {"serious", "critical"}
PAGES = ("", "reports", "plots", "leaderboard", "human-baseline", "about")
THEMES = ("light", "dark")


def serious(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_no_serious_finding(visit: OpenPage, path: str, theme: str) -> None:
    page = visit(path, theme=theme)
    page.locator("h1").first.wait_for()
    assert serious(page) == []


@pytest.mark.parametrize("theme", THEMES)
def test_an_episode_has_no_serious_finding_in_any_state(
    visit: OpenPage, http: httpx.Client, theme: str
) -> None:
    made = opened(http)
    page = visit(link(made["id"]), theme=theme)
    submit(page)
    expect(page.locator("#act .field-error").first).to_be_visible()
    assert serious(page) == []
    http.post(f"{made['base_url']}/step", json=REPAIR | {"operation": "flag_anomaly"})
    has_steps(page, 1)
    page.locator("#timeline button.step").first.click()
    expect(page.locator(".back-now")).to_be_visible()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.locator("#new-case summary").click()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_be_visible()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.locator("#tab-button-api").click()
    assert serious(page) == []
    http.post(f"{made['base_url']}/step", json=REPAIR | {"operation": "flag_anomaly"})
    http.post(f"{made['base_url']}/step", json=REPAIR)
    page.locator("#tab-button-play").click()
    expect(page.locator(".compare li").first).to_be_visible()
    assert serious(page) == []
