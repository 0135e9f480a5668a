"""One case: its documents, what every tool would find, and the truth that no player sees.

How cases come about is in `cases`; what a tool makes of a file is in `tools` and `requests`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from envs.kernel import records
from envs.kernel.records import HIDDEN, Record
from envs.ledgershield.artifacts import (
    ApprovalChain,
    Box,
    EmailThread,
    Policy,
    Pressure,
    PurchaseOrder,
    Receipt,
    Token,
    VendorHistory,
    VendorRecord,
)
from envs.ledgershield.inference.hypotheses import HYPOTHESIS, Decision, Hypothesis, Scenario, right_decision
from envs.ledgershield.inference.tables import Evidence, Finding
from envs.ledgershield.models import Family


class Rules(Record):
    """What a family allows and is called."""

    label: str
    instruction: str
    budget: float
    max_steps: int


_DECIDE = "Decide with submit_decision: PAY, HOLD, NEEDS_REVIEW or ESCALATE_FRAUD."
RULES: Mapping[Family, Rules] = MappingProxyType(
    {
        Family.A: Rules(
            label="Invoice extraction",
            instruction="Act as an AP clerk. Read the invoice and submit its fields and lines, each with the "
            "place where it stands.",
            budget=10.0,
            max_steps=12,
        ),
        Family.B: Rules(
            label="Three-way match",
            instruction="Act as an AP analyst. Match the invoice with its order and its receipt, and find "
            f"out whether anything else speaks against paying it. {_DECIDE}",
            budget=12.0,
            max_steps=14,
        ),
        Family.C: Rules(
            label="Duplicate and fraud review",
            instruction="Act as an AP analyst. Find out whether the invoice was billed before or is meant to "
            f"deceive. {_DECIDE}",
            budget=13.0,
            max_steps=16,
        ),
        Family.D: Rules(
            label="AP inbox incident triage",
            instruction="Act as an AP analyst. An invoice and a thread of e-mails lie in the inbox; find out "
            f"what is behind them. {_DECIDE}",
            budget=16.0,
            max_steps=18,
        ),
        Family.E: Rules(
            label="Linked invoices review",
            instruction="Act as an AP analyst. Several invoices came at once; find out which belong together "
            f"and what is behind the first. {_DECIDE}",
            budget=22.0,
            max_steps=24,
        ),
    }
)


class Line(Record):
    """A line of an invoice."""

    description: str
    quantity: float
    unit_price: float

    @property
    def total(self) -> float:
        return round(self.quantity * self.unit_price, 2)


class Invoice(Record):
    """What an invoice says.

    Attributes:
        total: With tax, in `currency`; the sum of lines that are rounded each, and the tax on it.
    """

    doc_id: str
    number: str
    date: str
    due_days: int
    language: str
    vendor_name: str
    vendor_address: str
    phone: str
    po_id: str
    receipt_id: str
    currency: str
    lines: tuple[Line, ...]
    tax_rate: float
    account: str

    @property
    def subtotal(self) -> float:
        return round(math.fsum(line.total for line in self.lines), 2)

    @property
    def tax(self) -> float:
        return round(self.subtotal * self.tax_rate, 2)

    @property
    def total(self) -> float:
        return round(self.subtotal + self.tax, 2)


class Sheet(Record):
    """A page with its words, and the boxes of its lines of writing."""

    width: float
    height: float
    tokens: tuple[Token, ...]
    lines: tuple[Box, ...]


class Document(Record):
    """A document on the desk.

    Attributes:
        fields: By the name of a field or of a line, the tokens that say it.
    """

    invoice: Invoice
    sheet: Sheet
    fields: dict[str, tuple[str, ...]]

    @property
    def doc_id(self) -> str:
        return self.invoice.doc_id


class LedgerEntry(Record):
    """An invoice on file.

    Attributes:
        credited: What credit notes take off it.
        bank_line: What the bank statement says of its payment; empty where nothing was paid.
    """

    entry_id: str
    vendor_key: str
    invoice_number: str
    invoice_date: str
    amount: float
    credited: float
    bank_line: str


class OnFile(Record):
    """How the invoice's account stands to those on file."""

    on_file: bool
    changed_days_ago: int | None


class CallAnswer(Record):
    """What the number of the master file answers."""

    answered: bool
    confirmed: bool | None
    note: str


class File(Record):
    """What every tool and every request would bring."""

    vendor: VendorRecord
    history: VendorHistory
    policy: Policy
    order: PurchaseOrder
    receipt: Receipt
    ledger: tuple[LedgerEntry, ...]
    thread: EmailThread
    account: OnFile
    call: CallAnswer
    request_phone: str
    approvals: ApprovalChain
    pressure: Pressure | None


class Truth(Record):
    """What is so.

    Attributes:
        findings: What each informative tool turns up; the file shows no more and no less.
    """

    scenario: Scenario
    findings: dict[Evidence, Finding]

    @property
    def hypothesis(self) -> Hypothesis:
        return HYPOTHESIS[self.scenario]

    @property
    def decision(self) -> Decision:
        return right_decision(self.scenario)


class Task(records.Task):
    """A case with everything that can be found out about it.

    Attributes:
        links: Documents that share the first one's account, for the family of linked invoices.
    """

    family: Family
    split: str
    track: str
    budget: Annotated[float, Field(gt=0)]
    documents: tuple[Document, ...]
    links: tuple[str, ...]
    file: File
    truth: Annotated[Truth, HIDDEN]

    @property
    def invoice(self) -> Invoice:
        """The invoice that the case is about."""
        return self.documents[0].invoice

    @property
    def rules(self) -> Rules:
        return RULES[self.family]

    def document(self, doc_id: str) -> Document | None:
        """The document of that id, None if it is not on the desk."""
        return next((own for own in self.documents if own.doc_id == doc_id), None)
