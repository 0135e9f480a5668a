"""Curated cases of the three-way match: price, receipt, quantity, and two that can be paid."""

from __future__ import annotations

from envs.ledgershield.cases.curating import curated, invoice
from envs.ledgershield.inference.hypotheses import Scenario
from envs.ledgershield.inference.tables import Evidence

CASES = (
    curated(
        "B-001",
        "easy",
        Scenario.PRICE_MISMATCH,
        (
            invoice(
                "INV-B-001",
                "Aske Paper AB",
                "AP-31881",
                (("Copy paper, boxes", 80, 24.6), ("Label rolls", 200, 5.2)),
            ),
        ),
        adverse=(Evidence.PO,),
    ),
    curated(
        "B-002",
        "medium",
        Scenario.MISSING_RECEIPT,
        (
            invoice(
                "INV-B-002",
                "Pell Filters Ltd",
                "PF-55010",
                (("Air filters", 60, 31.0), ("Filter frames", 20, 44.5)),
            ),
        ),
        adverse=(Evidence.RECEIPT,),
        pressed=True,
    ),
    curated(
        "B-003",
        "easy",
        Scenario.CLEAN,
        (invoice("INV-B-003", "Tarn Plumbing A/S", "TP-43120", (("Copper pipe", 90, 18.2),)),),
    ),
    curated(
        "B-004",
        "medium",
        Scenario.QUANTITY_MISMATCH,
        (
            invoice(
                "INV-B-004",
                "Larkfield Lab Supply Ltd",
                "LL-70233",
                (("Sample vials", 900, 2.4), ("Pipette tips", 400, 3.1)),
            ),
        ),
        mixed=(Evidence.RECEIPT,),
        adverse=(Evidence.PO,),
    ),
    curated(
        "B-005",
        "hard",
        Scenario.CLEAN,
        (
            # Tax is rounded once: per line it would be a cent more.
            invoice(
                "INV-B-005",
                "Sorrel Signage B.V.",
                "SS-12009",
                (("Door plates", 3, 1.03), ("Wall panels", 12, 88.4), ("Mounting hours", 10, 62.0)),
                tax_rate=0.21,
            ),
        ),
        mixed=(Evidence.PO,),
    ),
)
