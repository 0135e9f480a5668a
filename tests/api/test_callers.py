"""What a caller says about a call: who acts, whether it is a retry, and what it believes."""

from __future__ import annotations

import pytest

from tests.api.calls import (
    OUTSIDE,
    RIGHT,
    TASK,
    WRONG,
    assert_contract_error,
    entries,
    opened,
    played,
)
from tests.api.inside import Api

BAD_HEADERS = [
    ("X-Actor", "robot"),
    ("X-Actor", ""),
    ("X-Actor", "Human"),
    ("X-Actor", "human:" + "x" * 81),
    ("X-Actor", "human:a\tb"),
    ("X-Actor", ":Ada"),
    ("Idempotency-Key", ""),
    ("Idempotency-Key", "x" * 256),
    ("Idempotency-Key", "a b"),
    ("Idempotency-Key", "\xe9"),
    ("X-Expected-Step", ""),
    ("X-Expected-Step", "-1"),
    ("X-Expected-Step", "1.0"),
    ("X-Expected-Step", "one"),
    ("X-Expected-Step", "2147483648"),
    ("X-Expected-Step", "9" * 5_000),
    ("X-Expected-Step", "\xb2"),
]


@pytest.mark.parametrize(("name", "value"), BAD_HEADERS)
async def test_a_header_that_cannot_be_is_422_and_nothing_is_played(api: Api, name: str, value: str):
    instance_id = await opened(api)
    for path, body in (("/step", WRONG), ("/reset", TASK)):
        answer = await played(api, instance_id, path, body, {name: value.encode("latin-1")})
        (complaint,) = assert_contract_error(answer, 422)
        assert complaint["loc"] == ["header", name]
    assert len(await entries(api, instance_id)) == 1


@pytest.mark.parametrize(
    ("value", "kind", "label"),
    [
        ("human", "human", ""),
        ("agent:gpt-5 (high)", "agent", "gpt-5 (high)"),
        ("baseline:a:b", "baseline", "a:b"),
        ("anonymous:", "anonymous", ""),
        (None, "anonymous", ""),
        ("human:<script>alert(1)</script>", "human", "<script>alert(1)</script>"),
        ("human:" + "x" * 80, "human", "x" * 80),
    ],
)
async def test_an_actor_is_recorded_as_named(api: Api, value: str | None, kind: str, label: str):
    instance_id = await opened(api)
    await played(api, instance_id, "/step", WRONG, {} if value is None else {"X-Actor": value})
    assert (await entries(api, instance_id))[-1]["actor"] == {"kind": kind, "label": label}


@pytest.mark.parametrize("body", [WRONG, RIGHT, OUTSIDE], ids=["legal", "last", "illegal"])
async def test_a_retry_gets_the_first_answer_to_the_byte(api: Api, body: dict[str, object]):
    instance_id = await opened(api)
    headers = {"Idempotency-Key": "k", "X-Expected-Step": "1"}
    first = await played(api, instance_id, "/step", body, headers)
    await played(api, instance_id, "/reset", TASK)
    again = await played(api, instance_id, "/step", body, headers)
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers.get("x-step") == first.headers.get("x-step")
    assert len(await entries(api, instance_id)) == 3


async def test_a_retried_reset_gets_the_first_answer_to_the_byte(api: Api):
    instance_id = await opened(api)
    first = await played(api, instance_id, "/reset", {}, {"Idempotency-Key": "k"})
    again = await played(api, instance_id, "/reset", {}, {"Idempotency-Key": "k"})
    assert (again.status_code, again.content) == (200, first.content)
    assert len(await entries(api, instance_id)) == 2


async def test_a_key_with_another_body_is_409(api: Api):
    instance_id = await opened(api)
    await played(api, instance_id, "/step", WRONG, {"Idempotency-Key": "k"})
    answer = await played(api, instance_id, "/step", RIGHT, {"Idempotency-Key": "k"})
    assert "another body" in assert_contract_error(answer, 409)


async def test_a_stale_step_number_gets_409_and_changes_nothing(api: Api):
    instance_id = await opened(api)
    await played(api, instance_id, "/step", OUTSIDE)
    for body, path in ((WRONG, "/step"), (TASK, "/reset")):
        answer = await played(api, instance_id, path, body, {"X-Expected-Step": "1"})
        assert "look at the state" in assert_contract_error(answer, 409)
    assert len(await entries(api, instance_id)) == 2


async def test_a_caller_who_believes_the_last_answer_is_never_stale(api: Api):
    instance_id = await opened(api)
    step = "1"
    for body in (OUTSIDE, WRONG, OUTSIDE, WRONG):
        answer = await played(api, instance_id, "/step", body, {"X-Expected-Step": step})
        assert answer.status_code in (200, 400)
        step = answer.headers["x-step"]
