"""The embedded shop holds what is planted in it, and is what its script makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.analyst.analysing import compare, share
from agents.analyst.engines import Database, run
from agents.analyst.sources.shop.handbook import write_handbook
from agents.analyst.sources.shop.making import ORDERS, tables
from agents.analyst.sources.shop.opening import SHIPPED, SOURCE_ID, open_handbook, open_notes
from agents.analyst.sources.shop.writing import read_parquet
from envs.analyst.ir import Comparison, Dimension, QueryIR, TimeRange
from envs.analyst.results import CaveatCode, Result
from tests.agents.analyst.asking import measure, ref, where


def _revenue(shop: Database, start: str | None = None, end: str | None = None, **more: object) -> Result:
    times = TimeRange(column=ref("ordered_at"), start=start, end=end) if start else None
    ir = QueryIR(
        source_id=SOURCE_ID,
        table_id="orders",
        measures=(measure("sum", "amount", "revenue"),),
        group_by=(Dimension(column=ref("name", "region"), alias="region"),),
        time_range=times,
        **more,  # pyright: ignore[reportArgumentType]
    )
    return run(shop, ir)


@pytest.mark.parametrize("times", [(), ("2026-01-01", "2026-04-01")])
def test_central_has_38_percent_of_revenue(shop: Database, times: tuple[str, ...]) -> None:
    found = share(_revenue(shop, *times), "region", "revenue").fact("largest", "Central")
    assert found is not None
    assert found.value == pytest.approx(0.38, abs=0.002)


def test_west_alone_sold_less_in_the_last_quarter_by_12_percent(shop: Database) -> None:
    before = Comparison(kind="previous_period", start="2025-10-01", end="2026-01-01")
    compared = compare(
        _revenue(shop, "2026-01-01", "2026-04-01", comparison=before), "region", "revenue", "revenue_before"
    )
    changes = {row[0]: row[4] for row in compared.rows}
    assert changes["West"] == pytest.approx(-0.12, abs=0.001)
    assert [region for region, change in changes.items() if float(str(change)) < 0] == ["West"]


def test_six_percent_of_easts_march_have_no_amount(shop: Database) -> None:
    answer = _revenue(shop, "2026-03-01", "2026-04-01", filters=(where("region_id", "eq", 2),))
    (missing,) = (each for each in answer.caveats if each.code is CaveatCode.MISSING_VALUES)
    assert missing.of is not None
    assert missing.count / missing.of == pytest.approx(0.06, abs=0.002)
    orders = shop.source.table("orders")
    assert orders is not None
    assert sum(each.missing for each in orders.columns) == missing.count


def test_the_catalogue_says_what_is_there(shop: Database) -> None:
    assert shop.source.newest_date == "2026-04-12"
    assert len(shop.source.foreign_keys) == 4
    orders = shop.source.table("orders")
    assert orders is not None
    assert (orders.row_count, orders.time_column) == (ORDERS, "ordered_at")
    amount = orders.column("amount")
    assert amount is not None
    assert (amount.unit, "omzet" in amount.synonyms) == ("USD", True)
    assert [found.column for found in shop.values.exact("  CENTRAL ")] == ["name"]
    assert shop.values.alike("Centrl")[0].value == "Central"


@pytest.mark.slow
def test_what_is_shipped_is_what_the_script_makes(tmp_path: Path) -> None:
    shipped, made = read_parquet(SHIPPED), tables()
    assert {name: table.to_pylist() for name, table in made.items()} == {
        name: shipped[name].to_pylist() for name in made
    }
    write_handbook(tmp_path / "handbook.pdf")
    assert (tmp_path / "handbook.pdf").read_bytes() == (SHIPPED / "handbook.pdf").read_bytes()


def test_another_seed_keeps_the_planted_totals() -> None:
    first, second = tables(1)["orders"], tables(2)["orders"]
    assert first != second
    sums = [sum(value or 0 for value in table["amount"].to_pylist()) for table in (first, second)]
    assert sums[0] == pytest.approx(sums[1], rel=1e-6)


def test_the_handbook_is_cited_by_its_printed_pages() -> None:
    handbook = open_handbook()
    assert handbook.source.documents[0].page_labels[:3] == ("i", "ii", "1")
    found = handbook.search("how many days does a customer have to return goods")
    assert (found.passages[0].page_label, found.passages[0].cited) == ("5", "page 5 (sheet 7)")
    assert "30 days" in found.passages[0].text


@pytest.mark.parametrize(
    ("question", "filename"),
    [
        ("what does delivery cost", "delivery-terms.md"),
        ("who opened stores in the western districts", "market-notes.md"),
    ],
)
def test_the_notes_answer_from_the_right_document(question: str, filename: str) -> None:
    found = open_notes().search(question)
    assert found.passages[0].filename == filename
    assert all(0 < passage.score <= 1 for passage in found.passages)


def test_a_question_that_no_document_touches_finds_nothing() -> None:
    assert open_notes().search("xylophone zebra").passages == ()
