"""What a revealed artifact means: the finding that it shows, by rules that any player can follow.

Reads artifacts alone, never the case: a request shows nothing until it is answered, an incomplete search and
a call to the number of the request show nothing at all. How likely a finding is, and why, is `inference`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import assert_never

from envs.ledgershield.artifacts import (
    ApprovalChain,
    Artifact,
    BankComparison,
    Callback,
    Contact,
    EmailThread,
    Handoff,
    LedgerSearch,
    OrderLine,
    Policy,
    Pressure,
    PurchaseOrder,
    Reading,
    Receipt,
    ReceiptLine,
    VendorHistory,
    VendorRecord,
)
from envs.ledgershield.inference.tables import Evidence, Finding
from envs.ledgershield.ledger import EXACT
from envs.ledgershield.matching import three_way
from envs.ledgershield.matching.three_way import ZERO, Excess, Mismatch, Tolerance, excess

TOLERANCE = Tolerance(price=Decimal("0.03"))
NEAR_LIMIT = 0.05
RECENT_DAYS = 90
CLUSTER = 2
KEPT = 256

SIGNALS: Mapping[Evidence, Mapping[Finding, str]] = MappingProxyType(
    {
        Evidence.BANK: {
            Finding.MIXED: "bank_account_recently_changed",
            Finding.ADVERSE: "bank_override_attempt",
        },
        Evidence.EMAIL: {Finding.MIXED: "sender_unverified", Finding.ADVERSE: "sender_domain_spoof"},
        Evidence.HISTORY: {
            Finding.MIXED: "vendor_record_recently_changed",
            Finding.ADVERSE: "vendor_record_changed_unchecked",
        },
        Evidence.LEDGER: {
            Finding.MIXED: "near_duplicate_invoice",
            Finding.ADVERSE: "exact_duplicate_invoice",
        },
        Evidence.PO: {Finding.MIXED: "price_within_tolerance", Finding.ADVERSE: "billed_above_order"},
        Evidence.RECEIPT: {Finding.MIXED: "partial_receipt", Finding.ADVERSE: "missing_receipt"},
        Evidence.POLICY: {Finding.MIXED: "just_under_limit", Finding.ADVERSE: "limit_evasion_cluster"},
        Evidence.CALLBACK: {Finding.MIXED: "callback_unanswered", Finding.ADVERSE: "callback_denied"},
        Evidence.APPROVALS: {Finding.MIXED: "approval_incomplete", Finding.ADVERSE: "policy_bypass_attempt"},
    }
)
"""The reason that a finding is, by its name; a clear one is none."""


def findings_of(artifacts: Iterable[Artifact]) -> dict[Evidence, Finding]:
    """What all revealed artifacts show; of several on one matter the first counts, as all say the same."""
    found: dict[Evidence, Finding] = {}
    for artifact in artifacts:
        shown = finding_of(artifact)
        if shown is not None:
            found.setdefault(*shown)
    return found


def finding_of(artifact: Artifact) -> tuple[Evidence, Finding] | None:
    """The matter that an artifact speaks to and what it says, None if it is no evidence."""
    match artifact:
        case PurchaseOrder():
            return Evidence.PO, _order(artifact.lines)
        case Receipt():
            return Evidence.RECEIPT, _receipt(artifact)
        case LedgerSearch():
            return (Evidence.LEDGER, _ledger(artifact)) if artifact.complete else None
        case Policy():
            return None if artifact.approval_limit is None else (Evidence.POLICY, _policy(artifact))
        case Reading() | VendorRecord() | Handoff() | Pressure():
            return None
        case _:
            return _of_people(artifact)


def _of_people(
    artifact: BankComparison | EmailThread | VendorHistory | Callback | ApprovalChain,
) -> tuple[Evidence, Finding] | None:
    match artifact:
        case BankComparison():
            return (Evidence.BANK, _bank(artifact)) if artifact.on_invoice else None
        case EmailThread():
            return Evidence.EMAIL, _mail(artifact)
        case VendorHistory():
            return Evidence.HISTORY, _history(artifact)
        case Callback():
            return None if artifact.contact is Contact.REQUEST else (Evidence.CALLBACK, _call(artifact))
        case ApprovalChain():
            return Evidence.APPROVALS, _approvals(artifact)
        case _:
            assert_never(artifact)


def signals_of(findings: Mapping[Evidence, Finding]) -> tuple[str, ...]:
    """The reasons against paying that findings are, by name, in the order of the tools."""
    return tuple(
        own[findings[evidence]]
        for evidence, own in SIGNALS.items()
        if findings.get(evidence, Finding.CLEAR) is not Finding.CLEAR
    )


def _bank(shown: BankComparison) -> Finding:
    if not shown.on_file:
        return Finding.ADVERSE
    return Finding.CLEAR if shown.changed_days_ago is None else Finding.MIXED


def _mail(shown: EmailThread) -> Finding:
    first = shown.messages[0]
    if first.authentication == "fail" or _domain(first.address) != shown.vendor_domain_on_file:
        return Finding.ADVERSE
    plain = first.authentication == "pass" and _domain(first.reply_to) == shown.vendor_domain_on_file
    return Finding.CLEAR if plain else Finding.MIXED


def _history(shown: VendorHistory) -> Finding:
    recent = [change for change in shown.changes if change.days_ago <= RECENT_DAYS]
    if any(change.checked_by is None for change in recent):
        return Finding.ADVERSE
    return Finding.MIXED if recent else Finding.CLEAR


def _ledger(shown: LedgerSearch) -> Finding:
    best = max((hit.score for hit in shown.hits), default=0.0)
    if best >= EXACT:
        return Finding.ADVERSE
    return Finding.MIXED if shown.hits else Finding.CLEAR


# An order is judged again with everything that is revealed after it.
@lru_cache(maxsize=KEPT)
def _order(lines: tuple[OrderLine, ...]) -> Finding:
    found = {over.mismatch for line in lines for over in matched(line)}
    if Mismatch.QUANTITY in found or Mismatch.PRICE in found:
        return Finding.ADVERSE
    dearer = any(
        excess(exact(line.unit_price_ordered), exact(line.unit_price_billed), ZERO) for line in lines
    )
    return Finding.MIXED if dearer else Finding.CLEAR


def _receipt(shown: Receipt) -> Finding:
    if shown.received_on is None:
        return Finding.ADVERSE
    return Finding.MIXED if any(missing(line) for line in shown.lines) else Finding.CLEAR


def matched(line: OrderLine) -> tuple[Excess, ...]:
    """What a line of an order says of the match. What was received of it stands on the receipt alone."""
    ordered = three_way.Line(exact(line.quantity_ordered), exact(line.unit_price_ordered))
    billed = three_way.Line(exact(line.quantity_billed), exact(line.unit_price_billed))
    return three_way.matched(ordered, billed.quantity, [billed], TOLERANCE)


def missing(line: ReceiptLine) -> Decimal:
    """By how much more was billed than received."""
    return excess(exact(line.quantity_received), exact(line.quantity_billed), ZERO)


def exact(value: float) -> Decimal:
    """The decimal number that was written, of which a float is the nearest there is."""
    return Decimal(str(value))


def _policy(shown: Policy) -> Finding:
    if (shown.near_limit_30d or 0) >= CLUSTER:
        return Finding.ADVERSE
    limit, total = shown.approval_limit or 0.0, shown.invoice_total or 0.0
    return Finding.MIXED if limit * (1 - NEAR_LIMIT) <= total <= limit else Finding.CLEAR


def _call(shown: Callback) -> Finding:
    if not shown.answered:
        return Finding.MIXED
    return Finding.CLEAR if shown.confirmed else Finding.ADVERSE


def _approvals(shown: ApprovalChain) -> Finding:
    if any(not (one.before_use and one.independent) for one in shown.approvals):
        return Finding.ADVERSE
    return Finding.CLEAR if len(shown.approvals) >= shown.required else Finding.MIXED


def _domain(address: str) -> str:
    return address.rpartition("@")[2]
