"""Uploaded text files are read as a person would read them, and every doubt is told.

Each test is one of the published faults of other readers; its id stands in its comment.
"""

from pathlib import Path

import pytest

from agents.analyst.sources.receiving import UploadRefused
from envs.analyst.catalogue import ColumnType, NoteCode
from envs.analyst.problems import Inexact, MixedUnits, UnknownColumn, WrongType
from tests.agents.analyst.asking import upload, where


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    # A01
    asked = upload(tmp_path, "\ufeffsite_id,litres\n7,12.5\n9,2.5\n")
    assert asked.columns == ["site_id", "litres"]
    assert (asked.value("sum", "litres"), asked.value("max", "site_id")) == (15.0, 9)


def test_a_mark_before_a_quoted_name_leaves_no_quotes(tmp_path: Path) -> None:
    # A02
    asked = upload(tmp_path, '\ufeff"Region",Units\n"North",4\n"South",6\n')
    assert asked.columns == ["Region", "Units"]
    assert (asked.value("count_distinct", "Region"), asked.value("sum", "Units")) == (2, 10)


def test_windows_1252_is_read_and_said_to_be_assumed(tmp_path: Path) -> None:
    # A03
    asked = upload(tmp_path, "name,note\nBrasserie du Col,l’addition 12€\nCafé Noé,ok\n".encode("cp1252"))
    assert asked.rows == (("Brasserie du Col", "l’addition 12€"), ("Café Noé", "ok"))
    assert "Windows-1252" in asked.note(NoteCode.ASSUMED_ENCODING).text


def test_utf_16_with_tabs_is_a_table(tmp_path: Path) -> None:
    # A04
    asked = upload(tmp_path, "sku\tqty\nA-1\t3\nB-2\t5\n".encode("utf-16"))
    assert (asked.columns, len(asked.rows), asked.value("sum", "qty")) == (["sku", "qty"], 2, 8)


def test_quoted_numbers_with_thousands_are_numbers(tmp_path: Path) -> None:
    # A09
    asked = upload(tmp_path, '"vendor","spend"\n"Orrin Ltd","100,250.75"\n"Vale Co","1,000.25"\n')
    assert asked.value("sum", "spend") == 101_251.00


def test_an_open_comma_is_named_as_a_guess_and_can_be_switched(tmp_path: Path) -> None:
    # A11
    content = "text|number\nfoo|123,000\nbar|1,500\n"
    guessed = upload(tmp_path / "a", content)
    assert guessed.value("sum", "number") == 124_500
    assert guessed.note(NoteCode.GUESSED_SEPARATOR).options == ("thousands", "decimal")
    switched = upload(tmp_path / "b", content, readings={"number": "decimal"})
    assert switched.value("sum", "number") == 124.5


def test_one_day_that_cannot_be_a_month_decides_for_the_column(tmp_path: Path) -> None:
    # A12
    asked = upload(tmp_path, "day,n\n04/03/2026,1\n17/03/2026,2\n05/03/2026,4\n")
    assert [row[0] for row in asked.rows] == ["2026-03-04", "2026-03-05", "2026-03-17"]
    assert asked.during("day", "2026-03-01", "2026-04-01", "sum", "n") == 7
    assert asked.during("day", "2026-04-01", "2026-06-01", "count", "n") == 0


def test_dates_in_two_orders_stay_text_and_are_named(tmp_path: Path) -> None:
    # A13
    asked = upload(tmp_path, "when,n\n13/02/2026,1\n02/14/2026,2\n")
    assert asked.column("when").type is ColumnType.TEXT
    assert asked.note(NoteCode.CONTRADICTING_DATES).lines == (2, 3)


def test_dates_that_allow_both_orders_are_named_as_a_guess(tmp_path: Path) -> None:
    asked = upload(tmp_path / "a", "day\n04/03/2026\n05/03/2026\n")
    assert asked.column("day").high == "2026-03-05"
    assert asked.note(NoteCode.GUESSED_DATE_ORDER).options == ("day first", "month first")
    other = upload(tmp_path / "b", "day\n04/03/2026\n05/03/2026\n", readings={"day": "month first"})
    assert other.column("day").high == "2026-05-03"


def test_codes_of_three_numbers_are_no_dates(tmp_path: Path) -> None:
    # A15
    asked = upload(tmp_path, "plot,harvest\n12_04_3,8\n12_04_11,9\n")
    assert asked.column("plot").type is ColumnType.TEXT
    assert (asked.value("count_distinct", "plot"), asked.value("sum", "harvest")) == (2, 17)


def test_two_columns_of_one_name_are_both_kept(tmp_path: Path) -> None:
    # A23
    asked = upload(tmp_path, "id,id,name\n11,22,Ann\n")
    assert asked.rows == ((11, 22, "Ann"),)
    assert asked.note(NoteCode.RENAMED_COLUMN).options == ("id_2", "id")


def test_a_new_name_does_not_collide_with_a_real_one(tmp_path: Path) -> None:
    # A24
    asked = upload(tmp_path, "x,x,x_2\n1,2,4\n")
    assert len(set(asked.columns)) == 3
    assert asked.rows == ((1, 2, 4),)


def test_a_separator_at_the_end_of_rows_shifts_nothing(tmp_path: Path) -> None:
    # A25
    asked = upload(tmp_path, "P,Q,R\n3,40,500,\n4,50,600,\n")
    assert asked.rows == ((3, 40, 500), (4, 50, 600))


def test_a_minus_behind_the_number_counts(tmp_path: Path) -> None:
    # A30
    assert upload(tmp_path, 'Saldo\n"150,00-"\n"200,00"\n').value("sum", "Saldo") == 50.0


def test_brackets_are_a_minus(tmp_path: Path) -> None:
    assert upload(tmp_path, "net\n(150.00)\n200.00\n").value("sum", "net") == 50.0


def test_unlike_currencies_have_no_total(tmp_path: Path) -> None:
    # A31
    asked = upload(tmp_path, "price\n$10\n€10\n£10\n")
    assert asked.by("price currency", "sum", "price") == {"EUR": 10, "GBP": 10, "USD": 10}
    with pytest.raises(MixedUnits, match="several currencies"):
        asked.value("sum", "price")
    assert asked.value("sum", "price", where("price currency", "eq", "EUR")) == 10


def test_one_currency_is_the_unit(tmp_path: Path) -> None:
    asked = upload(tmp_path, "price\n$10.50\n$1.00\n")
    assert (asked.value("sum", "price"), asked.column("price").unit) == (11.5, "USD")


def test_percentages_are_shares_with_their_sign(tmp_path: Path) -> None:
    # A32
    asked = upload(tmp_path, "team,margin\nA,12%\nB,8 %\nC,1%\n")
    assert (asked.value("avg", "margin"), asked.column("margin").unit) == (0.07, "%")


def test_a_decimal_comma_is_read_in_percentages_too(tmp_path: Path) -> None:
    # A33
    asked = upload(tmp_path, 'Quote\n"4,3%"\n"5,7%"\n')
    assert (asked.value("avg", "Quote"), asked.column("Quote").unit) == (0.05, "%")


def test_the_code_of_namibia_is_no_missing_value(tmp_path: Path) -> None:
    # A35
    asked = upload(tmp_path, "code,shops\nNA,3\nZA,5\n,2\n")
    assert asked.value("sum", "shops", where("code", "eq", "NA")) == 3
    assert asked.value("count", None, where("code", "is_null")) == 1


def test_a_sign_for_nothing_in_a_column_of_numbers_is_told(tmp_path: Path) -> None:
    asked = upload(tmp_path, "day,mm\n1,3.5\n2,n/a\n3,1.5\n")
    assert asked.value("sum", "mm") == 5.0
    assert asked.note(NoteCode.MISSING_VALUES).lines == (3,)


def test_a_line_break_in_a_quoted_name_is_a_blank(tmp_path: Path) -> None:
    # A37
    asked = upload(tmp_path, '"Net\namount",Ref\n5,a\n7,b\n')
    assert (asked.columns, asked.value("sum", "Net amount")) == (["Net amount", "Ref"], 12)


def test_quotes_and_breaks_inside_a_cell_stay_there(tmp_path: Path) -> None:
    # A38
    asked = upload(tmp_path, 'id,comment\n1,"said ""no"", then\nleft"\n2,fine\n')
    comment = str(asked.rows[0][1])
    assert (len(asked.rows), comment.count("\n"), comment.count('"')) == (2, 1, 2)


def test_a_blank_among_big_ids_costs_no_digits(tmp_path: Path) -> None:
    # A39
    asked = upload(tmp_path, "msg_id,score\n9007199254740993,1\n,2\n9007199254740992,4\n")
    assert asked.value("count_distinct", "msg_id") == 2
    assert asked.value("sum", "score", where("msg_id", "eq", 9_007_199_254_740_993)) == 1


def test_ids_beyond_64_bits_are_texts(tmp_path: Path) -> None:
    # A40
    asked = upload(tmp_path, "acct\n12345678901234567891\n12345678901234567892\n")
    assert asked.rows == (("12345678901234567891",), ("12345678901234567892",))


def test_ids_that_lost_digits_stay_as_typed_and_have_no_greatest(tmp_path: Path) -> None:
    # A41
    asked = upload(tmp_path, "id\n1439400000000000001\n42286\n8.2E+17\n")
    assert "8.2E+17" in asked.note(NoteCode.LOST_DIGITS).text
    with pytest.raises(Inexact):
        asked.value("max", "id")
    assert asked.value("count", "id") == 3


def test_zeros_and_ones_are_numbers(tmp_path: Path) -> None:
    # A42
    assert upload(tmp_path, "day,outages\n1,0\n2,1\n3,1\n").value("sum", "outages") == 2


def test_names_that_begin_with_f_and_t_are_names(tmp_path: Path) -> None:
    # A43
    asked = upload(tmp_path, "id,lead\n1,Farah Idris\n2,Tomas Lind\n")
    assert [row[1] for row in asked.rows] == ["Farah Idris", "Tomas Lind"]


def test_numbers_beside_true_are_texts(tmp_path: Path) -> None:
    # A44
    asked = upload(tmp_path, "flag\n2\ntrue\n0\n")
    assert asked.column("flag").type is ColumnType.TEXT
    assert asked.value("count_distinct", "flag") == 3


def test_one_separator_inside_a_value_loses_no_row(tmp_path: Path) -> None:
    # A46
    asked = upload(tmp_path, "tag\nplain\nleft;right\nalso plain\n")
    assert asked.rows == (("also plain",), ("left;right",), ("plain",))


def test_a_word_among_numbers_is_named_and_left_out_only_when_told(tmp_path: Path) -> None:
    # A47
    asked = upload(tmp_path / "a", "qty\n4\nfive\n6\n")
    note = asked.note(NoteCode.UNREADABLE_VALUE)
    assert (note.column, note.lines, note.values) == ("qty", (3,), ("five",))
    with pytest.raises(WrongType):
        asked.value("sum", "qty")
    agreed = upload(tmp_path / "b", "qty\n4\nfive\n6\n", readings={"qty": "number"})
    assert agreed.value("sum", "qty") == 10


def test_names_in_another_script_are_kept_as_typed(tmp_path: Path) -> None:
    # A48
    asked = upload(tmp_path, 'номер,"сумма, руб."\n1,50\n2,75\n')
    assert asked.columns == ["номер", "сумма, руб."]
    assert asked.value("sum", "сумма, руб.") == 125


def test_a_plain_date_has_no_time_zone(tmp_path: Path) -> None:
    # A50: no clock of a viewer takes part, so there is one answer for all of them.
    asked = upload(tmp_path, "day,visits\n2026-01-01,4\n2025-12-31,6\n")
    assert asked.column("day").type is ColumnType.DATE
    assert asked.during("day", "2026-01-01", "2027-01-01", "sum", "visits") == 4
    assert asked.during("day", "2025-01-01", "2026-01-01", "sum", "visits") == 6


def test_a_date_with_a_time_is_on_its_day(tmp_path: Path) -> None:
    # A51
    asked = upload(tmp_path, "day,n\n2026-04-30,1\n2026-04-30 09:20,2\n")
    assert asked.value("sum", "n", where("day", "eq", "2026-04-30")) == 3


def test_names_that_are_words_of_sql_are_names(tmp_path: Path) -> None:
    # B30
    assert upload(tmp_path, "order,group,select\n1,a,5\n2,b,7\n3,a,1\n").by("group", "sum", "select") == {
        "a": 6,
        "b": 7,
    }


def test_leading_zeros_make_a_code(tmp_path: Path) -> None:
    asked = upload(tmp_path, "zip,n\n01067,1\n80331,2\n")
    assert [row[0] for row in asked.rows] == ["01067", "80331"]


def test_titles_above_the_header_are_passed_over(tmp_path: Path) -> None:
    asked = upload(tmp_path, "Sales report,,\n\nregion,units,price\nNorth,4,2.5\nSouth,6,1.5\n")
    assert asked.columns == ["region", "units", "price"]


def test_a_declared_separator_is_taken(tmp_path: Path) -> None:
    assert upload(tmp_path, "sep=;\na;b\n1,5;2\n2,5;3\n").value("sum", "a") == 4.0


def test_a_row_that_is_too_long_is_named(tmp_path: Path) -> None:
    with pytest.raises(UploadRefused, match="line 3 has 3 cells and the header names 2 columns"):
        upload(tmp_path, "a,b\n1,2\n1,2,3\n4,5\n6,7\n8,9\n1,2\n1,2\n")


def test_an_unknown_column_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownColumn, match="a, b") as refused:
        upload(tmp_path, "a,b\n1,2\n").value("sum", "c")
    assert refused.value.options == ("a", "b")
