"""Remarks: what the rules of accounts payable say about all that an episode revealed.

Written into a case that is handed over. Reads artifacts alone and adds nothing that they do not show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from envs.ledgershield.artifacts import (
    ApprovalChain,
    Artifact,
    BankComparison,
    Callback,
    Contact,
    EmailThread,
    LedgerSearch,
    PurchaseOrder,
    Receipt,
)
from envs.ledgershield.matching import diversion, duplicates
from envs.ledgershield.matching.diversion import Change, Ruling
from envs.ledgershield.matching.duplicates import Bill, Verdict
from envs.ledgershield.matching.three_way import Mismatch
from envs.ledgershield.matching.vendors import Vendor
from envs.ledgershield.meaning import exact, matched, missing


def remarks(revealed: Iterable[Artifact]) -> tuple[str, ...]:
    """A sentence for each thing that is not in order, in the order in which it was revealed."""
    shown = tuple(revealed)
    return (*_diverted(shown), *(text for artifact in shown for text in _noted(artifact)))


def _noted(artifact: Artifact) -> Iterator[str]:
    match artifact:
        case LedgerSearch():
            yield from _repeated(artifact)
        case PurchaseOrder():
            for line in artifact.lines:
                yield from (f"{line.description}: {over.mismatch} by {over.by}" for over in matched(line))
        case Receipt():
            short = {line.description: missing(line) for line in artifact.lines}
            yield from (f"{name}: {Mismatch.RECEIPT} by {by}" for name, by in short.items() if by)
        case _:
            return


def _repeated(search: LedgerSearch) -> Iterator[str]:
    """What a search with an amount found, against the invoice that it asked for."""
    if search.invoice_number is None or search.amount is None:
        return
    asked = _bill(search.vendor_key, search.invoice_number, search.amount)
    entries = {hit.entry_id: _bill(hit.vendor_key, hit.invoice_number, hit.amount) for hit in search.hits}
    found = duplicates.checked(asked, entries.values())
    if found.verdict is Verdict.NEW:
        return
    names = (name for name, entry in entries.items() if entry is found.entry)
    twice = "; its vendor is on file twice" if found.vendor_twice else ""
    yield f"{search.invoice_number}, {next(names, 'no vendor')}: {found.verdict}{twice}"


def _diverted(shown: tuple[Artifact, ...]) -> Iterator[str]:
    """Whether mail or account ask to pay elsewhere, and whether that was called back and approved."""
    mails = [mail for own in shown if isinstance(own, EmailThread) for mail in own.messages]
    compared = next((own for own in shown if isinstance(own, BankComparison) and own.on_invoice), None)
    account = compared.proposed_bank_account if compared else ""
    found = diversion.judged(
        "\n".join(mail.text for mail in mails),
        account,
        account if compared is None or compared.on_file else "",
        tuple(_changes(shown, account)),
    )
    if found.ruling is Ruling.HOLD_AND_CALL:
        yield f"{', '.join(sorted(found.signs))}: {found.ruling}"
    elif found.cites is not None and compared is not None and _is_new(compared):
        yield f"the account is new, was called back and approved: {found.ruling}; see {found.cites}"


def _is_new(shown: BankComparison) -> bool:
    return not shown.on_file or shown.changed_days_ago is not None


def _changes(shown: tuple[Artifact, ...], account: str) -> Iterator[Change]:
    """The account's approvals as the log has them, beside what came of the call to the number on file."""
    calls = [own for own in shown if isinstance(own, Callback) and own.contact is Contact.MASTER_FILE]
    for chain in shown:
        if isinstance(chain, ApprovalChain):
            sound = [one for one in chain.approvals if one.before_use and one.independent]
            called = any(call.confirmed is True for call in calls)
            yield Change(chain.artifact_id, account, called=called, approvals=len(sound))


def _bill(vendor_key: str | None, number: str, amount: float) -> Bill:
    # The ledger shows no accounts: records whose names are one vendor's are taken for one.
    return Bill(None if vendor_key is None else Vendor(vendor_key, ""), number, exact(amount))
