"""Layout: an invoice as words with places on a page.

Decides where every word stands. Margins and gaps are drawn; nothing here depends on what is behind a case.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from envs.kernel.rng import Rng
from envs.ledgershield.artifacts import Box, Token
from envs.ledgershield.tasks import Document, Invoice, Sheet

WIDTH, HEIGHT = 595.0, 842.0
"""A4 in points."""

PER_LETTER, WIDE_LETTER, SIZE, GAP = 5.4, 10.0, 10.0, 4.0

LABELS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {
            "invoice": "Invoice", "date": "Date", "order": "Order", "receipt": "Receipt",
            "subtotal": "Subtotal", "tax": "Tax", "total": "Total", "account": "Account", "days": "Days",
            "phone": "Phone",
        },
        "de": {
            "invoice": "Rechnung", "date": "Datum", "order": "Bestellung", "receipt": "Lieferschein",
            "subtotal": "Zwischensumme", "tax": "MwSt", "total": "Gesamt", "account": "Konto",
            "days": "Zahlungsziel", "phone": "Telefon",
        },
        "fr": {
            "invoice": "Facture", "date": "Date", "order": "Commande", "receipt": "Livraison",
            "subtotal": "Sous-total", "tax": "TVA", "total": "Total", "account": "Compte", "days": "Jours",
            "phone": "Tél",
        },
        "ja": {
            "invoice": "請求書", "date": "発行日", "order": "注文番号", "receipt": "納品書",
            "subtotal": "小計", "tax": "消費税", "total": "合計", "account": "口座", "days": "支払期日",
            "phone": "電話",
        },
    }
)  # fmt: skip


@dataclass
class _Pen:
    """Writes words onto a page, left to right."""

    doc_id: str
    tokens: list[Token] = field(default_factory=list[Token])
    lines: list[Box] = field(default_factory=list[Box])
    fields: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def write(self, x: float, y: float, *parts: tuple[str, str]) -> None:
        """A line of writing: texts and the fields that they say; a text without a field has an empty name."""
        left = x
        for text, name in parts:
            written: list[str] = []
            for word in text.split():
                right = round(x + _width(word), 1)
                token = Token(
                    token_id=f"{self.doc_id}-t{len(self.tokens) + 1}", text=word, bbox=(x, y, right, y + SIZE)
                )
                self.tokens.append(token)
                written.append(token.token_id)
                x = round(right + GAP, 1)
            if name:
                self.fields[name] = tuple(written)
        self.lines.append((left, y, round(x - GAP, 1), y + SIZE))


def laid_out(invoice: Invoice, rng: Rng) -> Document:
    """The invoice as a document of one page."""
    pen = _Pen(invoice.doc_id)
    left = float(rng.at("margin").integer(36, 60))
    top = float(rng.at("top").integer(30, 60))
    y = _head(pen, invoice, left, top)
    y = _lines(pen, invoice, left, y + 30 + rng.at("gap").integer(0, 40))
    _foot(pen, invoice, left, max(y + 30, float(rng.at("foot").integer(560, 680))))
    sheet = Sheet(width=WIDTH, height=HEIGHT, tokens=tuple(pen.tokens), lines=tuple(pen.lines))
    return Document(invoice=invoice, sheet=sheet, fields=pen.fields)


def money(value: float) -> str:
    """An amount as it is printed."""
    return f"{value:.2f}"


def quantity(value: float) -> str:
    """A quantity as it is printed."""
    return f"{value:g}"


def printed(invoice: Invoice) -> dict[str, str]:
    """The fields of an invoice as they are printed."""
    return {
        "vendor_name": invoice.vendor_name,
        "invoice_number": invoice.number,
        "invoice_date": invoice.date,
        "po_id": invoice.po_id,
        "receipt_id": invoice.receipt_id,
        "currency": invoice.currency,
        "subtotal": money(invoice.subtotal),
        "tax": money(invoice.tax),
        "total": money(invoice.total),
        "bank_account": invoice.account,
    }


def _head(pen: _Pen, invoice: Invoice, x: float, y: float) -> float:
    words, said = LABELS[invoice.language], printed(invoice)
    pen.write(x, y, (said["vendor_name"], "vendor_name"))
    pen.write(x, y + 14, (invoice.vendor_address, ""))
    pen.write(x, y + 28, (words["phone"], ""), (invoice.phone, "phone"))
    pen.write(
        x,
        y + 52,
        (words["invoice"], ""),
        (said["invoice_number"], "invoice_number"),
        (words["date"], ""),
        (said["invoice_date"], "invoice_date"),
    )
    pen.write(
        x,
        y + 68,
        (words["order"], ""),
        (said["po_id"], "po_id"),
        (words["receipt"], ""),
        (said["receipt_id"], "receipt_id"),
    )
    return y + 68


def _lines(pen: _Pen, invoice: Invoice, x: float, y: float) -> float:
    for number, line in enumerate(invoice.lines, start=1):
        pen.write(
            x,
            y,
            (line.description, f"line_{number}"),
            (quantity(line.quantity), f"line_{number}.quantity"),
            ("×", ""),
            (money(line.unit_price), f"line_{number}.unit_price"),
            (money(line.total), f"line_{number}.total"),
        )
        y += 20
    return y


def _foot(pen: _Pen, invoice: Invoice, x: float, y: float) -> None:
    for offset, parts in enumerate(_foot_parts(invoice)):
        pen.write(x, y + 16 * offset, *parts)


def _foot_parts(invoice: Invoice) -> Iterator[tuple[tuple[str, str], ...]]:
    words, said = LABELS[invoice.language], printed(invoice)
    for name in ("subtotal", "tax", "total"):
        currency = "currency" if name == "total" else ""
        yield (words[name], ""), (said["currency"], currency), (said[name], name)
    yield (words["account"], ""), (said["bank_account"], "bank_account")
    yield (words["days"], ""), (str(invoice.due_days), "due_days")


def _width(word: str) -> float:
    wide = 0 if word.isascii() else sum(ord(letter) > 0x2E80 for letter in word)
    return wide * WIDE_LETTER + (len(word) - wide) * PER_LETTER
