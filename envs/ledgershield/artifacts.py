"""What an episode can reveal: records of what a tool or the answer to a request shows.

Decides their form alone. What each of them means is `reading`'s to say, and a player's to see.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from envs.kernel.records import Record

Box = tuple[float, float, float, float]
"""Left, top, right and bottom on a page, in its units."""


class Token(Record):
    """A word of a page; `token_id` counts within the document."""

    token_id: str
    text: str
    bbox: Box


class Reading(Record):
    """What was read on a page."""

    artifact_type: Literal["reading"] = "reading"
    artifact_id: str
    doc_id: str
    page: int
    source: Literal["zoom", "crop", "ocr_fast", "ocr_accurate"]
    bbox: Box
    tokens: tuple[Token, ...]


class VendorRecord(Record):
    """The vendor's master record; account numbers are only compared, never shown."""

    artifact_type: Literal["vendor_record"] = "vendor_record"
    artifact_id: str
    vendor_key: str
    name: str
    address: str
    phone: str
    email_domain: str
    accounts_on_file: int


class Change(Record):
    """One change of a vendor's record. `checked_by` is None where nobody noted a call."""

    day: str
    days_ago: int
    what: str
    checked_by: str | None


class VendorHistory(Record):
    """What the vendor's record went through."""

    artifact_type: Literal["vendor_history"] = "vendor_history"
    artifact_id: str
    vendor_key: str
    vendor_since: str
    invoices_paid: int
    changes: tuple[Change, ...]


class Rule(Record):
    """One rule of the payment policy."""

    rule_id: str
    text: str


class Policy(Record):
    """The payment policy, and how this invoice stands to the approval limit of whoever ordered.

    Attributes:
        approval_limit: Above it a second person must approve, in the invoice's currency.
        invoice_total: None while only other rules were asked for.
        near_limit_30d: Other invoices for this orderer just below the limit within thirty days.
    """

    artifact_type: Literal["policy"] = "policy"
    artifact_id: str
    rules: tuple[Rule, ...]
    approval_limit: float | None
    invoice_total: float | None
    near_limit_30d: int | None


class OrderLine(Record):
    """A line of an order beside what was billed on it."""

    description: str
    quantity_ordered: float
    quantity_billed: float
    unit_price_ordered: float
    unit_price_billed: float


class PurchaseOrder(Record):
    """A purchase order with what was billed on it, this invoice included."""

    artifact_type: Literal["purchase_order", "po_reconciliation"] = "purchase_order"
    artifact_id: str
    po_id: str
    vendor_key: str
    ordered_on: str
    status: Literal["open", "amended", "closed"]
    lines: tuple[OrderLine, ...]
    total_ordered: float
    total_billed: float
    note: str


class ReceiptLine(Record):
    """A line of a goods receipt beside what was billed."""

    description: str
    quantity_received: float
    quantity_billed: float


class Receipt(Record):
    """A goods receipt. `received_on` is None where nothing was booked in."""

    artifact_type: Literal["receipt", "receipt_evidence"] = "receipt"
    artifact_id: str
    receipt_id: str
    received_on: str | None
    lines: tuple[ReceiptLine, ...]
    note: str


class Hit(Record):
    """An invoice on file that resembles what was searched for.

    Attributes:
        due: What it came to after credit notes.
        status: `to confirm` where a payment names it only nearly.
        score: From 0 to 1.
    """

    entry_id: str
    vendor_key: str
    invoice_number: str
    invoice_date: str
    amount: float
    due: float
    status: Literal["paid", "to confirm", "open"]
    score: float


class LedgerSearch(Record):
    """What a search of the ledger found.

    Attributes:
        complete: Vendor, number and amount were asked for as the invoice shows them.
    """

    artifact_type: Literal["ledger_search", "duplicate_cluster"] = "ledger_search"
    artifact_id: str
    vendor_key: str | None
    invoice_number: str | None
    amount: float | None
    complete: bool
    hits: tuple[Hit, ...]


class Mail(Record):
    """One message of a thread with the headers that matter."""

    sender: str
    address: str
    reply_to: str
    to: str
    day: str
    authentication: Literal["pass", "softfail", "fail"]
    text: str


class EmailThread(Record):
    """An e-mail thread."""

    artifact_type: Literal["email_thread"] = "email_thread"
    artifact_id: str
    thread_id: str
    subject: str
    vendor_domain_on_file: str
    messages: tuple[Mail, ...]


class BankComparison(Record):
    """How an account number stands to those on file.

    Attributes:
        on_invoice: It is the one that the invoice asks to pay to.
        on_file: It is among the vendor's.
        changed_days_ago: When it came on file, if not with the vendor.
    """

    artifact_type: Literal["bank_comparison"] = "bank_comparison"
    artifact_id: str
    vendor_key: str
    proposed_bank_account: str
    on_invoice: bool
    on_file: bool
    changed_days_ago: int | None


class Contact(StrEnum):
    """Whose number is called."""

    MASTER_FILE = "master_file"
    REQUEST = "request"


class Callback(Record):
    """What came of a call."""

    artifact_type: Literal["callback"] = "callback"
    artifact_id: str
    contact: Contact
    number_called: str
    answered: bool
    confirmed: bool | None
    note: str


class Approval(Record):
    """One signature under the vendor's present account."""

    by: str
    role: str
    day: str
    before_use: bool
    independent: bool


class ApprovalChain(Record):
    """Who approved the vendor's present account; two independent signatures before first use are required."""

    artifact_type: Literal["approval_chain"] = "approval_chain"
    artifact_id: str
    required: int
    approvals: tuple[Approval, ...]
    note: str


class Handoff(Record):
    """A case written up for a colleague, from what was revealed.

    Attributes:
        remarks: What the rules of accounts payable say about it, a sentence for each thing not in order.
    """

    artifact_type: Literal["handoff"] = "handoff"
    artifact_id: str
    case_id: str
    revealed: tuple[str, ...]
    pending: tuple[str, ...]
    remarks: tuple[str, ...]


class Pressure(Record):
    """A message that asks the analyst to hurry."""

    artifact_type: Literal["pressure"] = "pressure"
    artifact_id: str
    sender: str
    text: str
    asks_for: str


Artifact = Annotated[
    Reading
    | VendorRecord
    | VendorHistory
    | Policy
    | PurchaseOrder
    | Receipt
    | LedgerSearch
    | EmailThread
    | BankComparison
    | Callback
    | ApprovalChain
    | Handoff
    | Pressure,
    Field(discriminator="artifact_type"),
]
