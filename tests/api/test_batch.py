"""Batches: many moves in one request and one commit, each answered on its own."""

from __future__ import annotations

import asyncio
from itertools import groupby
from pathlib import Path
from typing import Any

import httpx
import pytest

from envs.catalog import ENVIRONMENTS
from instances import pacing
from instances.batch import LARGEST_BATCH
from tests.api.calls import OUTSIDE, RIGHT, SLUG, TASK, WRONG, assert_hub_error, entries, opened
from tests.api.inside import Api, inside
from tests.tiny import TINY


async def batch(api: Api, path: str, sent: list[Any], **headers: str) -> httpx.Response:
    return await api.client.post(f"/instances/batch/{path}", json={"entries": sent}, headers=headers)


async def told(api: Api, path: str, sent: list[Any], **headers: str) -> list[dict[str, Any]]:
    """The answers to a batch that was taken."""
    answer = await batch(api, path, sent, **headers)
    assert answer.status_code == 200, answer.text
    return answer.json()["entries"]


async def fresh(api: Api, count: int) -> list[str]:
    """Ids of new instances."""
    return [(await api.service.create(SLUG)).id for _ in range(count)]


async def test_many_instances_are_reset_and_stepped_at_once(api: Api):
    refs = await fresh(api, 5)
    reset = await told(api, "reset", [{"id": ref, "body": TASK} for ref in refs])
    assert [entry["id"] for entry in reset] == refs
    assert {entry["status"] for entry in reset} == {200}
    assert {entry["body"]["observation"]["task_id"] for entry in reset} == {TASK["task_id"]}
    stepped = await told(api, "step", [{"id": ref, "body": RIGHT} for ref in refs])
    assert [(entry["body"]["reward"], entry["body"]["done"]) for entry in stepped] == [(1.0, True)] * 5
    for ref in refs:
        assert [entry["surface"] for entry in await entries(api, ref)] == ["batch", "batch"]


async def test_an_entrys_answer_is_what_openenvs_route_gives(api: Api):
    one, other = await opened(api), await opened(api)
    by_batch = (await told(api, "step", [{"id": one, "body": OUTSIDE}]))[0]["body"]
    by_route = await api.client.post(f"/openenv/{SLUG}/instances/{other}/step", json={"action": OUTSIDE})
    ours, theirs = by_batch.pop("metadata"), (answer := by_route.json()).pop("metadata")
    assert by_batch == answer
    apart = {"session_id", "episode_id"}
    assert {k: v for k, v in ours.items() if k not in apart} == {
        k: v for k, v in theirs.items() if k not in apart
    }


async def test_one_entry_that_fails_harms_no_other(api: Api):
    good, over = await opened(api), await opened(api)
    await told(api, "step", [{"id": over, "body": RIGHT}])
    unreset = (await fresh(api, 1))[0]
    watch = (await api.service.find(good)).watch_id
    answers = await told(
        api,
        "step",
        [
            {"id": "0" * 32, "body": WRONG},
            {"id": unreset, "body": WRONG},
            {"id": over, "body": WRONG},
            {"id": watch, "body": WRONG},
            {"id": good, "body": {"operation": "delete"}},
            {"id": good, "body": {"operation": "accept", "unknown": 1}},
            {"id": good},
            {"id": 7, "body": WRONG},
            {"body": WRONG},
            "nonsense",
            {"id": good, "body": RIGHT, "more": 1},
            {"id": good, "body": RIGHT},
        ],
    )
    codes = [entry["error"]["code"] if "error" in entry else None for entry in answers]
    assert codes == [
        "unknown_instance",
        "not_reset",
        "episode_over",
        "read_only",
        *["invalid_request"] * 7,
        None,
    ]
    assert [entry["status"] for entry in answers] == [404, 409, 409, 403, *[422] * 7, 200]
    assert all(set(entry["error"]) == {"code", "message", "details"} for entry in answers[:-1])
    assert len(await entries(api, good)) == 2


async def test_the_same_instance_is_played_in_the_order_given(api: Api):
    ref = await opened(api)
    answers = await told(api, "step", [{"id": ref, "body": body} for body in (OUTSIDE, WRONG, RIGHT, RIGHT)])
    assert [entry["status"] for entry in answers] == [200, 200, 200, 409]
    assert [entry["body"]["metadata"]["entry"] for entry in answers[:3]] == [2, 3, 4]


async def test_a_batch_that_is_sent_again_under_its_key_plays_nothing_twice(api: Api):
    refs = [await opened(api) for _ in range(2)]
    sent = [{"id": ref, "body": OUTSIDE} for ref in (*refs, refs[0])]
    first = await batch(api, "step", sent, **{"Idempotency-Key": "once"})
    again = await batch(api, "step", sent, **{"Idempotency-Key": "once"})
    assert first.content == again.content
    assert [len(await entries(api, ref)) for ref in refs] == [3, 2]


async def test_a_batch_that_names_its_instances_in_another_order_plays_nothing_twice_either(api: Api):
    refs = [await opened(api) for _ in range(2)]
    sent = [{"id": ref, "body": OUTSIDE} for ref in (*refs, refs[0])]
    await batch(api, "step", sent, **{"Idempotency-Key": "once"})
    again = await batch(api, "step", sent[::-1], **{"Idempotency-Key": "once"})
    assert [entry["status"] for entry in again.json()["entries"]] == [200, 200, 200]
    assert [len(await entries(api, ref)) for ref in refs] == [3, 2]


async def test_others_get_their_turn_while_a_batch_plays_on_one_instance(
    api: Api, monkeypatch: pytest.MonkeyPatch
):
    ref, seen, moved = (await api.service.create(SLUG)).id, list[str](), api.service._moved

    def noted(*given: Any) -> Any:
        seen.append("move")
        return moved(*given)

    monkeypatch.setattr(api.service, "_moved", noted)
    monkeypatch.setattr(pacing, "TURN_S", 0.0)
    async with asyncio.TaskGroup() as group:
        running = group.create_task(batch(api, "reset", [{"id": ref, "body": {}} for _ in range(24)]))
        while not running.done():
            seen.append("turn")
            await asyncio.sleep(0)
    assert running.result().status_code == 200
    assert seen.count("move") == 24
    assert max(len(list(run)) for kind, run in groupby(seen) if kind == "move") == 1


async def test_environments_may_be_mixed_in_a_batch(tmp_path: Path):
    async with inside(tmp_path, catalog={**ENVIRONMENTS, **TINY}) as api:
        audit, hunt = (await api.service.create(SLUG)).id, (await api.service.create("number-hunt")).id
        answers = await told(api, "reset", [{"id": audit, "body": TASK}, {"id": hunt, "body": {"seed": 1}}])
        assert ["task_id" in entry["body"]["observation"] for entry in answers] == [True, True]
        steps = [{"id": audit, "body": RIGHT}, {"id": hunt, "body": {"move": "give_up"}}]
        assert [entry["body"]["done"] for entry in await told(api, "step", steps)] == [True, True]


async def test_an_empty_batch_is_answered_with_nothing(api: Api):
    assert await told(api, "step", []) == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b'{"entries": {}}',
        b'{"entries": null}',
        b'{"entries": [], "more": 1}',
        b"[" * 100_000,
        b"\xff",
    ],
)
async def test_a_batch_that_is_none_is_422(api: Api, body: bytes):
    for path in ("reset", "step"):
        answer = await api.client.post(f"/instances/batch/{path}", content=body)
        assert_hub_error(answer, 422, "invalid_request")


async def test_too_many_entries_are_422_and_nothing_is_played(api: Api):
    ref = await opened(api)
    answer = await batch(api, "step", [{"id": ref, "body": OUTSIDE}] * (LARGEST_BATCH + 1))
    assert str(LARGEST_BATCH) in assert_hub_error(answer, 422, "invalid_request")["message"]
    assert len(await entries(api, ref)) == 1


async def test_a_batch_may_be_larger_than_a_body_and_not_without_bounds(tmp_path: Path):
    async with inside(tmp_path, {"AUDITORIUM_BODY_BYTES": "1024"}) as api:
        ref = await opened(api)
        wordy = {"id": ref, "body": {**OUTSIDE, "rationale": "x" * 700}}
        assert len(await told(api, "step", [wordy] * 10)) == 10
        assert_hub_error(await batch(api, "step", [wordy] * 25), 413, "body_too_large")
        assert len(await entries(api, ref)) == 11


async def test_a_batch_counts_as_as_many_requests_as_it_has_entries(tmp_path: Path):
    limits = {"AUDITORIUM_REQUESTS_PER_S": "0.001", "AUDITORIUM_REQUEST_BURST": "10"}
    async with inside(tmp_path, limits) as api:
        ref = (await api.service.create(SLUG)).id
        sent = [{"id": ref, "body": TASK}] * 8
        assert len(await told(api, "reset", sent)) == 8
        answer = await batch(api, "reset", sent)
        assert_hub_error(answer, 429, "too_many_requests")
        assert int(answer.headers["retry-after"]) > 0


async def test_held_out_cases_are_not_opened_by_a_batch(api: Api):
    ref = (await fresh(api, 1))[0]
    options = {"track": "audit", "split": "held-out", "difficulty": "easy", "seed": 3}
    assert (await told(api, "reset", [{"id": ref, "body": options}]))[0]["error"]["code"] == "held_out"
