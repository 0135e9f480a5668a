"""Placeholders: a text's numbers are cells, or it is not used."""

from __future__ import annotations

import pytest

from agents.analyst.planning.words import Language
from agents.analyst.wording.placeholders import NoSuchCell, filled, unproven
from envs.analyst.results import Result, ResultColumn

RESULT = Result(
    columns=(
        ResultColumn(name="region", type="text"),
        ResultColumn(name="revenue", type="number", unit="USD"),
        ResultColumn(name="share", type="number", unit="%"),
    ),
    rows=(("Central", 1_210_000.5, 0.38), ("East", 740_000.0, 0.23)),
    row_count=2,
    sql="SELECT 1",
)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (Language.EN, "Central: $1,210,000.50, 38.0%"),
        (Language.ID, "Central: $1.210.000,50, 38,0%"),
    ],
)
def test_cells_are_written_as_the_language_writes_numbers(language: Language, text: str) -> None:
    assert filled("{0.region}: {0.revenue}, {0.share}", RESULT, language) == text


@pytest.mark.parametrize("template", ["{2.region}", "{0.profit}"])
def test_a_place_for_no_cell_is_refused(template: str) -> None:
    with pytest.raises(NoSuchCell):
        filled(template, RESULT, Language.EN)


@pytest.mark.parametrize(
    "text",
    [
        "Central led at $1.21M (38%).",
        "East had 740,000.",
        "Two rows: 2.",
    ],
)
def test_numbers_that_are_cells_are_proven_as_far_as_they_are_written(text: str) -> None:
    assert unproven(text, RESULT) == ()


def test_a_number_of_nobody_is_found() -> None:
    assert unproven("Central led at $1.31M (39%).", RESULT) == ("1.31", "39")


def test_numbers_of_the_question_may_be_repeated() -> None:
    assert unproven("The top 3 in 2026.", RESULT, said="top 3 in 2026") == ()
