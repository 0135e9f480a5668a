"""A turn calls its tools in order, shows what they made, and says nothing that they did not find."""

from __future__ import annotations

import pytest

from agents.analyst.working.turning import Desk
from envs.analyst.turns import LONGEST, PREVIEWED, DatabaseUsed, DocumentUsed, Done, Intent, TableOutput
from tests.agents.analyst.working.asking import turned

TOTALS = "What were total sales by region last quarter?"


def test_a_question_to_the_data_is_traced_as_the_contract_has_it(desk: Desk) -> None:
    worked = turned(desk, TOTALS)
    assert worked.intent is Intent.STRUCTURED_FLOW
    assert [(call.order, call.name) for call in worked.tool_calls] == [
        (1, "check_data"),
        (2, "retrieve_data"),
        (3, "analyze_aggregate"),
    ]
    assert worked.planning is not None
    assert [step.tools_used for step in worked.planning.steps] == [
        ("check_data",),
        ("retrieve_data", "analyze_aggregate"),
    ]
    retrieved = worked.tool_calls[1]
    ir = retrieved.input["ir"]
    assert isinstance(ir, dict)
    assert (ir["source_id"], ir["table_id"]) == ("src_shop", "orders")
    (used,) = worked.sources
    assert isinstance(used, DatabaseUsed)
    assert used.query.startswith("SELECT")
    assert (used.detail.table, used.detail.row_count) == ("orders", 5)
    assert worked.substantive


def test_the_inventory_has_a_row_for_each_source_that_can_be_asked(desk: Desk) -> None:
    output = turned(desk, TOTALS).tool_calls[0].output
    assert isinstance(output, TableOutput)
    assert output.columns == ("source_id", "name", "source_type", "table_count")
    assert output.preview == (("src_shop", "shop", "schema", 5),)


def test_a_check_lists_every_source_and_cites_none(desk: Desk) -> None:
    worked = turned(desk, "what data do you have?")
    assert (worked.intent, worked.sources, worked.planning) == (Intent.CHECK, (), None)
    output = worked.tool_calls[0].output
    assert isinstance(output, TableOutput)
    assert [row[0] for row in output.preview] == ["src_shop", "src_handbook", "src_notes"]


def test_previews_are_short_and_the_number_of_rows_stays(desk: Desk) -> None:
    worked = turned(desk, "list all customers")
    retrieved = worked.tool_calls[1].output
    assert isinstance(retrieved, TableOutput)
    assert (len(retrieved.preview), retrieved.row_count) == (PREVIEWED, 2000)
    assert worked.table is not None
    assert (len(worked.table.rows), worked.table.row_count) == (200, 2000)


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("growth of revenue by month", "analyze_growth"),
        ("revenue by region compared to the previous quarter", "analyze_compare"),
        ("share of revenue by region", "analyze_share"),
        ("trend of revenue by month", "analyze_trend"),
        ("outliers in revenue by day", "analyze_outliers"),
        ("unusual orders by amount", "analyze_outliers"),
        ("correlation between quantity and amount", "analyze_correlation"),
        ("distribution of order amount", "analyze_distribution"),
        ("forecast revenue for the next 2 months", "analyze_forecast"),
        ("how many orders are there?", "analyze_aggregate"),
    ],
)
def test_each_analysis_goes_through_its_tool(desk: Desk, question: str, tool: str) -> None:
    worked = turned(desk, question)
    assert [(call.name, call.status) for call in worked.tool_calls[2:]] == [(tool, Done.SUCCESS)]
    assert worked.text
    assert worked.sources


def test_what_was_planned_into_the_data_is_said(desk: Desk) -> None:
    assert "Central 38.0%" in turned(desk, "share of revenue by region last quarter").text
    assert "West -12.0%" in turned(desk, "revenue by region compared to the previous quarter").text


def test_statistics_of_many_rows_stand_on_rows_from_all_over(desk: Desk) -> None:
    worked = turned(desk, "correlation between quantity and amount")
    assert "evenly spread" in worked.text
    assert "r = +0.5" in worked.text


def test_a_last_period_that_is_not_over_is_left_out_and_told(desk: Desk) -> None:
    worked = turned(desk, "growth of revenue by quarter")
    assert worked.table is not None
    assert worked.table.rows[-1][0] == "2026-01-01"
    assert "not complete" in worked.text


def test_a_follow_up_goes_on_from_what_was_carried(desk: Desk) -> None:
    before = turned(desk, TOTALS)
    after = turned(desk, "only West", before.carried)
    assert after.table is not None
    assert [row[0] for row in after.table.rows] == ["West"]
    assert turned(desk, "only West", {"of": "another version"}).intent is Intent.STRUCTURED_FLOW


def test_a_question_back_has_its_options_and_no_database(desk: Desk) -> None:
    worked = turned(desk, "top customers")
    assert (worked.intent, worked.sources) == (Intent.STRUCTURED_FLOW, ())
    assert worked.options
    assert all(option in worked.text for option in worked.options)
    assert not worked.substantive


def test_a_tool_that_fails_is_a_call_with_an_error(desk: Desk) -> None:
    worked = turned(desk, "forecast revenue for the next 90 months")
    failed = worked.tool_calls[-1]
    assert (failed.name, failed.status, failed.output) == ("analyze_forecast", Done.ERROR, None)
    assert failed.error
    assert failed.error in worked.text
    assert not worked.substantive


def test_a_passage_is_quoted_with_its_page(desk: Desk) -> None:
    worked = turned(desk, "what does the handbook say about returns?")
    assert worked.intent is Intent.UNSTRUCTURED_FLOW
    assert "30 days" in worked.text
    assert [call.name for call in worked.tool_calls] == ["retrieve_knowledge"]
    first = worked.sources[0]
    assert isinstance(first, DocumentUsed)
    assert (first.filename, first.page_label) == ("sales_handbook.pdf", "5")
    assert len(first.snippet) <= LONGEST
