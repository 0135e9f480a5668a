"""An episode can be taken to other programs, by whoever may look at it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import orjson
import pytest

from api.export import FORMATS, ChatRow, Trajectory
from tests.api.inside import Api, inside


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with inside(tmp_path) as running:
        yield running


async def _played(api: Api) -> dict[str, str]:
    opened = (await api.client.post("/instances", json={"environment": "forecast-audit"})).json()
    base = f"/envs/forecast-audit/instances/{opened['id']}"
    await api.client.post(f"{base}/reset", json={"task_id": "easy_ops_missing_001"})
    await api.client.post(f"{base}/step", json={"operation": "accept"})
    return opened


@pytest.mark.parametrize(("name", "shape"), [("chat", ChatRow), ("atif", Trajectory)])
async def test_an_export_is_one_line_in_the_documented_shape(
    api: Api, name: str, shape: type[ChatRow | Trajectory]
):
    opened = await _played(api)
    for ref in (opened["id"], opened["watch_id"]):
        answer = await api.client.get(f"/instances/{ref}/export?format={name}")
        assert answer.status_code == 200, answer.text
        assert answer.content.count(b"\n") == 1
        shape.model_validate_json(answer.content)
        assert opened["id"] not in answer.text


async def test_chat_is_what_is_exported_unless_said_otherwise(api: Api):
    ref = (await _played(api))["id"]
    assert "prompt" in (await api.client.get(f"/instances/{ref}/export")).json()
    assert len((await api.client.get(f"/instances/{ref}/export?at=1")).json()["completion"]) == 0


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("{ref}/export?format=xml", 422, "invalid_request"),
        ("{ref}/export?at=x", 422, "invalid_request"),
        ("{ref}/export?at=9", 400, "bad_fork"),
        ("{blank}/export", 409, "not_reset"),
        ("nobody/export", 404, "unknown_instance"),
    ],
)
async def test_what_cannot_be_exported_is_told_why(api: Api, path: str, status: int, code: str):
    ref = (await _played(api))["id"]
    blank = (await api.client.post("/instances", json={"environment": "forecast-audit"})).json()["id"]
    answer = await api.client.get(f"/instances/{path.format(ref=ref, blank=blank)}")
    assert (answer.status_code, orjson.loads(answer.content)["error"]["code"]) == (status, code)


async def test_the_document_names_every_format(api: Api):
    document = (await api.client.get("/openapi.json")).json()
    described = document["paths"]["/instances/{instance_id}/export"]["get"]
    formats = next(parameter for parameter in described["parameters"] if parameter["name"] == "format")
    assert formats["schema"]["enum"] == list(FORMATS)
