"""What a good submission says: reasons, checks, links and interventions, from what is so.

Reads the truth; judges nobody.
"""

from __future__ import annotations

from collections.abc import Mapping

from envs.ledgershield.actions import ActionType
from envs.ledgershield.inference.hypotheses import Decision
from envs.ledgershield.inference.tables import Evidence, Finding
from envs.ledgershield.ledger import search
from envs.ledgershield.meaning import SIGNALS
from envs.ledgershield.models import Check
from envs.ledgershield.tasks import Task

Findings = Mapping[Evidence, Finding]

MATCHED = (Evidence.PO, Evidence.RECEIPT)
SUSPECT = (
    Evidence.BANK,
    Evidence.EMAIL,
    Evidence.HISTORY,
    Evidence.POLICY,
    Evidence.CALLBACK,
    Evidence.APPROVALS,
)

DRASTIC = frozenset({ActionType.FREEZE_VENDOR_PROFILE, ActionType.ROUTE_TO_SECURITY})
"""What is done to a vendor only where fraud is behind a case."""

CLARIFYING = frozenset(
    {
        ActionType.ROUTE_TO_PROCUREMENT,
        ActionType.REQUEST_PO_RECONCILIATION,
        ActionType.REQUEST_ADDITIONAL_RECEIPT_EVIDENCE,
        ActionType.FLAG_DUPLICATE_CLUSTER_REVIEW,
    }
)
"""Each of them is what a held invoice needs."""


def signals(findings: Findings, among: tuple[Evidence, ...]) -> frozenset[str]:
    """The reasons against paying that these tools would turn up."""
    return frozenset(SIGNALS[one][findings[one]] for one in among if findings[one] is not Finding.CLEAR)


def checks(findings: Findings) -> dict[str, Check]:
    """How each policy check comes out."""
    verified = (Evidence.APPROVALS, Evidence.CALLBACK)
    account = findings[Evidence.BANK] is Finding.CLEAR or all(
        findings[one] is Finding.CLEAR for one in verified
    )
    matched = findings[Evidence.PO] is not Finding.ADVERSE and findings[Evidence.RECEIPT] is Finding.CLEAR
    return {
        "bank_change_verification": Check.PASS if account else Check.FAIL,
        "three_way_match": Check.PASS if matched else Check.FAIL,
        "sender_authentication": _graded(findings[Evidence.EMAIL]),
        "duplicate_check": _graded(findings[Evidence.LEDGER]),
        "approval_limit": _graded(findings[Evidence.POLICY]),
        "callback_verification": _graded(findings[Evidence.CALLBACK]),
    }


def repeated(task: Task) -> frozenset[str]:
    """Entries of the ledger that the invoice repeats."""
    key = task.file.vendor.vendor_key
    hits = search(task.file.ledger, key, task.invoice.number, task.invoice.total)
    return frozenset(hit.entry_id for hit in hits)


def intervened(right: Decision, taken: frozenset[ActionType]) -> float:
    """How well interventions fit the right decision, from 0 to 1."""
    match right:
        case Decision.ESCALATE_FRAUD:
            return len(DRASTIC & taken) / len(DRASTIC)
        case Decision.HOLD:
            helped = bool(CLARIFYING & taken)
        case Decision.NEEDS_REVIEW:
            helped = ActionType.CREATE_HUMAN_HANDOFF in taken
        case Decision.PAY:
            helped = True
    return float(helped) / (2.0 if DRASTIC & taken else 1.0)


def _graded(finding: Finding) -> Check:
    return {Finding.CLEAR: Check.PASS, Finding.MIXED: Check.UNKNOWN, Finding.ADVERSE: Check.FAIL}[finding]
