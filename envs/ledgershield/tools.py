"""Tools: what an investigation shows at once.

Decides what is found, and why a tool cannot be used as it was asked; what that costs is `dynamics`'.
"""

from __future__ import annotations

from typing import Literal

from envs.kernel.rng import Rng
from envs.ledgershield.actions import ActionType
from envs.ledgershield.artifacts import Artifact, BankComparison, Box, LedgerSearch, Policy, Reading, Token
from envs.ledgershield.documents import reading
from envs.ledgershield.ledger import search
from envs.ledgershield.matching.accounts import compared, doubts
from envs.ledgershield.models import Action, OcrMode
from envs.ledgershield.names import compact
from envs.ledgershield.tasks import Document, Task

AMOUNT_SLACK = 0.005

READS = frozenset({ActionType.ZOOM, ActionType.GET_DOC_CROP, ActionType.OCR})
"""Actions that read a document; the other investigations look something up."""

Source = Literal["zoom", "crop", "ocr_fast", "ocr_accurate"]


class Misfit(Exception):
    """Why an action cannot be done so: what was found, what is allowed, what to do."""


def read(task: Task, action: Action, kind: ActionType) -> Reading:
    """What a zoom, a crop or OCR reads.

    Raises:
        Misfit: If there is no such document, page or region, or the region is too large to be read.
    """
    document = _document(task, action.doc_id)
    if action.page not in (None, 1):
        raise Misfit(f"{document.doc_id} has no page {action.page}; it has 1 page")
    sheet = document.sheet
    box = reading.region(sheet, action.bbox)
    if box is None:
        raise Misfit(f"bbox {action.bbox} covers nothing of the page of {sheet.width:g} × {sheet.height:g}")
    source = source_of(action, kind)
    where = "-".join(f"{edge:g}" for edge in box)
    return Reading(
        artifact_id=f"{source}:{document.doc_id}:{where}",
        doc_id=document.doc_id,
        page=1,
        source=source,
        bbox=box,
        tokens=_read(task, document, source, box),
    )


def source_of(action: Action, kind: ActionType) -> Source:
    """How an action reads."""
    match kind:
        case ActionType.ZOOM:
            return "zoom"
        case ActionType.GET_DOC_CROP:
            return "crop"
        case _:
            return "ocr_accurate" if action.mode is OcrMode.ACCURATE else "ocr_fast"


def found(task: Task, action: Action, kind: ActionType) -> Artifact:
    """What a look-up, a search, a thread or a comparison shows.

    Raises:
        Misfit: If it was asked for something that is not there.
    """
    file = task.file
    match kind:
        case ActionType.LOOKUP_VENDOR:
            _same("vendor_key", action.vendor_key, file.vendor.vendor_key)
            return file.vendor
        case ActionType.LOOKUP_VENDOR_HISTORY:
            _same("vendor_key", action.vendor_key, file.vendor.vendor_key)
            return file.history
        case ActionType.LOOKUP_POLICY:
            return _policy(task, action.rule_id)
        case ActionType.LOOKUP_PO:
            _same("po_id", action.po_id, file.order.po_id)
            return file.order
        case ActionType.LOOKUP_RECEIPT:
            _same("receipt_id", action.receipt_id, file.receipt.receipt_id)
            return file.receipt
        case ActionType.SEARCH_LEDGER:
            return _ledger(task, action)
        case ActionType.INSPECT_EMAIL_THREAD:
            _same("thread_id", action.thread_id, file.thread.thread_id)
            return file.thread
        case ActionType.COMPARE_BANK_ACCOUNT:
            return _comparison(task, action)
        case _:
            raise ValueError(f"{kind} looks nothing up")


WHERE = {
    "vendor_key": "the vendor's name on the invoice as a slug: Halden Tools GmbH is halden-tools-gmbh",
    "po_id": "the order that the invoice names",
    "receipt_id": "the receipt that the invoice names",
    "thread_id": "the thread that case_metadata names",
}
"""What an id must be, for who gave another one."""


def _same(name: str, given: str | None, there: str) -> None:
    """Refuses an id that is missing or is not the case's."""
    if given is None:
        raise Misfit(f"{name} is missing; give {WHERE[name]}")
    if given.strip() != there:
        raise Misfit(f"there is no {name} {given[:40]!r}; give {WHERE[name]}")


def _document(task: Task, doc_id: str | None) -> Document:
    there = ", ".join(own.doc_id for own in task.documents)
    if doc_id is None:
        raise Misfit(f"doc_id is missing; give one of: {there}")
    document = task.document(doc_id)
    if document is None:
        raise Misfit(f"there is no document {doc_id[:40]!r}; give one of: {there}")
    return document


def _read(task: Task, document: Document, source: Source, box: Box) -> tuple[Token, ...]:
    covered = reading.share(document.sheet, box)
    if source in ("zoom", "crop") and covered > reading.READABLE:
        raise Misfit(
            f"the region covers {covered:.0%} of the page and stays too small to read; "
            f"give a bbox of at most {reading.READABLE:.1%}, or use ocr"
        )
    tokens = reading.within(document.sheet.tokens, box)
    if source != "ocr_fast":
        return tokens
    return reading.misread(tokens, Rng(0, "ocr", task.task_id, document.doc_id))


def _policy(task: Task, rule_id: str | None) -> Policy:
    policy = task.file.policy
    if rule_id is None:
        return policy
    rules = tuple(rule for rule in policy.rules if rule.rule_id == rule_id)
    if not rules:
        known = ", ".join(rule.rule_id for rule in policy.rules)
        raise Misfit(f"there is no rule_id {rule_id[:40]!r}; give one of: {known}, or none")
    shown: dict[str, object] = {"artifact_id": f"policy:{rule_id}", "rules": rules}
    if rule_id != "approval_limit":
        shown |= {"approval_limit": None, "invoice_total": None, "near_limit_30d": None}
    return policy.model_copy(update=shown)


def _ledger(task: Task, action: Action) -> LedgerSearch:
    vendor, number, amount = action.vendor_key, action.invoice_number, action.amount
    if vendor is None and number is None and amount is None:
        raise Misfit("nothing to search for; give vendor_key, invoice_number and amount, or some of them")
    own = task.invoice
    complete = (
        vendor == task.file.vendor.vendor_key
        and number is not None
        and compact(number) == compact(own.number)
        and amount is not None
        and abs(amount - own.total) <= AMOUNT_SLACK
    )
    asked = ":".join("" if part is None else str(part) for part in (vendor, number, amount))
    return LedgerSearch(
        artifact_id=f"ledger:{asked}",
        vendor_key=vendor,
        invoice_number=number,
        amount=amount,
        complete=complete,
        hits=search(task.file.ledger, vendor, number, amount),
    )


def _slip(proposed: str, task: Task) -> str:
    """What to do about a number that cannot be right: a slip in reading is likelier than a lie."""
    found = compared(proposed, task.invoice.account)
    if found.suggestion is None:
        return "read the invoice once more"
    return f"it is {found.difference}; confirm on the page that this reads {found.suggestion}"


def _comparison(task: Task, action: Action) -> BankComparison:
    _same("vendor_key", action.vendor_key, task.file.vendor.vendor_key)
    proposed = action.proposed_bank_account
    if proposed is None:
        raise Misfit("proposed_bank_account is missing; give the account that the invoice asks to pay to")
    wrong = sorted(doubts(proposed))
    if wrong:
        raise Misfit(f"{proposed[:40]!r} is no account: {', '.join(wrong)}; {_slip(proposed, task)}")
    asked = compact(proposed)
    on_invoice = asked == compact(task.invoice.account)
    known = on_invoice and task.file.account.on_file
    return BankComparison(
        artifact_id=f"bank:{asked}",
        vendor_key=task.file.vendor.vendor_key,
        proposed_bank_account=proposed,
        on_invoice=on_invoice,
        on_file=known,
        changed_days_ago=task.file.account.changed_days_ago if known else None,
    )
