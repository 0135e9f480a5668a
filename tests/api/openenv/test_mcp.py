"""MCP: one tool for each action, a session that is an instance, and errors that an agent can correct."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.api.calls import OUTSIDE, RIGHT, SLUG, TASK, entries, opened
from tests.api.inside import Api
from tests.api.openenv.sockets import MCP, OPENENV

IMPUTE = {name: value for name, value in RIGHT.items() if name != "operation"}


async def rpc(
    api: Api, method: str, params: object = None, *, query: str = "", session: str | None = None
) -> httpx.Response:
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": method}
    if params is not None:
        message["params"] = params
    headers = {} if session is None else {"Mcp-Session-Id": session}
    return await api.client.post(f"{MCP}{query}", json=message, headers=headers)


async def result(api: Api, method: str, params: object = None, **more: Any) -> dict[str, Any]:
    answer = await rpc(api, method, params, **more)
    assert answer.status_code == 200, answer.text
    assert answer.json()["id"] == 1
    return answer.json()["result"]


async def error(api: Api, method: str, params: object = None, **more: Any) -> dict[str, Any]:
    return (await rpc(api, method, params, **more)).json()["error"]


async def initialized(api: Api, query: str = "") -> str:
    """The session that `initialize` opened."""
    return (await rpc(api, "initialize", {"protocolVersion": "2025-06-18"}, query=query)).headers[
        "mcp-session-id"
    ]


async def test_initialize_opens_a_reset_instance_and_tells_the_whole_task(api: Api):
    answer = await rpc(api, "initialize", {"protocolVersion": "2025-06-18"}, query=f"?task={TASK['task_id']}")
    session, told = answer.headers["mcp-session-id"], answer.json()["result"]
    assert [entry["kind"] for entry in await entries(api, session)] == ["reset"]
    assert told["protocolVersion"] == "2025-06-18"
    assert told["serverInfo"]["name"] == SLUG
    first = (await api.client.post(f"{OPENENV}/reset", json=TASK)).json()["observation"]["text"]
    assert told["instructions"] == first


@pytest.mark.parametrize(
    ("query", "start"),
    [
        ("?task_id=hard_energy_forecast_001", "hard_energy_forecast_001"),
        ("?level=hard&seed=4", "hard_"),
        ("?difficulty=medium", "medium_"),
        ("?track=audit&level=easy&seed=4", "audit"),
    ],
)
async def test_the_address_chooses_what_initialize_opens(api: Api, query: str, start: str):
    session = await initialized(api, query)
    state = await api.client.get(f"{OPENENV}/state", params={"session_id": session})
    assert state.json()["task_id"].startswith(start)


async def test_initialize_joins_an_instance_and_leaves_its_episode_alone(api: Api):
    ref = await opened(api)
    assert await initialized(api, f"?session_id={ref}") == ref
    assert len(await entries(api, ref)) == 1
    fresh = (await api.service.create(SLUG)).id
    assert await initialized(api, f"?session_id={fresh}") == fresh
    assert len(await entries(api, fresh)) == 1


@pytest.mark.parametrize("query", ["?tsak=x", "?seed=-1", "?seed=x", "?track=audit&colour=red", "?%00=1"])
async def test_an_address_that_does_not_fit_opens_nothing(api: Api, query: str):
    answer = await rpc(api, "initialize", query=query)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    assert api.store.count() == 0


@pytest.mark.parametrize(
    ("asked", "answered"),
    [("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25"), (None, "2025-11-25"), (7, "2025-11-25")],
)
async def test_a_version_that_we_do_not_speak_is_answered_with_the_newest(
    api: Api, asked: object, answered: str
):
    assert (await result(api, "initialize", {"protocolVersion": asked}))["protocolVersion"] == answered


async def test_there_is_one_described_tool_for_each_action_and_none_for_reset(api: Api):
    tools = {tool["name"]: tool for tool in (await result(api, "tools/list"))["tools"]}
    assert set(tools) == {"impute", "flag_anomaly", "accept", "repair_and_finalize", "escalate"}
    assert tools["impute"]["inputSchema"]["required"] == ["target_index", "predicted_value"]
    assert api.store.count() == 0


async def test_a_call_is_a_step_of_the_session_that_initialize_named(api: Api):
    session = await initialized(api, f"?task_id={TASK['task_id']}")
    told = await result(api, "tools/call", {"name": "impute", "arguments": IMPUTE}, session=session)
    assert told["isError"] is False
    assert told["content"][0]["text"].endswith("Reward: 1. The episode is terminated.")
    assert (told["structuredContent"]["reward"], told["structuredContent"]["done"]) == (1.0, True)
    recorded = await entries(api, session)
    assert [entry["surface"] for entry in recorded] == ["mcp", "mcp"]


async def test_what_an_agent_gets_wrong_is_an_answer_that_it_can_correct(api: Api):
    session = await initialized(api, f"?task_id={TASK['task_id']}")
    for call, words in (
        ({"name": "impute"}, "needs target_index, predicted_value"),
        ({"name": "accept", "arguments": {"target_index": 1}}, "accept takes severity"),
        ({"name": "accept", "arguments": {"severity": "dire"}}, "'low', 'medium' or 'high'"),
    ):
        told = await result(api, "tools/call", call, session=session)
        assert told["isError"] is True
        assert words in told["content"][0]["text"]
    assert len(await entries(api, session)) == 1
    outside = {"target_index": OUTSIDE["target_index"]}
    illegal = await result(api, "tools/call", {"name": "flag_anomaly", "arguments": outside}, session=session)
    assert illegal["isError"] is True
    assert "outside this series" in illegal["content"][0]["text"]
    await result(api, "tools/call", {"name": "impute", "arguments": IMPUTE}, session=session)
    over = await result(api, "tools/call", {"name": "accept"}, session=session)
    assert (over["isError"], "initialize anew" in over["content"][0]["text"]) == (True, True)


async def test_openenvs_client_gets_errors_as_errors_and_results_as_data(api: Api):
    session = (await result(api, "openenv/session/create"))["session_id"]
    call = {"name": "accept", "arguments": {}, "session_id": session}
    told = await result(api, "tools/call", call)
    assert set(told["data"]) == {"observation", "reward", "done", "metadata"}
    failed = await error(api, "tools/call", {**call, "name": "impute"})
    assert (failed["code"], failed["data"]["code"]) == (-32602, "invalid_request")
    assert (await result(api, "openenv/session/close", {"session_id": session}))["closed"] is True
    assert len(await entries(api, session)) == 2


async def test_a_call_without_a_session_says_how_to_name_one_and_plays_nothing(api: Api):
    for method, params in (("tools/call", {"name": "accept"}), ("openenv/session/close", {})):
        told = await error(api, method, params)
        assert told["data"]["code"] == "not_reset"
        assert "Mcp-Session-Id" in told["message"]
    assert api.store.count() == 0


async def test_g11_an_unknown_session_is_404_for_a_standard_client_and_told_in_words_to_openenvs(api: Api):
    nobody = "0" * 32
    standard = await rpc(api, "tools/call", {"name": "accept"}, session=nobody)
    assert standard.status_code == 404
    assert standard.json()["error"]["message"].startswith("Session not found")
    openenvs = await rpc(api, "tools/call", {"name": "accept", "session_id": nobody})
    assert openenvs.status_code == 200
    assert openenvs.json()["error"]["data"]["status"] == 404


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", -32700),
        (b"{", -32700),
        (b"\xff", -32700),
        (b"[" * 100_000, -32700),
        (b'{"a":' * 50_000, -32700),
        (b"{}", -32600),
        (b"[]", -32600),
        (b"null", -32600),
        (b'{"jsonrpc": "1.0", "method": "ping", "id": 1}', -32600),
        (b'{"jsonrpc": "2.0", "method": 7, "id": 1}', -32600),
        (b'{"jsonrpc": "2.0", "method": "ping", "id": true}', -32600),
        (b'{"jsonrpc": "2.0", "method": "ping", "id": {"a": 1}}', -32600),
        (b'{"jsonrpc": "2.0", "method": "ping", "id": 1, "params": []}', -32602),
        (b'{"jsonrpc": "2.0", "method": "reset", "id": 1}', -32601),
        (b'{"jsonrpc": "2.0", "method": "tools/call", "id": 1, "params": {"name": "reset"}}', -32602),
        (b'{"jsonrpc": "2.0", "method": "tools/call", "id": 1, "params": {"name": 1}}', -32602),
        (b'{"jsonrpc": "2.0", "method": "tools/call", "id": 1, "params": {"arguments": 1}}', -32602),
    ],
)
async def test_whatever_is_posted_gets_a_json_rpc_answer(api: Api, content: bytes, code: int):
    session = await opened(api)
    answer = await api.client.post(MCP, content=content, params={"session_id": session})
    assert (answer.status_code, answer.json()["jsonrpc"]) == (200, "2.0")
    assert answer.json()["error"]["code"] == code
    assert len(await entries(api, session)) == 1


@pytest.mark.parametrize("value", ["NaN", "1e999", "-Infinity"])
async def test_a_value_that_is_not_finite_is_not_played(api: Api, value: str):
    session = await opened(api)
    call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"impute","arguments":'
    content = call + '{"target_index":3,"predicted_value":' + value + "}}}"
    answer = await api.client.post(MCP, content=content, params={"session_id": session})
    assert "finite" in answer.json()["result"]["content"][0]["text"]
    assert len(await entries(api, session)) == 1


async def test_notifications_are_taken_in_silence_and_pings_answered(api: Api):
    notification = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    answer = await api.client.post(MCP, json=notification)
    assert (answer.status_code, answer.content) == (202, b"")
    assert await result(api, "ping") == {}


async def test_a_client_that_wants_a_stream_is_told_that_there_is_none(api: Api):
    answer = await api.client.get(MCP)
    assert (answer.status_code, answer.headers["allow"]) == (405, "DELETE, POST")
    session = await initialized(api)
    ended = await api.client.delete(MCP, headers={"Mcp-Session-Id": session})
    assert (ended.status_code, ended.content) == (204, b"")
    assert len(await entries(api, session)) == 1


async def test_a_held_out_case_is_not_opened_by_initialize(api: Api):
    told = await error(api, "initialize", query="?track=audit&split=held-out&level=easy&seed=3")
    assert told["data"]["code"] == "held_out"


@pytest.mark.parametrize("params", [[], "x", 0])
async def test_an_error_is_answered_by_the_id_of_what_was_asked(api: Api, params: object):
    answer = await rpc(api, "tools/list", params)
    assert answer.json()["id"] == 1
    assert answer.json()["error"]["code"] == -32602


async def test_a_refused_case_leaves_no_instance_behind(api: Api):
    before = api.store.count()
    assert "error" in (await rpc(api, "initialize", {}, query="?task=nope")).json()
    assert (await api.client.post(f"{OPENENV}/reset", json={"task_id": "nope"})).status_code == 400
    assert api.store.count() == before


async def test_who_joins_an_episode_under_way_is_told_the_whole_task_too(api: Api):
    ref = await opened(api)
    await api.client.post(f"{OPENENV}/step", params={"session_id": ref}, json={"action": OUTSIDE})
    joined = await result(api, "initialize", {}, query=f"?session_id={ref}")
    assert "- impute: " in joined["instructions"]
