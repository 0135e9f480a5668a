"""Leaving and coming back: reload, Back, dropped connections, two presses."""

from __future__ import annotations

import time

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.ui.conftest import OpenPage
from tests.ui.playing import choose, has_steps, instance_of, journal, link, opened, play_step, submit

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def fill(page: Page) -> None:
    choose(page, "Escalate")
    page.fill("#act-target_index", "4")
    page.fill("#act-rationale", "17:00 is above the rating.")
    page.locator("#scene label.option").first.click()


def is_filled(page: Page) -> None:
    expect(page.locator("#act input:checked").first).to_have_value('"escalate"')
    expect(page.locator("#act-target_index")).to_have_value("4")
    expect(page.locator("#act-rationale")).to_have_value("17:00 is above the rating.")
    expect(page.locator("#scene input").first).to_be_checked()


def test_a_reload_resumes_the_instance_and_the_draft(visit: OpenPage, http: httpx.Client) -> None:
    page = visit(link(opened(http)["id"]))
    play_step(page)
    fill(page)
    page.reload()
    has_steps(page, 1)
    is_filled(page)


def test_back_from_elsewhere_finds_the_fields_as_left(visit: OpenPage, http: httpx.Client) -> None:
    page = visit(link(opened(http)["id"]))
    page.locator("#submit-step").wait_for()
    fill(page)
    page.locator(".nav a", has_text="About").click()
    expect(page.locator("h1")).to_have_text("About")
    page.go_back()
    is_filled(page)


def test_back_goes_to_the_tab_before_and_a_link_to_a_tab_opens_it(
    visit: OpenPage, http: httpx.Client
) -> None:
    made = opened(http)
    page = visit(link(made["id"]))
    page.locator("#submit-step").wait_for()
    page.locator("#tab-button-api").click()
    expect(page.locator("#tab-api")).to_be_visible()
    page.go_back()
    expect(page.locator("#scene")).to_be_visible()
    expect(page.locator("#tab-api")).not_to_be_visible()
    direct = visit(link(made["id"], tab="api"))
    expect(direct.locator("#tab-api")).to_be_visible()
    expect(direct.locator("#tab-button-api")).to_have_attribute("aria-selected", "true")


def test_the_picker_offers_to_continue_where_one_left(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = visit(link(made["id"]))
    play_step(page)
    page.locator(".brand").click()
    page.locator(f"[data-open='{made['id']}']").click()
    has_steps(page, 1)
    assert instance_of(page) == made["id"]


def test_a_step_survives_a_dropped_connection_once(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = visit(link(made["id"]))
    choose(page, "Flag anomaly")
    page.fill("#act-target_index", "4")
    page.context.set_offline(True)
    submit(page)
    expect(page.locator(".note")).to_contain_text("Connection lost")
    expect(page.locator("#live")).to_have_attribute("data-mode", "off")
    time.sleep(3.0)
    page.context.set_offline(False)
    has_steps(page, 1)
    expect(page.locator(".note")).to_have_count(0)
    expect(page.locator("#live")).to_have_attribute("data-mode", "on")
    assert len(journal(http, made["id"])) == 2


def test_an_answer_lost_on_its_way_does_not_double_the_step(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = visit(link(made["id"]))
    choose(page, "Flag anomaly")
    page.fill("#act-target_index", "4")
    lost = []

    def lose_first_act(route: object) -> None:
        if '"fn_name":"act"' in (route.request.post_data or "") and not lost:  # type: ignore[attr-defined]
            lost.append(route.fetch())  # type: ignore[attr-defined]
            route.abort()  # type: ignore[attr-defined]
        else:
            route.continue_()  # type: ignore[attr-defined]

    page.route("**/component_server/*", lose_first_act)
    submit(page)
    has_steps(page, 1)
    assert len(lost) == 1
    assert len(journal(http, made["id"])) == 2


def test_a_double_press_is_one_step_and_a_second_decision_is_a_second(
    visit: OpenPage, http: httpx.Client
) -> None:
    made = opened(http)
    page = visit(link(made["id"]))
    choose(page, "Flag anomaly")
    page.fill("#act-target_index", "4")
    page.locator("#submit-step").dblclick()
    has_steps(page, 1)
    assert len(journal(http, made["id"])) == 2
    choose(page, "Escalate")
    submit(page)
    has_steps(page, 2)
    assert len(journal(http, made["id"])) == 3


def test_an_unknown_instance_gets_a_page_that_says_so(visit: OpenPage) -> None:
    page = visit(link("0" * 32))
    expect(page.locator("#scene h1")).to_have_text("This instance cannot be shown")
    expect(page.locator("#act form")).to_have_count(0)
