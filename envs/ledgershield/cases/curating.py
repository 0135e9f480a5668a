"""How a curated case is written down: what differs from a plain one, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from envs.ledgershield.cases.accounts import iban
from envs.ledgershield.cases.drafts import Draft
from envs.ledgershield.days import day_of, iso
from envs.ledgershield.inference.hypotheses import Scenario
from envs.ledgershield.inference.tables import Evidence, Finding
from envs.ledgershield.models import Family
from envs.ledgershield.names import vendor_key
from envs.ledgershield.tasks import Invoice, Line

CURATED = "curated"
TODAY = day_of(2031, 5, 20)

Lines = tuple[tuple[str, float, float], ...]


def curated(
    case: str,
    level: str,
    scenario: Scenario,
    invoices: tuple[Invoice, ...],
    *,
    mixed: tuple[Evidence, ...] = (),
    adverse: tuple[Evidence, ...] = (),
    pressed: bool = False,
    budget: float | None = None,
    max_steps: int | None = None,
) -> Draft:
    """A case by its short name, e.g. `D-001`; every tool that is not named finds nothing."""
    findings = dict.fromkeys(Evidence, Finding.CLEAR)
    findings |= dict.fromkeys(mixed, Finding.MIXED) | dict.fromkeys(adverse, Finding.ADVERSE)
    return Draft(
        case_id=f"CASE-{case}",
        family=Family(f"task_{case[0].lower()}"),
        level=level,
        split=CURATED,
        day=TODAY,
        scenario=scenario,
        findings=findings,
        invoices=invoices,
        domain=f"{vendor_key(invoices[0].vendor_name.rpartition(' ')[0])}.example",
        pressed=pressed,
        budget=budget,
        max_steps=max_steps,
    )


def invoice(
    doc_id: str,
    vendor: str,
    number: str,
    lines: Lines,
    account: tuple[str, str] = ("DE", "999999990000012345"),
    **others: str | float,
) -> Invoice:
    """An invoice of these lines: description, quantity and unit price.

    Args:
        account: Country and national part of the account; its check digits are worked out.
        others: Fields of `Invoice` that are not as usual.
    """
    code = doc_id.removeprefix("INV-")
    usual: Mapping[str, str | float] = {
        "date": iso(TODAY - 7),
        "language": "en",
        "vendor_address": "14 Mill Lane, Altmark",
        "phone": "+49 30 4455660",
        "po_id": f"PO-{code}",
        "receipt_id": f"GR-{code}",
        "currency": "EUR",
        "tax_rate": 0.19,
    }
    return Invoice.model_validate(
        {
            **usual,
            **others,
            "doc_id": doc_id,
            "due_days": 30,
            "vendor_name": vendor,
            "number": number,
            "lines": tuple(
                Line(description=text, quantity=float(count), unit_price=float(price))
                for text, count, price in lines
            ),
            "account": iban(*account),
        }
    )
