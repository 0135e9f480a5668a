"""What a player can do, what each action costs, needs and unlocks.

Decides the table of actions alone; what a tool finds is in `tools`, what a request brings in `requests`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from envs.kernel.choices import Choice, Choices


class ActionType(StrEnum):
    """Investigations, then interventions, then the decision, as the contract lists them."""

    ZOOM = "zoom"
    GET_DOC_CROP = "get_doc_crop"
    OCR = "ocr"
    LOOKUP_VENDOR = "lookup_vendor"
    LOOKUP_VENDOR_HISTORY = "lookup_vendor_history"
    LOOKUP_POLICY = "lookup_policy"
    LOOKUP_PO = "lookup_po"
    LOOKUP_RECEIPT = "lookup_receipt"
    SEARCH_LEDGER = "search_ledger"
    INSPECT_EMAIL_THREAD = "inspect_email_thread"
    COMPARE_BANK_ACCOUNT = "compare_bank_account"
    REQUEST_CALLBACK_VERIFICATION = "request_callback_verification"
    FREEZE_VENDOR_PROFILE = "freeze_vendor_profile"
    REQUEST_BANK_CHANGE_APPROVAL_CHAIN = "request_bank_change_approval_chain"
    REQUEST_PO_RECONCILIATION = "request_po_reconciliation"
    REQUEST_ADDITIONAL_RECEIPT_EVIDENCE = "request_additional_receipt_evidence"
    ROUTE_TO_PROCUREMENT = "route_to_procurement"
    ROUTE_TO_SECURITY = "route_to_security"
    FLAG_DUPLICATE_CLUSTER_REVIEW = "flag_duplicate_cluster_review"
    CREATE_HUMAN_HANDOFF = "create_human_handoff"
    SUBMIT_DECISION = "submit_decision"


INTERVENTIONS = tuple(ActionType)[
    tuple(ActionType).index(ActionType.REQUEST_CALLBACK_VERIFICATION) : tuple(ActionType).index(
        ActionType.SUBMIT_DECISION
    )
]

COSTS: Mapping[ActionType, float] = MappingProxyType(
    {
        ActionType.ZOOM: 0.20,
        ActionType.GET_DOC_CROP: 0.20,
        ActionType.OCR: 0.45,
        ActionType.LOOKUP_VENDOR: 0.20,
        ActionType.LOOKUP_VENDOR_HISTORY: 0.25,
        ActionType.LOOKUP_POLICY: 0.15,
        ActionType.LOOKUP_PO: 0.20,
        ActionType.LOOKUP_RECEIPT: 0.20,
        ActionType.SEARCH_LEDGER: 0.35,
        ActionType.INSPECT_EMAIL_THREAD: 0.25,
        ActionType.COMPARE_BANK_ACCOUNT: 0.15,
        ActionType.REQUEST_CALLBACK_VERIFICATION: 0.40,
        ActionType.FREEZE_VENDOR_PROFILE: 0.20,
        ActionType.REQUEST_BANK_CHANGE_APPROVAL_CHAIN: 0.30,
        ActionType.REQUEST_PO_RECONCILIATION: 0.30,
        ActionType.REQUEST_ADDITIONAL_RECEIPT_EVIDENCE: 0.25,
        ActionType.ROUTE_TO_PROCUREMENT: 0.15,
        ActionType.ROUTE_TO_SECURITY: 0.20,
        ActionType.FLAG_DUPLICATE_CLUSTER_REVIEW: 0.25,
        ActionType.CREATE_HUMAN_HANDOFF: 0.20,
        ActionType.SUBMIT_DECISION: 0.0,
    }
)
"""What each action takes from the budget; OCR in its fast mode."""

ACCURATE_OCR_COST = 1.10

CHOICES = Choices(
    {
        ActionType.ZOOM: Choice(
            "Enlarge a region of a page; up to an eighth of a page can be read exactly.",
            ("doc_id",),
            ("page", "bbox"),
        ),
        ActionType.GET_DOC_CROP: Choice(
            "Cut a region out of a page, to be cited; as large as a zoom's.", ("doc_id",), ("page", "bbox")
        ),
        ActionType.OCR: Choice(
            "Read a page or a region by machine: fast (.45, drops and misreads tokens) or accurate (1.10).",
            ("doc_id",),
            ("mode", "page", "bbox"),
        ),
        ActionType.LOOKUP_VENDOR: Choice("Open the vendor's master record.", ("vendor_key",)),
        ActionType.LOOKUP_VENDOR_HISTORY: Choice("Open what was changed in it, and when.", ("vendor_key",)),
        ActionType.LOOKUP_POLICY: Choice("Read the payment policy, or one rule of it.", (), ("rule_id",)),
        ActionType.LOOKUP_PO: Choice("Open a purchase order with what was billed on it.", ("po_id",)),
        ActionType.LOOKUP_RECEIPT: Choice("Open a goods receipt beside what was billed.", ("receipt_id",)),
        ActionType.SEARCH_LEDGER: Choice(
            "Search the invoices on file. Vendor, number and amount together find a repeat.",
            (),
            ("vendor_key", "invoice_number", "amount"),
        ),
        ActionType.INSPECT_EMAIL_THREAD: Choice("Open an e-mail thread with its headers.", ("thread_id",)),
        ActionType.COMPARE_BANK_ACCOUNT: Choice(
            "Compare an account number with those on file for a vendor.",
            ("vendor_key", "proposed_bank_account"),
        ),
        ActionType.REQUEST_CALLBACK_VERIFICATION: Choice(
            "Have somebody call the vendor; the answer comes after one tick, or after two where an account "
            "or a record is in doubt.",
            (),
            ("contact",),
        ),
        ActionType.FREEZE_VENDOR_PROFILE: Choice("Stop changes and payments of this vendor."),
        ActionType.REQUEST_BANK_CHANGE_APPROVAL_CHAIN: Choice(
            "Ask who approved the vendor's account; the answer comes two ticks later."
        ),
        ActionType.REQUEST_PO_RECONCILIATION: Choice(
            "Have order and invoice reconciled; comes one tick later."
        ),
        ActionType.REQUEST_ADDITIONAL_RECEIPT_EVIDENCE: Choice(
            "Ask the warehouse for what it received; comes one tick later."
        ),
        ActionType.ROUTE_TO_PROCUREMENT: Choice("Tell procurement that the invoice is in question."),
        ActionType.ROUTE_TO_SECURITY: Choice("Tell security that fraud is suspected."),
        ActionType.FLAG_DUPLICATE_CLUSTER_REVIEW: Choice(
            "Have look-alike invoices reviewed; the report comes one tick later."
        ),
        ActionType.CREATE_HUMAN_HANDOFF: Choice("Write up what was found for a colleague."),
        ActionType.SUBMIT_DECISION: Choice(
            "Decide and end the case. Task A takes fields and lines, the others a decision.",
            (),
            (
                "decision",
                "confidence",
                "predicted_probabilities",
                "reason_codes",
                "policy_checks",
                "evidence_map",
                "discrepancies",
                "duplicate_links",
                "fraud_flags",
                "campaign_links",
                "counterfactual",
                "extracted_fields",
                "line_items",
            ),
        ),
    }
)
