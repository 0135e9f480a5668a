"""Reports and Plots in a browser: what is shown and what is downloaded is what was measured."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx
import orjson
import pytest
from playwright.sync_api import Browser, Page, expect

from envs.catalog import ENVIRONMENTS
from tests.conftest import ROOT, SETTINGS, Server, _free_port, _wait_until_healthy
from tests.ui import measured
from tests.ui.conftest import OpenPage
from tests.ui.measured import HOSTILE, OLD_CODE, SLUG
from tests.ui.playing import sideways
from tests.ui.test_access import THEMES, serious
from ui.results.words import number

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HERE = (
    measured.run("curve-only", 0.55)
    | measured.run("curve-only", 0.75, level="easy")
    | measured.run("reference", 1.0)
    | measured.run("reference", 1.0, level="easy")
    | measured.run(HOSTILE, -0.25)
    | measured.gates()
)
SHIPPED = measured.run("random", 0.1, code=OLD_CODE) | measured.run("random", 0.1, split="held-out")
SECRET = {"rounds/dated/results.json": b'{"secret": 1}', "submissions/a.json": b"{}", "parts/a": b"[]"}


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """The app with those results."""
    port = str(_free_port())
    log = folder / "server.log"
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)}
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.ui.measured", port, str(folder), str(folder / "shipped")],
            cwd=ROOT,
            env=inherited,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    running = Server(f"http://127.0.0.1:{port}", folder, process, log)
    try:
        _wait_until_healthy(running)
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """In the place of the run's server, one that has results."""
    folder = tmp_path_factory.mktemp("measured")
    measured.keep(f"sqlite:///{folder / 'auditorium.db'}", HERE | SECRET)
    measured.write(folder / "shipped", SHIPPED)
    with serving(folder) as running:
        yield running


def skill_of(name: str) -> dict[str, float]:
    found: dict[str, float] = orjson.loads(HERE[name])["summary"]["skill"]
    return found


def name_of(agent: str, level: str = "hard") -> str:
    return next(name for name in HERE if f"/{level}/{agent}-" in name and name.endswith(".json"))


def opened(visit: OpenPage, path: str, **options: object) -> Page:
    page = visit(path, **options)
    page.locator(".results .report, .results .plot-card").first.wait_for()
    return page


def drawn(page: Page) -> None:
    """Waits until every chart stands."""
    for chart in page.locator("result-chart").all():
        chart.locator(".main-svg").first.wait_for()


def test_the_table_shows_the_artifacts_numbers(visit: OpenPage) -> None:
    page = opened(visit, "reports")
    for agent in ("curve-only", "reference"):
        skill = skill_of(name_of(agent))
        row = page.locator(f'tr[data-run="{name_of(agent)}"]')
        low, high = number(skill["low"], 3), number(skill["high"], 3)
        expect(row.locator("[data-skill]")).to_have_text(f"{number(skill['estimate'], 3)} [{low}, {high}]")
    expect(page.locator("[data-headline]")).to_have_count(3)


def test_the_gates_are_shown_with_their_verdicts(visit: OpenPage) -> None:
    page = opened(visit, "reports")
    expect(page.locator("table.gates .verdict")).to_have_text(["holds", "breach"])
    expect(page.locator("table.gates .note-text")).to_have_text("The step <b>random</b> is flat.")


def test_a_result_of_other_code_is_marked(visit: OpenPage) -> None:
    page = opened(visit, "reports")
    expect(page.locator(".outdated-note")).to_contain_text("1 of 8 results")
    expect(page.locator("tr.old")).to_have_count(1)
    expect(page.locator("tr.old .tag.warn")).to_have_text("outdated")


def test_every_download_is_the_kept_file_to_the_byte(visit: OpenPage, http: httpx.Client) -> None:
    page = opened(visit, "reports")
    links = page.locator("a[download][href*='results/kept/here/']")
    addresses = [str(link.get_attribute("href")) for link in links.all()]
    assert len(addresses) == len(HERE)
    got = {http.get(f"/ui/{address}").raise_for_status().content for address in addresses}
    assert got == set(HERE.values())
    with page.expect_download() as download:
        links.first.click()
    assert Path(download.value.path()).read_bytes() in HERE.values()


def test_the_report_can_be_taken_along_in_three_forms(visit: OpenPage, http: httpx.Client) -> None:
    page = opened(visit, "reports")
    for link in page.locator(".report-head a[download]").all():
        answer = http.get(f"/ui/{link.get_attribute('href')}").raise_for_status()
        assert answer.headers["content-disposition"].startswith("attachment")
        assert "curve-only" in answer.text


def test_no_address_gives_a_file_of_another_prefix(http: httpx.Client) -> None:
    for name in (*SECRET, "runs/../rounds/dated/results.json", "../auditorium.db"):
        for written in (name, quote(name, safe="")):
            assert http.get(f"/ui/results/kept/here/{written}").status_code == 404
            assert http.get(f"/ui/results/kept/shipped/{written}").status_code == 404


def test_the_command_that_makes_a_run_again_can_be_copied(visit: OpenPage) -> None:
    page = opened(visit, "reports")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(f'tr[data-run="{name_of("curve-only")}"] [data-copy]').click()
    expect(page.locator(".note")).to_contain_text("Command copied.")
    command = orjson.loads(HERE[name_of("curve-only")])["command"]
    assert page.evaluate("navigator.clipboard.readText()") == command
    page.locator(".commands summary").click()
    expect(page.locator(".commands pre")).to_contain_text(command)


def test_an_agents_name_is_shown_and_never_run(visit: OpenPage) -> None:
    page = opened(visit, "reports")
    expect(page.locator("tbody th bdi", has_text="onerror")).to_have_text(HOSTILE)
    assert page.evaluate("window.hurt ?? null") is None
    page = opened(visit, f"plots?env=forecast-audit&cases=audit/public&agent={quote(HOSTILE)}")
    expect(page.locator("[data-plot=families] h3")).to_have_text(f"Cases by family: {HOSTILE}")
    drawn(page)
    assert page.evaluate("window.hurt ?? null") is None
    assert page.locator(".results img").count() == 0


def test_a_chart_has_a_finding_and_its_numbers_as_csv(visit: OpenPage, http: httpx.Client) -> None:
    page = opened(visit, "plots?env=forecast-audit&cases=audit/public")
    drawn(page)
    expect(page.locator(".plot-card")).to_have_count(3)
    caption = page.locator("[data-plot=ladder] figcaption")
    expect(caption).to_contain_text("curve-only is the strongest baseline: its skill is 0.75")
    for card in page.locator(".plot-card").all():
        answer = http.get(f"/ui/{card.locator('a[download]').get_attribute('href')}").raise_for_status()
        card.locator("summary").click()
        assert len(answer.text.splitlines()) == 1 + card.locator("tbody tr").count()
    estimate = skill_of(name_of("curve-only"))["estimate"]
    ladder = http.get(f"/ui/results/{SLUG}/plots/ladder.csv?cases=audit/public").text
    assert f"hard,curve-only,30,{estimate}," in ladder


def test_views_are_links_that_keep_their_place_in_the_history(visit: OpenPage) -> None:
    page = opened(visit, "plots?env=forecast-audit&cases=audit/held-out")
    chosen = page.locator("nav[aria-label=Cases] [aria-current]")
    expect(chosen).to_have_text("held-out cases")
    page.locator("nav[aria-label=Cases] a", has_text="public").click()
    expect(chosen).to_have_text("public cases")
    assert "cases=audit%2Fpublic" in page.url
    page.locator("nav[aria-label=Agent] a", has_text="reference").click()
    expect(page.locator("[data-plot=families] h3")).to_have_text("Cases by family: reference")
    page.reload()
    expect(page.locator("[data-plot=families] h3")).to_have_text("Cases by family: reference")
    page.go_back()
    page.go_back()
    expect(chosen).to_have_text("held-out cases")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("path", ["reports", "plots?env=forecast-audit&cases=audit/public"])
def test_a_page_with_results_has_no_serious_finding(visit: OpenPage, path: str, theme: str) -> None:
    page = opened(visit, path, theme=theme)
    for summary in page.locator(".results summary").all():
        summary.click()
    if path.startswith("plots"):
        drawn(page)
    assert serious(page) == []


@pytest.mark.parametrize("path", ["reports", "plots?env=forecast-audit&cases=audit/public"])
def test_on_a_phone_only_tables_move_sideways_and_by_keyboard(visit: OpenPage, path: str) -> None:
    page = opened(visit, path, width=390, height=844)
    for summary in page.locator(".results summary").all():
        summary.click()
    assert sideways(page) == 0
    frame = page.locator(".results .scroll").first
    assert frame.evaluate("(it) => it.scrollWidth > it.clientWidth")
    frame.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.activeElement.scrollLeft > 0")


def test_charts_stand_below_each_other_where_there_is_no_room(visit: OpenPage) -> None:
    page = opened(visit, "plots?env=forecast-audit&cases=audit/public", width=390, height=844)
    drawn(page)
    narrow = page.locator("result-chart").first.bounding_box()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.wait_for_function("document.querySelector('result-chart .plot')?.offsetWidth !== 390")
    wide = page.locator("result-chart").first.bounding_box()
    assert narrow is not None
    assert wide is not None
    assert narrow["height"] > wide["height"]


UNMEASURED = ["Nothing was measured yet"] * len(ENVIRONMENTS)


@pytest.mark.parametrize("theme", THEMES)
def test_where_nothing_was_measured_the_pages_say_so(chromium: Browser, tmp_path: Path, theme: str) -> None:
    with serving(tmp_path) as empty:
        context = chromium.new_context(color_scheme="dark" if theme == "dark" else "light")
        page = context.new_page()
        for path, titles in (("reports", UNMEASURED), ("plots?env=forecast-audit", ["No plot yet"])):
            page.goto(f"{empty.url}/ui/{path}")
            expect(page.locator(".empty h3")).to_have_text(titles)
            expect(page.locator(".empty pre", has_text=f"python -m evals run --env {SLUG} ")).to_be_visible()
            assert page.locator(".results table, result-chart, [download]").count() == 0
            assert serious(page) == []
        context.close()
