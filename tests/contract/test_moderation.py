"""The moderation contract, as its document has it, at every address where it is served."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

SLUG = "moderation"

# What follows is copied from the contract's document.
AVAILABLE_ACTIONS = """
[
  "fetch_user_history",
  "fetch_thread_context",
  "check_policy_clause",
  "mark_violation_type",
  "allow",
  "flag",
  "remove",
  "escalate"
]
"""
TASKS = """
{
  "tasks": [
    {"name": "easy", "description": "Clear violations"},
    {"name": "medium", "description": "Ambiguous moderation"},
    {"name": "hard", "description": "Contextual + geo-aware"}
  ],
  "action_schema": {"action": "string", "parameters": "object (optional)"}
}
"""
BASELINE_SCORE = """
{
  "final_action_score": 1.0,
  "classification_score": 1.0,
  "investigation_score": 1.0,
  "efficiency_score": 0.5,
  "total": 0.875
}
"""
INVALID_ACTION = '{"error": "Invalid action", "reward": -0.2}'
FINISHED = '{"error": "Episode finished", "done": true}'
MISSING = '{"error": "Missing required parameter: violation_type"}'
STATE_KEYS = ["post_content", "user_history", "reports", "engagement", "geo", "available_context"]
REVEALED_KEYS = ["thread_context", "policy_context", "predicted_violation", "final_action"]
NO_KEY = "GOOGLE_API_KEY or GEMINI_API_KEY environment variable is required"
# End of the copy.


async def _reset(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await client.post("/reset", json={"task": "easy", "seed": 42} | body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def _step(client: httpx.AsyncClient, action: str, **parameters: Any) -> dict[str, Any]:
    answer = await client.post("/step", json={"action": action, "parameters": parameters})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def _state(client: httpx.AsyncClient) -> dict[str, Any]:
    return (await client.get("/state")).json()


async def test_health_answers(contract: httpx.AsyncClient):
    answer = await contract.get("/health")
    assert answer.status_code == 200
    assert answer.json()["status"] == "healthy"


async def test_tasks_answers_as_printed_with_types_and_parameters_beside_it(contract: httpx.AsyncClient):
    answer = (await contract.get("/tasks")).json()
    printed = json.loads(TASKS)
    assert answer["tasks"] == printed["tasks"]
    assert printed["action_schema"].items() <= answer["action_schema"].items()
    assert answer["action_schema"]["actions"]["check_policy_clause"] == ["clause_id"]
    assert "misinformation" in answer["action_schema"]["violation_types"]


async def test_a_reset_answers_state_actions_and_done(contract: httpx.AsyncClient):
    opened = await _reset(contract)
    assert list(opened) == ["state", "available_actions", "done"]
    assert list(opened["state"]) == STATE_KEYS
    assert opened["state"]["user_history"] == []
    assert opened["state"]["engagement"] in {"low", "medium", "high"}
    assert isinstance(opened["state"]["reports"], int)
    assert opened["available_actions"] == json.loads(AVAILABLE_ACTIONS)
    assert opened["done"] is False


@pytest.mark.parametrize(
    ("body", "same"),
    [
        ({}, {"task": "easy", "seed": 42}),
        ({"task": "easy"}, {"task_id": "easy_harassment", "seed": 42}),
        ({"task_id": "medium"}, {"task": "medium_ambiguous", "seed": 100}),
        ({"task": "hard_misinformation"}, {"task_id": "hard", "seed": 777}),
    ],
)
async def test_a_task_has_two_names_and_a_seed_of_its_own(
    contract: httpx.AsyncClient, body: dict[str, Any], same: dict[str, Any]
):
    one = await contract.post("/reset", json=body)
    other = await contract.post("/reset", json=same)
    assert one.status_code == other.status_code == 200
    assert one.content == other.content


async def test_seed_0_is_a_seed_like_any_other(contract: httpx.AsyncClient):
    zero = await _reset(contract, seed=0)
    assert zero != await _reset(contract, seed=42)
    assert zero == await _reset(contract, seed=0)


async def test_the_same_task_seed_and_actions_answer_the_same_bytes(contract: httpx.AsyncClient):
    async def texts() -> list[bytes]:
        reset = await contract.post("/reset", json={"task": "hard", "seed": 9})
        bodies = (
            {"action": "fetch_thread_context"},
            {"action": "mark_violation_type", "parameters": {"type": "spam"}},
            {"action": "flag"},
        )
        steps = [await contract.post("/step", json=body) for body in bodies]
        return [answer.content for answer in (reset, *steps, await contract.get("/grader"))]

    assert await texts() == await texts()


async def test_a_step_answers_state_reward_done_and_info(contract: httpx.AsyncClient):
    await _reset(contract)
    answer = await _step(contract, "fetch_user_history", violation_type="misinformation")
    assert list(answer) == ["state", "reward", "done", "info"]
    assert answer["reward"] == 0.2
    assert answer["done"] is False
    assert answer["info"] == {"step": 1, "message": "User history fetched"}
    assert len(answer["state"]["user_history"]) == 4


async def test_keys_of_the_state_appear_as_they_are_revealed(contract: httpx.AsyncClient):
    await _reset(contract)
    known = list(STATE_KEYS)
    for action, parameters, key in (
        ("fetch_thread_context", {}, "thread_context"),
        ("check_policy_clause", {"clause_id": "threats"}, "policy_context"),
        ("mark_violation_type", {"violation_type": "threat"}, "predicted_violation"),
        ("escalate", {}, "final_action"),
    ):
        answer = await _step(contract, action, **parameters)
        known.append(key)
        assert list(answer["state"]) == known
    assert known == STATE_KEYS + REVEALED_KEYS
    assert (await _state(contract))["state"] == answer["state"]


async def test_state_answers_without_an_action(contract: httpx.AsyncClient):
    opened = await _reset(contract)
    assert await _state(contract) == {"state": opened["state"], "step_count": 0, "done": False}
    await _step(contract, "flag")
    state = await _state(contract)
    assert (state["step_count"], state["done"], state["state"]["final_action"]) == (1, True, "flag")


@pytest.mark.parametrize("spelling", ["violation_type", "type"])
async def test_a_mark_takes_both_spellings(contract: httpx.AsyncClient, spelling: str):
    await _reset(contract)
    answer = await _step(contract, "mark_violation_type", **{spelling: "hate", "colour": "red"})
    assert answer["state"]["predicted_violation"] == "hate"


async def test_a_missing_parameter_is_400_as_printed_and_spends_no_step(contract: httpx.AsyncClient):
    await _reset(contract)
    before = await _state(contract)
    for body in (
        {"action": "mark_violation_type"},
        {"action": "mark_violation_type", "parameters": {"x": 1}},
    ):
        answer = await contract.post("/step", json=body)
        assert (answer.status_code, answer.json()) == (400, json.loads(MISSING))
    answer = await contract.post("/step", json={"action": "check_policy_clause", "parameters": None})
    assert (answer.status_code, answer.json()) == (400, {"error": "Missing required parameter: clause_id"})
    assert await _state(contract) == before


async def test_an_unknown_action_is_400_as_printed_and_books_nothing(contract: httpx.AsyncClient):
    await _reset(contract)
    before = await _state(contract)
    for action in ("delete", "", "Allow", "allow "):
        answer = await contract.post("/step", json={"action": action})
        assert (answer.status_code, answer.json()) == (400, json.loads(INVALID_ACTION))
    assert await _state(contract) == before


async def test_an_invented_clause_is_recorded_spends_a_step_and_costs(contract: httpx.AsyncClient):
    await _reset(contract)
    answer = await _step(contract, "check_policy_clause", clause_id="rule-34")
    assert (answer["reward"], answer["info"]["step"]) == (-0.1, 1)
    assert "policy_context" not in answer["state"]


async def test_a_step_after_the_end_is_409_as_printed_and_changes_nothing(contract: httpx.AsyncClient):
    await _reset(contract)
    await _step(contract, "allow")
    before = await _state(contract)
    for body in ({"action": "allow"}, {"action": "fetch_user_history"}):
        answer = await contract.post("/step", json=body)
        assert (answer.status_code, answer.json()) == (409, json.loads(FINISHED))
    assert await _state(contract) == before


@pytest.mark.parametrize(("method", "path"), [("GET", "/state"), ("GET", "/grader"), ("POST", "/step")])
async def test_before_any_reset_400_says_what_to_call(contract: httpx.AsyncClient, method: str, path: str):
    body = {"action": "allow"} if method == "POST" else None
    answer = await contract.request(method, path, json=body)
    assert answer.status_code == 400
    assert "reset" in answer.json()["error"]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/reset", {"task": "extreme"}),
        ("POST", "/reset", {"task_id": ""}),
        ("GET", "/baseline?task_id=extreme", None),
        ("POST", "/agent/run", {"task_id": "extreme"}),
    ],
)
async def test_an_unknown_task_is_400(contract: httpx.AsyncClient, method: str, path: str, body: Any):
    answer = await contract.request(method, path, json=body)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("Unknown task: ")


async def test_the_grade_comes_after_the_end_with_the_contracts_weights(contract: httpx.AsyncClient):
    await _reset(contract)
    early = await contract.get("/grader")
    assert early.status_code == 409
    assert "not finished" in early.json()["detail"]
    await _step(contract, "check_policy_clause", clause_id="threats")
    await _step(contract, "mark_violation_type", violation_type="threat")
    await _step(contract, "flag")
    graded = (await contract.get("/grader")).json()
    assert graded == {
        "score": 0.875,
        "breakdown": {"final_action": 1.0, "violation": 1.0, "investigation": 1.0, "efficiency": 0.5},
        "steps_taken": 3,
        "max_steps": 6,
    }


async def test_the_baseline_example_answers_the_printed_numbers(contract: httpx.AsyncClient):
    answer = (await contract.get("/baseline", params={"task_id": "easy_harassment"})).json()
    assert list(answer) == ["task_id", "seed", "score", "trajectory"]
    assert (answer["task_id"], answer["seed"]) == ("easy_harassment", 42)
    breakdown = answer["score"].pop("breakdown")
    assert answer["score"] == json.loads(BASELINE_SCORE)
    assert sum(breakdown.values()) == pytest.approx(answer["score"]["total"])
    assert (await contract.get("/baseline")).json()["trajectory"] == answer["trajectory"]
    for number, moment in enumerate(answer["trajectory"], start=1):
        assert list(moment) == ["step", "action", "reward", "reward_reason"]
        assert moment["step"] == number
        assert moment["action"]["action_type"] in json.loads(AVAILABLE_ACTIONS)


async def test_the_baseline_plays_a_case_of_its_own(contract: httpx.AsyncClient):
    await _reset(contract)
    await _step(contract, "fetch_user_history")
    before = await _state(contract)
    answer = await contract.get("/baseline", params={"task_id": "hard", "seed": 0})
    assert (answer.json()["task_id"], answer.json()["seed"]) == ("hard_misinformation", 0)
    assert await _state(contract) == before


async def test_the_agent_without_a_key_is_500_as_printed(contract: httpx.AsyncClient):
    answer = await contract.post("/agent/run", json={"task_id": "hard_misinformation", "seed": 777})
    assert answer.status_code == 500
    assert answer.json()["detail"].startswith(NO_KEY)


async def test_nothing_before_the_decision_tells_the_answer(contract: httpx.AsyncClient):
    await _reset(contract, task="hard")
    texts = []
    for action, parameters in (
        ("fetch_user_history", {}),
        ("fetch_thread_context", {}),
        ("mark_violation_type", {"violation_type": "spam"}),
    ):
        texts.append(json.dumps(await _step(contract, action, **parameters)))
    texts.append((await contract.get("/state")).text)
    assert not any(
        word in text for text in texts for word in ("ruling", "truth", "facts", "family", "severity")
    )


async def test_held_out_cases_cannot_be_practised(contract: httpx.AsyncClient):
    answer = await contract.post("/reset", json={"task": "easy", "split": "held-out", "seed": 1})
    assert answer.status_code == 409
    assert "POST /submissions" in answer.json()["error"]
