"""Bodies that do not fit the LedgerShield contract: each is 422 and plays nothing."""

from __future__ import annotations

import httpx
import pytest

SLUG = "ledgershield"


@pytest.fixture
async def contract(alone: httpx.AsyncClient) -> httpx.AsyncClient:
    """A client on an instance of its own, in an episode."""
    await alone.post("/reset", json={"case_id": "CASE-D-001"})
    return alone


MISFITS = {
    "cut off": (b'{"action_type": "ocr"', ["body"]),
    "not JSON": (b"action_type=ocr", ["body"]),
    "an array": (b"[]", ["body"]),
    "null": (b"null", ["body"]),
    "empty": (b"", ["body", "action_type"]),
    "no action": (b'{"payload": {}}', ["body", "action_type"]),
    "a number as action": (b'{"action_type": 1}', ["body", "action_type"]),
    "an endless action": (b'{"action_type": "' + b"a" * 101 + b'"}', ["body", "action_type"]),
    "text as payload": (b'{"action_type": "ocr", "payload": "none"}', ["body", "payload"]),
    "a list as payload": (b'{"action_type": "ocr", "payload": []}', ["body", "payload"]),
    "a number as document": (
        b'{"action_type": "ocr", "payload": {"doc_id": 7}}',
        ["body", "payload", "doc_id"],
    ),
    "an unknown mode": (
        b'{"action_type": "ocr", "payload": {"doc_id": "INV-D-001", "mode": "psychic"}}',
        ["body", "payload", "mode"],
    ),
    "a page before the first": (
        b'{"action_type": "zoom", "payload": {"doc_id": "INV-D-001", "page": 0}}',
        ["body", "payload", "page"],
    ),
    "three corners": (
        b'{"action_type": "zoom", "payload": {"doc_id": "INV-D-001", "bbox": [0, 0, 9]}}',
        ["body", "payload", "bbox", 3],
    ),
    "an unknown decision": (
        b'{"action_type": "submit_decision", "payload": {"decision": "MAYBE"}}',
        ["body", "payload", "decision"],
    ),
    "more than certain": (
        b'{"action_type": "submit_decision", "payload": {"decision": "PAY", "confidence": 1.5}}',
        ["body", "payload", "confidence"],
    ),
    "text as probabilities": (
        b'{"action_type": "submit_decision", "payload": {"predicted_probabilities": "even"}}',
        ["body", "payload", "predicted_probabilities"],
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


@pytest.mark.parametrize(
    ("body", "loc"),
    [
        ({"case_id": 7}, ["body", "case_id"]),
        ({"track": None}, ["body", "track"]),
        ({"seed": -1}, ["body", "seed"]),
        ({"seed": 2**53}, ["body", "seed"]),
        ({"seed": "42"}, ["body", "seed"]),
        ({"seed": True}, ["body", "seed"]),
        ({"case_id": "x" * 201}, ["body", "case_id"]),
    ],
)
async def test_a_reset_of_the_wrong_shape_is_422(
    contract: httpx.AsyncClient, body: dict[str, object], loc: list[str]
):
    answer = await contract.post("/reset", json=body)
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == loc


async def test_keys_that_no_action_has_are_ignored(contract: httpx.AsyncClient):
    body = {"action_type": "lookup_policy", "payload": {"colour": "red", "action_type": "zoom"}, "x": 1}
    answer = await contract.post("/step", json=body)
    assert answer.status_code == 200
    assert answer.json()["info"]["tool_name"] == "lookup_policy"


async def test_whole_numbers_are_taken_where_numbers_are(contract: httpx.AsyncClient):
    body = {"action_type": "zoom", "payload": {"doc_id": "INV-D-001", "bbox": [0, 0, 595, 100]}}
    assert (await contract.post("/step", json=body)).json()["info"]["success"] is True


async def test_a_number_that_no_action_has_may_be_of_any_size(contract: httpx.AsyncClient):
    body = {"action_type": "lookup_policy", "payload": {"a": -(10**38)}}
    assert (await contract.post("/step", json=body)).status_code == 200
