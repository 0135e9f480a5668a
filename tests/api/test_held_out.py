"""Held out means held out: what a submission's cases tell before their round closes, on every surface."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from api.contracts.forecast_audit import CONTRACT
from api.export import FORMATS
from api.hub_models import moment
from instances.model import Entry
from instances.submissions import Submissions
from tests.api.inside import Api, inside
from tests.api.openenv.sockets import connected
from ui.desk import Desk

TOKEN = {"Authorization": "Bearer the-token"}
FOREVER = {"environment": "forecast-audit", "level": "easy", "cases": 12, "closes_at": "2999-01-01T00:00:00Z"}
BODY = {"environment": "forecast-audit", "agent": "ada", "version": "1", "level": "easy", "cases": 10}
ACCEPT = {"operation": "accept", "severity": "low", "rationale": "Nothing here is out of the ordinary."}
NAMED_PARTS = ("parts", "components", "reward_parts")
SEALED = "Recorded. Results open when the round closes."


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with inside(tmp_path, {"AUDITORIUM_ADMIN_TOKEN": "the-token"}) as running:
        yield running


async def _round(api: Api, closes_in_s: float, name: str = "spring") -> dict[str, Any]:
    at = api.service.now() + closes_in_s
    body = {"environment": "forecast-audit", "level": "easy", "cases": 12, "closes_at": moment(at)}
    answer = await api.client.put(f"/rounds/{name}", json=body, headers=TOKEN)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def _entered(api: Api, **changed: Any) -> dict[str, Any]:
    answer = await api.client.post("/submissions", json=BODY | changed)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def _played(api: Api, case: dict[str, Any]) -> list[str]:
    """Plays a case to its end; returns every answer's text."""
    base = case["base_url"].removeprefix("http://test")
    opened = await api.client.post(f"{base}/reset", json={"task_id": "easy_ops_missing_001", "seed": 5})
    assert opened.status_code == 200, opened.text
    stepped = await api.client.post(f"{base}/step", json=ACCEPT)
    assert stepped.json()["done"] is True
    return [opened.text, stepped.text]


async def _everything(api: Api, case: dict[str, Any], submission_id: str) -> list[str]:
    """What every reading route and the page say of a case."""
    ref = case["instance_id"]
    watch = (await api.client.get(f"/instances/{ref}")).json()["watch_id"]
    texts: list[str] = []
    for link in (ref, watch):
        paths = [f"/instances/{link}", f"/instances/{link}/transcript", f"/submissions/{submission_id}"]
        paths += [f"/instances/{link}/export?format={name}" for name in FORMATS]
        paths += [
            f"/envs/forecast-audit/instances/{link}{r.path}" for r in CONTRACT.routes if r.method == "GET"
        ]
        texts += [(await api.client.get(path)).text for path in paths]
        texts += [
            text for entry in await _fed(api, link) for text in (entry.outcome, entry.body, entry.digest)
        ]
        texts += await _page(api, link)
        texts += await _openenv(api, link)
    texts.append((await api.client.post(f"/instances/{ref}/fork", json={"at": 1})).text)
    return texts


async def _openenv(api: Api, link: str) -> list[str]:
    """What OpenEnv's reading doors say of a case: its routes, a socket and MCP."""
    base = f"/openenv/forecast-audit/instances/{link}"
    texts = [(await api.client.get(f"{base}/{path}")).text for path in ("state", "schema", "metadata")]
    async with connected(api.app, f"{base}/ws", "events=1") as socket:
        texts.append(json.dumps(await socket.ask("state")))
    greeting = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}
    texts.append((await api.client.post(f"{base}/mcp", json=greeting)).text)
    return texts


async def _fed(api: Api, link: str) -> list[Entry]:
    feed = api.service.feed(link, 0)
    fed = [entry async for entry in _until_pulse(feed)]
    await feed.aclose()
    return fed


async def _until_pulse(feed: Any) -> AsyncIterator[Entry]:
    await anext(feed)
    for _ in range(2):
        yield await anext(feed)


async def _page(api: Api, link: str) -> list[str]:
    functions = {function.__name__: function for function in Desk(api.service).functions()}
    asked = {"who": "guest-1", "base": "http://test", "instance": link}
    answers = [
        await functions[name](asked | more)
        for name, more in (
            ("look", {}),
            ("look", {"step": 0}),
            ("compare", {}),
            ("recent", {"recent": [link]}),
        )
    ]
    return [bytes(answer.body).decode() for answer in answers]


def _numbers(value: object, key: str = "") -> Iterator[tuple[str, float]]:
    match value:
        case dict():
            for name, inner in value.items():
                yield from _numbers(inner, key if key in NAMED_PARTS else str(name))
        case list():
            for inner in value:
                yield from _numbers(inner, key)
        case bool():
            pass
        case int() | float():
            yield key, float(value)


async def test_nothing_of_a_case_can_be_read_before_its_round_closes(api: Api):
    await _round(api, 3600)
    entered = await _entered(api, round="spring")
    case = entered["cases"][0]
    texts = await _played(api, case) + await _everything(api, case, entered["id"])
    instance = await api.service.find(case["instance_id"])
    assert instance.held_out is not None
    seed = api.service.case_seed("spring", instance.held_out.case)
    recorded = await api.service.journal_of(instance.id)
    secrets = [
        str(seed),
        *(entry.digest for entry in recorded),
        orjson.loads(recorded[-1].outcome)["reward"]["message"],
    ]
    for text in texts:
        assert not [secret for secret in secrets if secret in text], text
        if text.startswith("{"):
            rewards = ("score", "components", "parts", "total", "total_reward", "skill", "reward_parts")
            assert not [pair for pair in _numbers(orjson.loads(text)) if pair[0] in rewards and pair[1]], text
    assert orjson.loads(texts[1])["reward"]["message"] == SEALED
    assert orjson.loads(texts[1])["info"]["expected_operation"] is None


async def test_nothing_of_a_case_is_told_to_who_plays_it_through_openenvs_doors(api: Api):
    await _round(api, 3600)
    entered = await _entered(api, round="spring")
    refs = [case["instance_id"] for case in entered["cases"]]
    base = "/openenv/forecast-audit"
    texts = [
        (await api.client.post(f"{base}/instances/{refs[0]}/reset", json={"seed": 5})).text,
        (await api.client.post(f"{base}/instances/{refs[0]}/step", json={"action": ACCEPT})).text,
        (await api.client.get(f"{base}/instances/{refs[0]}/state")).text,
    ]
    async with connected(api.app, f"{base}/ws", f"session_id={refs[1]}&events=1") as socket:
        for kind, data in (("reset", {"seed": 5}), ("step", ACCEPT)):
            socket.say({"type": kind, "data": data})
            texts += [json.dumps(await socket.heard()) for _ in range(2)]
    call = {"name": "accept", "arguments": {key: ACCEPT[key] for key in ("severity", "rationale")}}
    for method, params in (("initialize", {}), ("tools/call", call)):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = await api.client.post(f"{base}/mcp", params={"session_id": refs[2]}, json=message)
        texts.append(answer.text)
    for path, body in (("reset", {"seed": 5}), ("step", ACCEPT)):
        sent = {"entries": [{"id": refs[3], "body": body}]}
        texts.append((await api.client.post(f"/instances/batch/{path}", json=sent)).text)
    await _assert_told_nothing(api, refs[:4], texts)
    assert sum(SEALED in text for text in texts) >= 4


async def _assert_told_nothing(api: Api, refs: list[str], texts: list[str]) -> None:
    secrets: list[str] = []
    for ref in refs:
        place = (await api.service.find(ref)).held_out
        assert place is not None
        recorded = await api.service.journal_of(ref)
        assert len(recorded) == 2
        secrets += [str(api.service.case_seed("spring", place.case)), *(entry.digest for entry in recorded)]
        secrets.append(orjson.loads(recorded[-1].outcome)["reward"]["message"])
    rewards = ("reward", "reward_parts", "parts", "total", "total_reward")
    for text in texts:
        assert not [secret for secret in secrets if secret in text], text
        assert not [pair for pair in _numbers(orjson.loads(text)) if pair[0] in rewards and pair[1]], text


async def test_the_drawn_case_opens_whatever_the_first_reset_says_and_no_second_one_does(api: Api):
    await _round(api, 3600)
    case = (await _entered(api, round="spring"))["cases"][0]
    base = case["base_url"].removeprefix("http://test")
    opened = await api.client.post(f"{base}/reset", json={"task_id": "easy_ops_missing_001"})
    assert opened.json()["observation"]["issue_type"] == "undisclosed"
    again = await api.client.post(f"{base}/reset", json={})
    assert again.status_code == 409
    assert "played once" in again.json()["detail"]


async def test_everybody_in_a_round_meets_the_same_cases_in_an_order_of_their_own(api: Api):
    await _round(api, 3600)
    seen: list[list[str]] = []
    for agent in ("ada", "bob"):
        cases = (await _entered(api, round="spring", agent=agent))["cases"]
        bases = [case["base_url"].removeprefix("http://test") for case in cases]
        seen.append(
            [(await api.client.post(f"{base}/reset")).json()["observation"]["task_id"] for base in bases]
        )
    assert set(seen[0]) == set(seen[1])
    assert len(set(seen[0])) == 10
    assert seen[0] != seen[1]


async def test_a_closed_round_tells_what_was_played(api: Api):
    await _round(api, 3600)
    entered = await _entered(api, round="spring")
    case = entered["cases"][0]
    await _played(api, case)
    await _round(api, -1)
    entries = (await api.client.get(f"/instances/{case['instance_id']}/transcript")).json()["entries"]
    assert entries[0]["seed"] is not None
    assert all(entry["digest"] for entry in entries)
    assert entries[1]["outcome"]["reward"]["message"] != SEALED


async def test_a_closed_round_takes_no_steps_and_does_not_open_again(api: Api):
    await _round(api, 3600)
    entered = await _entered(api, round="spring")
    await _round(api, -1)
    base = entered["cases"][0]["base_url"].removeprefix("http://test")
    assert (await api.client.post(f"{base}/reset")).status_code == 409
    assert (await api.client.post("/submissions", json=BODY | {"round": "spring"})).status_code == 409
    assert (await api.client.put("/rounds/spring", json=FOREVER, headers=TOKEN)).status_code == 409


async def test_a_closed_submission_takes_no_steps(api: Api):
    await _round(api, 3600)
    entered = await _entered(api, round="spring")
    await _played(api, entered["cases"][0])
    assert (await api.client.get(f"/submissions/{entered['id']}")).json()["skill"] is None
    await Submissions(api.service).close(entered["id"])
    base = entered["cases"][1]["base_url"].removeprefix("http://test")
    assert (await api.client.post(f"{base}/reset")).status_code == 409


@pytest.mark.slow
async def test_a_closed_submission_sees_its_own_skill_and_nothing_else_opens(api: Api):
    await _round(api, 3600)
    entered = await _entered(api, round="spring")
    for case in entered["cases"]:
        await _played(api, case)
    closed = await api.client.post(f"/submissions/{entered['id']}/close")
    while (skill := closed.json()["skill"]) is None:
        closed = await api.client.get(f"/submissions/{entered['id']}")
    assert skill["low"] <= skill["value"] <= skill["high"] < 1.0
    assert skill["cases"] == 10
    entries = (await api.client.get(f"/instances/{entered['cases'][0]['instance_id']}/transcript")).json()
    assert entries["entries"][0]["seed"] is None


async def test_held_out_cases_cannot_be_practised(api: Api):
    body = {"track": "audit", "split": "held-out", "difficulty": "easy", "seed": 3}
    answer = await api.client.post("/envs/forecast-audit/reset", json=body)
    assert answer.status_code == 409
    assert "POST /submissions" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"environment": "chess"}, 404),
        ({"level": "extreme"}, 400),
        ({"cases": 9}, 422),
        ({"cases": 101}, 409),
        ({"round": "no-such"}, 404),
        ({"round": "NO"}, 422),
        ({"agent": ""}, 422),
        ({"agent": "a\nb"}, 422),
        ({"colour": "red"}, 422),
    ],
)
async def test_what_cannot_be_entered_is_refused_with_the_reason(
    api: Api, changed: dict[str, Any], status: int
):
    answer = await api.client.post("/submissions", json=BODY | changed)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]["message"]


@pytest.mark.parametrize("sent", ["", "Bearer wrong", "Basic the-token", "the-token"])
async def test_only_the_administrator_keeps_rounds(api: Api, sent: str):
    answer = await api.client.put("/rounds/spring", json=FOREVER, headers={"Authorization": sent})
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "forbidden"
