"""What an answer says in words: times."""

from __future__ import annotations

import pytest

from envs.analyst.moments import moment
from envs.analyst.results import Cell, ResultColumn
from envs.analyst.turns import Language


@pytest.mark.parametrize(
    ("name", "kind", "cell", "english", "indonesian"),
    [
        ("ordered_at_month", "date", "2026-05-01", "May 2026", "Mei 2026"),
        ("quarter", "timestamp", "2026-04-01T00:00:00", "Q2 2026", "Q2 2026"),
        ("year", "date", "2026-01-01", "2026", "2026"),
        ("month", "date", "2026-05-03", "2026-05-03", "2026-05-03"),
        ("weekday", "integer", 7, "Sunday", "Minggu"),
        ("month_of_year", "integer", 8, "Aug", "Agu"),
        ("weekday", "integer", 8, None, None),
        ("city", "text", "2026-05-01", None, None),
    ],
)
def test_a_time_is_said_as_its_column_counts_it(
    name: str, kind: str, cell: Cell, english: str | None, indonesian: str | None
) -> None:
    column = ResultColumn(name=name, type=kind)
    assert moment(cell, column, Language.EN) == english
    assert moment(cell, column, Language.ID) == indonesian
