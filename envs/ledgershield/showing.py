"""How an artifact is shown: one table, or the messages of a thread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from envs.ledgershield.artifacts import (
    ApprovalChain,
    Artifact,
    BankComparison,
    Callback,
    EmailThread,
    Handoff,
    LedgerSearch,
    Policy,
    Pressure,
    PurchaseOrder,
    Reading,
    Receipt,
    VendorHistory,
    VendorRecord,
)
from envs.scene import Message, Messages, Piece, Table


def shown(artifact: Artifact) -> Iterator[Piece]:
    """What an artifact looks like; what was read of a document stands with the document."""
    match artifact:
        case Reading():
            return
        case EmailThread():
            yield _thread(artifact)
        case Pressure():
            yield Messages(
                label="Somebody is in a hurry", items=(Message(by=artifact.sender, text=artifact.text),)
            )
        case PurchaseOrder() | Receipt() | LedgerSearch():
            yield _payable(artifact)
        case VendorRecord() | VendorHistory() | BankComparison() | Callback() | ApprovalChain():
            yield _vendor(artifact)
        case Policy():
            yield _policy(artifact)
        case Handoff():
            yield _handed(artifact)
        case _:
            assert_never(artifact)


def _thread(shown: EmailThread) -> Messages:
    items = tuple(
        Message(
            by=mail.sender,
            role=f"{mail.address}, answers to {mail.reply_to}, authentication {mail.authentication}",
            at=mail.day,
            text=mail.text,
        )
        for mail in shown.messages
    )
    return Messages(
        label=f"Thread: {shown.subject}",
        items=items,
        notes=(f"domain on file: {shown.vendor_domain_on_file}",),
    )


def _payable(shown: PurchaseOrder | Receipt | LedgerSearch) -> Table:
    match shown:
        case PurchaseOrder():
            return Table(
                label=f"Order {shown.po_id}, {shown.status}. {shown.note}",
                columns=("item", "ordered", "billed", "price ordered", "price billed"),
                rows=tuple(
                    (
                        line.description,
                        f"{line.quantity_ordered:g}",
                        f"{line.quantity_billed:g}",
                        f"{line.unit_price_ordered:.2f}",
                        f"{line.unit_price_billed:.2f}",
                    )
                    for line in shown.lines
                ),
            )
        case Receipt():
            return Table(
                label=f"Receipt {shown.receipt_id}, received {shown.received_on or 'never'}. {shown.note}",
                columns=("item", "received", "billed"),
                rows=tuple(
                    (line.description, f"{line.quantity_received:g}", f"{line.quantity_billed:g}")
                    for line in shown.lines
                ),
            )
        case LedgerSearch():
            return _search(shown)


def _search(shown: LedgerSearch) -> Table:
    asked = (shown.vendor_key, shown.invoice_number, None if shown.amount is None else f"{shown.amount:.2f}")
    words = ", ".join(part for part in asked if part)
    found = tuple(
        (
            hit.entry_id,
            hit.vendor_key,
            hit.invoice_number,
            hit.invoice_date,
            f"{hit.amount:.2f}",
            f"{hit.due:.2f}",
            hit.status,
        )
        for hit in shown.hits
    )
    return Table(
        label=f"Ledger: {words}",
        columns=("entry", "vendor", "number", "date", "amount", "due", "status"),
        rows=found or (("no hit", *[""] * 6),),
    )


def _vendor(shown: VendorRecord | VendorHistory | BankComparison | Callback | ApprovalChain) -> Table:
    match shown:
        case VendorRecord():
            return _facts(
                f"Master record of {shown.name}",
                key=shown.vendor_key,
                address=shown.address,
                phone=shown.phone,
                domain=shown.email_domain,
                accounts=str(shown.accounts_on_file),
            )
        case VendorHistory():
            return Table(
                label=f"Record since {shown.vendor_since}, {shown.invoices_paid} invoices paid",
                columns=("day", "days ago", "changed", "checked by"),
                rows=tuple(
                    (change.day, str(change.days_ago), change.what, change.checked_by or "nobody noted")
                    for change in shown.changes
                ),
            )
        case BankComparison():
            changed = shown.changed_days_ago
            since = "since the beginning" if changed is None else f"since {changed} days"
            return _facts(
                f"Account {shown.proposed_bank_account}",
                invoice="as the invoice asks" if shown.on_invoice else "not the one on the invoice",
                file=f"on file {since}" if shown.on_file else "not on file",
            )
        case Callback():
            spoke = {True: "confirmed", False: "denied", None: "no answer"}[shown.confirmed]
            return _facts(
                f"Call to {shown.number_called}", contact=shown.contact, answer=spoke, note=shown.note
            )
        case ApprovalChain():
            return Table(
                label=f"Approvals, {shown.required} required. {shown.note}",
                columns=("by", "role", "day", "before first use", "independent"),
                rows=tuple(
                    (one.by, one.role, one.day, _yes(one.before_use), _yes(one.independent))
                    for one in shown.approvals
                ),
            )


def _policy(shown: Policy) -> Table:
    rows = [(rule.rule_id, rule.text) for rule in shown.rules]
    if shown.approval_limit is not None:
        near = f"{shown.near_limit_30d} others just below it within thirty days"
        text = f"total {shown.invoice_total:.2f}, limit {shown.approval_limit:.2f}, {near}"
        rows.append(("this invoice", text))
    return Table(label="Policy", columns=("rule", "says"), rows=tuple(rows))


def _handed(shown: Handoff) -> Table:
    rows = tuple(("remark", text) for text in shown.remarks)
    return Table(
        label="Handed over",
        columns=("", ""),
        rows=(("revealed", ", ".join(shown.revealed) or "nothing yet"), *rows),
    )


def _facts(label: str, **facts: str) -> Table:
    return Table(label=label, columns=("", ""), rows=tuple(facts.items()))


def _yes(value: bool) -> str:
    return "yes" if value else "no"
