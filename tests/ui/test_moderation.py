"""Journeys of a moderator: a case by mouse, a case by keyboard, and what a hostile post does to the page."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.ui.conftest import OpenPage
from tests.ui.playing import began, has_steps, journal, sideways, submit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SLUG = "moderation"


def opened(http: httpx.Client, task: str = "hard", seed: int = 777) -> str:
    """A new instance with that case on it."""
    return began(http, SLUG, {"task": task, "seed": seed})["id"]


def click(page: Page, name: str) -> None:
    page.locator(".moves").get_by_role("button", name=name, exact=True).click()


def test_a_case_can_be_looked_into_and_decided_by_mouse(visit: OpenPage, http: httpx.Client) -> None:
    instance = opened(http)
    page = visit(f"?env={SLUG}&instance={instance}")
    expect(page.locator("#scene")).to_contain_text("Content warning")
    for count, name in enumerate(("Open the thread", "Open the history", "insults"), start=1):
        click(page, name)
        has_steps(page, count)
    expect(page.locator("#scene")).to_contain_text("The thread")
    expect(page.locator("#scene")).to_contain_text("Clause insults: Insults")
    page.locator("#act label.option", has_text="Mark violation type").click()
    page.locator("#act label.option", has_text="Harassment").click()
    submit(page)
    has_steps(page, 4)
    click(page, "Escalate")
    expect(page.locator("#scene")).to_contain_text("The ruling")
    expect(page.locator(".moves")).to_have_count(0)
    expect(page.locator(".compare li").first).to_be_visible()
    taken = [entry["body"] for entry in journal(http, instance)[1:]]
    assert [body["action"] for body in taken if isinstance(body, dict)] == [
        "fetch_thread_context",
        "fetch_user_history",
        "check_policy_clause",
        "mark_violation_type",
        "escalate",
    ]


def test_a_case_can_be_decided_by_keyboard_alone(visit: OpenPage, http: httpx.Client) -> None:
    instance = opened(http, "easy", 42)
    page = visit(f"?env={SLUG}&instance={instance}")
    page.locator("#submit-step").wait_for()
    for key, count in (("1", 1), ("2", 2), ("6", 3)):
        page.keyboard.press(key)
        page.keyboard.press("Control+Enter")
        has_steps(page, count)
    expect(page.locator(".end .score b")).to_be_visible()
    body = journal(http, instance)[-1]["body"]
    assert isinstance(body, dict)
    assert body["action"] == "flag"


def test_a_button_leaves_what_was_filled_in(visit: OpenPage, http: httpx.Client) -> None:
    page = visit(f"?env={SLUG}&instance={opened(http)}")
    page.locator("#act label.option", has_text="Mark violation type").click()
    page.locator("#act label.option", has_text="Spam").click()
    click(page, "Open the thread")
    has_steps(page, 1)
    expect(page.locator("#act label.option", has_text="Spam").locator("input")).to_be_checked()


def test_everything_that_was_opened_fits_a_phone(visit: OpenPage, http: httpx.Client) -> None:
    page = visit(f"?env={SLUG}&instance={opened(http)}", width=390, height=844)
    for count, name in enumerate(("Open the thread", "Open the history", "threats", "satire"), start=1):
        click(page, name)
        has_steps(page, count)
        assert sideways(page) == 0


def test_the_form_shows_what_the_chosen_action_uses_and_sends_nothing_else(
    visit: OpenPage, http: httpx.Client
) -> None:
    instance = opened(http)
    page = visit(f"?env={SLUG}&instance={instance}")
    kind, clause = page.locator("#act [data-path=violation_type]"), page.locator("#act [data-path=clause_id]")
    page.locator("#act label.option", has_text="Mark violation type").click()
    expect(page.locator("#act [data-told]")).to_contain_text("only the first mark counts")
    expect(kind).to_contain_text("needed")
    expect(clause).to_be_hidden()
    page.locator("#act label.option", has_text="Spam").click()
    page.locator("#act label.option", has_text="Fetch user history").click()
    expect(kind).to_be_hidden()
    submit(page)
    has_steps(page, 1)
    body = journal(http, instance)[-1]["body"]
    assert isinstance(body, dict)
    assert (body["action"], body["violation_type"]) == ("fetch_user_history", None)
