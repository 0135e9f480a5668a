"""Curated cases of invoice extraction: plain, in another language, in another currency, in another script."""

from __future__ import annotations

from envs.ledgershield.cases.curating import curated, invoice
from envs.ledgershield.inference.hypotheses import Scenario

CASES = (
    curated(
        "A-001",
        "easy",
        Scenario.CLEAN,
        (
            invoice(
                "INV-A-001",
                "Halden Tools GmbH",
                "HT-20417",
                (("Ball bearings", 40, 12.5), ("Safety gloves", 25, 6.4)),
            ),
        ),
    ),
    curated(
        "A-002",
        "medium",
        Scenario.CLEAN,
        (
            invoice(
                "INV-A-002",
                "Brasserie du Col S.A.",
                "F-2031-118",
                (("Plateaux déjeuner", 60, 14.9), ("Eau minérale", 120, 1.35), ("Café moulu", 18, 9.8)),
                ("FR", "99999999990000012345678"),
                language="fr",
                vendor_address="8 Rue du Marché, Castelo",
                phone="+33 1 4455667",
                tax_rate=0.10,
            ),
        ),
    ),
    curated(
        "A-003",
        "medium",
        Scenario.CLEAN,
        (
            invoice(
                "INV-A-003",
                "Norrin Freight B.V.",
                "NF-88120",
                (
                    ("Container haulage", 3, 1840.0),
                    ("Customs handling", 3, 95.5),
                    ("Storage days", 14, 22.75),
                ),
                ("NL", "BANK9999000123"),
                currency="USD",
                phone="+31 20 5566778",
                tax_rate=0.0,
            ),
        ),
    ),
    curated(
        "A-004",
        "hard",
        Scenario.CLEAN,
        (
            invoice(
                "INV-A-004",
                "青葉商事株式会社",
                "AO-5521",
                (("軸受", 50, 1280.0), ("作業手袋", 80, 420.0), ("送料", 1, 3500.0)),
                ("DE", "999999990000077345"),
                currency="JPY",
                language="ja",
                vendor_address="仙台市青葉区一番町三丁目",
                phone="+81 22 4455661",
                tax_rate=0.10,
            ),
        ),
        budget=12.0,
        max_steps=15,
    ),
)
