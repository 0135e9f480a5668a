"""What payables keeps: orders, receipts, the policy and the ledger, written so that they show a finding.

What is written depends on the finding and on chance, never on why a tool finds what it finds.
"""

from __future__ import annotations

from typing import assert_never

from envs.kernel.rng import Rng
from envs.ledgershield.artifacts import OrderLine, Policy, PurchaseOrder, Receipt, ReceiptLine, Rule
from envs.ledgershield.cases.book import Book
from envs.ledgershield.cases.drafts import Draft
from envs.ledgershield.days import iso
from envs.ledgershield.inference.tables import Evidence, Finding
from envs.ledgershield.matching.numbers import without_zeros
from envs.ledgershield.matching.three_way import Line as Agreed
from envs.ledgershield.matching.three_way import net
from envs.ledgershield.meaning import exact
from envs.ledgershield.names import vendor_key
from envs.ledgershield.tasks import LedgerEntry, Line

OTHER_ENTRIES = 8
CREDITED, ZERO_IN_FRONT = 0.15, 0.3

RULES = (
    Rule(
        rule_id="approval_limit",
        text="Above the orderer's approval limit a second person approves. Totals within 5 % below it, and "
        "several of them within thirty days, are looked into.",
    ),
    Rule(
        rule_id="bank_change",
        text="Pay to accounts on file. Another one needs two independent approvals before its first use, and "
        "a call to the number of the master file, never to one that came with the request.",
    ),
    Rule(
        rule_id="three_way_match",
        text="Billed may not exceed ordered or received. Prices may be up to 3 % above the order.",
    ),
    Rule(
        rule_id="duplicates",
        text="An invoice of the same vendor, number and amount is paid once. Near matches are held.",
    ),
    Rule(
        rule_id="sender",
        text="A mail counts as the vendor's if it comes from the domain on file and passes authentication.",
    ),
    Rule(rule_id="escalation", text="Suspected fraud goes to security; pressure to skip a rule is a reason."),
)


def order(draft: Draft, book: Book, rng: Rng) -> PurchaseOrder:
    """The purchase order beside what was billed on it."""
    finding, lines = draft.findings[Evidence.PO], draft.invoice.lines
    worst = rng.at("worst").integer(0, len(lines) - 1)
    ordered = [
        _ordered(line, finding if place == worst else Finding.CLEAR, rng.at("line", place))
        for place, line in enumerate(lines)
    ]
    billed = net([Agreed(exact(own.quantity_billed), exact(own.unit_price_billed)) for own in ordered])
    total = net([Agreed(exact(own.quantity_ordered), exact(own.unit_price_ordered)) for own in ordered])
    return PurchaseOrder(
        artifact_id=f"po:{draft.invoice.po_id}",
        po_id=draft.invoice.po_id,
        vendor_key=vendor_key(draft.invoice.vendor_name),
        ordered_on=iso(draft.day - rng.at("ordered").integer(20, 70)),
        status="open",
        lines=tuple(ordered),
        total_ordered=float(round(total, 2)),
        total_billed=float(round(billed, 2)),
        note=rng.at("note").choice(book.order_notes).format(requester=rng.at("by").choice(book.requesters)),
    )


def receipt(draft: Draft, book: Book, rng: Rng) -> Receipt:
    """The goods receipt beside what was billed."""
    finding, lines = draft.findings[Evidence.RECEIPT], draft.invoice.lines
    short = rng.at("short").integer(0, len(lines) - 1)
    came = draft.day - rng.at("came").integer(4, 15)
    return Receipt(
        artifact_id=f"receipt:{draft.invoice.receipt_id}",
        receipt_id=draft.invoice.receipt_id,
        received_on=None if finding is Finding.ADVERSE else iso(came),
        lines=tuple(
            ReceiptLine(
                description=line.description,
                quantity_received=_received(line, finding, rng.at("line", place), short=place == short),
                quantity_billed=line.quantity,
            )
            for place, line in enumerate(lines)
        ),
        note=rng.at("note").choice(book.receipt_notes[finding]),
    )


def policy(draft: Draft, rng: Rng) -> Policy:
    """The policy, with the orderer's limit beside this invoice."""
    finding, total = draft.findings[Evidence.POLICY], draft.invoice.total
    if finding is Finding.CLEAR:
        below = rng.at("side").flip(0.5)
        use = rng.at("use").uniform(0.35, 0.85) if below else rng.at("use").uniform(1.15, 1.9)
    else:
        use = rng.at("use").uniform(0.957, 0.993)
    return Policy(
        artifact_id="policy",
        rules=RULES,
        approval_limit=float(round(total / use)),
        invoice_total=total,
        near_limit_30d=rng.at("near").integer(2, 4) if finding is Finding.ADVERSE else 0,
    )


def ledger(draft: Draft, rng: Rng) -> tuple[LedgerEntry, ...]:
    """The invoices on file, the repeated one among them where there is one."""
    others = [_unlike(draft, rng.at("other", number), number) for number in range(OTHER_ENTRIES)]
    finding = draft.findings[Evidence.LEDGER]
    match finding:
        case Finding.CLEAR:
            repeated: list[LedgerEntry] = []
        case Finding.MIXED:
            repeated = [_entry(draft, rng.at("repeat"), _respelled(draft.invoice.number, rng.at("spelling")))]
        case Finding.ADVERSE:
            repeated = [_entry(draft, rng.at("repeat"), _same(draft.invoice.number, rng.at("spelling")))]
        case _:
            assert_never(finding)
    return rng.at("order").shuffled([*others, *repeated])


def _same(number: str, rng: Rng) -> str:
    """The number as the same bill shows it: zeros in front make no other."""
    prefix = number.rstrip("0123456789")
    return f"{prefix}0{number[len(prefix) :]}" if rng.flip(ZERO_IN_FRONT) else number


def _respelled(number: str, rng: Rng) -> str:
    """The number as a repeat shows it: two neighbours swapped, a letter at the end, or O for 0."""
    prefix = number.rstrip("0123456789")
    digits = number[len(prefix) :]
    swaps = [place for place in range(len(digits) - 1) if digits[place] != digits[place + 1]]
    ways = [f"{number}A"]
    if "0" in digits:
        ways.append(f"{prefix}{digits.replace('0', 'O', 1)}")
    if swaps:
        at = rng.at("at").choice(swaps)
        ways.append(f"{prefix}{digits[:at]}{digits[at + 1]}{digits[at]}{digits[at + 2 :]}")
    return rng.at("way").choice(ways)


def _ordered(line: Line, finding: Finding, rng: Rng) -> OrderLine:
    quantity, price = line.quantity, line.unit_price
    match finding:
        case Finding.CLEAR:
            pass
        case Finding.MIXED:
            price = round(price / (1 + rng.at("drift").uniform(0.012, 0.025)), 2)
        case Finding.ADVERSE if rng.at("what").flip(0.5):
            price = round(price / (1 + rng.at("excess").uniform(0.08, 0.25)), 2)
        case Finding.ADVERSE:
            quantity = float(max(1, int(quantity / (1 + rng.at("excess").uniform(0.12, 0.4)))))
        case _:
            assert_never(finding)
    return OrderLine(
        description=line.description,
        quantity_ordered=quantity,
        quantity_billed=line.quantity,
        unit_price_ordered=price,
        unit_price_billed=line.unit_price,
    )


def _received(line: Line, finding: Finding, rng: Rng, *, short: bool) -> float:
    match finding:
        case Finding.ADVERSE:
            return 0.0
        case Finding.MIXED if short:
            return float(max(1, int(line.quantity * rng.uniform(0.55, 0.9))))
        case _:
            return line.quantity


def _entry(draft: Draft, rng: Rng, number: str) -> LedgerEntry:
    return LedgerEntry(
        entry_id=f"LE-{rng.at('id').integer(100_000, 999_999)}",
        vendor_key=vendor_key(draft.invoice.vendor_name),
        invoice_number=number,
        invoice_date=iso(draft.day - rng.at("day").integer(6, 60)),
        amount=draft.invoice.total,
        credited=_credited(draft.invoice.total, rng.at("credited")),
        bank_line=f"Payment {without_zeros(number)}" if rng.at("paid").flip(0.7) else "",
    )


def _credited(amount: float, rng: Rng) -> float:
    """What was credited on an invoice, if anything."""
    return round(amount * rng.at("part").uniform(0.02, 0.2), 2) if rng.at("is").flip(CREDITED) else 0.0


def _unlike(draft: Draft, rng: Rng, number: int) -> LedgerEntry:
    """An invoice that no complete search finds: neither its number nor its amount is like the case's."""
    factor = rng.at("factor").uniform(1.2, 3.5)
    amount = draft.invoice.total * factor if rng.at("more").flip(0.5) else draft.invoice.total / factor
    own = number % 2 == 0
    filed = f"{'KQVZ'[number % 4]}{rng.at('number').integer(10_000_000, 99_999_999)}"
    return LedgerEntry(
        entry_id=f"LE-{rng.at('id').integer(100_000, 999_999)}",
        vendor_key=vendor_key(draft.invoice.vendor_name) if own else f"vendor-{rng.integer(1000, 9999)}",
        invoice_number=filed,
        invoice_date=iso(draft.day - rng.at("day").integer(30, 400)),
        amount=round(amount, 2),
        credited=_credited(amount, rng.at("credited")),
        bank_line=f"Payment {filed}",
    )
