"""Analyses give the figures of their textbooks, and say when there is too little to be sure."""

from __future__ import annotations

import pytest
from numpy.random import default_rng

from agents.analyst.analysing import (
    aggregate,
    compare,
    correlation,
    distribution,
    forecast,
    growth,
    outliers,
    share,
    trend,
)
from envs.analyst.analyses import Analysis
from envs.analyst.charts import Mark
from envs.analyst.ir import Grain
from envs.analyst.problems import Malformed, WrongType
from envs.analyst.results import CaveatCode, Cell, Result, ResultColumn, Row


def _result(*rows: Row, kinds: tuple[str, ...] = ("text", "number"), unit: str | None = None) -> Result:
    names = ("group", "value", "other")[: len(kinds)]
    columns = tuple(
        ResultColumn(name=name, type=kind, unit=unit if kind == "number" else None)
        for name, kind in zip(names, kinds, strict=True)
    )
    return Result(columns=columns, rows=rows, row_count=len(rows), sql="SELECT 1")


def _months(*values: float | None, start: int = 0) -> Result:
    days = [f"{2024 + at // 12}-{at % 12 + 1:02}-01" for at in range(start, start + len(values))]
    return _result(*zip(days, values, strict=True), kinds=("date", "number"))


def _fact(analysis: Analysis, name: str, about: Cell = None) -> float:
    found = analysis.fact(name, about)
    assert found is not None
    assert isinstance(found.value, int | float)
    return found.value


def test_growth_is_against_the_period_before() -> None:
    found = growth(_months(100, 110, 99), "group", "value")
    assert [row[3] for row in found.rows] == [None, 0.1, -0.1]
    assert _fact(found, "change_share") == -0.01
    assert _fact(found, "mean_growth") == pytest.approx(-0.005012563)
    assert found.chart is not None
    assert found.chart.mark is Mark.LINE


def test_growth_from_nothing_is_no_number() -> None:
    found = growth(_months(0, 10), "group", "value")
    assert [row[3] for row in found.rows] == [None, None]


def test_shares_in_a_top_list_are_of_the_whole() -> None:
    # B23
    top = _result(("A", 50.0), ("B", 30.0))
    assert [row[2] for row in share(top, "group", "value", whole=100.0).rows] == [0.5, 0.3]
    assert _fact(share(_result(("A", 50.0), ("B", 50.0)), "group", "value"), "concentration") == 0.5


def test_a_comparison_tells_each_groups_part_of_the_change() -> None:
    result = _result(("A", 90.0, 100.0), ("B", 55.0, 50.0), kinds=("text", "number", "number"))
    found = compare(result, "group", "value", "other")
    assert [row[3:] for row in found.rows] == [(-10.0, -0.1, 2.0), (5.0, 0.1, -1.0)]
    assert _fact(found, "change_share") == pytest.approx(-5 / 150)
    assert _fact(found, "least", "A") == -10.0


def test_a_steady_rise_is_a_trend_and_noise_is_none() -> None:
    rising = trend(_months(*(10 + 2 * at for at in range(12))), "group", "value")
    assert _fact(rising, "slope") == 2.0
    assert rising.fact("direction") is not None
    assert rising.fact("direction").value == "up"  # pyright: ignore[reportOptionalMemberAccess]
    noise = default_rng(4).normal(size=24)
    flat = trend(_months(*map(float, noise)), "group", "value").fact("direction")
    assert flat is not None
    assert flat.value == "none"


def test_one_wild_month_does_not_make_a_trend() -> None:
    values = [10.0, 11.0, 10.0, 11.0, 10.0, 11.0, 10.0, 900.0]
    assert _fact(trend(_months(*values), "group", "value"), "slope") < 1.0


def test_what_stands_out_is_found_although_it_widens_the_spread() -> None:
    rows = [(f"g{at}", float(10 + at % 3)) for at in range(12)]
    found = outliers(_result(*rows, ("odd", 1_000.0), ("odder", 2_000.0)), "group", "value")
    assert [row[0] for row in found.rows] == ["odder", "odd"]


def test_correlation_has_its_interval_and_its_count() -> None:
    draw = default_rng(1)
    x = draw.normal(size=200)
    y = 0.5 * x + draw.normal(size=200)
    rows = [("", float(a), float(b)) for a, b in zip(x, y, strict=True)]
    found = correlation(_result(*rows, ("", 1.0, None), kinds=("text", "number", "number")), "value", "other")
    assert _fact(found, "n") == 200
    assert _fact(found, "pearson_low") < 0.5 / 1.25**0.5 < _fact(found, "pearson_high")
    assert [each.code for each in found.caveats] == [CaveatCode.MISSING_VALUES]


def test_a_column_that_does_not_vary_has_no_correlation() -> None:
    rows = [("", 1.0, float(at)) for at in range(12)]
    found = correlation(_result(*rows, kinds=("text", "number", "number")), "value", "other")
    assert found.fact("pearson") is None


def test_a_distribution_counts_every_value_once() -> None:
    found = distribution(_result(*((str(at), float(at)) for at in range(101))), "value")
    assert sum(int(str(row[2])) for row in found.rows) == 101
    assert [_fact(found, name) for name in ("min", "q1", "median", "q3", "max")] == [0, 25, 50, 75, 100]


def test_a_forecast_repeats_a_season_and_covers_what_comes() -> None:
    draw = default_rng(7)
    wave = [100 + 10 * (at % 12) + float(draw.normal(0, 2)) for at in range(60)]
    found = forecast(_months(*wave[:48]), "group", "value", Grain.MONTH, 12)
    assert [row[0] for row in found.rows][:2] == ["2028-01-01", "2028-02-01"]
    assert _fact(found, "mean_error") < _fact(found, "naive_error")
    covered = [
        float(str(low)) <= value <= float(str(high))
        for (_, _, low, high), value in zip(found.rows, wave[48:], strict=True)
    ]
    assert sum(covered) >= 10


def test_a_forecast_over_a_gap_is_refused() -> None:
    days = ["2024-01-01", "2024-02-01", "2024-04-01", "2024-05-01"]
    gap = _result(*((day, 1.0) for day in days), kinds=("date", "number"))
    with pytest.raises(Malformed, match="no month 2024-03-01"):
        forecast(gap, "group", "value", Grain.MONTH, 1)


def test_texts_are_no_numbers() -> None:
    with pytest.raises(WrongType):
        distribution(_result(("a", 1.0)), "group")


def test_few_values_are_told() -> None:
    assert trend(_months(1, 2, 4), "group", "value").caveats[0].code is CaveatCode.FEW_VALUES


def test_one_row_is_told_by_its_columns_and_several_by_their_ends() -> None:
    one = aggregate(_result((7.0,), kinds=("number",)).model_copy(), 0)
    assert _fact(one, "group") == 7.0
    several = aggregate(_result(("A", 1.0), ("B", 3.0)), 1)
    assert (_fact(several, "highest", "B"), _fact(several, "lowest", "A")) == (3.0, 1.0)
    assert several.chart is not None
    assert several.chart.mark is Mark.BAR
