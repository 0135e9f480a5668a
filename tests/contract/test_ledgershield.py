"""The LedgerShield contract, as its document has it, at every address where it is served."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

SLUG = "ledgershield"

# What follows is copied from the contract's document.
RESET_REQUEST = '{"seed": 42, "case_id": "CASE-D-001"}'
RESET_ANSWER = """
{
  "observation": {
    "case_id": "CASE-D-001",
    "task_type": "task_d",
    "instruction": "Act as an AP analyst...",
    "visible_documents": [
      {
        "doc_id": "INV-D-001",
        "doc_type": "invoice",
        "thumbnail": "thumbnail::INV-D-001",
        "page_count": 1,
        "language": "en",
        "available_views": ["thumbnail", "zoom", "get_doc_crop", "ocr_fast", "ocr_accurate"]
      }
    ],
    "revealed_artifacts": [],
    "pending_events": [],
    "budget_remaining": 16.0,
    "budget_total": 16.0,
    "step_count": 0,
    "max_steps": 18,
    "case_clock": 0,
    "risk_snapshot": {},
    "investigation_status": {},
    "last_tool_result": {},
    "messages": ["Loaded case CASE-D-001"],
    "allowed_actions": ["zoom", "get_doc_crop", "ocr", "submit_decision"],
    "available_interventions": ["request_callback_verification", "route_to_security"],
    "case_metadata": {
      "task_label": "AP inbox incident triage",
      "due_date_days": 30,
      "ashtg": "Adversarial Sequential Hypothesis Testing Game"
    },
    "portfolio_context": {},
    "sprt_state": {
      "recommended_decision": "NEEDS_REVIEW",
      "decision_ready": false,
      "optimal_stopping_reached": false,
      "posterior_probabilities": {"safe": 0.0833, "bank_fraud": 0.0833}
    },
    "tool_rankings": {
      "recommended_tool": "compare_bank_account",
      "voi": 0.17,
      "voi_cost_ratio": 1.13,
      "should_stop": false
    },
    "reward_machine": {"state_id": 0, "progress_fraction": 0.0, "accepting": false, "rejecting": false}
  },
  "reward": 0.0,
  "done": false,
  "truncated": false,
  "terminated": false,
  "info": {"case_id": "CASE-D-001"}
}
"""
STEP_REQUEST = '{"action_type": "ocr", "payload": {"doc_id": "INV-D-001", "mode": "accurate"}}'
STEP_ANSWER = """
{
  "observation": {
    "case_id": "CASE-D-001",
    "step_count": 1,
    "budget_remaining": 14.9,
    "last_tool_result": {
      "tool_name": "ocr",
      "success": true,
      "doc_id": "INV-D-001",
      "mode": "accurate",
      "scope": "document",
      "text_preview": "Invoice ...",
      "cost": 1.1,
      "reward_model": {
        "value": -1.0,
        "terminal": false,
        "components": {
          "voi_reward": -1.1,
          "information_value": 0.0,
          "cost_penalty": -1.1,
          "potential_delta": 0.1
        },
        "metadata": {"action_type": "ocr", "success": true}
      }
    }
  },
  "reward": -1.0,
  "done": false,
  "truncated": false,
  "terminated": false,
  "info": {"tool_name": "ocr", "success": true, "reward_model": {"terminal": false}}
}
"""
DECISION = """
{
  "action_type": "submit_decision",
  "payload": {
    "decision": "ESCALATE_FRAUD",
    "confidence": 0.95,
    "reason_codes": ["sender_domain_spoof", "bank_override_attempt"],
    "policy_checks": {"bank_change_verification": "fail"},
    "evidence_map": {},
    "decision_certificate": {
      "certificate_version": "ledgershield-dcg-v1",
      "nodes": [{"id": "decision.final", "type": "decision", "value": "ESCALATE_FRAUD"}],
      "edges": []
    }
  }
}
"""
STATE_KEYS = [
    "episode_id", "case_id", "task_type", "budget_total", "budget_remaining", "step_count", "case_clock",
    "max_steps", "trajectory", "interventions_taken", "observed_risk_signals", "sprt_state",
    "tool_rankings", "reward_machine_state", "pending_events", "pressure_events_seen", "terminal_reason",
]  # fmt: skip
OBSERVED = [
    "case_id", "task_type", "instruction", "visible_documents", "revealed_artifacts", "pending_events",
    "budget_remaining", "budget_total", "step_count", "max_steps", "case_clock", "risk_snapshot",
    "investigation_status", "last_tool_result", "messages", "allowed_actions", "available_interventions",
    "case_metadata", "portfolio_context", "sprt_state", "tool_rankings", "reward_machine",
]  # fmt: skip
# End of the copy.

# What the document shows as an illustration: words of the case, and what the tables make of them.
ILLUSTRATED = {"instruction", "text_preview", "voi", "voi_cost_ratio", "potential_delta"}
HIDDEN_WHEN_BLIND = ("sprt_state", "tool_rankings", "reward_machine")


async def _reset(client: httpx.AsyncClient, **body: Any) -> dict[str, Any]:
    answer = await client.post("/reset", json={"case_id": "CASE-D-001"} | body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def _step(client: httpx.AsyncClient, action_type: str, **payload: Any) -> dict[str, Any]:
    answer = await client.post("/step", json={"action_type": action_type, "payload": payload})
    assert answer.status_code == 200, answer.text
    return answer.json()


def _agrees(printed: Any, found: Any, name: str = "") -> None:
    """Keys, types and scalars as printed; lists and maps may hold more."""
    if name in ILLUSTRATED:
        assert type(found) is type(printed), name
        return
    match printed:
        case dict():
            assert printed.keys() <= found.keys(), name
            for key, value in printed.items():
                _agrees(value, found[key], key)
        case list():
            assert len(printed) <= len(found), name
            for item in printed:
                if isinstance(item, dict):
                    _agrees(item, next(own for own in found if own["doc_id"] == item["doc_id"]), name)
                else:
                    assert item in found, name
        case _:
            assert (type(found), found) == (type(printed), printed), name


async def test_the_probes_answer_as_printed(contract: httpx.AsyncClient):
    assert (await contract.get("/")).json() == {"status": "ok", "service": "LedgerShield OpenEnv"}
    assert (await contract.get("/health")).json()["status"] == "ok"


async def test_case_d_001_opens_as_printed(contract: httpx.AsyncClient):
    answer = await contract.post("/reset", content=RESET_REQUEST)
    assert answer.status_code == 200, answer.text
    opened = answer.json()
    _agrees(json.loads(RESET_ANSWER), opened)
    assert list(opened) == ["observation", "reward", "done", "truncated", "terminated", "info"]
    assert list(opened["observation"]) == OBSERVED
    assert opened["info"] == {"case_id": "CASE-D-001"}
    assert opened["observation"]["last_tool_result"] == {}


async def test_the_first_look_at_case_d_001_is_worth_its_cost(contract: httpx.AsyncClient):
    observation = (await _reset(contract))["observation"]
    assert observation["tool_rankings"]["voi"] > 0
    assert observation["tool_rankings"]["voi_cost_ratio"] > 1
    assert set(observation["sprt_state"]["posterior_probabilities"].values()) == {0.0833}
    assert len(observation["sprt_state"]["posterior_probabilities"]) == 12


async def test_a_step_answers_as_printed_and_its_reward_models_agree(contract: httpx.AsyncClient):
    await _reset(contract)
    answer = (await contract.post("/step", content=STEP_REQUEST)).json()
    _agrees(json.loads(STEP_ANSWER), answer)
    model = answer["observation"]["last_tool_result"]["reward_model"]
    assert model == answer["info"]["reward_model"]
    assert model["value"] == answer["reward"]


async def test_the_printed_decision_ends_the_case_with_its_grade(contract: httpx.AsyncClient):
    await _reset(contract)
    # What nothing bears out argues for no decision.
    await _step(contract, "inspect_email_thread", thread_id="THR-D-001")
    answer = (await contract.post("/step", content=DECISION)).json()
    assert (answer["done"], answer["terminated"], answer["truncated"]) == (True, True, False)
    info = answer["info"]
    assert 0.0 < info["final_score"] < 1.0
    assert info["score_breakdown"]["decision"] == 1.0
    assert info["score_breakdown"]["reasons"] > 0.0
    assert info["outcome"] == {
        "true_hypothesis": "vendor_takeover",
        "right_decision": "ESCALATE_FRAUD",
        "unsafe": False,
    }
    assert info["reward_model"]["terminal"] is True
    assert info["reward_model"]["components"]["graded_score"] == info["final_score"]
    assert info["terminal_reason"] == "decided"


async def test_paying_a_fraud_is_told_and_scored_as_unsafe(alone: httpx.AsyncClient):
    await _reset(alone)
    answer = await _step(alone, "submit_decision", decision="PAY", confidence=1.0)
    assert answer["info"]["outcome"]["unsafe"] is True
    assert answer["info"]["final_score"] == 0.0


async def test_steps_that_run_out_are_truncated_and_not_terminated(alone: httpx.AsyncClient):
    await _reset(alone, case_id="CASE-A-001")
    for _ in range(12):
        answer = await _step(alone, "lookup_policy")
    assert (answer["done"], answer["terminated"], answer["truncated"]) == (True, False, True)
    assert answer["info"]["terminal_reason"] == "steps_spent"
    assert (await alone.get("/state")).json()["terminal_reason"] == "steps_spent"


async def test_without_a_case_the_seed_alone_picks_one_of_the_curated(alone: httpx.AsyncClient):
    answers = [(await alone.post("/reset", json={"seed": seed})).json() for seed in (3, 3, 4, 11)]
    ids = [answer["info"]["case_id"] for answer in answers]
    assert ids[0] == ids[1]
    assert len(set(ids)) > 1
    assert all(len(name) == len("CASE-D-001") and name[5] in "ABCDE" for name in ids)


async def test_a_reset_needs_no_body(contract: httpx.AsyncClient):
    for content in (b"", b"{}"):
        assert (await contract.post("/reset", content=content)).status_code == 200


async def test_a_level_or_a_family_draws_a_generated_case_with_an_opaque_id(alone: httpx.AsyncClient):
    for body in ({"level": "hard"}, {"family": "task_b"}, {"split": "public"}):
        answer = (await alone.post("/reset", json={"seed": 5, **body})).json()
        name = answer["info"]["case_id"].removeprefix("CASE-")
        assert len(name) == 8
        assert int(name, 16) >= 0


@pytest.mark.parametrize(
    "body",
    [{"case_id": "CASE-Z-001"}, {"level": "extreme"}, {"family": "task_f"}, {"split": "x"}, {"track": ""}],
)
async def test_a_case_that_is_not_there_is_400_and_says_which_are(
    alone: httpx.AsyncClient, body: dict[str, str]
):
    answer = await alone.post("/reset", json=body)
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("Unknown ")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"action_type": "teleport"}, "there is no action 'teleport'"),
        ({"action_type": ""}, "there is no action ''"),
        ({"action_type": "ocr"}, "doc_id is missing"),
        ({"action_type": "ocr", "payload": None}, "doc_id is missing"),
        ({"action_type": "ocr", "payload": {"doc_id": None}}, "doc_id is missing"),
        ({"action_type": "ocr", "payload": {"doc_id": "INV-X"}}, "no document 'INV-X'"),
        ({"action_type": "submit_decision", "payload": {}}, "decision is missing"),
        ({"action_type": "lookup_po", "payload": {"po_id": "PO-0"}}, "no po_id 'PO-0'"),
    ],
)
async def test_what_cannot_be_done_is_an_unsuccessful_result_that_costs_a_step_and_no_budget(
    alone: httpx.AsyncClient, body: dict[str, Any], words: str
):
    await _reset(alone, track="blind")
    answer = await alone.post("/step", json=body)
    assert answer.status_code == 200
    told = answer.json()
    result = told["observation"]["last_tool_result"]
    assert (result["success"], result["cost"], told["reward"]) == (False, 0.0, -0.05)
    assert words in result["message"]
    assert told["info"]["success"] is False
    assert told["observation"]["step_count"] == 1
    assert told["observation"]["budget_remaining"] == 16.0
    assert told["observation"]["case_clock"] == 0


async def test_before_a_reset_and_after_the_end_a_step_is_409_and_changes_nothing(alone: httpx.AsyncClient):
    for method, path in (("POST", "/step"), ("GET", "/state")):
        answer = await alone.request(method, path, json={"action_type": "ocr"} if method == "POST" else None)
        assert answer.status_code == 409
        assert "reset" in answer.json()["detail"]
    await _reset(alone)
    await _step(alone, "submit_decision", decision="HOLD")
    before = (await alone.get("/state")).json()
    assert (await alone.post("/step", json={"action_type": "ocr"})).status_code == 409
    assert (await alone.get("/state")).json() == before


async def test_state_has_the_documents_keys_and_the_history(alone: httpx.AsyncClient):
    await _reset(alone)
    first = (await alone.get("/state")).json()
    assert set(STATE_KEYS) <= set(first)
    await _step(alone, "request_callback_verification")
    await _step(alone, "ocr", doc_id="INV-D-001", mode="accurate")
    await _step(alone, "inspect_email_thread", thread_id="THR-D-001")
    state = (await alone.get("/state")).json()
    assert state["episode_id"] == first["episode_id"]
    assert [move["action_type"] for move in state["trajectory"]] == [
        "request_callback_verification", "ocr", "inspect_email_thread",
    ]  # fmt: skip
    assert state["trajectory"][1]["payload"] == {"doc_id": "INV-D-001", "mode": "accurate"}
    assert state["interventions_taken"] == ["request_callback_verification"]
    assert state["observed_risk_signals"] == ["sender_domain_spoof", "callback_denied"]
    assert (state["step_count"], state["case_clock"], state["terminal_reason"]) == (3, 3, "")
    await _reset(alone)
    assert (await alone.get("/state")).json()["episode_id"] != first["episode_id"]


async def test_pending_events_and_pressure_show_in_state(alone: httpx.AsyncClient):
    await _reset(alone, track="blind")
    await _step(alone, "request_bank_change_approval_chain")
    state = (await alone.get("/state")).json()
    assert state["pending_events"] == [
        {
            "event_id": "request_bank_change_approval_chain",
            "action_type": "request_bank_change_approval_chain",
            "requested_at": 1,
            "due_at": 3,
        }
    ]
    assert state["pressure_events_seen"] == []
    for _ in range(8):
        await _step(alone, "lookup_policy")
    state = (await alone.get("/state")).json()
    assert state["pending_events"] == []
    assert len(state["pressure_events_seen"]) == 1


# The public version tells a blind player in /state what it leaves out of the observation.
async def test_the_blind_track_hides_belief_rankings_and_machine_everywhere(alone: httpx.AsyncClient):
    texts = [json.dumps(await _reset(alone, track="blind"))]
    texts.append((await alone.get("/state")).text)
    for action, payload in (
        ("lookup_policy", {}),
        ("nonsense", {}),
        ("inspect_email_thread", {"thread_id": "THR-D-001"}),
        ("submit_decision", {"decision": "HOLD"}),
    ):
        texts.append(json.dumps(await _step(alone, action, **payload)))
        texts.append((await alone.get("/state")).text)
    words = (
        *HIDDEN_WHEN_BLIND,
        "posterior",
        '"voi',
        "voi_",
        "information_value",
        "potential_delta",
        "machine",
    )
    assert [word for word in words if any(word in text for text in texts)] == []


async def test_nothing_before_the_end_tells_what_is_behind_the_case(alone: httpx.AsyncClient):
    texts = [json.dumps(await _reset(alone, track="blind"))]
    for action, payload in (
        ("ocr", {"doc_id": "INV-D-001", "mode": "accurate"}),
        ("lookup_vendor", {"vendor_key": "halden-tools-gmbh"}),
        ("inspect_email_thread", {"thread_id": "THR-D-001"}),
        ("request_callback_verification", {}),
        ("create_human_handoff", {}),
    ):
        texts.append(json.dumps(await _step(alone, action, **payload)))
    texts.append((await alone.get("/state")).text)
    words = ("vendor_takeover", "truth", "scenario", "findings", "right_decision", "hypothesis")
    assert [word for word in words if any(word in text for text in texts)] == []


async def test_the_same_case_and_actions_answer_the_same_bytes(alone: httpx.AsyncClient):
    async def texts() -> list[bytes]:
        opened = await alone.post("/reset", json={"level": "medium", "seed": 9})
        thread = opened.json()["observation"]["case_metadata"]["thread_id"]
        bodies = (
            {"action_type": "inspect_email_thread", "payload": {"thread_id": thread}},
            {"action_type": "lookup_policy"},
            {"action_type": "submit_decision", "payload": {"decision": "HOLD"}},
        )
        return [opened.content, *[(await alone.post("/step", json=body)).content for body in bodies]]

    assert await texts() == await texts()


async def test_held_out_cases_cannot_be_practised(alone: httpx.AsyncClient):
    answer = await alone.post("/reset", json={"level": "easy", "split": "held-out", "seed": 1})
    assert answer.status_code == 409
    assert "POST /submissions" in answer.json()["detail"]
