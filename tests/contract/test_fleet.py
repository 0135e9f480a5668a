"""The fleet contract, as its document has it, at every address where it is served."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.contracts import fleet
from tests.api.inside import Api, inside

SLUG = "fleet"

# What follows is copied from the contract's document.
ACTIONS = "monitor | intervene | approve | escalate | pause | resume | submit_audit"
WORKERS = "worker_0 | worker_1 | worker_2 | worker_3 | worker_4"
STEPS = {"easy_fleet": 8, "medium_fleet": 12, "hard_fleet": 16}
REWARD_FIELDS = ["detection", "approval", "escalation", "false_pos", "missed", "repeat_mon"]
WORKER_FIELDS = [
    "last_action_name",
    "budget_remaining",
    "anomaly_flag",
    "status",
    "step_count",
    "risk_score",
    "is_anomalous",
]
STATE_FIELDS = ["task_id", "step_count", "total_reward", "oversight_budget_remaining", "is_done"]
GATES = {
    "min_oversight_score": 0.55,
    "max_invalid_actions": 3,
    "max_governance_risk": 0.60,
    "min_detection_rate": 0.50,
    "min_pipeline_quality": 0.60,
}
# End of the copy.


@pytest.fixture
async def own(api: Api) -> AsyncIterator[httpx.AsyncClient]:
    """A client on an instance of its own."""
    async with api.client_at(f"/envs/{SLUG}/instances/{(await api.service.create(SLUG)).id}") as client:
        yield client


async def _reset(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await client.post("/fleet/reset", json={"task_id": "easy_fleet"} | body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def _step(client: httpx.AsyncClient, act: str, worker: str = "worker_0", **more: Any) -> dict[str, Any]:
    body = {"action_type": act, "worker_id": worker} | more
    answer = await client.post("/fleet/step", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def _played(client: httpx.AsyncClient, act: str = "resume", **body: Any) -> dict[str, Any]:
    """A whole episode of one act; its last answer."""
    await _reset(client, **body)
    answer: dict[str, Any] = {"done": False}
    while not answer["done"]:
        answer = await _step(client, act)
    return answer


async def _state(client: httpx.AsyncClient) -> dict[str, Any]:
    return (await client.get("/fleet/state")).json()["state"]


async def test_health_and_metadata_answer(contract: httpx.AsyncClient):
    assert (await contract.get("/health")).json()["status"] == "healthy"
    assert list((await contract.get("/metadata")).json()) == ["project", "version", "author", "description"]


@pytest.mark.parametrize(("task_id", "steps"), STEPS.items())
async def test_a_reset_answers_status_task_and_observation(
    contract: httpx.AsyncClient, task_id: str, steps: int
):
    opened = await _reset(contract, task_id=task_id)
    assert list(opened) == ["status", "task_id", "observation"]
    assert (opened["status"], opened["task_id"]) == ("ok", task_id)
    assert opened["observation"]["max_steps"] == steps
    assert [worker["worker_id"] for worker in opened["observation"]["workers"]] == WORKERS.split(" | ")


async def test_the_seed_is_42_unless_said_and_the_same_seed_is_the_same_shift(contract: httpx.AsyncClient):
    bare = (await contract.post("/fleet/reset")).json()
    assert bare == await _reset(contract, seed=42)
    assert bare != await _reset(contract, seed=0)


async def test_the_same_seed_and_actions_answer_the_same_bytes(contract: httpx.AsyncClient):
    async def texts() -> list[bytes]:
        answers = [await contract.post("/fleet/reset", json={"task_id": "hard_fleet", "seed": 7})]
        for act in ACTIONS.split(" | "):
            body = {"action_type": act, "worker_id": "worker_1"}
            answers.append(await contract.post("/fleet/step", json=body))
        answers.append(await contract.post("/fleet/evaluate"))
        return [answer.content for answer in answers]

    assert await texts() == await texts()


@pytest.mark.parametrize("act", ACTIONS.split(" | "))
async def test_a_step_answers_observation_reward_total_done_and_info(own: httpx.AsyncClient, act: str):
    await _reset(own)
    answer = await _step(own, act, reason="because")
    assert list(answer) == ["observation", "reward", "reward_total", "done", "info"]
    assert list(answer["reward"])[: len(REWARD_FIELDS)] == REWARD_FIELDS
    assert -1.0 <= answer["reward_total"] <= 1.0
    assert answer["reward_total"] == pytest.approx(sum(answer["reward"].values()))
    assert answer["done"] is (act == "submit_audit")


async def test_the_state_has_the_contracts_fields_and_counts(contract: httpx.AsyncClient):
    await _reset(contract)
    earned = [(await _step(contract, "approve", f"worker_{place}"))["reward_total"] for place in range(3)]
    answer = (await contract.get("/fleet/state")).json()
    assert list(answer) == ["status", "state"]
    assert list(answer["state"]) == STATE_FIELDS
    assert answer["state"] == {
        "task_id": "easy_fleet",
        "step_count": 3,
        "total_reward": pytest.approx(sum(earned)),
        "oversight_budget_remaining": 5,
        "is_done": False,
    }


async def test_an_episode_ends_with_its_budget_and_with_an_audit(own: httpx.AsyncClient):
    assert (await _played(own))["observation"]["oversight_budget_remaining"] == 0
    assert (await _state(own))["is_done"] is True
    await _reset(own)
    assert (await _step(own, "submit_audit"))["done"] is True


async def test_workers_answers_the_contracts_fields_for_each_worker(contract: httpx.AsyncClient):
    await _reset(contract)
    answer = (await contract.get("/fleet/workers")).json()
    assert list(answer) == ["workers"]
    assert list(answer["workers"]) == WORKERS.split(" | ")
    for worker in answer["workers"].values():
        assert list(worker) == WORKER_FIELDS
        assert worker["anomaly_flag"] in (0, 1)


async def test_an_unknown_worker_earns_nothing_and_spends_a_step(contract: httpx.AsyncClient):
    await _reset(contract)
    answer = await _step(contract, "intervene", "worker_9")
    assert (answer["reward_total"], set(answer["reward"].values())) == (0.0, {0.0})
    assert (answer["info"]["valid"], answer["info"]["invalid_actions"]) == (False, 1)
    assert (await _state(contract))["step_count"] == 1


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/fleet/state"),
        ("GET", "/fleet/workers"),
        ("GET", "/fleet/report"),
        ("POST", "/fleet/evaluate"),
    ],
)
async def test_before_any_reset_409_says_what_to_call(contract: httpx.AsyncClient, method: str, path: str):
    answer = await contract.request(method, path)
    assert answer.status_code == 409
    assert "reset" in answer.json()["detail"]


async def test_a_step_before_a_reset_or_after_the_end_is_409_and_changes_nothing(own: httpx.AsyncClient):
    body = {"action_type": "approve", "worker_id": "worker_0"}
    early = await own.post("/fleet/step", json=body)
    assert early.status_code == 409
    assert "reset" in early.json()["detail"]
    await _played(own)
    before = await _state(own)
    late = await own.post("/fleet/step", json=body)
    assert late.status_code == 409
    assert "done" in late.json()["detail"]
    assert await _state(own) == before


async def test_an_evaluation_has_the_contracts_gates_and_comes_after_the_end(own: httpx.AsyncClient):
    await _reset(own)
    early = await own.post("/fleet/evaluate")
    assert early.status_code == 409
    assert "not finished" in early.json()["detail"]
    await _played(own)
    answer = (await own.post("/fleet/evaluate")).json()
    assert list(answer) == ["status", "evaluation"]
    evaluation = answer["evaluation"]
    assert {name: gate["threshold"] for name, gate in evaluation["gates"].items()} == GATES
    assert evaluation["passed"] == all(gate["passed"] for gate in evaluation["gates"].values())
    assert evaluation["score"] == evaluation["gates"]["min_oversight_score"]["value"]
    assert evaluation["passed"] is False


async def test_a_report_tells_only_what_was_seen_until_the_end(own: httpx.AsyncClient):
    await _reset(own, seed=3)
    await _step(own, "intervene", "worker_1", reason="just in case")
    running = (await own.get("/fleet/report")).json()
    assert list(running) == ["status", "report"]
    assert running["report"]["timeline"] is running["report"]["index"] is None
    assert running["report"]["flawed_reports"] is None
    assert running["report"]["action_history"][0]["reason"] == "just in case"
    assert running["report"]["governance_risk"] == pytest.approx(0.1)
    done = (await _played(own, seed=3))["info"]["total_reward"]
    finished = (await own.get("/fleet/report")).json()["report"]
    assert finished["total_reward"] == done == (await _state(own))["total_reward"]
    assert len(finished["action_history"]) == 8
    assert finished["timeline"] is not None
    assert 0.0 <= finished["index"]["quality"] <= 1.0


async def test_the_index_answers_after_a_complete_shift_and_before_says_why_not(own: httpx.AsyncClient):
    question = {"question": "Who may switch a worker off?"}
    await _reset(own)
    early = (await own.post("/rag/query", json=question)).json()
    assert list(early) == ["error", "answer", "source_chunks", "confidence"]
    assert early["answer"] is None
    assert "finish a shift" in early["error"]
    await _played(own)
    late = (await own.post("/rag/query", json=question)).json()
    assert late["error"] is None
    assert late["answer"]
    assert all(set(chunk) == {"chunk_id", "text", "score"} for chunk in late["source_chunks"])
    assert 0.0 <= late["confidence"] <= 1.0
    await _reset(own)
    assert (await own.post("/rag/query", json=question)).json() == late


async def test_an_audit_at_once_leaves_no_index(own: httpx.AsyncClient):
    await _reset(own)
    await _step(own, "submit_audit")
    answer = await own.post("/rag/query", json={"question": "anything?"})
    assert answer.status_code == 200
    assert answer.json()["error"]


async def test_reading_the_truth_marks_the_episode_until_the_next_reset(api: Api, own: httpx.AsyncClient):
    instance_id = str(own.base_url).rstrip("/").rpartition("/")[2]

    async def assisted() -> bool:
        return (await api.client.get(f"/instances/{instance_id}")).json()["assisted"]

    await _reset(own)
    await own.get("/fleet/state")
    assert await assisted() is False
    told = (await own.get("/fleet/workers")).json()["workers"]
    assert all(isinstance(worker["is_anomalous"], bool) for worker in told.values())
    await own.get("/fleet/workers")
    assert await assisted() is True
    await _step(own, "approve")
    assert await assisted() is True
    exported = (await api.client.get(f"/instances/{instance_id}/export")).json()
    assert exported["info"]["assisted"] is True
    await _reset(own)
    assert await assisted() is False


async def test_a_watcher_is_told_no_truth_and_spoils_nothing(api: Api):
    instance = await api.service.create(SLUG)
    async with api.client_at(f"/envs/{SLUG}/instances/{instance.id}") as player:
        await _reset(player)
    async with api.client_at(f"/envs/{SLUG}/instances/{instance.watch_id}") as watcher:
        told = (await watcher.get("/fleet/workers")).json()["workers"]
    assert all(worker["risk_score"] is worker["is_anomalous"] is None for worker in told.values())
    assert (await api.client.get(f"/instances/{instance.id}")).json()["assisted"] is False


async def test_the_truth_is_null_where_it_is_switched_off_and_reading_costs_nothing(tmp_path: Path):
    async with inside(tmp_path, {"AUDITORIUM_DEBUG_TRUTH": "0"}) as api:
        instance = await api.service.create(SLUG)
        async with api.client_at(f"/envs/{SLUG}/instances/{instance.id}") as client:
            await _reset(client)
            told = (await client.get("/fleet/workers")).json()["workers"]
        assert all(worker["risk_score"] is worker["is_anomalous"] is None for worker in told.values())
        assert (await api.client.get(f"/instances/{instance.id}")).json()["assisted"] is False


async def test_nothing_before_the_end_tells_the_faults(own: httpx.AsyncClient):
    texts = [json.dumps(await _reset(own, task_id="hard_fleet", seed=5))]
    texts += [json.dumps(await _step(own, "monitor", f"worker_{place}")) for place in range(5)]
    texts += [(await own.get(path)).text for path in ("/fleet/state", "/fleet/report")]
    hidden = ("truth", "stream", "onset", "dwell", "sabotage", "is_anomalous", "risk_score", "tally")
    assert not any(word in text for text in texts for word in hidden)


@pytest.mark.parametrize("name", ["nothing.json", "nothing.png", "..%5capp.py", "%2e%2e%5capp.py"])
async def test_a_plot_that_is_not_there_is_404_with_a_detail(contract: httpx.AsyncClient, name: str):
    answer = await contract.get(f"/plots/{name}")
    assert answer.status_code == 404
    assert answer.json()["detail"]


async def test_only_files_of_the_plots_folder_are_served(
    own: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = tmp_path / "plots"
    folder.mkdir()
    (folder / "training_metrics.json").write_text('{"episodes": 1}')
    (folder / "reward_curve.png").write_bytes(b"\x89PNG")
    (tmp_path / "secret.json").write_text("{}")
    monkeypatch.setattr(fleet, "PLOTS", folder)
    answer = await own.get("/plots/training_metrics.json")
    assert (answer.json(), answer.headers["content-type"]) == ({"episodes": 1}, "application/json")
    assert (await own.get("/plots/reward_curve.png")).headers["content-type"] == "image/png"
    for name in ("secret.json", "../secret.json", "..%2fsecret.json", "%2e%2e%2fsecret.json", ".."):
        assert (await own.get(f"/plots/{name}")).status_code == 404
