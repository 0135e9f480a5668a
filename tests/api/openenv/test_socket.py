"""The WebSocket conversation: frames and their errors, one writer, watchers, and others who act beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.api.calls import OUTSIDE, PREFIX, RIGHT, SLUG, TASK, WRONG, entries, opened, played
from tests.api.inside import Api, inside
from tests.api.openenv.sockets import OPENENV, SOCKET, Socket, connected, error_of

HARD = {"task_id": "hard_energy_forecast_001"}


async def session_of(socket: Socket, options: dict[str, Any] = TASK) -> str:
    """The session of a socket that has just reset."""
    return (await socket.ask("reset", options))["data"]["metadata"]["session_id"]


async def test_a_socket_plays_an_episode_on_an_instance_of_its_own(api: Api):
    async with connected(api.app) as socket:
        first = await socket.ask("reset", TASK)
        assert (first["type"], first["data"]["reward"], first["data"]["done"]) == ("observation", None, False)
        second = await socket.ask("step", RIGHT)
        assert (second["data"]["reward"], second["data"]["done"]) == (1.0, True)
        state = await socket.ask("state")
        assert (state["type"], state["data"]["step_count"], state["data"]["done"]) == ("state", 1, True)
        recorded = await entries(api, first["data"]["metadata"]["session_id"])
    assert [entry["surface"] for entry in recorded] == ["ws", "ws"]


async def test_g03_two_sockets_in_turns_stay_apart(api: Api):
    async with connected(api.app) as first, connected(api.app) as second:
        await first.ask("reset", HARD)
        await second.ask("reset", TASK)
        for socket in (first, second, first, first):
            assert (await socket.ask("step", WRONG))["type"] == "observation"
        states = [(await socket.ask("state"))["data"] for socket in (first, second)]
    assert [state["step_count"] for state in states] == [3, 1]
    assert [state["task_id"] for state in states] == [HARD["task_id"], TASK["task_id"]]


async def test_a_close_frame_closes_and_keeps_the_instance(api: Api):
    async with connected(api.app) as socket:
        session = await session_of(socket)
        socket.say({"type": "close"})
        assert await socket.closed() == 1000
    assert len(api.app.sessions) == 0
    async with connected(api.app, query=f"session_id={session}") as again:
        assert (await again.ask("step", RIGHT))["data"]["done"] is True


BAD_FRAMES = {
    "no JSON": ("{", "INVALID_JSON"),
    "nothing": ("", "INVALID_JSON"),
    "a lone surrogate": ('{"type": "\\ud800"}', "INVALID_JSON"),
    "a nested bomb": ("[" * 100_000, "INVALID_JSON"),
    "a nested bomb in the data": ('{"type":"step","data":' + '{"a":' * 50_000, "INVALID_JSON"),
    "a binary frame": (b'{"type": "state"}', "INVALID_JSON"),
    "no object": ([], "VALIDATION_ERROR"),
    "no type": ({}, "UNKNOWN_TYPE"),
    "an unknown type": ({"type": "render"}, "UNKNOWN_TYPE"),
    "a type that is no text": ({"type": ["reset"]}, "UNKNOWN_TYPE"),
    "an unknown field": ({"type": "state", "colour": "red"}, "VALIDATION_ERROR"),
    "a reset of no object": ({"type": "reset", "data": []}, "VALIDATION_ERROR"),
    "a seed below zero": ({"type": "reset", "data": {"seed": -1}}, "VALIDATION_ERROR"),
    "no action": ({"type": "step"}, "VALIDATION_ERROR"),
    "an action with an unknown field": ({"type": "step", "data": {**WRONG, "x": 1}}, "VALIDATION_ERROR"),
    "NaN": ('{"type":"step","data":{"operation":"accept","predicted_value":NaN}}', "VALIDATION_ERROR"),
    "infinity": ('{"type":"step","data":{"operation":"accept","predicted_value":1e999}}', "VALIDATION_ERROR"),
    "a frame over the limit": ({"type": "step", "data": {"rationale": "x" * 300_000}}, "VALIDATION_ERROR"),
    "a case that is not there": ({"type": "reset", "data": {"task_id": "none"}}, "EXECUTION_ERROR"),
}


@pytest.mark.parametrize(("frame", "code"), BAD_FRAMES.values(), ids=BAD_FRAMES)
async def test_a_bad_frame_is_answered_and_changes_nothing(api: Api, frame: object, code: str):
    async with connected(api.app) as socket:
        session = await session_of(socket)
        socket.say(frame)
        assert error_of(await socket.heard())[0] == code
        assert (await socket.ask("state"))["data"]["entry"] == 1
        assert (await socket.ask("step", RIGHT))["data"]["reward"] == 1.0
    assert len(await entries(api, session)) == 2


async def test_a_step_before_the_reset_and_one_after_the_end_are_execution_errors(api: Api):
    async with connected(api.app) as socket:
        code, message = error_of(await socket.ask("step", WRONG))
        assert (code, "call reset" in message) == ("EXECUTION_ERROR", True)
        await socket.ask("reset", TASK)
        await socket.ask("step", RIGHT)
        code, message = error_of(await socket.ask("step", RIGHT))
        assert (code, "call reset" in message) == ("EXECUTION_ERROR", True)
        assert (await socket.ask("reset", TASK))["type"] == "observation"


async def test_an_illegal_action_is_an_observation_with_its_reason(api: Api):
    async with connected(api.app) as socket:
        await socket.ask("reset", TASK)
        answer = (await socket.ask("step", OUTSIDE))["data"]
    assert (answer["reward"], answer["metadata"]["legal"]) == (0.0, False)
    assert "use 0 to 4" in answer["metadata"]["message"]


@pytest.mark.parametrize(("query", "path"), [("session_id={}", SOCKET), ("", OPENENV + "/instances/{}/ws")])
async def test_a_socket_joins_the_instance_that_it_names(api: Api, query: str, path: str):
    ref = await opened(api)
    async with connected(api.app, path.format(ref), query.format(ref)) as socket:
        assert (await socket.ask("state"))["data"]["task_id"] == TASK["task_id"]
        assert (await socket.ask("step", RIGHT))["data"]["metadata"]["session_id"] == ref
    assert [entry["surface"] for entry in await entries(api, ref)] == ["http", "ws"]


async def test_g11_an_unknown_session_is_told_to_reset_and_sent_away(api: Api):
    async with connected(api.app, query=f"session_id={'0' * 32}") as socket:
        frame = await socket.heard()
        code, message = error_of(frame)
        assert (code, frame["data"]["status"]) == ("SESSION_ERROR", 404)
        assert message.startswith("Session not found")
        assert await socket.closed() == 1008
    assert len(api.app.sessions) == 0


async def test_g08_a_wrong_environment_is_refused_at_the_start_with_the_right_names(api: Api):
    async with connected(api.app, "/openenv/forecast-auditt/ws") as socket:
        code, message = error_of(await socket.heard())
        assert (code, SLUG in message) == ("SESSION_ERROR", True)
        assert await socket.closed() == 1008


async def test_a_second_writer_is_refused_while_the_first_one_lives_and_may_look_on(api: Api):
    ref = await opened(api)
    async with connected(api.app, query=f"session_id={ref}") as second:
        async with connected(api.app, query=f"session_id={ref}") as first:
            await first.ask("step", OUTSIDE)
            for kind, data in (("step", WRONG), ("reset", TASK)):
                code, message = error_of(await second.ask(kind, data))
                assert (code, "Another socket" in message) == ("SESSION_ERROR", True)
            assert (await second.ask("state"))["data"]["entry"] == 2
            assert (await first.ask("step", OUTSIDE))["data"]["metadata"]["entry"] == 3
        assert (await second.ask("step", OUTSIDE))["data"]["metadata"]["entry"] == 4


async def test_any_number_of_watchers_look_and_none_of_them_acts(api: Api):
    ref = await opened(api)
    watch = (await api.service.find(ref)).watch_id
    query = f"session_id={watch}"
    async with connected(api.app, query=query) as one, connected(api.app, query=query) as other:
        for watcher in (one, other):
            assert error_of(await watcher.ask("step", WRONG))[0] == "SESSION_ERROR"
            state = await watcher.ask("state")
            assert state["data"]["task_id"] == TASK["task_id"]
            assert ref not in json.dumps(state)
    assert len(await entries(api, ref)) == 1


async def test_the_writer_hears_of_those_who_act_beside_it(api: Api):
    async with connected(api.app) as socket:
        session = await session_of(socket, HARD)
        await played(api, session, "/step", OUTSIDE)
        await api.client.post(f"{OPENENV}/step", params={"session_id": session}, json={"action": OUTSIDE})
        answer = (await socket.ask("step", OUTSIDE))["data"]["metadata"]
        assert (answer["others"], answer["entry"]) == (2, 4)
        assert (await socket.ask("step", OUTSIDE))["data"]["metadata"]["others"] == 0


async def test_who_asks_for_events_hears_every_entry_as_it_is_committed(api: Api):
    ref = await opened(api)
    async with connected(api.app, query=f"session_id={ref}&events=1") as socket:
        assert (await socket.ask("state"))["data"]["entry"] == 1
        await played(api, ref, "/step", OUTSIDE, {"X-Actor": "human:ada"})
        event = await socket.heard()
        assert (event["type"], event["data"]["n"], event["data"]["actor"]["label"]) == ("event", 2, "ada")
        assert event["data"]["digest"] is None
        await api.client.delete(f"/instances/{ref}")
        assert error_of(await socket.heard())[0] == "SESSION_ERROR"
        assert await socket.closed() == 1001


async def test_an_instance_that_ends_meanwhile_is_a_session_error(api: Api):
    async with connected(api.app) as socket:
        session = await session_of(socket)
        await api.client.delete(f"/instances/{session}")
        frame = await socket.ask("step", WRONG)
        assert (error_of(frame)[0], frame["data"]["status"]) == ("SESSION_ERROR", 410)


async def test_a_socket_that_closes_in_mid_step_loses_no_step_and_frees_its_place(
    api: Api, caplog: pytest.LogCaptureFixture
):
    async with connected(api.app) as socket:
        session = await session_of(socket)
        socket.say({"type": "step", "data": RIGHT})
        socket.leave()
    assert len(await entries(api, session)) == 2
    assert len(api.app.sessions) == 0
    assert caplog.records == []


async def test_a_mistake_of_ours_is_told_without_its_trace_and_the_socket_stays(
    api: Api, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    async def broken(*_: object) -> object:
        raise RuntimeError("secret of the house")

    async with connected(api.app) as socket:
        await socket.ask("reset", TASK)
        with monkeypatch.context() as patched:
            patched.setattr(api.service, "step", broken)
            frame = await socket.ask("step", WRONG)
        assert error_of(frame)[0] == "EXECUTION_ERROR"
        assert "secret" not in json.dumps(frame)
        assert (await socket.ask("step", RIGHT))["data"]["done"] is True
    assert "secret of the house" in caplog.text


async def test_who_acts_is_said_at_the_handshake(api: Api):
    async with connected(api.app, headers=[(b"x-actor", b"agent:reader")]) as socket:
        session = await session_of(socket)
    assert (await entries(api, session))[0]["actor"] == {"kind": "agent", "label": "reader"}
    async with connected(api.app, headers=[(b"x-actor", b"robot")]) as socket:
        assert error_of(await socket.heard())[0] == "VALIDATION_ERROR"


async def test_g02_one_socket_too_many_is_told_when_to_come_back_and_the_open_ones_still_step(
    tmp_path: Path,
):
    async with inside(tmp_path, {"AUDITORIUM_SESSIONS": "2"}) as api:
        async with connected(api.app) as first, connected(api.app) as second:
            await first.ask("reset", TASK)
            async with connected(api.app) as third:
                frame = await third.heard()
                assert error_of(frame)[0] == "CAPACITY_REACHED"
                assert frame["data"]["retry_after_s"] >= 1
                assert (frame["data"]["active_sessions"], frame["data"]["max_sessions"]) == (2, 2)
                assert await third.closed() == 1013
            assert (await first.ask("step", RIGHT))["data"]["done"] is True
            assert (await second.ask("reset", TASK))["type"] == "observation"
        async with connected(api.app) as fourth:
            assert (await fourth.ask("reset", TASK))["type"] == "observation"


async def test_sockets_open_instances_no_faster_than_other_routes(tmp_path: Path):
    settings = {"AUDITORIUM_CREATIONS_PER_S": "0.01", "AUDITORIUM_CREATION_BURST": "1"}
    async with inside(tmp_path, settings) as api:
        async with connected(api.app) as first:
            await first.ask("reset", TASK)
        async with connected(api.app) as second:
            frame = await second.heard()
    assert error_of(frame)[0] == "CAPACITY_REACHED"
    assert frame["data"]["retry_after_s"] == 100


async def test_frames_count_as_requests(tmp_path: Path):
    settings = {"AUDITORIUM_REQUESTS_PER_S": "0.001", "AUDITORIUM_REQUEST_BURST": "3"}
    async with inside(tmp_path, settings) as api, connected(api.app) as socket:
        await socket.ask("reset", TASK)
        await socket.ask("step", OUTSIDE)
        assert (await api.client.get("/health")).status_code == 429


async def test_frames_wait_where_requests_are_refused(tmp_path: Path):
    settings = {"AUDITORIUM_REQUESTS_PER_S": "50", "AUDITORIUM_REQUEST_BURST": "2"}
    async with inside(tmp_path, settings) as api, connected(api.app) as socket:
        await socket.ask("reset", TASK)
        assert {(await socket.ask("step", OUTSIDE))["type"] for _ in range(5)} == {"observation"}


async def test_a_handshake_too_many_is_refused_like_a_request(tmp_path: Path):
    settings = {"AUDITORIUM_REQUESTS_PER_S": "0.001", "AUDITORIUM_REQUEST_BURST": "1"}
    async with inside(tmp_path, settings) as api:
        await api.client.get("/health")
        with pytest.raises(AssertionError):
            async with connected(api.app) as socket:
                pytest.fail(str(socket))


async def test_held_out_cases_are_not_opened_through_a_socket(api: Api):
    async with connected(api.app) as socket:
        options = {"track": "audit", "split": "held-out", "difficulty": "easy", "seed": 3}
        code, message = error_of(await socket.ask("reset", options))
    assert (code, "POST /submissions" in message) == ("EXECUTION_ERROR", True)


async def test_the_commons_have_as_many_writers_as_come(api: Api):
    commons = (await api.client.post(f"{PREFIX}/reset", json=TASK)).headers["x-instance-id"]
    query = f"session_id={commons}"
    async with connected(api.app, query=query) as one, connected(api.app, query=query) as other:
        assert (await one.ask("step", OUTSIDE))["type"] == "observation"
        assert (await other.ask("step", OUTSIDE))["type"] == "observation"


async def test_mcp_frames_act_on_the_sockets_own_instance(api: Api):
    async with connected(api.app) as socket:
        session = await session_of(socket)
        tools = await socket.ask("mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        assert (tools["type"], tools["data"]["id"]) == ("mcp", 1)
        assert "impute" in [tool["name"] for tool in tools["data"]["result"]["tools"]]
        call = {"name": "accept", "arguments": {}}
        called = await socket.ask("mcp", {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call})
        assert called["data"]["result"]["data"]["metadata"]["session_id"] == session
        bad = await socket.ask("mcp", {"id": 3, "method": "tools/list"})
        assert bad["data"]["error"]["code"] == -32600
    assert [entry["surface"] for entry in await entries(api, session)] == ["ws", "mcp"]


async def test_clients_before_0_10_list_and_call_tools_by_steps(api: Api):
    async with connected(api.app) as socket:
        session = await session_of(socket)
        listed = (await socket.ask("step", {"type": "list_tools"}))["data"]
        assert {"impute", "accept"} <= {tool["name"] for tool in listed["observation"]["tools"]}
        arguments = {name: value for name, value in RIGHT.items() if name != "operation"}
        call = {"type": "call_tool", "tool_name": "impute", "arguments": arguments, "metadata": {}}
        called = (await socket.ask("step", call))["data"]
        assert (called["observation"]["tool_name"], called["reward"], called["done"]) == ("impute", 1.0, True)
        assert called["observation"]["result"]["done"] is True
        await socket.ask("reset", TASK)
        code, message = error_of(await socket.ask("step", {**call, "tool_name": "invent"}))
        assert (code, "impute" in message) == ("VALIDATION_ERROR", True)
    assert len(await entries(api, session)) == 3
