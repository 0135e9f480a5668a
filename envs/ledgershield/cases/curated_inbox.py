"""Curated incidents of the inbox: spoofs, campaigns, overrides, and changes that are what they say."""

from __future__ import annotations

from envs.ledgershield.cases.curating import curated, invoice
from envs.ledgershield.inference.hypotheses import Scenario
from envs.ledgershield.inference.tables import Evidence

CASES = (
    curated(
        "D-001",
        "medium",
        Scenario.VENDOR_TAKEOVER,
        (
            invoice(
                "INV-D-001",
                "Halden Tools GmbH",
                "HT-51230",
                (("Valve kits", 60, 131.5), ("Ball bearings", 200, 11.8)),
                ("DE", "999999990000054321"),
            ),
        ),
        mixed=(Evidence.HISTORY,),
        adverse=(Evidence.BANK, Evidence.EMAIL, Evidence.CALLBACK, Evidence.APPROVALS),
        pressed=True,
    ),
    curated(
        "D-002",
        "easy",
        Scenario.CLEAN,
        (invoice("INV-D-002", "Tindal Filters Ltd", "TF-77018", (("Air filters", 140, 28.0),)),),
        pressed=True,
    ),
    curated(
        "D-003",
        "hard",
        Scenario.CAMPAIGN,
        (
            invoice(
                "INV-D-003",
                "Varden Catering S.A.",
                "VC-10882",
                (("Catering trays", 260, 24.0), ("Serving hours", 40, 38.0)),
                ("FR", "99999999990000055512345"),
            ),
        ),
        mixed=(Evidence.POLICY, Evidence.LEDGER),
        adverse=(Evidence.BANK, Evidence.EMAIL, Evidence.HISTORY),
        budget=18.0,
        max_steps=20,
    ),
    curated(
        "D-004",
        "hard",
        Scenario.INSIDER_OVERRIDE,
        (
            invoice(
                "INV-D-004",
                "Wexley Signage Ltd",
                "WS-30471",
                (("Wall panels", 90, 93.0), ("Mounting hours", 64, 58.0)),
            ),
        ),
        mixed=(Evidence.POLICY,),
        adverse=(Evidence.APPROVALS, Evidence.HISTORY, Evidence.RECEIPT),
        budget=17.0,
        max_steps=18,
    ),
    curated(
        "D-005",
        "hard",
        Scenario.CEO_IMPERSONATION,
        (
            invoice(
                "INV-D-005",
                "Dunmere Freight B.V.",
                "DF-00915",
                (("Express transport", 6, 1960.0), ("Insurance", 6, 240.0)),
                ("AT", "9999000055512345"),
            ),
        ),
        adverse=(Evidence.BANK, Evidence.EMAIL, Evidence.PO, Evidence.RECEIPT, Evidence.CALLBACK),
        pressed=True,
        budget=17.0,
        max_steps=20,
    ),
    curated(
        "D-006",
        "medium",
        Scenario.LEGITIMATE_CHANGE,
        (
            invoice(
                "INV-D-006",
                "Elstow Paper AB",
                "EP-61304",
                (("Copy paper, boxes", 150, 23.9),),
                ("DE", "999999990000088123"),
            ),
        ),
        mixed=(Evidence.BANK, Evidence.HISTORY),
        pressed=True,
    ),
    curated(
        "E-001",
        "hard",
        Scenario.CAMPAIGN,
        (
            invoice(
                "INV-E-001-1",
                "Fenwick Tools GmbH",
                "FT-20551",
                (("Steel brackets", 300, 16.4), ("Valve kits", 25, 118.0)),
                ("DE", "999999990000066001"),
            ),
            invoice(
                "INV-E-001-2",
                "Hollis Paper Ltd",
                "HP-20552",
                (("Label rolls", 500, 5.1),),
                ("DE", "999999990000066001"),
            ),
            invoice(
                "INV-E-001-3",
                "Ibsley Catering S.A.",
                "IC-20553",
                (("Catering trays", 110, 19.5),),
                ("DE", "999999990000066001"),
            ),
        ),
        mixed=(Evidence.POLICY, Evidence.CALLBACK),
        adverse=(Evidence.BANK, Evidence.EMAIL, Evidence.HISTORY),
        pressed=True,
    ),
    curated(
        "E-002",
        "hard",
        Scenario.SUPPLY_CHAIN,
        (
            invoice(
                "INV-E-002-1",
                "Kestrel Lab Supply B.V.",
                "KL-33010",
                (("Reagent bottles", 140, 52.0), ("Sample vials", 600, 2.9)),
                ("NL", "BANK9999000991"),
            ),
            invoice(
                "INV-E-002-2",
                "Jarrow Freight A/S",
                "JF-90217",
                (("Cold transport", 9, 310.0),),
                ("NL", "BANK9999000991"),
            ),
            invoice(
                "INV-E-002-3",
                "Yarrow Tools AB",
                "YT-11873",
                (("Safety gloves", 220, 7.3),),
                ("DE", "999999990000031007"),
            ),
        ),
        mixed=(Evidence.BANK, Evidence.EMAIL),
        adverse=(Evidence.HISTORY, Evidence.CALLBACK),
    ),
)
