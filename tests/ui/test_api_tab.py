"""The API tab in a browser: what it sends is real, and the Play tab moves with it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from playwright.sync_api import FilePayload, Page, expect
from websockets.sync.client import connect

from envs.catalog import ENVIRONMENTS
from tests.conftest import Server
from tests.ui.conftest import OpenPage
from tests.ui.playing import ENVIRONMENT, REPAIR, choose, has_steps, journal, link, opened, sideways
from tests.ui.test_access import serious
from tests.ui.test_untrusted import EVIL

pytestmark = [pytest.mark.browser, pytest.mark.slow]

STEP = "post /envs/forecast-audit/instances/{instance_id}/step"
EVENTS = "get /instances/{instance_id}/events"
ERASE = "delete /instances/{instance_id}"
SUMMARY = "get /instances/{instance_id}"


def api(visit: OpenPage, instance: str, environment: str = ENVIRONMENT, **window: object) -> Page:
    """The API tab of an instance, its routes listed."""
    page = visit(link(instance, environment, tab="api"), **window)
    expect(page.locator("#api-title")).to_be_visible()
    return page


def test_the_addresses_of_socket_and_mcp_join_the_instance_in_play(
    visit: OpenPage, http: httpx.Client
) -> None:
    instance = opened(http)["id"]
    page = api(visit, instance)
    with connect(page.locator("#api-ws-url").inner_text()) as socket:
        socket.send(json.dumps({"type": "step", "data": {"operation": "flag_anomaly", "target_index": 4}}))
        assert json.loads(socket.recv(timeout=30))["type"] == "observation"
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    tool = {"name": "flag_anomaly", "arguments": {"target_index": 4}}
    answer = http.post(page.locator("#api-mcp-url").inner_text(), json=call | {"params": tool})
    assert "error" not in answer.raise_for_status().json()
    assert [entry["surface"] for entry in journal(http, instance)] == ["http", "ws", "mcp"]


def take(page: Page, route: str) -> None:
    """Chooses a route by method and path."""
    page.locator(f'[data-route="{route}"]').click()


def show(page: Page, view: str) -> None:
    """Turns to Try it, curl or Python."""
    page.locator(".api-views label", has_text=view).click()


def send(page: Page) -> None:
    page.locator("#api-submit").click()


def has_status(page: Page, code: int) -> None:
    expect(page.locator("#api-answer")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#api-status-code")).to_have_text(re.compile(rf"^{code}\b"))


def last(http: httpx.Client, instance: str) -> dict[str, Any]:
    return journal(http, instance)[-1]


def top(page: Page) -> float:
    """Where the last card begins, in pixels from the top of the document."""
    place: float = page.locator("#api-agent").evaluate("card => card.getBoundingClientRect().top + scrollY")
    return place


# The addresses


def test_both_addresses_are_copied_and_lead_here(visit: OpenPage, http: httpx.Client, server: Server) -> None:
    made = opened(http)
    page = api(visit, made["id"])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for shown, expected in (
        ("api-base-url", f"{server.url}{made['base_url']}"),
        ("api-watch-url", f"{server.url}/ui/{link(made['watch_id'])}"),
    ):
        page.locator(f'[data-copy="{shown}"]').click()
        expect(page.locator(".note[data-code=copy]")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == expected
        assert httpx.get(expected + ("/state" if "base" in shown else "")).status_code == 200


def test_the_shared_instance_is_called_shared(visit: OpenPage, http: httpx.Client) -> None:
    http.post("/envs/forecast-audit/reset", json={})
    environments = http.get("/catalog").json()["environments"]
    shared = next(each["shared_instance"] for each in environments if each["slug"] == "forecast-audit")
    page = api(visit, shared)
    expect(page.locator("#api")).to_contain_text("Everybody who names no instance plays here")


# Try it


def test_a_step_sent_here_is_on_the_play_tab(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = api(visit, made["id"])
    body = json.dumps(REPAIR | {"operation": "flag_anomaly"}, indent=2)
    page.fill("#api-body", body)
    send(page)
    has_status(page, 200)
    expect(page.locator("#api-status")).to_contain_text(re.compile(r"\d\.\d ms.*\d (k?B)", re.DOTALL))
    expect(page.locator("#api-answer-body")).to_contain_text('"step_count": 1')
    page.locator(".api-parts label", has_text="Headers").click()
    expect(page.locator("#api-answer-headers")).to_contain_text(made["id"])
    page.locator("#tab-button-play").click()
    has_steps(page, 1)
    assert last(http, made["id"])["surface"] == "http"


def test_the_form_on_play_fills_in_the_body(visit: OpenPage, http: httpx.Client) -> None:
    page = visit(link(opened(http)["id"]))
    choose(page, "Flag anomaly")
    page.fill("#act-target_index", "4")
    page.locator("#tab-button-api").click()
    expect(page.locator("#api-body-origin")).to_have_text("from the form on Play, editable")
    assert json.loads(page.input_value("#api-body"))["target_index"] == 4
    page.locator("#tab-button-play").click()
    page.fill("#act-target_index", "5")
    page.locator("#tab-button-api").click()
    expect(page.locator("#api-body")).to_have_value(re.compile('"target_index": 5'))
    page.fill("#api-body", '{"operation": "accept"}')
    page.locator("#tab-button-play").click()
    page.locator("#tab-button-api").click()
    expect(page.locator("#api-body")).to_have_value('{"operation": "accept"}')
    page.locator("#api-refill").click()
    expect(page.locator("#api-body")).to_have_value(re.compile('"target_index": 5'))


# Here nobody has a model's key, so there is no run to start and none to look at; and no episode is over.
REFUSED = {
    "post /instances/{instance_id}/runs": "503",
    "get /runs/{run_id}": "404",
    "post /envs/moderation/instances/{instance_id}/agent/run": "500",
    "get /envs/moderation/instances/{instance_id}/grader": "409",
    "post /envs/fleet/instances/{instance_id}/fleet/evaluate": "409",
    "get /envs/analyst/instances/{instance_id}/api/v1/traceability": "422",
    "post /envs/analyst/instances/{instance_id}/api/v1/analyses/{analysis_id}/sources": "422",
    "delete /envs/analyst/instances/{instance_id}/api/v1/analyses/{analysis_id}/sources/{source_id}": "404",
}
SOLD = FilePayload(name="sold.csv", mimeType="text/csv", buffer=b"city;sold\nBandung;1,500\n")
NAMES = {"run_id": "no-such-run", "filename": "reward_curve.png", "source_id": "no-such-source"}


@pytest.mark.parametrize("slug", ENVIRONMENTS)
def test_every_route_can_be_sent_and_answers_what_the_document_says(
    slug: str, visit: OpenPage, http: httpx.Client
) -> None:
    page = visit(f"?env={slug}&tab=api")
    page.locator("#api-title").wait_for()
    described = http.get("/openapi.json").json()["paths"]
    routes = page.locator("[data-route]").evaluate_all("all => all.map(each => each.dataset.route)")
    hub = {f"{m} {p}" for p, ways in described.items() for m, way in ways.items() if "hub" in way["tags"]}
    prefix = f"/envs/{slug}/instances/"
    contract = {f"{m} {p}" for p, ways in described.items() if p.startswith(prefix) for m in ways}
    assert set(routes) == hub | contract
    # The hub's routes are the same beside every contract.
    asked = routes if slug == ENVIRONMENT else contract
    for route in sorted(asked, key=lambda route: route.startswith("delete")):
        take(page, route)
        for part in (part for part in NAMES if f"{{{part}}}" in route):
            page.fill(f"#api-path-{part}", NAMES[part])
        if page.locator("#api-form-file").count():
            page.set_input_files("#api-form-file", [SOLD])
        page.evaluate("document.getElementById('api-status').replaceChildren()")
        send(page)
        if route.startswith("delete"):
            page.locator("#api-ask-send").click()
        expect(page.locator("#api-status-code"), route).to_be_attached()
        status = page.locator("#api-status-code").inner_text().split()[0]
        method, path = route.split(" ")
        assert status in described[path][method]["responses"], route
        assert status[0] == "2" or REFUSED.get(route) == status, route
        expect(page.locator("#api-words")).not_to_contain_text("not in the document")


def test_a_body_that_is_not_json_is_caught_and_can_be_sent_all_the_same(
    visit: OpenPage, http: httpx.Client
) -> None:
    made = opened(http)
    page = api(visit, made["id"])
    page.fill("#api-body", '{"operation": accept}')
    send(page)
    expect(page.locator("#api-body-error")).to_contain_text("This is not JSON")
    expect(page.locator("#api-status")).to_be_empty()
    page.locator("#api-send-raw").click()
    has_status(page, 422)
    expect(page.locator("#api-answer-body")).to_contain_text("json_invalid")
    assert len(journal(http, made["id"])) == 1


def test_headers_say_who_acts_and_on_which_state(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = api(visit, made["id"])
    page.fill("#api-body", '{"operation": "flag_anomaly"}')
    page.locator("#api-headers summary").click()
    page.fill("#api-header-x-actor", "agent:mine")
    page.fill("#api-header-x-expected-step", "7")
    send(page)
    has_status(page, 409)
    page.fill("#api-header-x-expected-step", "1")
    send(page)
    has_status(page, 200)
    assert last(http, made["id"])["actor"] == {"kind": "agent", "label": "mine"}


def test_a_server_that_cannot_be_reached_is_said_in_words(visit: OpenPage, http: httpx.Client) -> None:
    page = api(visit, opened(http)["id"])
    page.route("**/step", lambda route: route.abort())
    send(page)
    expect(page.locator("#api-answer-note")).to_contain_text("No answer from the server")
    page.unroute("**/step")
    send(page)
    has_status(page, 200)


def test_events_are_shown_as_they_come_until_they_are_stopped(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = api(visit, made["id"])
    take(page, EVENTS)
    page.fill("#api-query-after", "0")
    send(page)
    expect(page.locator("#api-answer-body")).to_contain_text("id: 1")
    http.post(f"{made['base_url']}/step", json=REPAIR).raise_for_status()
    expect(page.locator("#api-answer-body")).to_contain_text("id: 2")
    page.locator("#api-stop").click()
    expect(page.locator("#api-status")).to_contain_text("stopped · 2 events")
    http.post(f"{made['base_url']}/reset", json={}).raise_for_status()
    take(page, SUMMARY)
    send(page)
    has_status(page, 200)
    expect(page.locator("#api-answer-body")).to_contain_text('"entries": 3')


def test_nothing_is_erased_unasked(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = api(visit, made["id"])
    take(page, ERASE)
    send(page)
    expect(page.locator("#api-ask")).to_contain_text(made["id"])
    page.keyboard.press("Escape")
    expect(page.locator("#api-ask")).to_be_hidden()
    assert http.get(f"/instances/{made['id']}").status_code == 200
    send(page)
    page.locator("#api-ask-send").click()
    has_status(page, 204)
    assert http.get(f"/instances/{made['id']}").status_code == 410
    page.locator("#tab-button-play").click()
    expect(page.locator("#scene h1")).to_have_text("This instance cannot be shown")


def test_a_watch_link_may_look_and_is_refused_when_it_acts(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = api(visit, made["watch_id"])
    send(page)
    has_status(page, 403)
    take(page, SUMMARY)
    send(page)
    has_status(page, 200)
    expect(page.locator("#api-agent-run")).to_be_disabled()
    expect(page.locator("#api-agent-step")).to_be_disabled()
    assert made["id"] not in page.content()


def test_words_of_others_come_out_as_words(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = api(visit, made["id"])
    page.fill("#api-body", json.dumps(REPAIR | {"operation": "flag_anomaly", "rationale": EVIL}))
    send(page)
    has_status(page, 200)
    take(page, "get /instances/{instance_id}/transcript")
    send(page)
    expect(page.locator("#api-answer-body")).to_contain_text("<script>window.hurt='script'</script>")
    take(page, STEP)
    for view in ("curl", "Python"):
        show(page, view)
        expect(page.locator("#api-code")).to_contain_text("${window.hurt=")
    assert page.locator("#api-room img, #api-room script").count() == 0
    assert page.evaluate("window.hurt ?? null") is None


# Code to copy


@pytest.mark.parametrize("language", ["curl", "Python"])
def test_copied_code_runs_and_does_the_same(
    visit: OpenPage, http: httpx.Client, tmp_path: Path, language: str
) -> None:
    if language == "curl" and shutil.which("curl") is None:
        pytest.skip("there is no curl on this machine")
    made = opened(http)
    page = api(visit, made["id"])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    rationale = 'It\'s 131 "MW", $above\\\n100 – größer'
    page.fill("#api-body", json.dumps(REPAIR | {"rationale": rationale}, ensure_ascii=False, indent=2))
    show(page, language)
    page.locator("#api-copy-snippet").click()
    expect(page.locator(".note[data-code=copy]")).to_be_visible()
    file = tmp_path / "copied"
    file.write_text(page.evaluate("navigator.clipboard.readText()"))
    runner = shutil.which("bash") or "sh" if language == "curl" else sys.executable
    ran = subprocess.run([runner, str(file)], capture_output=True, text=True, check=True, timeout=20)
    assert "200 OK" in ran.stdout
    assert last(http, made["id"])["body"]["rationale"] == rationale
    page.locator("#tab-button-play").click()
    has_steps(page, 1)


def test_code_follows_the_inputs(visit: OpenPage, http: httpx.Client) -> None:
    page = api(visit, opened(http)["id"])
    take(page, "get /instances/{instance_id}/transcript")
    page.fill("#api-path-instance_id", "it's / me")
    page.fill("#api-query-after", "3")
    show(page, "curl")
    expect(page.locator("#api-code")).to_contain_text("/instances/it'\\''s%20%2F%20me/transcript?after=3'")
    take(page, EVENTS)
    expect(page.locator("#api-code")).to_contain_text("curl -iN")


def test_a_file_is_uploaded_by_a_form_here(visit: OpenPage, http: httpx.Client) -> None:
    made = http.post("/instances", json={"environment": "analyst"}).json()
    page = api(visit, made["id"], "analyst")
    take(page, "post /envs/analyst/instances/{instance_id}/api/v1/analyses/{analysis_id}/sources")
    page.click("#api-submit")
    expect(page.locator("#api-form-file-error")).to_contain_text("choose a file")
    page.set_input_files("#api-form-file", [SOLD])
    page.select_option("#api-form-numbers", "decimal")
    page.click("#api-submit")
    has_status(page, 201)
    show(page, "curl")
    expect(page.locator("#api-code")).to_contain_text("-F 'file=@sold.csv'")


# Attach an agent


def test_a_baseline_plays_an_episode_visibly_at_the_chosen_pace(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = api(visit, made["id"])
    page.select_option("#api-agent-policy", "flag-max-z")
    expect(page.locator("#api-agent-about")).to_contain_text("Flags the value farthest from the mean")
    page.locator(".api-agent label", has_text="0.1 s").click()
    page.locator("#api-agent-run").click()
    expect(page.locator("#api-agent-state")).to_have_text("The episode is over.")
    expect(page.locator("#api-agent-log li").first).to_have_text(
        re.compile(r"^step 1: flag_anomaly 4, \+\d\.\d\d$")
    )
    count = page.locator("#api-agent-log li").count()
    expect(page.locator("#api-agent-run")).to_be_enabled()
    page.locator("#tab-button-play").click()
    has_steps(page, count)
    expect(page.locator("#timeline button.step").nth(1)).to_contain_text("baseline · flag-max-z")
    expect(page.locator("#act-title")).to_have_text("Finished")
    assert len(journal(http, made["id"])) == count + 1


def test_a_run_pauses_goes_one_step_and_survives_the_move_of_another(
    visit: OpenPage, http: httpx.Client
) -> None:
    made = opened(http)
    page = api(visit, made["id"])
    page.select_option("#api-agent-policy", "flag-max-z")
    page.locator(".api-agent label", has_text="2 s").click()
    page.locator("#api-agent-run").click()
    expect(page.locator("#api-agent-log li")).to_have_count(1)
    expect(page.locator("#api-agent-pause")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#api-agent-state")).to_have_text("Paused.")
    expect(page.locator("#api-agent-run")).to_be_focused()
    http.post(f"{made['base_url']}/step", json=REPAIR | {"operation": "flag_anomaly"}).raise_for_status()
    page.wait_for_timeout(2_200)
    expect(page.locator("#api-agent-log li")).to_have_count(1)
    page.locator("#api-agent-step").click()
    expect(page.locator("#api-agent-log li").last).to_have_text(re.compile("^step 3: "))
    assert [cast("dict[str, str]", entry["actor"])["kind"] for entry in journal(http, made["id"])[1:]] == [
        "baseline",
        "anonymous",
        "baseline",
    ]


def test_a_run_goes_on_to_the_next_case_when_it_may_and_ends_with_its_instance(
    visit: OpenPage, http: httpx.Client
) -> None:
    made = opened(http)
    page = api(visit, made["id"])
    page.select_option("#api-agent-policy", "escalate-all")
    page.check("#api-agent-anew")
    page.locator(".api-agent label", has_text="0.1 s").click()
    page.locator("#api-agent-run").click()
    expect(page.locator("#api-agent-log li", has_text="reset: a new case").first).to_be_visible()
    page.evaluate(f"history.pushState(null, '', '{link(opened(http)['id'], tab='api')}')")
    page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    expect(page.locator("#api-base-url")).not_to_contain_text(made["id"])
    expect(page.locator("#api-agent-state")).to_have_text("Not running.")
    count = len(journal(http, made["id"]))
    page.wait_for_timeout(400)
    assert len(journal(http, made["id"])) == count


# The hand, the eye, the small screen


def test_keys_of_play_do_nothing_here_and_send_goes_by_keyboard(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = visit(link(made["id"]))
    choose(page, "Flag anomaly")
    page.locator("#tab-button-api").click()
    expect(page.locator("#api-title")).to_be_visible()
    page.locator("#tab-button-api").evaluate("tab => tab.blur()")
    for key in ("Enter", "Control+Enter", "5", "ArrowRight", "n"):
        page.keyboard.press(key)
    page.wait_for_timeout(200)
    assert len(journal(http, made["id"])) == 1
    expect(page.locator("#act input:checked")).to_have_value('"flag_anomaly"')
    page.locator(f'[data-route="{STEP}"]').focus()
    page.keyboard.press("Enter")
    page.locator("#api-body").focus()
    page.keyboard.press("Control+Enter")
    has_status(page, 200)
    page.locator(".api-parts input").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#api-answer-headers")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_state_of_the_tab_has_a_serious_finding(visit: OpenPage, http: httpx.Client, theme: str) -> None:
    page = api(visit, opened(http)["id"], theme=theme)
    page.locator("#api-headers summary").click()
    page.fill("#api-body", "{")
    send(page)
    assert serious(page) == []
    page.locator("#api-send-raw").click()
    has_status(page, 422)
    assert serious(page) == []
    show(page, "Python")
    page.locator(".api-parts label", has_text="Headers").click()
    page.locator("#api-agent-step").click()
    expect(page.locator("#api-agent-log li")).to_have_count(1)
    assert serious(page) == []
    show(page, "Try it")
    take(page, ERASE)
    send(page)
    assert serious(page) == []


def test_a_telephone_shows_all_of_it_without_sideways_scrolling(visit: OpenPage, http: httpx.Client) -> None:
    made = opened(http)
    page = api(visit, made["id"], width=390, height=844)
    expect(page.locator("#api-list")).to_be_hidden()
    page.select_option("#api-pick", "get /instances/{instance_id}/transcript")
    send(page)
    has_status(page, 200)
    assert sideways(page) == 0
    page.select_option("#api-pick", STEP)
    for view in ("curl", "Python", "Try it"):
        show(page, view)
        assert sideways(page) == 0
    page.locator("#api-agent-step").click()
    expect(page.locator("#api-agent-log li")).to_have_count(1)
    assert sideways(page) == 0


def test_answers_of_any_length_and_people_who_join_move_nothing(visit: OpenPage, http: httpx.Client) -> None:
    page = api(visit, opened(http)["id"])
    before = top(page)
    send(page)
    has_status(page, 200)
    expect(page.locator("#live")).to_contain_text("you + ")
    assert top(page) == before
    for _ in range(3):
        page.locator("#api-agent-step").click()
    assert top(page) == before
