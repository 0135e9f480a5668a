"""The generator: which case stands at a seed, a level, a family and a split.

What is behind a case is drawn first, then what each tool finds, then everything that a player sees at the
start, apart from both: no name, amount, date, count or length tells the answer. What is behind a case, found
and billed does not hang on the split, so that nothing but words can make one split harder than the other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from envs.kernel.rng import Rng
from envs.ledgershield.cases import accounts, files
from envs.ledgershield.cases.book import Book
from envs.ledgershield.cases.book_held_out import HELD_OUT
from envs.ledgershield.cases.book_public import PUBLIC
from envs.ledgershield.cases.drafts import Draft
from envs.ledgershield.days import iso
from envs.ledgershield.inference import hypotheses, tables
from envs.ledgershield.models import SPLITS, Family
from envs.ledgershield.names import vendor_key
from envs.ledgershield.tasks import Invoice, Line, Task

BOOKS: Mapping[str, Book] = MappingProxyType(dict(zip(SPLITS, (PUBLIC, HELD_OUT), strict=True)))

DECIDED = (Family.B, Family.C, Family.D, Family.E)
"""Families with a decision; a request that names none gets one of them."""

LINKED = 3
"""Invoices of a case of family E."""

SMALLEST, LARGEST = 1_200.0, 48_000.0
PRESSED = 0.5
SHARED_ACCOUNT = 0.5


def task(rng: Rng, level: str, split: str, family: Family | None, track: str) -> Task:
    """The case at this address."""
    here = rng.at("ledgershield", level, family or "any")
    draft = drafted(here, level, split, family or here.at("family").choice(DECIDED))
    return files.task(draft, BOOKS[split], track, here.at("words", split))


def drafted(here: Rng, level: str, split: str, family: Family) -> Draft:
    """What is decided of the case before its file is written."""
    book, words = BOOKS[split], here.at("draft", split)
    scenario = hypotheses.drawn(here.at("scenario"))
    findings = tables.drawn(tables.jittered(level, here.at("tables")), scenario, here.at("findings"))
    code = f"{words.at('name').integer(0, 16**8 - 1):08X}"
    day = book.first_day + words.at("day").integer(0, book.days - 1)
    count = LINKED if family is Family.E else 1
    invoices = tuple(
        _invoice(words.at("invoice", place), here.at("billed", place), book, day, code, place)
        for place in range(count)
    )
    return Draft(
        case_id=f"CASE-{code}",
        family=family,
        level=level,
        split=split,
        day=day,
        scenario=scenario,
        findings=findings,
        invoices=_linked(invoices, here.at("links")),
        domain=_domain(invoices[0].vendor_name, book, words.at("domain")),
        pressed=here.at("pressed").flip(PRESSED),
    )


def _invoice(rng: Rng, billed: Rng, book: Book, day: int, code: str, place: int) -> Invoice:
    stem = rng.at("stem").choice(book.stems)
    country, bank, digits = rng.at("country").choice(book.countries)
    street = rng.at("street").choice(book.streets)
    return Invoice(
        doc_id=f"INV-{code}" if place == 0 else f"INV-{code}-{place + 1}",
        number=f"{stem[:2].upper()}-{rng.at('number').integer(10_000, 99_999)}",
        date=iso(day - rng.at("written").integer(4, 12)),
        due_days=rng.at("due").choice((14, 30, 45)),
        language="en",
        vendor_name=f"{stem} {rng.at('trade').choice(book.trades)} {rng.at('form').choice(book.forms)}",
        vendor_address=f"{street} {rng.at('house').integer(1, 99)}, {rng.at('city').choice(book.cities)}",
        phone=f"{rng.at('code').choice(book.dialling)} {rng.at('phone').integer(1_000_000, 9_999_999)}",
        po_id=f"PO-{rng.at('order').integer(100_000, 999_999)}",
        receipt_id=f"GR-{rng.at('receipt').integer(100_000, 999_999)}",
        currency="EUR",
        lines=_lines(billed, book),
        tax_rate=billed.at("tax").choice((0.0, 0.07, 0.19, 0.21)),
        account=accounts.drawn(country, bank, digits, rng.at("account")),
    )


def _lines(rng: Rng, book: Book) -> tuple[Line, ...]:
    """Two to four lines that come near a drawn amount, whose logarithm is uniform."""
    goods = rng.at("goods").shuffled(book.goods)[: rng.at("count").integer(2, 4)]
    amount = math.exp(rng.at("amount").uniform(math.log(SMALLEST), math.log(LARGEST)))
    lines: list[Line] = []
    for place, (name, low, high) in enumerate(goods):
        price = round(rng.at("price", place).uniform(low, high), 2)
        share = amount / len(goods) * rng.at("share", place).uniform(0.6, 1.4)
        lines.append(Line(description=name, quantity=float(max(10, round(share / price))), unit_price=price))
    return tuple(lines)


def _linked(invoices: tuple[Invoice, ...], rng: Rng) -> tuple[Invoice, ...]:
    """The invoices, some of which ask to pay to the first one's account."""
    first, *others = invoices
    return (
        first,
        *(
            other.model_copy(update={"account": first.account})
            if rng.at(place).flip(SHARED_ACCOUNT)
            else other
            for place, other in enumerate(others)
        ),
    )


def _domain(vendor_name: str, book: Book, rng: Rng) -> str:
    name = vendor_key(vendor_name.rpartition(" ")[0])
    return f"{name}.{rng.choice(book.endings)}"
