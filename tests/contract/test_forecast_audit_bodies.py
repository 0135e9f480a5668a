"""Bodies that do not fit the Forecast-Audit contract: each is 422 and plays nothing."""

from __future__ import annotations

import json

import httpx
import pytest

SLUG = "forecast-audit"


@pytest.fixture
async def contract(alone: httpx.AsyncClient) -> httpx.AsyncClient:
    """A client on an instance of its own, in an episode."""
    await alone.post("/reset", json={"task_id": "easy_ops_missing_001"})
    return alone


def _step(field: str) -> bytes:
    """A step that would be right if `field` were not added to it."""
    return f'{{"operation": "impute", {field}}}'.encode()


MALFORMED = {
    "cut off": b'{"operation": "impute"',
    "not JSON": b"operation=impute",
    "two values": b"{} {}",
    "single quotes": b"{'operation': 'impute'}",
    "a trailing comma": b'{"operation": "impute",}',
    "blank": b"   ",
    "NUL": b"\x00",
    "a byte order mark": b'\xef\xbb\xbf{"operation": "impute"}',
    "UTF-16": '{"operation": "impute"}'.encode("utf-16"),
    "not UTF-8": b'{"operation": "impute", "rationale": "\xff\xfe"}',
    "a lone surrogate": b'{"operation": "impute", "rationale": "\\ud800"}',
    "a lone surrogate as key": b'{"operation": "impute", "\\udfff": 1}',
    "deep arrays": b"[" * 100_000,
    "deep objects": b'{"a":' * 20_000,
    "deep below an unknown key": b'{"operation": "impute", "x": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
    "multipart": b'--x\r\nContent-Disposition: form-data; name="operation"\r\n\r\nimpute\r\n--x--\r\n',
}
MISFITS = {
    "empty": (b"", ["body", "operation"], "missing"),
    "an empty object": (b"{}", ["body", "operation"], "missing"),
    "an array": (b"[]", ["body"], "model_type"),
    "a string": (b'"impute"', ["body"], "model_type"),
    "null": (b"null", ["body"], "model_type"),
    "a number": (b"1", ["body"], "model_type"),
    "no operation": (b'{"operation": null}', ["body", "operation"], "enum"),
    "a list as operation": (b'{"operation": ["impute"]}', ["body", "operation"], "enum"),
    "an unknown severity": (_step('"severity": "huge"'), ["body", "severity"], "enum"),
    "text as index": (_step('"target_index": "3"'), ["body", "target_index"], "int_type"),
    "a fraction as index": (_step('"target_index": 3.5'), ["body", "target_index"], "int_type"),
    "a truth value as index": (_step('"target_index": true'), ["body", "target_index"], "int_type"),
    "a huge index": (_step(f'"target_index": {10**30}'), ["body", "target_index"], "less_than"),
    "a hugely negative index": (
        _step(f'"target_index": -{10**30}'),
        ["body", "target_index"],
        "greater_than_equal",
    ),
    "text as value": (_step('"predicted_value": "135"'), ["body", "predicted_value"], "float_type"),
    "NaN": (_step('"predicted_value": NaN'), ["body", "predicted_value"], "finite_number"),
    "Infinity": (_step('"predicted_value": Infinity'), ["body", "predicted_value"], "finite_number"),
    "-Infinity": (_step('"predicted_value": -Infinity'), ["body", "predicted_value"], "finite_number"),
    "an overflow": (_step('"predicted_value": 1e999'), ["body", "predicted_value"], "finite_number"),
    "a sentence as constraints": (
        _step('"violated_constraints": "all"'),
        ["body", "violated_constraints"],
        "tuple_type",
    ),
    "a number among constraints": (
        _step('"violated_constraints": ["a", 1]'),
        ["body", "violated_constraints", 1],
        "string_type",
    ),
    "too many constraints": (
        _step(f'"violated_constraints": {json.dumps(["a"] * 65)}'),
        ["body", "violated_constraints"],
        "too_long",
    ),
    "an endless rationale": (
        _step(f'"rationale": "{"a" * 4_001}"'),
        ["body", "rationale"],
        "string_too_long",
    ),
    "no rationale": (_step('"rationale": null'), ["body", "rationale"], "string_type"),
}


@pytest.mark.parametrize("path", ["/reset", "/step"])
@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED)
async def test_a_body_that_is_not_json_is_422(contract: httpx.AsyncClient, path: str, body: bytes):
    before = (await contract.get("/state")).json()
    answer = await contract.post(path, content=body)
    assert answer.status_code == 422
    (complaint,) = answer.json()["detail"]
    assert set(complaint) == {"loc", "msg", "type"}
    assert (complaint["loc"], complaint["type"]) == (["body"], "json_invalid")
    assert (await contract.get("/state")).json() == before


@pytest.mark.parametrize(("body", "loc", "kind"), MISFITS.values(), ids=MISFITS)
async def test_an_action_of_the_wrong_shape_is_422(
    contract: httpx.AsyncClient, body: bytes, loc: list[str | int], kind: str
):
    before = (await contract.get("/state")).json()
    answer = await contract.post("/step", content=body)
    assert answer.status_code == 422
    complaint = answer.json()["detail"][0]
    assert set(complaint) == {"loc", "msg", "type"}
    assert (complaint["loc"], complaint["type"]) == (loc, kind)
    assert (await contract.get("/state")).json() == before


@pytest.mark.parametrize(
    ("body", "loc", "kind"),
    [
        ({"task_id": 7}, ["body", "task_id"], "string_type"),
        ({"difficulty": ["easy"]}, ["body", "difficulty"], "string_type"),
        ({"seed": -1}, ["body", "seed"], "greater_than_equal"),
        ({"seed": 2**53}, ["body", "seed"], "less_than_equal"),
        ({"seed": "7"}, ["body", "seed"], "int_type"),
        ({"task_id": "x" * 201}, ["body", "task_id"], "string_too_long"),
    ],
)
async def test_a_reset_of_the_wrong_shape_is_422(
    contract: httpx.AsyncClient, body: dict[str, object], loc: list[str], kind: str
):
    answer = await contract.post("/reset", json=body)
    assert answer.status_code == 422
    (complaint,) = answer.json()["detail"]
    assert set(complaint) == {"loc", "msg", "type"}
    assert (complaint["loc"], complaint["type"]) == (loc, kind)


async def test_every_misfit_is_named_at_once(contract: httpx.AsyncClient):
    body = {"operation": "delete", "severity": "huge", "target_index": "x", "rationale": 1}
    answer = await contract.post("/step", json=body)
    named = [complaint["loc"][1] for complaint in answer.json()["detail"]]
    assert sorted(named) == sorted(body)


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "", "nonsense"])
async def test_json_is_read_as_json_whatever_it_is_called(contract: httpx.AsyncClient, content_type: str):
    headers = {"Content-Type": content_type}
    answer = await contract.post("/step", content=_step('"target_index": 3'), headers=headers)
    assert answer.status_code == 200


async def test_the_smallest_body_is_enough(contract: httpx.AsyncClient):
    answer = await contract.post("/step", json={"operation": "accept"})
    assert answer.status_code == 200
    assert answer.json()["reward"]["components"]["penalty"] == -0.3
