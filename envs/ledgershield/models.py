"""What a player says: which case to open and what to do.

Pure data. What a player sees is in `seen`, what can be revealed in `artifacts`; the case is in `tasks`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from envs.kernel import records
from envs.kernel.records import Record
from envs.ledgershield.actions import CHOICES
from envs.ledgershield.artifacts import Contact
from envs.ledgershield.inference.hypotheses import Decision

LEVELS = ("easy", "medium", "hard")
SPLITS = ("public", "held-out")
TRACKS = ("instrumented", "blind")


class Family(StrEnum):
    """The contract's task types."""

    A = "task_a"
    B = "task_b"
    C = "task_c"
    D = "task_d"
    E = "task_e"


class OcrMode(StrEnum):
    """How carefully a page is read by machine."""

    FAST = "fast"
    ACCURATE = "accurate"


class Check(StrEnum):
    """How a policy check came out."""

    PASS = "pass"
    FAIL = "fail"
    UNKNOWN = "unknown"


Name = Annotated[str, Field(max_length=200)]
Names = Annotated[tuple[Name, ...], Field(max_length=50)]
Corner = Annotated[float, Field(ge=0.0, le=10_000.0)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class EvidenceRef(Record):
    """Where something is seen: on a document, or in an artifact that was revealed."""

    doc_id: Name | None = None
    page: Annotated[int, Field(ge=1, le=99)] | None = None
    bbox: tuple[Corner, Corner, Corner, Corner] | None = None
    token_ids: Names = ()
    artifact_id: Name | None = None


class LineItem(Record):
    """A line of an invoice as it was read."""

    description: Name
    quantity: Annotated[float, Field(ge=-1e9, le=1e9)]
    unit_price: Annotated[float, Field(ge=-1e9, le=1e9)]
    total: Annotated[float, Field(ge=-1e9, le=1e9)]
    evidence: EvidenceRef | None = None


class Request(records.Request):
    """Which case to open: a curated one by its id or by the seed alone, else a generated one."""

    case_id: Annotated[str | None, Field(max_length=200, description="A curated case, e.g. CASE-D-001.")] = (
        None
    )
    split: Annotated[
        str | None, Field(max_length=200, description="public or held-out: draws a generated case.")
    ] = None
    level: Annotated[
        str | None, Field(max_length=200, description="easy, medium or hard: draws a generated case.")
    ] = None
    family: Annotated[
        str | None, Field(max_length=200, description="task_a to task_e: draws a generated case.")
    ] = None
    track: Annotated[
        str,
        Field(max_length=200, description="instrumented shows belief and value of tools; blind does not."),
    ] = TRACKS[0]


class Action(records.Action):
    """One thing done with the case."""

    # Not an enum: the contract plays an unknown action, at a cost, where it refuses a malformed one.
    action_type: Annotated[str, Field(max_length=100, description="What to do."), CHOICES]
    doc_id: Annotated[
        str | None, Field(max_length=200, description="One of the visible documents, e.g. INV-D-001.")
    ] = None
    page: Annotated[int | None, Field(ge=1, le=99, description="Page of the document, from 1.")] = None
    bbox: Annotated[
        tuple[Corner, Corner, Corner, Corner] | None,
        Field(description="Left, top, right and bottom of a region; the whole page without it."),
    ] = None
    mode: Annotated[OcrMode | None, Field(description="For ocr: fast (the default) or accurate.")] = None
    vendor_key: Annotated[
        str | None,
        Field(max_length=200, description="The vendor's name as the documents show it, as a slug."),
    ] = None
    rule_id: Annotated[
        str | None, Field(max_length=200, description="For lookup_policy: one rule; all without it.")
    ] = None
    po_id: Annotated[str | None, Field(max_length=200, description="The order that the invoice names.")] = (
        None
    )
    receipt_id: Annotated[
        str | None, Field(max_length=200, description="The receipt that the invoice names.")
    ] = None
    invoice_number: Annotated[str | None, Field(max_length=200, description="For search_ledger.")] = None
    amount: Annotated[
        float | None, Field(ge=-1e9, le=1e9, description="For search_ledger: the invoice's total.")
    ] = None
    thread_id: Annotated[
        str | None, Field(max_length=200, description="The thread that case_metadata names.")
    ] = None
    proposed_bank_account: Annotated[
        str | None, Field(max_length=200, description="The account number that the invoice asks to pay to.")
    ] = None
    contact: Annotated[
        Contact | None,
        Field(description="Whose number to call: master_file (the default) or request, the one in the mail."),
    ] = None
    decision: Annotated[Decision | None, Field(description="What becomes of the invoice.")] = None
    confidence: Annotated[
        float | None, Field(ge=0.0, le=1.0, description="How likely the decision is right.")
    ] = None
    predicted_probabilities: Annotated[
        dict[Name, Share] | None, Field(description="Probability of each hypothesis; they sum to 1.")
    ] = None
    reason_codes: Annotated[Names, Field(description="Why, as risk signals, e.g. sender_domain_spoof.")] = ()
    policy_checks: Annotated[
        dict[Name, Check],
        Field(description="Outcome of each policy check, e.g. bank_change_verification."),
    ] = Field(default_factory=dict[Name, Check])
    evidence_map: Annotated[
        dict[Name, EvidenceRef],
        Field(description="Where each reason or field is seen."),
    ] = Field(default_factory=dict[Name, EvidenceRef])
    discrepancies: Annotated[Names, Field(description="Task B: what does not match, as risk signals.")] = ()
    duplicate_links: Annotated[Names, Field(description="Task C: ledger entries that this repeats.")] = ()
    fraud_flags: Annotated[Names, Field(description="Tasks C and E: signs of fraud, as risk signals.")] = ()
    campaign_links: Annotated[Names, Field(description="Task E: documents that belong together.")] = ()
    counterfactual: Annotated[
        str | None,
        Field(max_length=2000, description="Which finding, had it been otherwise, would have changed what."),
    ] = None
    extracted_fields: Annotated[
        dict[Name, Name],
        Field(description="Task A: fields of the invoice as text."),
    ] = Field(default_factory=dict[Name, Name])
    line_items: Annotated[
        tuple[LineItem, ...], Field(max_length=50, description="Task A: lines of the invoice.")
    ] = ()
