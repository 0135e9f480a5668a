"""What the pages tell of results is what was kept of them, and nothing that is secret is among it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any

import orjson
import plotly.graph_objects as go
import pytest
from starlette.requests import Request
from starlette.responses import Response

from envs.catalog import ENVIRONMENTS
from instances.service import Service
from instances.store import Store, open_engine
from tests.ui import measured
from tests.ui.measured import HOSTILE, OLD_CODE, SLUG
from ui.pages import plots as plots_page
from ui.pages import reports as reports_page
from ui.pages.results import Place
from ui.results.figures import Plot, plots
from ui.results.files import Downloads, as_csv, as_json, as_markdown
from ui.results.kept import Origin, Results, Shelves
from ui.results.summary import summary
from ui.results.view import view
from ui.results.words import listed, number

SECRET = {
    "rounds/dated/results.json": b'{"secret": "round"}',
    "submissions/abc/rows.json": b'{"secret": "submission"}',
    f"parts/{SLUG}/audit/held-out/hard/curve-only-v1-x/t0000-c00000000": b'[{"secret": "part"}]',
    "secret.json": b'{"secret": "file"}',
}
LADDER = (("random", 0.1), ("curve-only", 0.5), ("reference", 1.0), ("escalate-low", 0.0))

Ask = Callable[[Callable[[Shelves], Coroutine[Any, Any, Any]]], Any]


@pytest.fixture
def shelves(tmp_path: Path) -> Callable[..., Ask]:
    """Asks shelves that have those files: `shelves(here=…, shipped=…)(lambda shelves: …)`."""

    def filled(here: Mapping[str, bytes] | None = None, shipped: Mapping[str, bytes] | None = None) -> Ask:
        url = f"sqlite:///{tmp_path / 'auditorium.db'}"
        measured.keep(url, here or {})
        folder = measured.write(tmp_path / "shipped", shipped or {})

        def ask(work: Callable[[Shelves], Coroutine[Any, Any, Any]]) -> Any:
            store = Store(open_engine(url))
            service = Service(store, ENVIRONMENTS)
            try:
                return measured.alone(work(Shelves(service, folder)))
            finally:
                service.close()
                store.close()

        return ask

    return filled


@pytest.fixture
def results(shelves: Callable[..., Ask]) -> Callable[..., Results]:
    """The results of Forecast-Audit on shelves with those files."""
    return lambda **files: shelves(**files)(lambda found: found.results(SLUG))


def ladder(**changes: Any) -> dict[str, bytes]:
    """A run of each rung on two levels."""
    made: dict[str, bytes] = {}
    for level in ("easy", "hard"):
        for agent, offset in LADDER:
            made |= measured.run(agent, offset, level=level, **changes)
    return made


def text_of(answer: Response) -> str:
    return bytes(answer.body).decode()


def request(query: str = "", **path: str) -> Request:
    return Request(
        {"type": "http", "method": "GET", "headers": [], "query_string": query.encode(), "path_params": path}
    )


# What is found


def test_what_is_kept_in_the_store_and_what_ships_are_told_apart(results: Callable[..., Results]) -> None:
    found = results(here=measured.run("curve-only"), shipped=measured.run("random", 0.1))
    origins = {run.report.agent: run.origins for run in found.runs}
    assert origins == {"curve-only": (Origin.HERE,), "random": (Origin.SHIPPED,)}


def test_the_same_bytes_from_both_sources_are_one_result(results: Callable[..., Results]) -> None:
    found = results(here=measured.run() | measured.gates(), shipped=measured.run() | measured.gates())
    assert [run.origins for run in found.runs] == [(Origin.SHIPPED, Origin.HERE)]
    assert [gates.origins for gates in found.gates] == [(Origin.SHIPPED, Origin.HERE)]


def test_a_result_of_other_code_is_outdated(results: Callable[..., Results]) -> None:
    old = measured.run("random", 0.1, code=OLD_CODE) | measured.gates(code=OLD_CODE)
    found = results(here=measured.run(), shipped=old)
    assert {run.report.agent: run.current for run in found.runs} == {"curve-only": True, "random": False}
    assert [gates.current for gates in found.gates] == [False]
    assert summary(found).outdated == 2


def test_a_file_that_is_no_result_is_named_and_hurts_nothing(results: Callable[..., Results]) -> None:
    broken = {f"runs/{SLUG}/broken.json": b"{}", f"runs/{SLUG}/torn.json": b"[1", f"gates/{SLUG}.json": b"7"}
    found = results(here=measured.run() | broken)
    assert len(found.runs) == 1
    assert set(found.unreadable) == set(broken)


def test_a_file_is_read_again_when_it_has_changed(shelves: Callable[..., Ask]) -> None:
    name = f"gates/{SLUG}.json"

    async def twice(found: Shelves) -> list[bool]:
        before = await found.results(SLUG)
        changed = measured.gates(smoke=True)[name]
        await found._service.put_artifact(name, "application/json", changed)
        after = await found.results(SLUG)
        return [one.gates[0].report.smoke for one in (before, after)]

    assert shelves(here=measured.gates())(twice) == [False, True]


# What is secret


def test_no_file_of_another_prefix_is_ever_given_out(shelves: Callable[..., Ask]) -> None:
    names = [
        *SECRET,
        "runs/../secret.json",
        "runs/../rounds/dated/results.json",
        "gates/../../auditorium.db",
        "runs/./../secret.json",
        "runs/\0.json",
        f"runs/{'x' * 5_000}.json",
        "/etc/passwd",
        "",
    ]

    async def all_of(found: Shelves) -> list[bytes | None]:
        return [await found.file(origin, name) for origin in Origin for name in names]

    asked = shelves(here=SECRET, shipped=SECRET)
    assert asked(all_of) == [None] * (2 * len(names))


def test_no_secret_is_on_a_page_or_in_a_report(shelves: Callable[..., Ask]) -> None:
    asked = shelves(here=SECRET | ladder() | measured.gates(), shipped=SECRET)

    async def everything(found: Shelves) -> str:
        files = Downloads(found)
        pages = [await reports_page.paint(found, Place()), await plots_page.paint(found, Place())]
        forms = [text_of(await files.report(request(slug=SLUG, form=form))) for form in ("md", "json", "csv")]
        return "".join([*pages, *forms])

    told = asked(everything)
    assert "curve-only" in told
    for word in ("secret", "rounds/", "submissions/", "parts/"):
        assert word not in told


def test_a_symbolic_link_in_the_shipped_folder_is_not_followed(
    shelves: Callable[..., Ask], tmp_path: Path
) -> None:
    asked = shelves(shipped=measured.run())
    outside = tmp_path / "outside.json"
    outside.write_text("{}")
    (tmp_path / "shipped" / "runs" / "link.json").symlink_to(outside)
    assert asked(lambda found: found.file(Origin.SHIPPED, "runs/link.json")) is None


# What is told


def test_headlines_prose_and_table_are_the_artifacts_numbers(results: Callable[..., Results]) -> None:
    files = ladder() | measured.gates()
    told = summary(results(here=files))
    name = next(name for name in files if "/hard/curve-only" in name and name.endswith(".json"))
    skill = orjson.loads(files[name])["summary"]["skill"]
    assert [headline.value for headline in told.headlines] == [
        "0.94",
        number(skill["estimate"]),
        "60",
    ]
    assert "skill is 0.50 [0.50, 0.50] on easy and 0.50 [0.50, 0.50] on hard" in told.prose[0]
    assert told.prose[-1] == "On the gates: 1 of 2 lines is breached: ladder (hard)."


def test_cases_that_several_agents_played_count_once(results: Callable[..., Results]) -> None:
    files = measured.run("random", 0.1, cases=20) | measured.run(cases=30)
    assert summary(results(here=files)).headlines[-1].value == "30"


def test_where_all_runs_are_outdated_the_view_says_so(results: Callable[..., Results]) -> None:
    old = view(results(shipped=measured.run(code=OLD_CODE)))
    assert old is not None
    assert old.outdated


def test_a_current_run_is_drawn_before_a_larger_one_of_other_code(results: Callable[..., Results]) -> None:
    files = measured.run(cases=20) | measured.run(cases=40, offset=0.9, code=OLD_CODE)
    shown = view(results(here=files))
    assert shown is not None
    assert [run.seeds for run in shown.runs.values()] == [20]


def test_held_out_cases_come_before_public_ones(results: Callable[..., Results]) -> None:
    shown = view(results(here=measured.run() | measured.run(split="held-out")))
    assert shown is not None
    assert shown.split == "held-out"


@pytest.mark.parametrize(
    ("words", "text"),
    [([], ""), (["a"], "a"), (["a", "[1, 2]"], "a and [1, 2]"), (["a", "b", "c"], "a, b and c")],
)
def test_a_list_in_words(words: list[str], text: str) -> None:
    assert listed(words) == text


def test_a_number_has_a_minus_and_no_negative_zero() -> None:
    assert [number(value) for value in (-0.431, -0.001, 0.5)] == ["−0.43", "0.00", "0.50"]


# What is drawn


@pytest.fixture
def drawn(results: Callable[..., Results]) -> tuple[Plot, ...]:
    shown = view(results(here=ladder()))
    assert shown is not None
    return plots(shown)


def test_plotly_knows_every_key_of_every_figure(drawn: tuple[Plot, ...]) -> None:
    for plot in drawn:
        assert isinstance(go.Figure(plot.figure), go.Figure)


def test_every_mark_of_the_ladder_is_the_skill_of_its_run(drawn: tuple[Plot, ...]) -> None:
    traces = drawn[0].figure["data"]
    marks = sorted(x for trace in traces for x in trace["x"])
    assert marks == sorted(float(row[3]) for row in drawn[0].rows if row[3] is not None)


def test_every_interval_is_inside_the_axis(drawn: tuple[Plot, ...]) -> None:
    for plot in drawn:
        low, high = plot.figure["layout"]["xaxis"]["range"]
        numbers = [cell for row in plot.rows for cell in row if isinstance(cell, float)]
        assert low < min(numbers)
        assert high > max(numbers)


def test_the_ends_of_the_scale_have_another_mark_than_agents(drawn: tuple[Plot, ...]) -> None:
    found = {trace["meta"]: trace["marker"]["symbol"] for trace in drawn[0].figure["data"]}
    assert found == {"agent": "square", "yardstick": "diamond-open"}


def test_few_cases_have_no_box(results: Callable[..., Results]) -> None:
    shown = view(results(here=measured.run(cases=9)))
    assert shown is not None
    assert {trace["type"] for trace in plots(shown)[2].figure["data"]} == {"scatter"}


def test_the_chart_as_csv_has_every_number_that_is_drawn(drawn: tuple[Plot, ...]) -> None:
    for plot in drawn:
        rows = list(csv.reader(io.StringIO(as_csv(plot.heads, plot.rows).decode())))
        assert tuple(rows[0]) == plot.heads
        assert [[str(cell) for cell in row] for row in plot.rows] == rows[1:]


# What can be taken along


def test_a_spreadsheet_does_not_compute_an_agents_name() -> None:
    assert as_csv(("agent", "skill"), [("=HYPERLINK(1)", -0.5), ("@x", 0.5)]).decode() == (
        "agent,skill\n'=HYPERLINK(1),-0.5\n'@x,0.5\n"
    )


def test_the_report_as_json_has_the_artifacts_numbers_in_full(results: Callable[..., Results]) -> None:
    files = measured.run()
    whole = orjson.loads(as_json(results(here=files)))
    kept = next(orjson.loads(content) for name, content in files.items() if name.endswith(".json"))
    assert whole["runs"][0]["skill"] == kept["summary"]["skill"]
    assert whole["runs"][0]["from"] == ["here"]


def test_a_hostile_name_is_text_in_the_markdown(results: Callable[..., Results]) -> None:
    row = next(
        x
        for x in as_markdown(results(here=measured.run(HOSTILE))).splitlines()
        if "onerror" in x and x[0] == "|"
    )
    assert "\\<img" in row
    assert row.replace("\\|", "").count("|") == 9


@pytest.mark.parametrize(("slug", "form"), [("nobody", "md"), (SLUG, "exe")])
def test_a_report_that_is_not_there_gets_404(shelves: Callable[..., Ask], slug: str, form: str) -> None:
    answer = shelves()(lambda found: Downloads(found).report(request(slug=slug, form=form)))
    assert answer.status_code == 404


def test_without_results_the_pages_name_the_command_that_measures(shelves: Callable[..., Ask]) -> None:
    command = f"python -m evals run --env {SLUG} --agent curve-only"
    asked = shelves()
    assert command in asked(lambda found: reports_page.paint(found, Place()))
    assert command in asked(lambda found: plots_page.paint(found, Place(env=SLUG)))
