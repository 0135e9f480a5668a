"""Reaching: the action by which a player gets at a tool's finding, step by step.

Reads of the invoice what the tool needs, and no more; decides nothing about which tool is worth asking.
"""

from __future__ import annotations

from envs.ledgershield import paper
from envs.ledgershield.actions import ActionType
from envs.ledgershield.artifacts import Box
from envs.ledgershield.inference.prices import PARTS
from envs.ledgershield.inference.tables import Evidence
from envs.ledgershield.meaning import findings_of
from envs.ledgershield.models import Action
from envs.ledgershield.seen import Observation


def asked(observation: Observation, tool: Evidence) -> Action:
    """The tool's own action, or first the reading that it needs."""
    document, needed = observation.visible_documents[0], PARTS.get(tool, 0)
    head = paper.head(observation) if needed >= 1 else None
    foot = paper.foot(observation) if needed >= 2 else None
    if needed >= 1 and head is None:
        return _zoomed(document.doc_id, paper.head_box(document))
    if needed >= 2 and foot is None:
        return _zoomed(document.doc_id, paper.foot_box(document))
    return Action(
        action_type=tool.value,
        thread_id=observation.case_metadata.thread_id if tool is Evidence.EMAIL else None,
        vendor_key=head.vendor_key if head and tool in _BY_VENDOR else None,
        po_id=head.po_id if head and tool is Evidence.PO else None,
        receipt_id=head.receipt_id if head and tool is Evidence.RECEIPT else None,
        invoice_number=head.number if head and tool is Evidence.LEDGER else None,
        amount=foot.total if foot and tool is Evidence.LEDGER else None,
        proposed_bank_account=foot.account if foot and tool is Evidence.BANK else None,
    )


def waited(observation: Observation) -> Action:
    """The cheapest thing to do while an answer is on its way: read the policy once, then tell procurement."""
    known = findings_of(observation.revealed_artifacts)
    kind = ActionType.ROUTE_TO_PROCUREMENT if Evidence.POLICY in known else ActionType.LOOKUP_POLICY
    return Action(action_type=kind)


_BY_VENDOR = frozenset({Evidence.BANK, Evidence.HISTORY, Evidence.LEDGER})
"""Tools that are asked by the vendor's key."""


def _zoomed(doc_id: str, box: Box) -> Action:
    return Action(action_type=ActionType.ZOOM, doc_id=doc_id, page=1, bbox=box)
