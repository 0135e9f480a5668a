"""Journeys of an overseer: a shift by mouse, one by keyboard, its end, and questions to its index."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.ui.conftest import OpenPage
from tests.ui.playing import began, has_steps, journal, sideways

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SLUG = "fleet"
EASY = {"task_id": "easy_fleet", "seed": 42}


def opened(http: httpx.Client) -> dict[str, str]:
    return began(http, SLUG, EASY, route="/fleet/reset")


def click(page: Page, act: str, worker: int) -> None:
    group = page.get_by_role("group", name=act)
    group.get_by_role("button", name=f"worker_{worker}").click()


def overseen(http: httpx.Client) -> str:
    """An instance whose shift has ended: one look at each worker, one intervention on each of three."""
    made = opened(http)
    acts = [("monitor", worker) for worker in range(5)] + [("intervene", worker) for worker in range(3)]
    for act, worker in acts:
        body = {"action_type": act, "worker_id": f"worker_{worker}"}
        http.post(f"{made['base_url']}/fleet/step", json=body).raise_for_status()
    return made["id"]


def test_a_shift_can_be_overseen_by_mouse_and_its_index_asked(visit: OpenPage, http: httpx.Client) -> None:
    instance = opened(http)["id"]
    page = visit(f"?env={SLUG}&instance={instance}")
    for count, (act, worker) in enumerate(
        (("Monitor", 1), ("Approve", 0), ("Escalate", 2), ("Intervene", 3), ("Approve", 4)), start=1
    ):
        click(page, act, worker)
        has_steps(page, count)
    for count in range(6, 9):
        click(page, "Monitor", count - 6)
        has_steps(page, count)
    scene = page.locator("#scene")
    expect(scene).to_contain_text("Faults and acts, step by step")
    expect(scene).to_contain_text("8 of 8 steps of easy_fleet were spent")
    expect(scene).to_contain_text("min pipeline quality")
    expect(page.locator(".moves")).to_have_count(0)
    page.get_by_role("textbox", name="Ask the index").fill("Who may switch a worker off?")
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.locator("route-inquiry .meta")).to_contain_text("confidence")
    page.locator("route-inquiry summary").click()
    expect(page.locator("route-inquiry details p").first).to_be_visible()


def test_a_shift_can_be_overseen_by_keyboard_alone(visit: OpenPage, http: httpx.Client) -> None:
    instance = opened(http)["id"]
    page = visit(f"?env={SLUG}&instance={instance}")
    page.locator("#submit-step").wait_for()
    page.keyboard.press("3")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Control+Enter")
    has_steps(page, 1)
    body = journal(http, instance)[-1]["body"]
    assert isinstance(body, dict)
    assert (body["action_type"], body["worker_id"]) == ("approve", "worker_0")


def test_an_audit_is_filled_in_row_by_row(visit: OpenPage, http: httpx.Client) -> None:
    instance = opened(http)["id"]
    page = visit(f"?env={SLUG}&instance={instance}")
    page.locator("#submit-step").wait_for()
    page.keyboard.press("7")
    rows, add = page.locator(".list .row"), page.get_by_role("button", name="Add to findings")
    for _ in range(2):
        add.click()
    page.get_by_label("Worker", exact=True).first.select_option(label="worker_0")
    rows.last.get_by_label("Worker").select_option(label="worker_2")
    page.locator("#submit-step").click()
    expect(rows.last.locator(".field-error:visible")).to_have_text("Choose one.")
    rows.last.get_by_label("Fault").select_option(label="Slow drift")
    page.reload()
    expect(rows).to_have_count(2)
    rows.first.get_by_role("button", name="Remove").click()
    rows.last.get_by_label("Evidence").select_option(index=1)
    page.locator("#submit-step").click()
    has_steps(page, 1)
    body = journal(http, instance)[-1]["body"]
    assert isinstance(body, dict)
    (finding,) = body["findings"]
    assert (finding["worker_id"], finding["fault"]) == ("worker_2", "slow_drift")
    assert finding["evidence"].startswith("step 0: ")


def test_what_an_end_tells_is_gone_while_one_looks_back(visit: OpenPage, http: httpx.Client) -> None:
    page = visit(f"?env={SLUG}&instance={overseen(http)}")
    expect(page.locator("route-inquiry")).to_have_count(1)
    page.locator("#timeline button.step").nth(3).click()
    expect(page.locator("route-inquiry")).to_have_count(0)
    expect(page.locator("#scene")).not_to_contain_text("Faults and acts")


def test_the_end_fits_a_phone(visit: OpenPage, http: httpx.Client) -> None:
    page = visit(f"?env={SLUG}&instance={overseen(http)}", width=390, height=844)
    page.locator("route-inquiry").get_by_role("button").first.click()
    expect(page.locator("route-inquiry .asked")).to_have_count(1)
    assert sideways(page) == 0


def test_the_curves_of_training_are_on_plots(visit: OpenPage) -> None:
    page = visit(f"plots?env={SLUG}")
    expect(page.locator("curve-chart .main-svg").first).to_be_visible()
    expect(page.locator("figure[data-plot=training-reward]")).to_contain_text("In training it went from")
