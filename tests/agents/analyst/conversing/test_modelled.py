"""A model that plans in a conversation: what it may do, and who pays."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from agents.analyst.conversing.modelling import Modelling
from agents.llm.endpoint import EndpointError, Question, Style
from agents.llm.models import Model, read_models
from agents.settings import AgentSettings, Caps
from tests.agents.calling import asking
from tests.agents.loopback import Loopback, Turn, breaks_off, fails, refuses, says, sends
from tests.api.inside import Api, inside
from tests.contract.analyst_talk import Told, talk, trace

pytestmark = pytest.mark.anyio

QUESTION = "How did we do lately, all in all?"
ORDERS = {
    "source_id": "src_shop",
    "table_id": "orders",
    "measures": [{"agg": "count", "alias": "orders_counted"}],
}


def proposes(query: dict[str, Any]) -> Turn:
    return says(json.dumps({"intent": "answer", "query": query}))


@pytest.fixture(scope="module")
async def served(tmp_path_factory: pytest.TempPathFactory, endpoint_server: Loopback) -> AsyncIterator[Api]:
    """One server for the module, so that its process starts once; the loopback's model plans."""
    settings = asking(endpoint_server, AUDITORIUM_AGENT_OUTPUT_TOKENS="1000")
    async with inside(tmp_path_factory.mktemp("modelled"), settings) as api:
        yield api


async def told(api: Api, message: str = QUESTION) -> tuple[Told, dict[str, Any]]:
    """The answer to a first message, and how it came about."""
    analysis_id = (await api.service.create("analyst")).id
    async with api.client_at("/envs/analyst") as client:
        answer = await talk(client, analysis_id, message)
        return answer, await trace(client, analysis_id, answer)


async def test_a_models_query_is_checked_run_and_traced(served: Api, loopback: Loopback):
    loopback.script.append(proposes(ORDERS))
    answer, traced = await told(served)
    assert "48,213" in answer.text
    assert traced["intent"] == "structured_flow"
    (ir,) = [call["input"]["ir"] for call in traced["tool_calls"] if call["name"] == "retrieve_data"]
    assert ir["measures"][0]["alias"] == "orders_counted"


async def test_an_invented_column_is_told_once_and_then_planned_without_the_model(
    served: Api, loopback: Loopback
):
    invented = {**ORDERS, "measures": [{"agg": "sum", "column": "no_such_column", "alias": "x"}]}
    loopback.script.extend([proposes(invented), proposes(invented)])
    _, traced = await told(served, "total amount by region")
    assert len(loopback.asked) == 2
    assert "no_such_column" in loopback.asked[1].case
    assert "Central" in json.dumps(traced["tool_calls"])


@pytest.mark.parametrize("turn", [refuses("no"), says("", finish="content_filter")])
async def test_a_model_that_refuses_blocks_the_message(served: Api, loopback: Loopback, turn: Turn):
    loopback.script.append(turn)
    _, traced = await told(served)
    assert (traced["intent"], traced["tool_calls"], traced["sources"]) == ("blocked", [], [])


@pytest.mark.parametrize("turn", [fails(500), fails(429), says("{no object"), sends("<html>"), breaks_off])
async def test_an_endpoint_that_fails_leaves_the_planner_without_it(
    served: Api, loopback: Loopback, turn: Turn
):
    loopback.always = turn
    answer, traced = await told(served, "total amount by region")
    assert answer.names == ["sources", "status", "chunk", "done"]
    assert len(loopback.asked) == 2
    assert traced["intent"] == "structured_flow"
    assert "Central" in json.dumps(traced["tool_calls"])


async def test_small_talk_asks_no_model(served: Api, loopback: Loopback):
    _, traced = await told(served, "hello")
    assert (traced["intent"], loopback.asked) == ("chat", [])


async def test_with_the_days_share_used_up_no_call_is_made(served: Api, loopback: Loopback, model: Model):
    modelling = Modelling(served.service, AgentSettings(models=(model,), caps=Caps(client_tokens=1)))
    ask = modelling.asking("198.51.100.7")
    assert ask is not None
    with pytest.raises(EndpointError, match="what one client may use"):
        await ask(Question("rules", {Style.SCHEMA: "case"}, (), {}), Style.SCHEMA)
    assert loopback.asked == []
    await modelling.close()


async def test_without_a_key_there_is_no_model(served: Api):
    keyless = read_models("gemini:some-model", {})
    assert Modelling(served.service, AgentSettings(models=keyless)).asking("198.51.100.7") is None
