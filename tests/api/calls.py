"""What the tests of this folder send, and the shapes that they expect back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx

from envs.catalog import ENVIRONMENTS
from instances.looking import commons_id
from tests.api.inside import Api

SLUG = "forecast-audit"
PREFIX = f"/envs/{SLUG}"
COMMONS = commons_id(ENVIRONMENTS[SLUG].environment)
TASK = {"task_id": "easy_ops_missing_001"}
WRONG = {"operation": "accept"}
OUTSIDE = {"operation": "accept", "target_index": 99}
RIGHT = {
    "operation": "impute",
    "target_index": 3,
    "predicted_value": 135.0,
    "severity": "low",
    "rationale": "Series follows a +5 linear trend.",
}


async def created(api: Api, **body: str) -> dict[str, Any]:
    """The answer to the opening of an instance."""
    answer = await api.client.post("/instances", json={"environment": SLUG, **body})
    assert answer.status_code == 201
    return answer.json()


async def opened(api: Api) -> str:
    """The id of a new instance in its first episode."""
    instance_id = (await created(api))["id"]
    await played(api, instance_id, "/reset", TASK)
    return instance_id


async def played(
    api: Api, ref: str, path: str, body: Mapping[str, Any], headers: Mapping[str, str | bytes] | None = None
) -> httpx.Response:
    """The answer to a contract call on an instance."""
    raw = [
        (name.encode(), value if isinstance(value, bytes) else value.encode())
        for name, value in (headers or {}).items()
    ]
    return await api.client.post(f"{PREFIX}/instances/{ref}{path}", json=body, headers=raw)


async def entries(api: Api, ref: str) -> list[dict[str, Any]]:
    """The instance's transcript."""
    return (await api.client.get(f"/instances/{ref}/transcript")).json()["entries"]


def assert_hub_error(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The error, once it is certain that it has the hub's shape."""
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json")
    body = answer.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message", "details"}
    assert body["error"]["code"] == code
    assert body["error"]["message"]
    return body["error"]


def assert_contract_error(answer: httpx.Response, status: int) -> Any:
    """The detail, once it is certain that it has the contract's shape."""
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json")
    body = answer.json()
    assert set(body) == {"detail"}
    if status == 422:
        assert body["detail"]
        assert all(set(complaint) == {"loc", "msg", "type"} for complaint in body["detail"])
    else:
        assert isinstance(body["detail"], str)
    return body["detail"]
