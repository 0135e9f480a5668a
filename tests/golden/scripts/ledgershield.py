"""LedgerShield, scripted: one episode of each family, and what goes wrong."""

from __future__ import annotations

from typing import Any

from envs.ledgershield.actions import ActionType
from envs.ledgershield.inference.hypotheses import Decision
from envs.ledgershield.models import Action, Check, EvidenceRef, Request
from tests.golden.scripts.play import Play


def _do(kind: str, **fields: Any) -> Action:
    return Action(action_type=kind, **fields)


def _shown(**by_name: str) -> dict[str, EvidenceRef]:
    return {name: EvidenceRef(artifact_id=artifact) for name, artifact in by_name.items()}


PLAYS = (
    Play(
        "task D: the contract's case, looked into, asked about and escalated",
        Request(case_id="CASE-D-001", seed=4),
        (
            _do(ActionType.REQUEST_CALLBACK_VERIFICATION),
            _do(ActionType.INSPECT_EMAIL_THREAD, thread_id="THR-D-001"),
            _do(
                ActionType.COMPARE_BANK_ACCOUNT,
                vendor_key="halden-tools-gmbh",
                proposed_bank_account="DE93 9999 9999 0000 0543 21",
            ),
            _do(ActionType.ROUTE_TO_SECURITY),
            _do(
                ActionType.SUBMIT_DECISION,
                decision=Decision.ESCALATE_FRAUD,
                confidence=0.95,
                predicted_probabilities={"vendor_takeover": 0.7, "bank_fraud": 0.3},
                reason_codes=("sender_domain_spoof", "bank_override_attempt", "callback_denied"),
                policy_checks={"bank_change_verification": Check.FAIL},
                evidence_map=_shown(
                    sender_domain_spoof="thread:THR-D-001",
                    bank_override_attempt="bank:DE93999999990000054321",
                    callback_denied="callback:master_file",
                ),
                counterfactual="Had request_callback_verification been confirmed, this would be PAY.",
            ),
        ),
    ),
    Play(
        "task D again: the fraud is paid at once",
        Request(case_id="CASE-D-001", seed=4, track="blind"),
        (_do(ActionType.SUBMIT_DECISION, decision=Decision.PAY, confidence=1.0),),
    ),
    Play(
        "task B: more is billed than was ordered, and the invoice is held",
        Request(case_id="CASE-B-001", seed=2, track="blind"),
        (
            _do(ActionType.LOOKUP_PO, po_id="PO-B-001"),
            _do(ActionType.ROUTE_TO_PROCUREMENT),
            _do(
                ActionType.SUBMIT_DECISION,
                decision=Decision.HOLD,
                confidence=0.9,
                discrepancies=("billed_above_order",),
                policy_checks={"three_way_match": Check.FAIL, "bank_change_verification": Check.PASS},
                evidence_map=_shown(billed_above_order="po:PO-B-001"),
            ),
        ),
    ),
    Play(
        "task C: another vendor is asked for, and a generated case is sent to review unread",
        Request(family="task_c", level="hard", seed=3, track="blind"),
        (
            _do(ActionType.COMPARE_BANK_ACCOUNT, vendor_key="halden", proposed_bank_account="DE93"),
            _do(ActionType.SUBMIT_DECISION, decision=Decision.NEEDS_REVIEW),
        ),
    ),
    Play(
        "task E: three invoices, of which the linked ones are named and the first is escalated",
        Request(case_id="CASE-E-001", seed=5, track="blind"),
        (
            _do(ActionType.OCR, doc_id="INV-E-001-2"),
            _do(
                ActionType.SUBMIT_DECISION,
                decision=Decision.ESCALATE_FRAUD,
                campaign_links=("INV-E-001-2", "INV-E-001-3"),
            ),
        ),
    ),
    Play(
        "task A: a held-out case, of which nobody writes anything down until the steps are spent",
        Request(family="task_a", split="held-out", seed=6, track="blind"),
        (_do("teleport"),) * 12,
    ),
)
