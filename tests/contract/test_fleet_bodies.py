"""Bodies that do not fit the fleet contract: each is 422 and plays nothing."""

from __future__ import annotations

import httpx
import pytest

SLUG = "fleet"


@pytest.fixture
async def contract(alone: httpx.AsyncClient) -> httpx.AsyncClient:
    """A client on an instance of its own, in an episode."""
    await alone.post("/fleet/reset", json={"task_id": "easy_fleet"})
    return alone


MISFITS = {
    "cut off": (b'{"action_type": "approve"', ["body"]),
    "an array": (b"[]", ["body"]),
    "empty": (b"", ["body", "action_type"]),
    "no worker": (b'{"action_type": "approve"}', ["body", "worker_id"]),
    "an unknown action": (b'{"action_type": "stop", "worker_id": "worker_0"}', ["body", "action_type"]),
    "a capital": (b'{"action_type": "Approve", "worker_id": "worker_0"}', ["body", "action_type"]),
    "a number as worker": (b'{"action_type": "approve", "worker_id": 0}', ["body", "worker_id"]),
    "an endless worker": (
        b'{"action_type": "approve", "worker_id": "' + b"w" * 201 + b'"}',
        ["body", "worker_id"],
    ),
    "a list as reason": (
        b'{"action_type": "approve", "worker_id": "worker_0", "reason": []}',
        ["body", "reason"],
    ),
    "an unknown fault": (
        b'{"action_type": "submit_audit", "worker_id": "w", "findings": [{"worker_id": "w", "fault": "?"}]}',
        ["body", "findings", 0, "fault"],
    ),
}


@pytest.mark.parametrize(("body", "loc"), MISFITS.values(), ids=MISFITS)
async def test_a_step_of_the_wrong_shape_is_422_and_changes_nothing(
    contract: httpx.AsyncClient, body: bytes, loc: list[str | int]
):
    before = (await contract.get("/fleet/state")).json()
    answer = await contract.post("/fleet/step", content=body)
    assert answer.status_code == 422, answer.text
    complaint = answer.json()["detail"][0]
    assert set(complaint) == {"loc", "msg", "type"}
    assert complaint["loc"] == loc
    assert (await contract.get("/fleet/state")).json() == before


@pytest.mark.parametrize(
    ("body", "loc"),
    [
        ({"task_id": "extreme_fleet"}, ["body", "task_id"]),
        ({"task_id": ""}, ["body", "task_id"]),
        ({"task_id": 7}, ["body", "task_id"]),
        ({"seed": -1}, ["body", "seed"]),
        ({"seed": 2**53}, ["body", "seed"]),
        ({"seed": "42"}, ["body", "seed"]),
        ({"seed": True}, ["body", "seed"]),
        ({"seed": None}, ["body", "seed"]),
    ],
)
async def test_an_unknown_task_or_a_seed_of_the_wrong_shape_is_422(
    contract: httpx.AsyncClient, body: dict[str, object], loc: list[str]
):
    answer = await contract.post("/fleet/reset", json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == loc


@pytest.mark.parametrize("body", [{}, {"question": ""}, {"question": 3}, {"question": "x" * 2001}])
async def test_a_question_of_the_wrong_shape_is_422(contract: httpx.AsyncClient, body: dict[str, object]):
    answer = await contract.post("/rag/query", json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["body", "question"]


async def test_keys_that_the_contract_does_not_have_are_ignored(contract: httpx.AsyncClient):
    body = {"action_type": "approve", "worker_id": "worker_0", "colour": "red"}
    assert (await contract.post("/fleet/step", json=body)).status_code == 200
    assert (await contract.post("/fleet/reset", json={"split": "held-out"})).status_code == 200
