"""From a draft to a case: the documents laid out, the file written, and the truth put beside it."""

from __future__ import annotations

from envs.kernel.rng import Rng
from envs.ledgershield.cases import payables, people
from envs.ledgershield.cases.book import Book
from envs.ledgershield.cases.drafts import Draft
from envs.ledgershield.documents.layout import laid_out
from envs.ledgershield.names import compact
from envs.ledgershield.tasks import RULES, File, Task, Truth


def task(draft: Draft, book: Book, track: str, rng: Rng) -> Task:
    """The case that a draft describes.

    Args:
        rng: Everything that the draft leaves open is drawn at this address.
    """
    rules = RULES[draft.family]
    own = compact(draft.invoice.account)
    return Task(
        task_id=draft.case_id,
        level=draft.level,
        max_steps=draft.max_steps or rules.max_steps,
        family=draft.family,
        split=draft.split,
        track=track,
        budget=draft.budget or rules.budget,
        documents=tuple(
            laid_out(invoice, rng.at("layout", place)) for place, invoice in enumerate(draft.invoices)
        ),
        links=tuple(other.doc_id for other in draft.invoices[1:] if compact(other.account) == own),
        file=_file(draft, book, rng.at("file")),
        truth=Truth(scenario=draft.scenario, findings=draft.findings),
    )


def _file(draft: Draft, book: Book, rng: Rng) -> File:
    return File(
        vendor=people.vendor(draft, rng.at("vendor")),
        history=people.history(draft, book, rng.at("history")),
        policy=payables.policy(draft, rng.at("policy")),
        order=payables.order(draft, book, rng.at("order")),
        receipt=payables.receipt(draft, book, rng.at("receipt")),
        ledger=payables.ledger(draft, rng.at("ledger")),
        thread=people.thread(draft, book, rng.at("thread")),
        account=people.account(draft, rng.at("account")),
        call=people.call(draft, book, rng.at("call")),
        request_phone=_phone(book, rng.at("phone")),
        approvals=people.approvals(draft, book, rng.at("approvals")),
        pressure=people.pressure(draft, book, rng.at("pressure")),
    )


def _phone(book: Book, rng: Rng) -> str:
    return f"{rng.at('code').choice(book.dialling)} {rng.at('number').integer(1_000_000, 9_999_999)}"
