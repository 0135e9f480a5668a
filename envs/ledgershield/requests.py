"""Requests: what an intervention asks somebody else for, and what the answer brings.

Decides how long an answer takes and what it shows; until it is there, there is nothing but the request.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from envs.ledgershield.actions import ActionType
from envs.ledgershield.artifacts import Artifact, Callback, Contact, LedgerSearch
from envs.ledgershield.inference.tables import Evidence, Finding
from envs.ledgershield.ledger import search
from envs.ledgershield.models import Action
from envs.ledgershield.tasks import Task

DELAYS: Mapping[ActionType, int] = MappingProxyType(
    {
        ActionType.REQUEST_CALLBACK_VERIFICATION: 1,
        ActionType.REQUEST_BANK_CHANGE_APPROVAL_CHAIN: 2,
        ActionType.REQUEST_PO_RECONCILIATION: 1,
        ActionType.REQUEST_ADDITIONAL_RECEIPT_EVIDENCE: 1,
        ActionType.FLAG_DUPLICATE_CLUSTER_REVIEW: 1,
    }
)
"""Ticks of the case clock until the answer; interventions that are not here have none."""

DOUBTED_CALL_DELAY = 2
DOUBTS = (Evidence.BANK, Evidence.HISTORY)


def delay(kind: ActionType, findings: Mapping[Evidence, Finding]) -> int:
    """How many ticks an answer takes.

    Args:
        findings: What was revealed so far: where it throws doubt on an account or a record, a call is made
            with more care. What nobody has seen yet changes nothing, else the delay would tell it.
    """
    doubted = any(findings.get(one, Finding.CLEAR) is not Finding.CLEAR for one in DOUBTS)
    if kind is ActionType.REQUEST_CALLBACK_VERIFICATION and doubted:
        return DOUBTED_CALL_DELAY
    return DELAYS[kind]


def event_id(kind: ActionType, action: Action) -> str:
    """The name of a request; the same one is not made twice while it is on its way."""
    if kind is ActionType.REQUEST_CALLBACK_VERIFICATION:
        return f"{kind}:{action.contact or Contact.MASTER_FILE}"
    return kind.value


def answer(task: Task, kind: ActionType, event: str) -> Artifact:
    """What the answer to a request shows."""
    file = task.file
    match kind:
        case ActionType.REQUEST_CALLBACK_VERIFICATION:
            return _call(task, Contact(event.partition(":")[2]))
        case ActionType.REQUEST_BANK_CHANGE_APPROVAL_CHAIN:
            return file.approvals
        case ActionType.REQUEST_PO_RECONCILIATION:
            named = {"artifact_type": "po_reconciliation", "artifact_id": "po_reconciliation"}
            return file.order.model_copy(update=named)
        case ActionType.REQUEST_ADDITIONAL_RECEIPT_EVIDENCE:
            named = {"artifact_type": "receipt_evidence", "artifact_id": "receipt_evidence"}
            return file.receipt.model_copy(update=named)
        case ActionType.FLAG_DUPLICATE_CLUSTER_REVIEW:
            return _cluster(task)
        case _:
            raise ValueError(f"{kind} has no answer")


def _call(task: Task, contact: Contact) -> Callback:
    """A call to the master file's number, or to one that whoever sent the request answers himself."""
    file = task.file
    if contact is Contact.REQUEST:
        return Callback(
            artifact_id=f"callback:{contact}",
            contact=contact,
            number_called=file.request_phone,
            answered=True,
            confirmed=True,
            note="The number came with the request itself; whoever wrote it answers.",
        )
    return Callback(
        artifact_id=f"callback:{contact}",
        contact=contact,
        number_called=file.vendor.phone,
        answered=file.call.answered,
        confirmed=file.call.confirmed,
        note=file.call.note,
    )


def _cluster(task: Task) -> LedgerSearch:
    own, key = task.invoice, task.file.vendor.vendor_key
    return LedgerSearch(
        artifact_type="duplicate_cluster",
        artifact_id="duplicate_cluster",
        vendor_key=key,
        invoice_number=own.number,
        amount=own.total,
        complete=True,
        hits=search(task.file.ledger, key, own.number, own.total),
    )
