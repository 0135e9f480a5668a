"""The contract's worked example, number for number."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from envs.forecast_audit.catalogue import Memory
from envs.forecast_audit.models import Action, Request
from envs.kernel.outcome import Status
from envs.kernel.protocol import Refusal
from envs.kernel.rng import Rng
from tests.envs.forecast_audit.answers import ENV, TASKS, opened, played, seen

EXAMPLE = TASKS["easy_ops_missing_001"]
BODY = """{
  "operation":"impute",
  "target_index":3,
  "predicted_value":135.0,
  "severity":"low",
  "violated_constraints":[],
  "rationale":"Series follows a +5 linear trend."
}"""
AT_RESET = {
    "task_id": "easy_ops_missing_001",
    "difficulty": "easy",
    "domain": "operations",
    "metric_name": "warehouse_orders_per_hour",
    "timestamps": ["09:00", "10:00", "11:00", "12:00", "13:00"],
    "values": [120.0, 125.0, 130.0, None, 140.0],
    "issue_type": "missing_value",
    "constraints": [
        "Weekday ramp is stable at +5 orders/hour.",
        "No promotions or outages were recorded.",
    ],
    "analyst_note": "Backfill the missing hour before the report is published.",
    "step_count": 0,
    "max_steps": 2,
    "history_summary": "Recent weekday mornings have shown a steady linear ramp.",
}
AFTER_STEP = AT_RESET | {
    "values": [120.0, 125.0, 130.0, 135.0, 140.0],
    "analyst_note": "Previous action: impute. Reward=1.00. Excellent action. "
    "The issue was handled correctly and can be finalized.",
    "step_count": 1,
}


def test_the_reset_shows_the_examples_observation_key_for_key():
    assert list(json.loads(seen(opened(EXAMPLE)).model_dump_json()).items()) == list(AT_RESET.items())


def test_the_step_shows_the_examples_observation_key_for_key():
    episode = played(EXAMPLE, Action.model_validate_json(BODY))
    assert list(json.loads(seen(episode).model_dump_json()).items()) == list(AFTER_STEP.items())


def test_the_step_earns_the_examples_components_in_their_order():
    step = played(EXAMPLE, Action.model_validate_json(BODY)).steps[-1]
    assert json.dumps(dict(step.reward.parts)) == (
        '{"operation": 0.35, "index": 0.15, "value": 0.2, "severity": 0.1, "constraints": 0.1, '
        '"rationale": 0.08, "efficiency": 0.05, "penalty": 0.0}'
    )
    assert step.reward.total == 1.0
    assert step.reward.message == "Excellent action. The issue was handled correctly and can be finalized."
    assert step.status is Status.TERMINATED


def test_an_unknown_task_is_refused_in_the_contracts_words():
    with pytest.raises(Refusal, match=r"^Unknown task_id: invalid_task$"):
        ENV.task(Request(task_id="invalid_task"), Memory(), Rng(1))


def test_an_unknown_difficulty_is_refused_with_what_is_allowed():
    with pytest.raises(Refusal, match=r"^Unknown difficulty: extreme; use easy, medium or hard$"):
        ENV.task(Request(difficulty="extreme"), Memory(), Rng(1))


def test_an_unknown_operation_is_malformed_in_the_contracts_words():
    with pytest.raises(ValidationError) as caught:
        Action.model_validate_json('{"operation": "guess"}')
    (error,) = caught.value.errors()
    assert (error["loc"], error["type"]) == (("operation",), "enum")
    assert error["msg"] == (
        "Input should be 'impute', 'flag_anomaly', 'accept', 'repair_and_finalize' or 'escalate'"
    )
