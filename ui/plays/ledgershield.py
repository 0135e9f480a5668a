"""LedgerShield on the page: how one of its actions reads on a chip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SHORT = {
    "get_doc_crop": "crop",
    "lookup_vendor_history": "history",
    "inspect_email_thread": "thread",
    "compare_bank_account": "account",
    "search_ledger": "ledger",
    "request_callback_verification": "call",
    "freeze_vendor_profile": "freeze",
    "request_bank_change_approval_chain": "approvals",
    "request_po_reconciliation": "reconcile order",
    "request_additional_receipt_evidence": "reconcile receipt",
    "route_to_procurement": "to procurement",
    "route_to_security": "to security",
    "flag_duplicate_cluster_review": "cluster",
    "create_human_handoff": "hand over",
}


def act(action: Mapping[str, Any]) -> str:
    """A look by its place, a request by what it asks for, a decision as it is: `ocr accurate`."""
    name = str(action.get("action_type", ""))
    match name:
        case "submit_decision":
            return str(action.get("decision") or "submit fields")
        case "ocr":
            return f"ocr {action.get('mode') or 'fast'}"
        case _:
            return _SHORT.get(name, name.removeprefix("lookup_").replace("_", " "))
