"""Journeys of one person: whole episodes by mouse, by keyboard, on a phone; looking back and playing on."""

from __future__ import annotations

import math
import re

import httpx
import pytest
from playwright.sync_api import Page, expect

from envs.catalog import ENVIRONMENTS
from tests.ui.conftest import OpenPage
from tests.ui.playing import (
    choose,
    has_steps,
    instance_of,
    journal,
    link,
    opened,
    play_step,
    sideways,
    submit,
)
from ui.plays import play_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("+", ""))


def chart_point(page: Page, index: int, of: int) -> tuple[float, float]:
    """Where a position of the chart is on the screen."""
    box = page.locator("series-chart").bounding_box()
    assert box is not None
    return box["x"] + 60 + (box["width"] - 84) * (index + 0.5) / of, box["y"] + 100


def test_a_whole_episode_can_be_played_by_mouse(visit: OpenPage, http: httpx.Client) -> None:
    page = visit()
    page.locator("[data-play='forecast-audit']").click()
    expect(page.locator("#scene h1")).to_have_text("Warehouse orders per hour")
    page.locator("series-chart .plot .main-svg").first.wait_for()
    page.mouse.click(*chart_point(page, 3, of=5))
    expect(page.locator("#act-target_index")).to_have_value("3")
    choose(page, "Impute")
    page.locator("#act-predicted_value").click()
    page.keyboard.type("135")
    page.locator("#act label", has_text="Low").click()
    page.locator("#act-rationale").click()
    page.keyboard.type("Series follows a +5 linear trend, so 12:00 is 135.")
    submit(page)
    expect(page.locator(".end .score b")).to_have_text("1.00")
    body = journal(http, instance_of(page))[-1]["body"]
    assert body == {
        "operation": "impute",
        "target_index": 3,
        "predicted_value": 135.0,
        "severity": "low",
        "violated_constraints": [],
        "rationale": "Series follows a +5 linear trend, so 12:00 is 135.",
    }
    strangers = play_of("forecast-audit").elsewhere["contract"]
    rivals = ENVIRONMENTS["forecast-audit"].policies.keys() - strangers
    expect(page.locator(".compare li")).to_have_count(1 + len(rivals))
    page.locator("[data-next]").click()
    expect(page.locator("#scene h1")).to_have_text("Card settlement")


def test_a_whole_episode_can_be_played_by_keyboard_alone(visit: OpenPage, http: httpx.Client) -> None:
    page = visit()
    page.locator("#picker h1").wait_for()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.play === 'forecast-audit'"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("#scene h1")).to_have_text("Warehouse orders per hour")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#act-target_index")).to_have_value("3")
    page.keyboard.press("1")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("135")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.type("A linear trend of +5: 12:00 is 135.")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".end .score b")).to_have_text("1.00")
    taken = journal(http, instance_of(page))[-1]["body"]
    assert isinstance(taken, dict)
    assert taken["severity"] == "low"
    page.keyboard.press("Enter")
    expect(page.locator("#scene h1")).to_have_text("Card settlement")


def test_the_reward_parts_add_up_to_the_printed_total(visit: OpenPage, http: httpx.Client) -> None:
    page = visit(link(opened(http)["id"]))
    play_step(page)
    parts = [number(text) for text in page.locator("#reward [data-part]").all_inner_texts()]
    assert len(parts) >= 8
    assert math.isclose(math.fsum(parts), number(page.locator("[data-total]").inner_text()), abs_tol=1e-9)


def test_a_chip_shows_its_step_and_playing_on_from_it_makes_a_copy(
    visit: OpenPage, http: httpx.Client
) -> None:
    made = opened(http)
    page = visit(link(made["id"]))
    play_step(page)
    play_step(page)
    page.locator("#timeline button.step").nth(1).click()
    expect(page.locator("#reward h2")).to_have_text("Step 1")
    expect(page.locator(".past-head")).to_contain_text("after step 1")
    page.locator("[data-fork]").click()
    has_steps(page, 1)
    expect(page.locator("#line")).to_contain_text("never counted")
    assert instance_of(page) != made["id"]
    play_step(page)
    assert len(journal(http, made["id"])) == 3
    assert len(journal(http, instance_of(page))) == 3


def test_what_is_wrong_is_said_at_its_field_and_keeps_what_was_filled_in(
    visit: OpenPage, http: httpx.Client
) -> None:
    made = opened(http)
    page = visit(link(made["id"]))
    submit(page)
    expect(page.locator("[data-path='operation'] .field-error")).to_have_text("Choose one.")
    choose(page, "Impute")
    page.fill("#act-target_index", "three")
    submit(page)
    expect(page.locator("[data-path='target_index'] .field-error")).to_contain_text("valid integer")
    expect(page.locator("#act-target_index")).to_have_attribute("aria-invalid", "true")
    assert len(journal(http, made["id"])) == 1
    page.fill("#act-target_index", "99")
    submit(page)
    expect(page.locator("[data-path='predicted_value'] .field-error")).to_have_text("Needed to impute.")
    assert len(journal(http, made["id"])) == 1
    page.fill("#act-predicted_value", "135")
    submit(page)
    expect(page.locator("[data-path='target_index'] .field-error")).to_contain_text("use 0 to 7")
    expect(page.locator("#act-target_index")).to_have_value("99")
    expect(page.locator("#timeline .step.illegal")).to_have_text(re.compile("not allowed"))


def test_the_preview_is_exactly_what_is_recorded(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = visit(link(made["id"]))
    choose(page, "Escalate")
    page.locator("#scene label.option").first.click()
    page.locator(".preview summary").click()
    preview = page.evaluate("JSON.parse(document.querySelector('.preview pre').textContent)")
    submit(page)
    has_steps(page, 1)
    taken = journal(http, made["id"])[-1]["body"]
    assert isinstance(taken, dict)
    assert preview.items() <= taken.items()


def test_nothing_moves_when_a_step_lands(visit: OpenPage, http: httpx.Client) -> None:
    page = visit(link(opened(http)["id"]))
    page.locator("series-chart .plot .main-svg").first.wait_for()
    watched = ("series-chart", "#act", "#submit-step", "#timeline", "#reward")
    before = {place: page.locator(place).bounding_box() for place in watched}
    play_step(page)
    after = {place: page.locator(place).bounding_box() for place in watched}
    for place in watched:
        was, now = before[place], after[place]
        assert was is not None
        assert now is not None
        assert (was["x"], was["y"]) == (now["x"], now["y"]), place


def test_a_phone_shows_the_form_above_the_timeline_and_nothing_scrolls_sideways(
    visit: OpenPage, http: httpx.Client
) -> None:
    page = visit(width=390, height=844)
    assert sideways(page) == 0
    page.goto(page.url.split("?")[0] + link(opened(http)["id"]))
    page.locator("#submit-step").wait_for()
    assert sideways(page) == 0
    play_step(page)
    form, timeline = page.locator("#act").bounding_box(), page.locator("#timeline").bounding_box()
    assert form is not None
    assert timeline is not None
    assert form["y"] < timeline["y"]
    assert sideways(page) == 0
