"""The Forecast-Audit contract, as its document has it, at every address where it is served."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

SLUG = "forecast-audit"

# What follows is copied from the contract's document.
RESET_REQUEST = """
{
  "task_id": "easy_ops_missing_001",
  "difficulty": "easy"
}
"""
RESET_ANSWER = """
{
  "observation": {
    "task_id": "easy_ops_missing_001",
    "difficulty": "easy",
    "domain": "operations",
    "metric_name": "warehouse_orders_per_hour",
    "timestamps": ["09:00", "10:00", "11:00", "12:00", "13:00"],
    "values": [120.0, 125.0, 130.0, null, 140.0],
    "issue_type": "missing_value",
    "constraints": [
      "Weekday ramp is stable at +5 orders/hour.",
      "No promotions or outages were recorded."
    ],
    "analyst_note": "Backfill the missing hour before the report is published.",
    "step_count": 0,
    "max_steps": 2,
    "history_summary": "Recent weekday mornings have shown a steady linear ramp."
  },
  "done": false
}
"""
STEP_REQUEST = """
{
  "operation": "impute",
  "target_index": 3,
  "predicted_value": 135.0,
  "severity": "low",
  "violated_constraints": [],
  "rationale": "Series follows a +5 linear trend."
}
"""
STEP_ANSWER = """
{
  "observation": {
    "task_id": "easy_ops_missing_001",
    "difficulty": "easy",
    "domain": "operations",
    "metric_name": "warehouse_orders_per_hour",
    "timestamps": ["09:00", "10:00", "11:00", "12:00", "13:00"],
    "values": [120.0, 125.0, 130.0, 135.0, 140.0],
    "issue_type": "missing_value",
    "constraints": [
      "Weekday ramp is stable at +5 orders/hour.",
      "No promotions or outages were recorded."
    ],
    "analyst_note": "Previous action: impute. Reward=1.00. Excellent action. The issue was handled correctly and can be finalized.",
    "step_count": 1,
    "max_steps": 2,
    "history_summary": "Recent weekday mornings have shown a steady linear ramp."
  },
  "reward": {
    "score": 1.0,
    "components": {
      "operation": 0.35,
      "index": 0.15,
      "value": 0.2,
      "severity": 0.1,
      "constraints": 0.1,
      "rationale": 0.08,
      "efficiency": 0.05,
      "penalty": 0.0
    },
    "message": "Excellent action. The issue was handled correctly and can be finalized."
  },
  "done": true,
  "info": {
    "task_id": "easy_ops_missing_001",
    "difficulty": "easy",
    "issue_type": "missing_value",
    "max_steps": 2,
    "step_count": 1,
    "expected_operation": "impute"
  }
}
"""  # noqa: E501
BAD_OPERATION_ANSWER = """
{
  "detail": [
    {
      "loc": ["body", "operation"],
      "msg": "Input should be 'impute', 'flag_anomaly', 'accept', 'repair_and_finalize' or 'escalate'",
      "type": "enum"
    }
  ]
}
"""
# End of the copy.

WRONG = {"operation": "accept"}
STEP_KEYS = {"observation", "reward", "done", "info"}
STATE_KEYS = {
    "task_id",
    "difficulty",
    "domain",
    "step_count",
    "max_steps",
    "done",
    "total_reward",
    "last_reward",
    "observation",
}


async def _post(client: httpx.AsyncClient, path: str, text: str) -> httpx.Response:
    return await client.post(path, content=text.encode(), headers={"Content-Type": "application/json"})


async def _state(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.get("/state")
    assert answer.status_code == 200
    return answer.json()


async def test_root_answers_the_service_metadata(contract: httpx.AsyncClient):
    answer = await contract.get("/")
    assert (answer.status_code, answer.json()) == (
        200,
        {"name": "forecast-audit-openenv", "status": "running", "docs": "/docs", "health": "/health"},
    )


async def test_health_answers_healthy(contract: httpx.AsyncClient):
    answer = await contract.get("/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "healthy"})


async def test_metadata_answers_the_order_of_the_tasks(contract: httpx.AsyncClient):
    answer = await contract.get("/metadata")
    metadata = answer.json()
    assert answer.status_code == 200
    assert set(metadata) == {"name", "description", "version", "task_order", "reward_range"}
    assert metadata["reward_range"] == [0.0, 1.0]
    assert metadata["task_order"] == [
        "easy_ops_missing_001",
        "medium_finance_anomaly_001",
        "hard_energy_forecast_001",
        *(f"easy_ops_missing_{n:03d}" for n in range(2, 12)),
        *(f"medium_finance_anomaly_{n:03d}" for n in range(2, 12)),
        *(f"hard_energy_forecast_{n:03d}" for n in range(2, 12)),
    ]


async def test_schema_answers_four_json_schemas(contract: httpx.AsyncClient):
    answer = await contract.get("/schema")
    schemas = answer.json()
    assert answer.status_code == 200
    assert set(schemas) == {"action", "observation", "reward", "state"}
    assert all(schema["type"] == "object" and schema["properties"] for schema in schemas.values())
    assert set(schemas["action"]["properties"]) == set(json.loads(STEP_REQUEST))
    assert set(schemas["observation"]["properties"]) == set(json.loads(RESET_ANSWER)["observation"])
    assert set(schemas["reward"]["properties"]) == {"score", "components", "message"}
    assert set(schemas["state"]["properties"]) == STATE_KEYS


@pytest.mark.parametrize("body", [RESET_REQUEST, '{"difficulty":"easy"}', "{}", ""])
async def test_the_reset_example_answers_as_printed(contract: httpx.AsyncClient, body: str):
    answer = await _post(contract, "/reset", body)
    assert (answer.status_code, answer.json()) == (200, json.loads(RESET_ANSWER))


async def test_the_step_example_answers_as_printed_number_for_number(contract: httpx.AsyncClient):
    await _post(contract, "/reset", RESET_REQUEST)
    answer = await _post(contract, "/step", STEP_REQUEST)
    assert (answer.status_code, answer.json()) == (200, json.loads(STEP_ANSWER))


async def test_answers_keep_the_documents_order_of_keys(contract: httpx.AsyncClient):
    answers = [await _post(contract, "/reset", RESET_REQUEST), await _post(contract, "/step", STEP_REQUEST)]
    for answer, printed in zip(answers, (RESET_ANSWER, STEP_ANSWER), strict=True):
        assert answer.text == json.dumps(json.loads(printed), separators=(",", ":"))


async def test_state_answers_the_running_episode(contract: httpx.AsyncClient):
    await _post(contract, "/reset", RESET_REQUEST)
    assert await _state(contract) == {
        "task_id": "easy_ops_missing_001",
        "difficulty": "easy",
        "domain": "operations",
        "step_count": 0,
        "max_steps": 2,
        "done": False,
        "total_reward": 0.0,
        "last_reward": None,
        "observation": json.loads(RESET_ANSWER)["observation"],
    }


async def test_state_answers_the_finished_episode(contract: httpx.AsyncClient):
    await _post(contract, "/reset", RESET_REQUEST)
    await _post(contract, "/step", STEP_REQUEST)
    printed = json.loads(STEP_ANSWER)
    state = await _state(contract)
    assert (state["done"], state["step_count"], state["total_reward"]) == (True, 1, 1.0)
    assert (state["observation"], state["last_reward"]) == (printed["observation"], printed["reward"])


async def test_resets_without_a_task_rotate_through_the_order(contract: httpx.AsyncClient):
    order = (await contract.get("/metadata")).json()["task_order"]
    opened = [(await contract.post("/reset")).json()["observation"]["task_id"] for _ in range(len(order) + 1)]
    assert opened == [*order, order[0]]


async def test_a_difficulty_alone_gives_that_levels_next_task(contract: httpx.AsyncClient):
    opened = []
    for difficulty in ("hard", "medium", "hard", "easy"):
        answer = await contract.post("/reset", json={"difficulty": difficulty})
        opened.append(answer.json()["observation"]["task_id"])
    assert opened == [
        "hard_energy_forecast_001",
        "medium_finance_anomaly_001",
        "hard_energy_forecast_002",
        "easy_ops_missing_001",
    ]


async def test_a_task_beats_a_difficulty_and_takes_no_turn(contract: httpx.AsyncClient):
    body = {"task_id": "hard_energy_forecast_003", "difficulty": "easy"}
    assert (await contract.post("/reset", json=body)).json()["observation"]["difficulty"] == "hard"
    assert (await contract.post("/reset")).json()["observation"]["task_id"] == "easy_ops_missing_001"


async def test_keys_that_the_contract_does_not_know_are_ignored(contract: httpx.AsyncClient):
    reset = await contract.post("/reset", json={**json.loads(RESET_REQUEST), "colour": "red", "seed": 7})
    assert reset.json() == json.loads(RESET_ANSWER)
    step = await contract.post("/step", json={**json.loads(STEP_REQUEST), "metadata": {"deep": [1]}})
    assert step.json() == json.loads(STEP_ANSWER)


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"task_id": "invalid_task"}, "Unknown task_id: invalid_task"),
        ({"task_id": ""}, "Unknown task_id: "),
        ({"task_id": "invalid_task", "difficulty": "easy"}, "Unknown task_id: invalid_task"),
        ({"difficulty": "nightmare"}, "Unknown difficulty: nightmare; use easy, medium or hard"),
        ({"difficulty": "EASY"}, "Unknown difficulty: EASY; use easy, medium or hard"),
        (
            {"task_id": "easy_ops_missing_001", "difficulty": "nightmare"},
            "Unknown difficulty: nightmare; use easy, medium or hard",
        ),
    ],
)
async def test_an_unknown_task_or_difficulty_is_400_and_opens_nothing(
    contract: httpx.AsyncClient, body: dict[str, str], detail: str
):
    answer = await contract.post("/reset", json=body)
    assert (answer.status_code, answer.json()) == (400, {"detail": detail})
    assert (await contract.get("/state")).status_code == 400


@pytest.mark.parametrize(("method", "path"), [("GET", "/state"), ("POST", "/step")])
async def test_before_a_reset_there_is_nothing_to_see_or_play(
    contract: httpx.AsyncClient, method: str, path: str
):
    answer = await contract.request(method, path, json=WRONG)
    assert answer.status_code == 400
    assert answer.json() == {"detail": "There is no episode yet; call reset first."}


async def test_a_step_after_the_end_is_400_and_changes_nothing(contract: httpx.AsyncClient):
    await _post(contract, "/reset", RESET_REQUEST)
    await _post(contract, "/step", STEP_REQUEST)
    before = await _state(contract)
    answer = await _post(contract, "/step", STEP_REQUEST)
    assert answer.status_code == 400
    assert answer.json() == {"detail": "The episode is done; call reset to start another."}
    assert await _state(contract) == before


async def test_an_episode_ends_after_its_steps_whatever_they_earn(contract: httpx.AsyncClient):
    await _post(contract, "/reset", RESET_REQUEST)
    done = [(await contract.post("/step", json=WRONG)).json()["done"] for _ in range(2)]
    assert done == [False, True]
    assert (await contract.post("/step", json=WRONG)).status_code == 400


@pytest.mark.parametrize("index", [-1, 5, 9, 2**63 - 1, -(2**63)])
async def test_an_index_outside_the_series_is_400_naming_the_range_and_changes_nothing(
    contract: httpx.AsyncClient, index: int
):
    await _post(contract, "/reset", RESET_REQUEST)
    before = await _state(contract)
    answer = await contract.post("/step", json={**json.loads(STEP_REQUEST), "target_index": index})
    assert answer.status_code == 400
    detail = f"target_index {index} is outside this series of 5 values; use 0 to 4"
    assert answer.json() == {"detail": detail}
    assert await _state(contract) == before
    assert (await _post(contract, "/step", STEP_REQUEST)).json() == json.loads(STEP_ANSWER)


async def test_the_expected_operation_is_null_until_the_episode_is_done(contract: httpx.AsyncClient):
    await _post(contract, "/reset", RESET_REQUEST)
    running = (await contract.post("/step", json=WRONG)).json()
    assert set(running) == STEP_KEYS
    assert running["info"]["expected_operation"] is None
    assert (await contract.post("/step", json=WRONG)).json()["info"]["expected_operation"] == "impute"


@pytest.mark.parametrize("steps", [0, 1, 2])
async def test_state_never_shows_the_expected_operation_or_the_gold(contract: httpx.AsyncClient, steps: int):
    await _post(contract, "/reset", RESET_REQUEST)
    for _ in range(steps):
        await contract.post("/step", json=WRONG)
    answer = await contract.get("/state")
    assert set(answer.json()) == STATE_KEYS
    assert not any(word in answer.text for word in ("expected", "gold", "impute", "tolerance", "135"))


async def test_a_wrong_operation_is_422_as_printed(contract: httpx.AsyncClient):
    await _post(contract, "/reset", RESET_REQUEST)
    answer = await contract.post("/step", json={"operation": "delete"})
    assert (answer.status_code, answer.json()) == (422, json.loads(BAD_OPERATION_ANSWER))
