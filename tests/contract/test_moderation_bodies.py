"""Bodies that do not fit the moderation contract: each is 422 and plays nothing."""

from __future__ import annotations

import httpx
import pytest

SLUG = "moderation"


@pytest.fixture
async def contract(alone: httpx.AsyncClient) -> httpx.AsyncClient:
    """A client on an instance of its own, in an episode."""
    await alone.post("/reset", json={"task": "easy"})
    return alone


MISFITS = {
    "cut off": (b'{"action": "allow"', ["body"]),
    "not JSON": (b"action=allow", ["body"]),
    "an array": (b"[]", ["body"]),
    "null": (b"null", ["body"]),
    "empty": (b"", ["body", "action"]),
    "no action": (b'{"parameters": {}}', ["body", "action"]),
    "a number as action": (b'{"action": 1}', ["body", "action"]),
    "an endless action": (b'{"action": "' + b"a" * 201 + b'"}', ["body", "action"]),
    "text as parameters": (b'{"action": "allow", "parameters": "none"}', ["body", "parameters"]),
    "a list as parameters": (b'{"action": "allow", "parameters": []}', ["body", "parameters"]),
    "an unknown type": (
        b'{"action": "mark_violation_type", "parameters": {"type": "rude"}}',
        ["body", "parameters", "violation_type"],
    ),
    "a number as type": (
        b'{"action": "mark_violation_type", "parameters": {"violation_type": 3}}',
        ["body", "parameters", "violation_type"],
    ),
    "a list as clause": (
        b'{"action": "check_policy_clause", "parameters": {"clause_id": ["news"]}}',
        ["body", "parameters", "clause_id"],
    ),
    "an endless clause": (
        b'{"action": "check_policy_clause", "parameters": {"clause_id": "' + b"a" * 201 + b'"}}',
        ["body", "parameters", "clause_id"],
    ),
}


@pytest.mark.parametrize(("body", "loc"), MISFITS.values(), ids=MISFITS)
async def test_a_step_of_the_wrong_shape_is_422_and_changes_nothing(
    contract: httpx.AsyncClient, body: bytes, loc: list[str]
):
    before = (await contract.get("/state")).json()
    answer = await contract.post("/step", content=body)
    assert answer.status_code == 422, answer.text
    complaint = answer.json()["detail"][0]
    assert set(complaint) == {"loc", "msg", "type"}
    assert complaint["loc"] == loc
    assert (await contract.get("/state")).json() == before


@pytest.mark.parametrize("path", ["/reset", "/agent/run"])
@pytest.mark.parametrize(
    ("body", "loc"),
    [
        ({"task": 7}, ["body", "task"]),
        ({"task_id": ["easy"]}, ["body", "task_id"]),
        ({"seed": -1}, ["body", "seed"]),
        ({"seed": 2**53}, ["body", "seed"]),
        ({"seed": "42"}, ["body", "seed"]),
        ({"seed": True}, ["body", "seed"]),
        ({"task": "x" * 201}, ["body", "task"]),
    ],
)
async def test_a_task_or_seed_of_the_wrong_shape_is_422(
    contract: httpx.AsyncClient, path: str, body: dict[str, object], loc: list[str]
):
    answer = await contract.post(path, json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == loc


@pytest.mark.parametrize("seed", ["x", "-1", "1.5", "", "9007199254740992", "1" * 40, "４２"])
async def test_a_seed_of_the_query_that_is_none_is_422(contract: httpx.AsyncClient, seed: str):
    answer = await contract.get("/baseline", params={"seed": seed})
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["query", "seed"]


async def test_parameters_that_an_action_does_not_need_are_ignored(contract: httpx.AsyncClient):
    body = {"action": "flag", "parameters": {"violation_type": 7, "clause_id": {}}, "colour": "red"}
    assert (await contract.post("/step", json=body)).status_code == 200
