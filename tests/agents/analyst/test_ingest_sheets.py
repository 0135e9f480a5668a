"""Uploaded workbooks are read as they look on the screen."""

from datetime import date
from pathlib import Path

from openpyxl import Workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from envs.analyst.catalogue import NoteCode
from tests.agents.analyst.asking import packed, upload

DATED = "yyyy-mm-dd"


def _book(*rows: tuple[object, ...]) -> Workbook:
    book = Workbook()
    for row in rows:
        book.worksheets[0].append(list(row))
    return book


def _as_date(book: Workbook, *places: str) -> None:
    for place in places:
        book.worksheets[0][place].number_format = DATED


def test_cells_formatted_as_dates_are_dates(tmp_path: Path) -> None:
    # A17
    book = _book(("Week start", "Sales"), (46082, 5), (46089, 6))
    _as_date(book, "A2", "A3")
    asked = upload(tmp_path, packed(book), "weeks.xlsx")
    assert [row[0] for row in asked.rows] == ["2026-03-01", "2026-03-08"]
    assert asked.during("Week start", "2026-03-01", "2026-04-01", "sum", "Sales") == 11


def test_a_workbook_that_counts_from_1904_has_its_own_dates(tmp_path: Path) -> None:
    # A18
    book = _book(("day",), (44620,))
    book.epoch = CALENDAR_MAC_1904
    _as_date(book, "A2")
    assert upload(tmp_path, packed(book), "mac.xlsx").rows == (("2026-03-01",),)


def test_a_text_among_dates_is_left_empty_and_told(tmp_path: Path) -> None:
    # A19
    book = _book(("day", "n"), (46082, 1), ("tbc", 2), (46083, 3))
    _as_date(book, "A2", "A4")
    asked = upload(tmp_path, packed(book), "dates.xlsx")
    assert {row[1]: row[0] for row in asked.rows} == {1: "2026-03-01", 2: None, 3: "2026-03-02"}
    assert asked.note(NoteCode.UNREADABLE_VALUE).values == ("tbc",)


def test_a_header_over_two_columns_names_both(tmp_path: Path) -> None:
    # A21
    book = _book(
        ("Q1", None, "Q2", None), ("Units", "Value", "Units", "Value"), (1, 10, 2, 20), (3, 30, 4, 40)
    )
    book.worksheets[0].merge_cells("A1:B1")
    book.worksheets[0].merge_cells("C1:D1")
    asked = upload(tmp_path, packed(book), "quarters.xlsx")
    assert asked.columns == ["Q1 Units", "Q1 Value", "Q2 Units", "Q2 Value"]
    assert asked.value("sum", "Q2 Value") == 60


def test_a_label_over_several_rows_holds_for_each(tmp_path: Path) -> None:
    # A22
    book = _book(("region", "n"), ("North", 1), (None, 2), (None, 4), ("South", 8))
    book.worksheets[0].merge_cells("A2:A4")
    assert upload(tmp_path, packed(book), "labels.xlsx").by("region", "sum", "n") == {"North": 7, "South": 8}


def test_a_number_shown_as_a_percentage_is_a_share(tmp_path: Path) -> None:
    book = _book(("team", "margin"), ("A", 0.12), ("B", 0.02))
    for place in ("B2", "B3"):
        book.worksheets[0][place].number_format = "0%"
    asked = upload(tmp_path, packed(book), "margins.xlsx")
    assert (asked.value("avg", "margin"), asked.column("margin").unit) == (0.07, "%")


def test_every_sheet_with_rows_is_a_table(tmp_path: Path) -> None:
    book = _book(("customer_id", "name"), (1, "Ann"), (2, "Bo"))
    book.worksheets[0].title = "Customer"
    orders = book.create_sheet("Orders")
    for row in (("order", "customer_id", "on"), (10, 1, date(2026, 3, 1)), (11, 1, date(2026, 3, 2))):
        orders.append(list(row))
    book.create_sheet("Empty")
    asked = upload(tmp_path, packed(book), "shop.xlsx")
    assert [table.table_id for table in asked.source.tables] == ["customer", "orders"]
    assert [key.key for key in asked.source.foreign_keys] == ["orders.customer_id>customer.customer_id"]
