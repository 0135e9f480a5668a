"""Curated cases of duplicates and fraud: an override, a clean one, a new account, a limit."""

from __future__ import annotations

from envs.ledgershield.cases.curating import curated, invoice
from envs.ledgershield.inference.hypotheses import Scenario
from envs.ledgershield.inference.tables import Evidence

CASES = (
    curated(
        "C-001",
        "easy",
        Scenario.BANK_OVERRIDE,
        (
            invoice(
                "INV-C-001",
                "Halden Tools GmbH",
                "HT-40077",
                (("Valve kits", 30, 122.0), ("Steel brackets", 100, 14.2)),
                ("DE", "999999990000054321"),
            ),
        ),
        mixed=(Evidence.LEDGER,),
        adverse=(Evidence.BANK, Evidence.EMAIL, Evidence.CALLBACK, Evidence.APPROVALS),
        pressed=True,
    ),
    curated(
        "C-002",
        "easy",
        Scenario.CLEAN,
        (invoice("INV-C-002", "Garrow Catering Ltd", "GC-90134", (("Catering trays", 120, 21.5),)),),
    ),
    curated(
        "C-003",
        "hard",
        Scenario.LAYERING,
        (
            invoice(
                "INV-C-003",
                "Merrow Freight A/S",
                "MF-66102",
                (("Pallet transport", 48, 142.0), ("Night surcharge", 12, 60.0)),
                ("NL", "BANK9999000777"),
            ),
        ),
        mixed=(Evidence.HISTORY, Evidence.APPROVALS),
        adverse=(Evidence.BANK, Evidence.POLICY),
    ),
    curated(
        "C-004",
        "medium",
        Scenario.UNDER_THRESHOLD,
        (
            invoice(
                "INV-C-004",
                "Quill Lab Supply S.A.",
                "QL-24990",
                (("Reagent sets", 55, 180.0), ("Sample vials", 300, 3.2)),
            ),
        ),
        adverse=(Evidence.POLICY,),
    ),
)
