"""What the analyst's page makes of an answer: a table as people write it, a picture as plotly takes it."""

from __future__ import annotations

import plotly.graph_objects as go
import pytest

from envs.analyst.charts import Chart, Mark
from envs.analyst.results import Cell, ResultColumn
from envs.analyst.turns import Intent, JsonObject, Language, Shown, Turn
from ui.plays.analyst import act
from ui.plays.analyst.charts import build, picture
from ui.plays.analyst.reading import read
from ui.plays.analyst.tables import grid
from ui.plays.analyst.talk import Said

REGION = ResultColumn(name="region", type="text")
MONTH = ResultColumn(name="month", type="date")
AMOUNT = ResultColumn(name="total_amount", type="number", unit="USD")
SHARE = ResultColumn(name="share", type="number", unit="%")
BY_REGION = Shown(
    caption="Amount by region",
    columns=(REGION, AMOUNT, SHARE),
    rows=(("<b>Central</b>", 1209999.7, 0.38), ("West", None, 0.0712)),
    row_count=5,
)


def by_month(*columns: str) -> Shown:
    rows = tuple((f"2026-0{month}-01", *(float(month) for _ in columns)) for month in (1, 2, 3))
    heads = (MONTH, *(ResultColumn(name=name, type="number") for name in columns))
    return Shown(columns=heads, rows=rows, row_count=3)


PICTURES = (
    (Chart(mark=Mark.BAR, x="region", y=("total_amount",), unit="USD"), BY_REGION),
    (Chart(mark=Mark.BAR, x="region", y=("share",), unit="%"), BY_REGION),
    (Chart(mark=Mark.LINE, x="month", y=("a", "b")), by_month("a", "b")),
    (Chart(mark=Mark.BAND, x="month", y=("low", "a", "high")), by_month("low", "a", "high")),
    (Chart(mark=Mark.LINE, x="month", y=("a",), unfinished="2026-03-01"), by_month("a")),
    (Chart(mark=Mark.COLUMNS, x="a", y=("count",)), by_month("a", "count")),
    (Chart(mark=Mark.POINT, x="a", y=("b",)), by_month("a", "b")),
)


@pytest.mark.parametrize(("chart", "table"), PICTURES)
def test_plotly_knows_every_key_of_a_picture(chart: Chart, table: Shown) -> None:
    figure = go.Figure(build(chart, table, Language.EN)).to_dict()
    assert sum(trace["showlegend"] for trace in figure["data"]) == len(chart.y)


def test_a_line_is_dashed_from_its_last_whole_period_on() -> None:
    chart = Chart(mark=Mark.LINE, x="month", y=("a",), unfinished="2026-03-01")
    whole, dashed = build(chart, by_month("a"), Language.EN)["data"]
    assert (whole["x"], dashed["x"]) == (["2026-01-01", "2026-02-01"], ["2026-02-01", "2026-03-01"])
    assert (whole["meta"]["dashed"], dashed["meta"]["dashed"]) == (False, True)
    made = picture(chart, by_month("a"), Language.ID)
    assert made is not None
    assert made.note == "Garis putus-putus: Mar 2026 belum lengkap."


def test_a_forecast_goes_on_from_what_was_measured() -> None:
    before = (("2025-11-01", 7.0), ("2025-12-01", 8.0))
    chart = Chart(mark=Mark.BAND, x="month", y=("low", "a", "high"), before=before)
    low, high, measured, forecast = build(chart, by_month("low", "a", "high"), Language.EN)["data"]
    assert (low["meta"]["band"], high["fill"]) == (True, "tonexty")
    assert measured["y"] == [7.0, 8.0]
    assert forecast["y"] == [8.0, 1.0, 2.0, 3.0]


def test_a_query_reads_as_words_and_loses_nothing() -> None:
    ir: JsonObject = {
        "table_id": "orders",
        "measures": [{"agg": "sum", "column": "amount", "alias": "total"}, {"agg": "count", "per": "day"}],
        "group_by": [{"column": {"column": "name", "table": "region"}}, {"column": "at", "grain": "month"}],
        "filters": [{"column": "channel", "op": "in", "values": ["web", "shop"], "missing": True}],
        "time_range": {"column": "at", "start": "2026-01-01", "end": "2026-04-01"},
        "order_by": [{"by": "total", "descending": True}],
        "limit": 5,
    }
    assert [tuple(line) for line in read({"ir": ir})] == [
        ("Table", "orders"),
        ("Values", "sum of amount as total, count of rows (per: day)"),
        ("Grouped by", "region.name, at by month"),
        ("Only rows with", "channel in web, shop (missing: yes)"),
        ("Time", "at from 2026-01-01 to before 2026-04-01"),
        ("Sorted by", "total highest first"),
        ("Rows at most", "5"),
    ]
    assert read({"by": None, "ahead": 3}) == (("Ahead", "3"),)


def test_a_column_that_tells_series_apart_makes_one_line_of_each_of_its_values() -> None:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (f"2026-0{month}-01", region, float(month)) for month in (1, 2) for region in ("East", None)
    )
    table = Shown(columns=(MONTH, REGION, AMOUNT), rows=rows, row_count=4)
    chart = Chart(mark=Mark.LINE, x="month", y=("total_amount",), series="region")
    assert [trace["name"] for trace in build(chart, table, Language.EN)["data"]] == ["East", "–"]


def test_no_name_in_a_picture_holds_a_tag_that_plotly_would_read() -> None:
    made = picture(PICTURES[0][0], BY_REGION, Language.EN)
    assert made is not None
    assert "<b>" not in made.figure


def test_a_picture_of_a_column_that_is_not_there_is_none() -> None:
    assert picture(Chart(mark=Mark.BAR, x="region", y=("gone",)), BY_REGION, Language.EN) is None


def test_numbers_stand_as_the_answers_language_writes_them() -> None:
    english, indonesian = grid(BY_REGION, Language.EN), grid(BY_REGION, Language.ID)
    assert english.rows[0] == ("<b>Central</b>", "1,209,999.70", "38.0%")
    assert indonesian.rows[0] == ("<b>Central</b>", "1.209.999,70", "38,0%")
    assert english.rows[1] == ("West", "–", "7.1%")
    assert english.heads[1].unit == "USD"
    assert english.cut == 5
    assert (english.raw, indonesian.raw) == ((("", "1209999.7", "0.38"), ("", "", "0.0712")),) * 2


@pytest.mark.parametrize(
    ("name", "kind", "cell", "written"),
    [
        ("orders", "integer", 48213, "48,213"),
        ("rate", "number", 0.00341, "0.00341"),
        ("month", "date", "2026-03-01", "Mar 2026"),
        ("quarter", "date", "2026-04-01", "Q2 2026"),
        ("weekday", "integer", 2, "Tuesday"),
        ("day", "date", "2026-03-01", "2026-03-01"),
        ("ordered_at", "timestamp", "2026-03-01T09:30:00", "2026-03-01 09:30:00"),
        ("paid", "boolean", True, "true"),
    ],
)
def test_a_cell_reads_as_its_column_means_it(name: str, kind: str, cell: Cell, written: str) -> None:
    table = Shown(columns=(ResultColumn(name=name, type=kind),), rows=((cell,),), row_count=1)
    assert grid(table, Language.EN).rows == ((written,),)


def test_a_number_that_is_a_name_stays_as_it_is() -> None:
    year = ResultColumn(name="birth_year", type="integer", named=True)
    assert grid(Shown(columns=(year,), rows=((1985,),), row_count=1), Language.EN).rows == (("1985",),)


def test_what_stands_beside_an_answer_is_not_told_twice() -> None:
    turn = Turn(
        intent=Intent.STRUCTURED_FLOW,
        language=Language.EN,
        text="By which measure?\n- by quantity\n- by amount\n26 rows have no amount.",
        options=("by quantity", "by amount"),
        caveats=("26 rows have no amount.",),
        message_id="m",
        generated_at="2026-07-06T03:21:09.114Z",
    )
    assert Said(1, "you", "human", "12:00", "best", turn, whole=True).text == "By which measure?"


def test_a_chip_has_the_question_or_the_name_of_the_act() -> None:
    assert act({"action": "ask", "message": "Revenue by region"}) == "Revenue by region"
    assert act({"action": "set_objective", "objective": "why"}) == "set objective"
    assert len(act({"action": "ask", "message": "word " * 40})) == 48
