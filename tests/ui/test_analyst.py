"""Journeys of somebody who asks an analyst: by mouse, by keyboard, with a file, beside others."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.ui.conftest import OpenPage
from tests.ui.playing import instance_of, journal, link, sideways
from tests.ui.test_access import serious

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SLUG = "analyst"
REGIONS = "What was total revenue by region last quarter?"
COLUMNS = "day,store,item,price,units,discount,margin,region,channel,clerk,till,note"
EVIL = "<img src=x onerror=window.hurt=1>${window.hurt=2}{{7*7}}"
SALES = f"""{COLUMNS}
2026-01-03,North Street,Tea,3.5,20,0.1,0.3,East,web,Ann,1,{EVIL}
2026-01-04,South Street,Coffee,4.5,12,0.0,0.4,West,shop,Bo,2,{"word " * 60}
2026-02-04,South Street,Tea,3.5,7,0.0,0.4,West,shop,Bo,2,ok
"""
STREAM = "**/api/v2/chat/stream"


def opened(visit: OpenPage, **more: int | str) -> Page:
    """A new analysis in a browser of its own."""
    page = visit(f"?env={SLUG}", **more)
    page.locator("#submit-step").wait_for()
    return page


def answers(page: Page, count: int) -> None:
    """Waits until that many questions are answered, and nothing is under way."""
    expect(page.locator(".turn[data-message]")).to_have_count(count)
    expect(page.locator("#stop-turn")).to_be_hidden()


def ask(page: Page, question: str) -> None:
    """Asks by the form, and waits for the answer."""
    before = page.locator(".turn").count()
    page.fill("#act-message", question)
    page.locator("#submit-step").click()
    answers(page, before + 1)


def add(page: Page, name: str = "sales.csv", content: str = SALES) -> None:
    page.locator("source-shelf input").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": content.encode()}
    )
    expect(page.locator("source-shelf [role=status]")).to_contain_text(f"{name} is ready")


def base(instance: str) -> str:
    return f"/envs/{SLUG}/instances/{instance}"


def asked_by_program(http: httpx.Client, instance: str, message: str) -> None:
    body = {"user_id": "bot", "analysis_id": instance, "message": message}
    headers = {"X-Actor": "agent:bot"}
    http.post(f"{base(instance)}/api/v2/chat/stream", json=body, headers=headers, timeout=60.0)


def held(page: Page) -> Callable[[], None]:
    """Keeps the page's questions from the server until the function returned is called."""
    waiting: list[Route] = []

    def keep(route: Route) -> None:
        waiting.append(route)

    page.route(STREAM, keep)
    return lambda: page.unroute(STREAM)


def test_an_answer_has_its_table_its_picture_and_its_evidence_and_outlives_a_reload(visit: OpenPage) -> None:
    page = opened(visit)
    ask(page, REGIONS)
    answer = page.locator(".answer").first
    expect(answer.locator(".grid tbody tr")).to_have_count(5)
    expect(answer.locator(".grid")).to_contain_text("1,209,999.70")
    answer.locator("answer-chart .main-svg").first.wait_for()
    answer.locator(".evidence > summary").click()
    expect(answer.locator(".sql")).to_contain_text("SELECT")
    expect(answer.locator(".plan li")).to_have_count(2)
    answer.locator(".call summary", has_text="retrieve_data").click()
    expect(answer.locator(".call .given").nth(1)).to_contain_text("sum of amount as total_amount")
    with page.expect_download() as download:
        answer.get_by_role("button", name="Download CSV").click()
    assert download.value.path().read_text().splitlines()[1] == "Central,1209999.7"
    ask(page, "by month instead")
    expect(page.locator(".answer").last.locator(".grid tbody tr")).to_have_count(3)
    page.reload()
    answers(page, 2)
    expect(page.locator(".turn").first).to_contain_text(REGIONS)
    expect(page.locator(".turn").first.locator(".grid tbody tr")).to_have_count(5)
    page.get_by_role("button", name="Erase").click()
    page.get_by_role("button", name="Really erase everything?").click()
    expect(page.locator("#scene")).to_contain_text("was erased")


def test_a_question_back_is_answered_by_a_button_and_an_answer_by_its_document(visit: OpenPage) -> None:
    page = opened(visit)
    ask(page, "best product")
    page.get_by_role("group", name="Did you mean").get_by_role("button", name="by revenue").click()
    answers(page, 2)
    expect(page.locator(".turn").last.locator(".grid")).to_be_visible()
    expect(page.locator(".turn").first.get_by_role("button", name="by revenue")).to_have_count(0)
    ask(page, "What does the handbook say about known gaps in the data?")
    page.locator(".evidence > summary").last.click()
    expect(page.locator(".evidence").last).to_contain_text("sales_handbook.pdf, page")
    page.get_by_role("button", name="What can I do here?").click()
    answers(page, 4)


def test_a_file_is_asked_first_by_its_owner_and_never_by_anybody_else(
    visit: OpenPage, http: httpx.Client
) -> None:
    anna, ben = opened(visit), opened(visit)
    add(anna)
    expect(anna.locator("source-shelf .source").first).to_contain_text("sales.csv 3 rows")
    anna.get_by_role("button", name="Total units by month").click()
    answers(anna, 1)
    expect(anna.locator(".grid")).to_contain_text("32")
    ask(anna, "how many rows?")
    expect(anna.locator(".answer").last).to_contain_text("3")
    ask(ben, "how many rows?")
    expect(ben.locator(".answer .grid")).to_have_count(0)
    ask(ben, "how many units by store?")
    expect(ben.locator(".turns")).not_to_contain_text("South Street")
    expect(ben.locator("source-shelf")).not_to_contain_text("sales.csv")
    ask(anna, f"Show {COLUMNS.replace(',', ', ')}")
    expect(anna.locator(".turn").last).to_contain_text(EVIL)
    assert anna.evaluate("window.hurt ?? null") is None
    remove = anna.locator("source-shelf button", has_text="Remove")
    remove.click()
    anna.locator("source-shelf button", has_text="Really remove?").click()
    expect(anna.locator("source-shelf .source").first).to_contain_text("shop")
    asked_by_program(http, "default", REGIONS)
    shared = visit(link(f"default-{SLUG}-v1", SLUG))
    expect(shared.locator("source-shelf .source").first).to_contain_text("shop")
    expect(shared.locator("#line")).to_contain_text("Shared by everybody")
    expect(shared.locator("source-shelf .add")).to_be_hidden()
    refused = http.post(f"/envs/{SLUG}/api/v1/analyses/default/sources", files={"file": ("a.csv", SALES)})
    assert refused.status_code == 403


def test_a_wide_table_scrolls_inside_its_own_frame_on_a_phone(visit: OpenPage) -> None:
    page = opened(visit, width=390, height=844)
    add(page)
    ask(page, f"Show {COLUMNS.replace(',', ', ')}")
    frame = page.locator(".grid .scroll")
    expect(frame.locator("th")).to_have_count(12)
    assert frame.evaluate("e => e.scrollWidth > e.clientWidth && e.tabIndex === 0")
    last = frame.locator("th").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    assert frame.locator("td").last.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert sideways(page) == 0


def test_an_analysis_can_be_held_by_keyboard_alone(visit: OpenPage) -> None:
    page = opened(visit)
    tab_to(page, "e => e.id === 'act-message'")
    page.keyboard.type(REGIONS)
    page.keyboard.press("Enter")
    answers(page, 1)
    tab_to(page, "e => e.matches('.evidence > summary')", "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".sql")).to_be_visible()
    tab_to(page, "e => e.id === 'aim-objective'")
    page.keyboard.type("Why did the West dip?")
    page.keyboard.press("Tab")
    page.keyboard.type("Which region grew?")
    expect(page.locator("[data-saved]")).to_have_text("Not saved yet.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-saved]")).to_have_text("Saved.")
    expect(page.locator("#scene h1")).to_have_text("Why did the West dip?")
    expect(page.locator(".asks").get_by_role("button", name="Which region grew?")).to_be_visible()


def tab_to(page: Page, wanted: str, key: str = "Tab") -> None:
    for _ in range(60):
        page.keyboard.press(key)
        if page.evaluate(f"({wanted})(document.activeElement)"):
            return
    raise AssertionError(f"{key} does not reach {wanted}")


def test_a_reload_loses_neither_what_is_typed_nor_what_is_asked(visit: OpenPage, http: httpx.Client) -> None:
    page = opened(visit)
    page.fill("#act-message", "half a ques")
    page.reload()
    expect(page.locator("#act-message")).to_have_value("half a ques")
    release = held(page)
    page.fill("#act-message", REGIONS)
    page.locator("#submit-step").click()
    expect(page.locator("live-turn .asked")).to_have_text(REGIONS)
    release()
    page.reload()
    answers(page, 1)
    expect(page.locator("#act-message")).to_have_value("")
    page.reload()
    answers(page, 1)
    assert len(journal(http, instance_of(page))) == 2


def test_a_question_that_is_stopped_comes_back_and_leaves_no_step(
    visit: OpenPage, http: httpx.Client
) -> None:
    page = opened(visit)
    release = held(page)
    page.fill("#act-message", REGIONS)
    page.locator("#submit-step").click()
    expect(page.locator("#act-message")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#act-message")).to_have_value(REGIONS)
    expect(page.locator("#act-message")).to_be_focused()
    page.locator("#submit-step").click()
    page.locator("#stop-turn").click()
    expect(page.locator("#act-message")).to_have_value(REGIONS)
    expect(page.locator(".composer .form-error")).to_contain_text("Stopped")
    assert len(journal(http, instance_of(page))) == 1
    release()
    page.locator("#submit-step").click()
    answers(page, 1)
    expect(page.locator(".composer .form-error")).to_be_hidden()


def test_what_a_program_asks_stands_on_the_page_of_everybody(visit: OpenPage, http: httpx.Client) -> None:
    page = opened(visit)
    instance = instance_of(page)
    watch_id = http.get(f"/instances/{instance}").json()["watch_id"]
    watcher = visit(link(watch_id, SLUG))
    asked_by_program(http, instance, REGIONS)
    for each in (page, watcher):
        answers(each, 1)
        expect(each.locator(".turn .who")).to_have_text("bot")
    expect(watcher.locator("#tab-play textarea")).to_have_count(0)
    assert instance not in watcher.content()
    page.locator("#timeline button.step").first.click()
    expect(page.locator(".turn")).to_have_count(0)
    page.keyboard.press("Escape")
    answers(page, 1)


def test_an_analysis_has_no_serious_finding_in_either_theme(visit: OpenPage) -> None:
    page = opened(visit)
    page.locator("source-shelf .source").first.wait_for()
    ask(page, REGIONS)
    ask(page, "best product")
    page.locator(".evidence > summary").first.click()
    page.locator(".call summary").first.click()
    page.locator("#submit-step").click()
    expect(page.locator(".composer .field-error")).to_be_visible()
    assert serious(page) == []
    page.locator("#theme").click()
    assert serious(page) == []
