"""The phrase book of held-out cases. Names, places and people are invented."""

from __future__ import annotations

from envs.ledgershield.cases.book import Book
from envs.ledgershield.days import day_of
from envs.ledgershield.inference.tables import Finding

HELD_OUT = Book(
    first_day=day_of(2032, 1, 12),
    days=330,
    stems=tuple(
        "Abernath Bellisar Cadrow Drevik Ettrick Falstone Gorvin Hespera Inverleith Joskin Kilnsey Lavenham "
        "Mosedale Nethercot Ormsby Penhallow Queniborough Rusland Stavely Thornbeck Ulverscroft Wharram "
        "Yelverton Zennor".split()
    ),
    trades=("Bearings", "Logistics", "Printing", "Heating", "Foods", "Displays", "Chemicals", "Workwear"),
    forms=("KG", "N.V.", "SARL", "plc", "Oy", "ApS"),
    streets=("Quarry Hill", "Bridge End", "Weaver's Yard", "Beacon Street", "Lime Avenue", "Tannery Close"),
    cities=("Ilmenau Nord", "Jonsberg", "Kampen", "Lervik", "Montaval", "Nyholm", "Ostheim", "Pernay"),
    dialling=("+43 1", "+32 2", "+39 02", "+353 1", "+358 9", "+47 22"),
    countries=(("BE", "999", 9), ("IT", "X9999", 18), ("FI", "9999", 10), ("DE", "9998", 14)),
    goods=(
        ("Conveyor rollers", 14, 70),
        ("Welding rods", 3, 20),
        ("Insulation boards", 9, 55),
        ("Printed folders", 2, 14),
        ("Container haulage", 80, 260),
        ("Pump seals", 18, 95),
        ("Cleaning agent", 6, 32),
        ("Control relays", 45, 170),
        ("Lunch boxes", 7, 40),
        ("Reagent bottles", 11, 66),
        ("Work jackets", 28, 85),
        ("Inspection hours", 65, 150),
    ),
    people=tuple(
        "B. Castellan,D. Ferreira,F. Nilsen,G. Oduya,H. Petrov,I. Quist,O. Rahman,U. Salo,V. Tremblay,"
        "W. Ubani,X. Varga,Y. Zeller".split(",")
    ),
    roles=("billing", "customer accounts", "treasury office", "invoicing team"),
    requesters=("machine shop", "facilities", "test bench", "goods yard", "staff kitchen", "marketing"),
    subjects=(
        "Billing document {number}",
        "{number}: payment request for order {po}",
        "Statement entry {number}",
        "New invoice on your account: {number}",
    ),
    openings=(
        "With this message you get document {number} as agreed.",
        "Our billing document {number} for {po} is attached.",
        "Here is {number}; delivery took place as planned.",
        "Document {number} accompanies this message.",
    ),
    middles=(
        "Where to pay is stated in the payment box.",
        "For the transfer please follow the document.",
        "The transfer details have been put on the page.",
        "You find the bank data below the amounts.",
    ),
    replies=(
        "Confirmed, it has reached our queue.",
        "We have it and will process it in turn.",
        "Thanks. A colleague takes care of it.",
        "Registered on our side, matching is under way.",
    ),
    near_domains=(("i", "l"), ("s", "5"), ("nn", "m"), ("c", "e"), ("u", "v"), ("t", "f")),
    free_domains=("quickletter.example", "private-post.example", "mailyard.example"),
    endings=("invalid", "example"),
    changes=("switchboard", "account manager", "registered office", "mailbox for advices", "director"),
    order_notes=("On behalf of {requester}.", "Needed by {requester}.", "Charged to {requester}."),
    receipt_notes={
        Finding.CLEAR: ("Checked in without remarks.", "Quantity and condition as announced."),
        Finding.MIXED: ("Remainder is on back order.", "Part of it follows with the next truck."),
        Finding.ADVERSE: ("The yard has no record of it.", "No goods were unloaded against this slip."),
    },
    calls={
        Finding.CLEAR: (
            "Customer accounts confirmed the document line by line.",
            "The person named on file knew the transfer and agreed with it.",
        ),
        Finding.MIXED: (
            "The line was busy on each attempt.",
            "Closed for the day; a message was left.",
        ),
        Finding.ADVERSE: (
            "According to them no such transfer was asked for.",
            "They were surprised and asked us to stop it.",
        ),
    },
    approvals={
        Finding.CLEAR: ("Complete before the account went live.", "Two people released it in good time."),
        Finding.MIXED: ("One release is outstanding.", "The file holds a single release so far."),
        Finding.ADVERSE: (
            "Released by its own author once it had been used.",
            "Use came first; the only release is the author's.",
        ),
    },
    pressures=(
        "We lose our delivery slot tonight. Transfer it at once, please.",
        "No time for calls now, just get the transfer out before noon.",
        "The board expects this to be done already. Make the transfer and file it later.",
    ),
)
