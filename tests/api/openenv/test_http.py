"""OpenEnv's HTTP routes: stateful by a session id, finite in their rewards, clear when something is wrong."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import httpx
import pytest

from envs.catalog import ENVIRONMENTS
from tests.api.calls import OUTSIDE, RIGHT, SLUG, TASK, WRONG, entries
from tests.api.inside import Api, inside
from tests.api.openenv.sockets import OPENENV
from tests.tiny import TINY

HARD = {"task_id": "hard_energy_forecast_001"}


async def reset(api: Api, **options: Any) -> tuple[str, httpx.Response]:
    """The session of a reset that names none, and its answer."""
    answer = await api.client.post(f"{OPENENV}/reset", json={**TASK, **options})
    assert answer.status_code == 200, answer.text
    return answer.json()["metadata"]["session_id"], answer


async def step(api: Api, session: str, action: object, **more: Any) -> httpx.Response:
    return await api.client.post(
        f"{OPENENV}/step", params={"session_id": session}, json={"action": action, **more}
    )


def refused(answer: httpx.Response, status: int, code: str) -> Any:
    """The detail of a refusal, once it is certain that it has OpenEnv's shape."""
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert set(answer.json()) == {"detail", "code"}
    return answer.json()["detail"]


async def test_a_reset_without_a_session_opens_one_and_says_its_id(api: Api):
    session, answer = await reset(api)
    assert answer.headers["x-session-id"] == answer.headers["x-instance-id"] == session
    assert (answer.json()["reward"], answer.json()["done"]) == (None, False)
    assert [entry["kind"] for entry in await entries(api, session)] == ["reset"]
    other, _ = await reset(api)
    assert other != session


@pytest.mark.parametrize("named", ["query", "header", "path"])
async def test_a_step_goes_on_in_the_session_that_it_names(api: Api, named: str):
    session, _ = await reset(api)
    prefix = f"{OPENENV}/instances/{session}" if named == "path" else OPENENV
    answer = await api.client.post(
        f"{prefix}/step",
        params={"session_id": session} if named == "query" else {},
        headers={"X-Session-Id": session} if named == "header" else {},
        json={"action": RIGHT},
    )
    assert answer.status_code == 200
    assert (answer.json()["reward"], answer.json()["done"]) == (1.0, True)
    assert answer.json()["metadata"]["status"] == "terminated"
    assert len(await entries(api, session)) == 2


async def test_the_path_beats_the_query_and_the_query_the_header(api: Api):
    first, second, third = [(await reset(api))[0] for _ in range(3)]
    for prefix, query, expected in (
        (f"{OPENENV}/instances/{first}", {"session_id": second}, first),
        (OPENENV, {"session_id": second}, second),
        (OPENENV, {}, third),
    ):
        answer = await api.client.get(f"{prefix}/state", params=query, headers={"X-Session-Id": third})
        assert answer.headers["x-session-id"] == expected


async def test_g05_a_step_without_a_session_says_how_to_name_one_and_plays_nothing(api: Api):
    session, _ = await reset(api)
    count = api.store.count()
    for answer in (
        await api.client.post(f"{OPENENV}/step", json={"action": WRONG}),
        await api.client.get(f"{OPENENV}/state"),
    ):
        told = refused(answer, 409, "not_reset")
        assert "session_id" in told
        assert "X-Session-Id" in told
    assert api.store.count() == count
    assert len(await entries(api, session)) == 1


async def test_g03_two_sessions_in_turns_stay_apart(api: Api):
    first, _ = await reset(api, **HARD)
    second, _ = await reset(api)
    for session in (first, second, first, first):
        assert (await step(api, session, WRONG)).status_code == 200
    states = [
        (await api.client.get(f"{OPENENV}/state", params={"session_id": session})).json()
        for session in (first, second)
    ]
    assert [state["step_count"] for state in states] == [3, 1]
    assert [state["task_id"] for state in states] == [HARD["task_id"], TASK["task_id"]]
    assert states[0]["episode_id"] != states[1]["episode_id"]


async def test_g11_an_unknown_session_is_404_and_told_to_reset(api: Api):
    for answer in (
        await step(api, "0" * 32, WRONG),
        await api.client.get(f"{OPENENV}/state", headers={"X-Session-Id": "0" * 32}),
        await api.client.post(f"{OPENENV}/reset", params={"session_id": "0" * 32}),
    ):
        told = refused(answer, 404, "unknown_instance")
        assert told.startswith("Session not found")
        assert "Reset" in told


async def test_g11_a_session_survives_a_restart(tmp_path: Path):
    async with inside(tmp_path) as before:
        session, _ = await reset(before)
        await step(before, session, OUTSIDE)
    async with inside(tmp_path) as api:
        state = (await api.client.get(f"{OPENENV}/state", params={"session_id": session})).json()
        assert (state["entry"], state["step_count"]) == (2, 0)
        assert (await step(api, session, RIGHT)).json()["done"] is True


async def test_g08_a_wrong_environment_is_told_the_right_ones(api: Api):
    for method, path in (("POST", "reset"), ("POST", "step"), ("GET", "health"), ("POST", "mcp")):
        answer = await api.client.request(method, f"/openenv/forecast-auditt/{path}", json={})
        assert answer.status_code == 404
        assert SLUG in answer.json()["detail"]


async def test_an_illegal_action_is_a_step_with_a_finite_reward_that_says_so(api: Api):
    session, _ = await reset(api)
    answer = (await step(api, session, OUTSIDE)).json()
    assert math.isfinite(answer["reward"])
    assert answer["metadata"]["legal"] is False
    assert "outside this series" in answer["metadata"]["message"]
    assert "outside this series" in answer["observation"]["text"]


async def test_a_step_after_the_end_is_409_and_changes_nothing(api: Api):
    session, _ = await reset(api)
    await step(api, session, RIGHT)
    assert "call reset" in refused(await step(api, session, RIGHT), 409, "episode_over")
    assert len(await entries(api, session)) == 2


async def test_a_step_before_the_reset_is_409_and_changes_nothing(api: Api):
    session = (await api.service.create(SLUG)).id
    assert "call reset" in refused(await step(api, session, WRONG), 409, "not_reset")
    state = (await api.client.get(f"{OPENENV}/state", params={"session_id": session})).json()
    assert (state["episode_id"], state["step_count"], state["status"]) == (None, 0, None)


async def test_a_watch_link_looks_and_does_not_act(api: Api):
    session, _ = await reset(api)
    watch = (await api.service.find(session)).watch_id
    refused(await step(api, watch, WRONG), 403, "read_only")
    state = await api.client.get(f"{OPENENV}/state", params={"session_id": watch})
    assert state.json()["task_id"] == TASK["task_id"]
    assert session not in state.text


async def test_a_callers_name_for_the_episode_comes_back(api: Api):
    session, _ = await reset(api, episode_id="mine")
    state = (await api.client.get(f"{OPENENV}/state", params={"session_id": session})).json()
    assert state["episode_id"] == "mine"
    answer = (await step(api, session, RIGHT)).json()
    assert answer["metadata"]["episode_id"] == "mine"
    await api.client.post(f"{OPENENV}/reset", params={"session_id": session}, json=TASK)
    state = (await api.client.get(f"{OPENENV}/state", params={"session_id": session})).json()
    assert state["episode_id"] != "mine"


async def test_the_same_seed_opens_the_same_case(api: Api):
    drawn = {"task_id": None, "track": "audit", "difficulty": "easy"}
    first, second, third = [
        (await reset(api, **drawn, seed=seed))[1].json()["observation"] for seed in (5, 5, 6)
    ]
    assert first == second != third


@pytest.mark.parametrize("key", [{"render": True}, {"colour": "red", "metadata": {}}])
async def test_a_reset_passes_over_keys_that_no_environment_knows(api: Api, key: dict[str, Any]):
    _, answer = await reset(api, **key)
    assert answer.json()["observation"]["task_id"] == TASK["task_id"]


@pytest.mark.parametrize(
    "body",
    [
        {"seed": -1},
        {"seed": 1.5},
        {"seed": "1"},
        {"seed": 2**53},
        {"episode_id": 3},
        {"episode_id": "x" * 256},
        {"difficulty": 3},
        [],
        "reset",
    ],
)
async def test_a_reset_that_does_not_fit_is_422_and_opens_nothing(api: Api, body: object):
    details = refused(await api.client.post(f"{OPENENV}/reset", json=body), 422, "invalid_request")
    assert all(set(complaint) == {"loc", "msg", "type"} for complaint in details)
    assert api.store.count() == 0


async def test_a_case_that_is_not_there_is_400(api: Api):
    answer = await api.client.post(f"{OPENENV}/reset", json={"task_id": "no_such_case"})
    assert "no_such_case" in refused(answer, 400, "refused")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"action": None},
        {"action": []},
        {"action": {}},
        {"action": {"operation": "delete"}},
        {"action": {"operation": "accept", "unknown": 1}},
        {"action": {"operation": "accept", "predicted_value": "1"}},
        {"action": {"operation": "accept", "target_index": 1.0}},
        {"action": {"operation": "accept", "target_index": 2**70}},
        {"action": WRONG, "timeout_s": 0},
        {"action": WRONG, "timeout_s": "soon"},
        {"action": WRONG, "request_id": 5},
        {"action": WRONG, "request_id": "x" * 256},
    ],
)
async def test_a_step_that_does_not_fit_is_422_and_changes_nothing(api: Api, body: dict[str, Any]):
    session, _ = await reset(api)
    answer = await api.client.post(f"{OPENENV}/step", params={"session_id": session}, json=body)
    assert refused(answer, 422, "invalid_request")
    assert len(await entries(api, session)) == 1


async def test_a_step_takes_openenvs_own_keys_beside_the_action(api: Api):
    session, _ = await reset(api)
    answer = await step(api, session, {**RIGHT, "metadata": {}}, timeout_s=30, request_id="r1", render=True)
    assert answer.json()["reward"] == 1.0


async def test_the_headers_of_the_other_routes_work_here(api: Api):
    session, _ = await reset(api)
    stale = {"X-Expected-Step": "0", "X-Session-Id": session}
    again = {"Idempotency-Key": "once", "X-Session-Id": session, "X-Actor": "agent:ada"}
    body = {"action": OUTSIDE}
    refused(await api.client.post(f"{OPENENV}/step", json=body, headers=stale), 409, "stale_step")
    answers = [await api.client.post(f"{OPENENV}/step", json=body, headers=again) for _ in range(2)]
    assert answers[0].content == answers[1].content
    recorded = await entries(api, session)
    assert len(recorded) == 2
    assert recorded[1]["actor"] == {"kind": "agent", "label": "ada"}


async def test_what_describes_an_environment_needs_no_session_and_opens_none(api: Api):
    assert (await api.client.get(f"{OPENENV}/health")).json() == {"status": "healthy"}
    metadata = (await api.client.get(f"{OPENENV}/metadata")).json()
    assert metadata["name"] == ENVIRONMENTS[SLUG].environment.title
    assert metadata["description"] == ENVIRONMENTS[SLUG].environment.tagline
    schema = (await api.client.get(f"{OPENENV}/schema")).json()
    assert "operation" in schema["action"]["properties"]
    assert {"text", "values"} <= set(schema["observation"]["required"])
    assert {"episode_id", "step_count"} <= set(schema["state"]["properties"])
    assert api.store.count() == 0


async def test_each_prefix_has_a_document_with_paths_as_openenv_has_them(api: Api):
    document = (await api.client.get(f"{OPENENV}/openapi.json")).json()
    assert {"/reset", "/step", "/state", "/health", "/metadata", "/schema", "/mcp"} <= set(document["paths"])
    assert document["info"]["version"].startswith("1.")
    assert not [path for path in document["paths"] if path.startswith("/openenv")]


async def test_an_instance_of_another_environment_is_told_where_to_go(tmp_path: Path):
    async with inside(tmp_path, catalog={**ENVIRONMENTS, **TINY}) as api:
        other = (await api.service.create("number-hunt")).id
        assert "/openenv/number-hunt" in refused(await step(api, other, WRONG), 404, "unknown_instance")


async def test_an_environment_that_is_only_catalogued_is_served_without_code(tmp_path: Path):
    async with inside(tmp_path, catalog=TINY) as api:
        base = "/openenv/number-hunt"
        opened = (await api.client.post(f"{base}/reset", json={"seed": 1})).json()
        session = opened["metadata"]["session_id"]
        for number in (16, 0):
            answer = await api.client.post(
                f"{base}/step",
                params={"session_id": session},
                json={"action": {"move": "guess", "number": number}},
            )
            assert math.isfinite(answer.json()["reward"])
        assert answer.json()["metadata"]["legal"] is False
        assert answer.json()["reward"] == -0.1


async def test_a_created_instance_says_its_openenv_address(api: Api):
    opened = (await api.client.post("/instances", json={"environment": SLUG})).json()
    base = opened["openenv_url"].removeprefix("http://test")
    answer = await api.client.post(f"{base}/reset", json=TASK)
    assert answer.headers["x-session-id"] == opened["id"]
    assert (await api.client.post(f"{base}/step", json={"action": RIGHT})).json()["done"] is True
