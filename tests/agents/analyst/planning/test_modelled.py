"""The planner with a model: one on a loopback endpoint proposes, and every way it fails has an outcome."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from agents.analyst.engines import Database
from agents.analyst.planning.modelled import JsonEndpoint, ModelledPlanner
from agents.analyst.planning.outcome import Blocked, Blocking, Chat, Planned, Refuse
from agents.analyst.planning.parsing import ground
from agents.analyst.planning.planner import Planner
from agents.llm.models import Model
from evals.nl2sql.own import AS_OF
from tests.agents.loopback import Loopback, breaks_off, fails, refuses, says

QUESTION = "Revenue by region"
QUERY = {
    "source_id": "src_shop",
    "table_id": "orders",
    "measures": [{"agg": "sum", "column": "amount", "alias": "proposed"}],
    "group_by": [{"column": {"table": "region", "column": "name"}, "alias": "region"}],
}


def proposes(**query: Any) -> str:
    return json.dumps({"intent": "answer", "query": {**QUERY, **query}})


@pytest.fixture
async def planner(shop: Database, model: Model) -> AsyncIterator[ModelledPlanner]:
    endpoint = JsonEndpoint(model, 2.0, 1_000)
    yield ModelledPlanner(Planner([ground(shop.source, shop.values)]), endpoint.ask)
    await endpoint.close()


async def planned(planner: ModelledPlanner, question: str = QUESTION) -> str:
    """The name of the first measure: `proposed` if it is the model's."""
    outcome = await planner.plan(question, AS_OF)
    assert isinstance(outcome, Planned), outcome
    return outcome.ir.measures[0].alias


async def test_a_sound_proposal_is_planned(planner: ModelledPlanner, loopback: Loopback):
    loopback.script.append(says(f"```json\n{proposes()}\n```"))
    assert await planned(planner) == "proposed"
    assert loopback.asked[0].body["response_format"]["type"] == "json_schema"


async def test_where_no_schema_is_taken_a_json_object_is_asked_for(
    planner: ModelledPlanner, loopback: Loopback
):
    loopback.script.extend([fails(400), says(proposes())])
    assert await planned(planner) == "proposed"
    assert loopback.asked[1].body["response_format"] == {"type": "json_object"}


async def test_an_unknown_column_is_told_to_the_model_once(planner: ModelledPlanner, loopback: Loopback):
    wrong = proposes(measures=[{"agg": "sum", "column": "profit", "alias": "proposed"}])
    loopback.script.extend([says(wrong), says(proposes())])
    assert await planned(planner) == "proposed"
    assert "profit" in loopback.asked[1].case


@pytest.mark.parametrize(
    "script",
    [
        [fails(500), fails(500)],
        [fails(429), fails(429)],
        [fails(400), fails(400)],
        [breaks_off, breaks_off],
        [says("no object"), says("{still: none")],
        [says(proposes(table_id="nowhere")), says(proposes(source_id="elsewhere"))],
    ],
)
async def test_a_model_that_fails_leaves_the_planner_without_one(
    planner: ModelledPlanner, loopback: Loopback, script: list[Any]
):
    loopback.script.extend(script)
    assert await planned(planner) == "total_amount"
    assert len(loopback.asked) == len(script)


async def test_after_a_moments_failure_the_model_is_asked_again(planner: ModelledPlanner, loopback: Loopback):
    loopback.script.extend([fails(500), says(proposes())])
    assert await planned(planner) == "proposed"


@pytest.mark.parametrize("turn", [refuses("I will not"), says("", finish="content_filter")])
async def test_what_its_filter_stops_is_blocked(planner: ModelledPlanner, loopback: Loopback, turn: Any):
    loopback.script.append(turn)
    outcome = await planner.plan(QUESTION, AS_OF)
    assert isinstance(outcome, Blocked)
    assert outcome.why is Blocking.FILTER


async def test_a_refusal_says_what_is_missing(planner: ModelledPlanner, loopback: Loopback):
    loopback.script.append(says(json.dumps({"intent": "refuse", "missing": ["profit"]})))
    outcome = await planner.plan("Profit by region", AS_OF)
    assert isinstance(outcome, Refuse)
    assert outcome.missing == ("profit",)


async def test_a_greeting_needs_no_model(planner: ModelledPlanner, loopback: Loopback):
    assert isinstance(await planner.plan("Hello", AS_OF), Chat)
    assert loopback.asked == []


async def test_the_catalogue_stands_between_marks_that_it_cannot_contain(
    planner: ModelledPlanner, loopback: Loopback
):
    loopback.script.append(says(proposes()))
    await planned(planner)
    case = loopback.asked[0].case
    assert case.index("<case-") < case.index("table orders") < case.index("</case-")
