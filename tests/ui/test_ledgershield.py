"""Journeys of an analyst at the accounts-payable desk: from the unread invoice to a decision, by clicking."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.ui.conftest import OpenPage
from tests.ui.playing import began, has_steps, journal, link, sideways, submit
from tests.ui.test_access import serious

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SLUG = "ledgershield"
READ = ("Zoom the head (0.20)", "Zoom the foot (0.20)")
LOOKS = ("Compare the account (0.15)", "E-mail thread (0.25)", "Who approved the account (0.30)")


def opened(http: httpx.Client, case_id: str = "CASE-D-001") -> str:
    """A new instance with that case on it."""
    return began(http, SLUG, {"case_id": case_id})["id"]


def click(page: Page, *names: str) -> None:
    """One button of the scene after the other, each awaited."""
    for name in names:
        before = page.locator("#timeline button.step").count() - 1
        page.locator("#scene").get_by_role("button", name=name, exact=True).click()
        has_steps(page, before + 1)


def body(http: httpx.Client, instance: str) -> dict[str, Any]:
    last = journal(http, instance)[-1]["body"]
    assert isinstance(last, dict)
    return dict(last)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def test_a_case_is_played_to_a_decision_by_clicking_alone(visit: OpenPage, http: httpx.Client) -> None:
    instance = opened(http)
    page = visit(link(instance, SLUG))
    scene, form = page.locator("#scene"), page.locator("#act")
    expect(scene).to_contain_text("Nothing of it was read.")
    expect(scene).not_to_contain_text("Halden")
    click(page, *READ)
    expect(scene.locator(".read")).to_contain_text("Halden Tools GmbH")
    click(page, *LOOKS)
    expect(scene).to_contain_text("not on file")
    expect(scene).to_contain_text("on its way")
    form.locator("select").first.select_option('"submit_decision"')
    form.locator("label.option", has_text="Escalate fraud").click()
    form.locator("[data-path=reason_codes] label.option").first.click()
    form.locator("[data-path=evidence_map] label.option").first.click()
    form.locator('[data-path="policy_checks.bank_change_verification"] label', has_text="Fail").click()
    form.locator("[data-path=predicted_probabilities] label", has_text="Bank fraud").locator("input").click()
    submit(page)
    expect(page.locator(".end .score b")).to_be_visible()
    expect(scene).to_contain_text("What was behind it")
    expect(scene.locator("[data-move], [data-drawn]")).to_have_count(0)
    said = body(http, instance)
    assert said["decision"] == "ESCALATE_FRAUD"
    assert said["reason_codes"] == ["bank_override_attempt"]
    assert said["evidence_map"]["bank_override_attempt"]["artifact_id"] == "bank:DE93999999990000054321"
    assert said["policy_checks"] == {"bank_change_verification": "fail"}
    assert sum(said["predicted_probabilities"].values()) == pytest.approx(1.0)


def test_a_box_drawn_on_the_page_is_read_there(visit: OpenPage, http: httpx.Client) -> None:
    instance = opened(http)
    page = visit(link(instance, SLUG))
    paper = page.locator("#scene .paper svg")
    paper.scroll_into_view_if_needed()
    corner = paper.bounding_box()
    assert corner is not None
    scale = corner["width"] / 595
    page.mouse.move(corner["x"] + 30 * scale, corner["y"] + 30 * scale)
    page.mouse.down()
    page.mouse.move(corner["x"] + 400 * scale, corner["y"] + 90 * scale, steps=4)
    page.mouse.up()
    page.get_by_role("button", name="Zoom (0.20)", exact=True).click()
    has_steps(page, 1)
    expect(page.locator("#scene .read")).to_contain_text("Halden Tools GmbH")
    assert body(http, instance)["bbox"] == pytest.approx([30, 30, 400, 90], abs=2)


def test_an_invoice_is_written_down_without_json(visit: OpenPage, http: httpx.Client) -> None:
    instance = opened(http, "CASE-A-001")
    page = visit(link(instance, SLUG))
    click(page, "Read all, accurate (1.10)")
    form = page.locator("#act")
    form.locator("select").first.select_option('"submit_decision"')
    form.locator('[data-path="extracted_fields.currency"] input').fill("EUR")
    form.locator("[data-path=line_items] label.option").first.click()
    submit(page)
    expect(page.locator(".end .score b")).to_be_visible()
    said = body(http, instance)
    assert said["extracted_fields"] == {"currency": "EUR"}
    assert len(said["line_items"]) == 1


def test_the_desk_fits_a_phone_with_everything_open(visit: OpenPage, http: httpx.Client) -> None:
    page = visit(link(opened(http), SLUG), width=390, height=844)
    click(page, *READ, *LOOKS)
    page.locator("#act select").first.select_option('"submit_decision"')
    assert sideways(page) == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_desk_has_no_serious_finding(visit: OpenPage, http: httpx.Client, theme: str) -> None:
    page = visit(link(opened(http), SLUG), theme=theme)
    click(page, *READ, *LOOKS)
    page.locator("#act select").first.select_option('"submit_decision"')
    assert serious(page) == []
