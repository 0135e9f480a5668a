"""What people leave behind: vendor records, mails, signatures and calls, written so that they show a finding.

What is written depends on the finding and on chance, never on why a tool finds what it finds.
"""

from __future__ import annotations

from typing import assert_never

from envs.kernel.rng import Rng
from envs.ledgershield.artifacts import (
    Approval,
    ApprovalChain,
    Change,
    EmailThread,
    Mail,
    Pressure,
    VendorHistory,
    VendorRecord,
)
from envs.ledgershield.cases.book import Book
from envs.ledgershield.cases.drafts import Draft
from envs.ledgershield.days import iso
from envs.ledgershield.inference.tables import Evidence, Finding
from envs.ledgershield.names import vendor_key
from envs.ledgershield.tasks import CallAnswer, OnFile

OUR_DOMAIN = "our-company.example"


def vendor(draft: Draft, rng: Rng) -> VendorRecord:
    """The master record; it says nothing of what is behind a case."""
    invoice = draft.invoice
    return VendorRecord(
        artifact_id=f"vendor:{vendor_key(invoice.vendor_name)}",
        vendor_key=vendor_key(invoice.vendor_name),
        name=invoice.vendor_name,
        address=invoice.vendor_address,
        phone=invoice.phone,
        email_domain=draft.domain,
        accounts_on_file=rng.at("accounts").integer(1, 2),
    )


def history(draft: Draft, book: Book, rng: Rng) -> VendorHistory:
    """What the record went through. Accounts are treasury's and stand in the approval chain."""
    old = [
        _change(draft, book, rng.at("old", number), rng.at("old", number).integer(400, 1600), checked=True)
        for number in range(rng.at("count").integer(1, 2))
    ]
    finding = draft.findings[Evidence.HISTORY]
    match finding:
        case Finding.CLEAR:
            recent: list[Change] = []
        case Finding.MIXED:
            recent = [_change(draft, book, rng.at("new"), rng.at("new").integer(10, 80), checked=True)]
        case Finding.ADVERSE:
            recent = [_change(draft, book, rng.at("new"), rng.at("new").integer(10, 80), checked=False)]
        case _:
            assert_never(finding)
    changes = sorted((*old, *recent), key=lambda change: -change.days_ago)
    return VendorHistory(
        artifact_id=f"history:{vendor_key(draft.invoice.vendor_name)}",
        vendor_key=vendor_key(draft.invoice.vendor_name),
        vendor_since=iso(draft.day - rng.at("since").integer(1700, 4000)),
        invoices_paid=rng.at("paid").integer(6, 140),
        changes=tuple(changes),
    )


def account(draft: Draft, rng: Rng) -> OnFile:
    """How the invoice's account stands to those on file."""
    finding = draft.findings[Evidence.BANK]
    match finding:
        case Finding.CLEAR:
            return OnFile(on_file=True, changed_days_ago=None)
        case Finding.MIXED:
            return OnFile(on_file=True, changed_days_ago=rng.at("changed").integer(8, 60))
        case Finding.ADVERSE:
            return OnFile(on_file=False, changed_days_ago=None)
        case _:
            assert_never(finding)


def thread(draft: Draft, book: Book, rng: Rng) -> EmailThread:
    """The mail that brought the invoice, our answer, and a reminder."""
    writer = rng.at("writer").choice(book.people)
    role = rng.at("role").choice(book.roles)
    first = draft.day - rng.at("first").integer(5, 9)
    said = {"number": draft.invoice.number, "po": draft.invoice.po_id}
    opening, middle = (
        rng.at(part).choice(phrases).format(**said)
        for part, phrases in (("opening", book.openings), ("middle", book.middles))
    )
    answerer = rng.at("answerer").choice([name for name in book.people if name != writer])
    ours = f"{_mailbox(answerer)}@{OUR_DOMAIN}"
    theirs = _their_mail(draft, book, rng.at("sender"), f"{writer}, {role}", iso(first), ours)
    return EmailThread(
        artifact_id=f"thread:{thread_id(draft)}",
        thread_id=thread_id(draft),
        subject=rng.at("subject").choice(book.subjects).format(**said),
        vendor_domain_on_file=draft.domain,
        messages=(
            theirs.model_copy(update={"text": f"{opening} {middle}"}),
            Mail(
                sender=f"{answerer}, accounts payable",
                address=ours,
                reply_to=ours,
                to=theirs.reply_to,
                day=iso(first + 1),
                authentication="pass",
                text=rng.at("reply").choice(book.replies),
            ),
        ),
    )


def thread_id(draft: Draft) -> str:
    """The thread's id, made from the case's own."""
    return f"THR-{draft.invoice.doc_id.removeprefix('INV-')}"


def call(draft: Draft, book: Book, rng: Rng) -> CallAnswer:
    """What the number of the master file answers."""
    finding = draft.findings[Evidence.CALLBACK]
    return CallAnswer(
        answered=finding is not Finding.MIXED,
        confirmed={Finding.CLEAR: True, Finding.MIXED: None, Finding.ADVERSE: False}[finding],
        note=rng.at("note").choice(book.calls[finding]),
    )


def approvals(draft: Draft, book: Book, rng: Rng) -> ApprovalChain:
    """Who signed for the account that the invoice asks to pay to."""
    finding = draft.findings[Evidence.APPROVALS]
    first, second = rng.at("signers").shuffled(book.people)[:2]
    signed = draft.day - rng.at("signed").integer(10, 200)
    one = Approval(by=first, role="treasury", day=iso(signed), before_use=True, independent=True)
    two = Approval(by=second, role="controlling", day=iso(signed + 1), before_use=True, independent=True)
    own = Approval(by=first, role="requester", day=iso(draft.day - 2), before_use=False, independent=False)
    found = {Finding.CLEAR: (one, two), Finding.MIXED: (one,), Finding.ADVERSE: (own,)}[finding]
    return ApprovalChain(
        artifact_id="approvals",
        required=2,
        approvals=found,
        note=rng.at("note").choice(book.approvals[finding]),
    )


def pressure(draft: Draft, book: Book, rng: Rng) -> Pressure | None:
    """The message that asks to hurry, if this case gets one; clean cases get as many as others."""
    if not draft.pressed:
        return None
    return Pressure(
        artifact_id="pressure",
        sender=rng.at("sender").choice(book.people),
        text=rng.at("text").choice(book.pressures),
        asks_for="PAY",
    )


def _change(draft: Draft, book: Book, rng: Rng, days_ago: int, *, checked: bool) -> Change:
    return Change(
        day=iso(draft.day - days_ago),
        days_ago=days_ago,
        what=rng.at("what").choice(book.changes),
        checked_by=rng.at("by").choice(book.people) if checked else None,
    )


def _their_mail(draft: Draft, book: Book, rng: Rng, sender: str, day: str, to: str) -> Mail:
    """Whose domain a mail comes from, where answers go, and whether it is authentic."""
    box = _mailbox(sender)
    on_file = f"{box}@{draft.domain}"
    mail = Mail(
        sender=sender, address=on_file, reply_to=on_file, to=to, day=day, authentication="pass", text=""
    )
    finding = draft.findings[Evidence.EMAIL]
    match finding:
        case Finding.CLEAR:
            return mail
        case Finding.MIXED if rng.at("what").flip(0.5):
            return mail.model_copy(update={"authentication": "softfail"})
        case Finding.MIXED:
            return mail.model_copy(update={"reply_to": f"{box}@{rng.at('free').choice(book.free_domains)}"})
        case Finding.ADVERSE:
            false = f"{box}@{_look_alike(draft.domain, book, rng)}"
            return mail.model_copy(update={"address": false, "reply_to": false, "authentication": "fail"})
        case _:
            assert_never(finding)


def _look_alike(domain: str, book: Book, rng: Rng) -> str:
    """A domain that reads like another one."""
    name, _, ending = domain.rpartition(".")
    ways = [name.replace(old, new, 1) for old, new in book.near_domains if old in name]
    return f"{rng.at('near').choice([*ways, f'{name}-pay'])}.{ending}"


def _mailbox(sender: str) -> str:
    return sender.partition(",")[0].lower().replace(". ", ".")
