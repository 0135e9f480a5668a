"""Other people's words come out as words: markup, scripts, templates, marks that turn the writing round."""

from __future__ import annotations

from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import expect

from tests.ui.conftest import OpenPage
from tests.ui.playing import REPAIR, has_steps, link, opened

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EVIL = (
    "<img src=x onerror=\"window.hurt='markup'\"><script>window.hurt='script'</script>"
    "${window.hurt='template'}`${window.hurt='tick'}`{{window}} \\u0041 \u202e\u2066turned"
)


def test_a_callers_words_are_shown_and_never_run(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = visit(link(made["id"]))
    label = "<b>bold</b>${window.hurt='label'}"
    headers = {"X-Actor": f"agent:{label}"}
    body = REPAIR | {"operation": "flag_anomaly", "rationale": EVIL, "violated_constraints": [EVIL]}
    http.post(f"{made['base_url']}/step", json=body, headers=headers).raise_for_status()
    has_steps(page, 1)
    page.locator("#timeline button.step").nth(1).click()
    page.locator(".taken summary").click()
    expect(page.locator(".taken pre")).to_contain_text("${window.hurt='template'}")
    expect(page.locator(".taken pre")).to_contain_text("<script>window.hurt='script'</script>")
    assert page.evaluate("window.hurt ?? null") is None
    assert page.locator("#timeline b, #timeline img, #timeline script").count() == 0


def test_ones_own_draft_is_text_too(visit: OpenPage, http: httpx.Client) -> None:
    page = visit(link(opened(http)["id"]))
    page.fill("#act-rationale", EVIL)
    page.fill("#act-target_index", EVIL)
    page.locator(".preview summary").click()
    page.locator("#submit-step").click()
    expect(page.locator("[data-path='operation'] .field-error")).to_be_visible()
    page.reload()
    expect(page.locator("#act-rationale")).to_have_value(EVIL)
    assert page.evaluate("window.hurt ?? null") is None


def test_an_address_with_markup_in_it_is_harmless(visit: OpenPage) -> None:
    page = visit(link(quote("<img src=x onerror='window.hurt=1'>${window.hurt=2}")))
    expect(page.locator("#scene h1")).to_have_text("This instance cannot be shown")
    assert page.evaluate("window.hurt ?? null") is None
