"""A phrase book: the names, places, goods and sentences that a split's cases are written with.

Decides nothing about what is behind a case: which phrase is used depends on what a tool finds, never on why.
"""

from __future__ import annotations

from envs.kernel.records import Record
from envs.ledgershield.inference.tables import Finding

Phrases = tuple[str, ...]


class Book(Record):
    """All phrases of one split; no two splits share one.

    Attributes:
        stems, trades, forms: A vendor's name is one of each.
        countries: Two letters of the account numbers' country, what comes first in the national part, and how
            many digits follow.
        near_domains: How a look-alike of a domain is made: what is replaced by what.
        calls: By finding, what the person who called noted.
        approvals: By finding, what treasury notes below the signatures.
    """

    first_day: int
    days: int
    stems: Phrases
    trades: Phrases
    forms: Phrases
    streets: Phrases
    cities: Phrases
    dialling: Phrases
    countries: tuple[tuple[str, str, int], ...]
    goods: tuple[tuple[str, float, float], ...]
    people: Phrases
    roles: Phrases
    requesters: Phrases
    subjects: Phrases
    openings: Phrases
    middles: Phrases
    replies: Phrases
    near_domains: tuple[tuple[str, str], ...]
    free_domains: Phrases
    endings: Phrases
    changes: Phrases
    order_notes: Phrases
    receipt_notes: dict[Finding, Phrases]
    calls: dict[Finding, Phrases]
    approvals: dict[Finding, Phrases]
    pressures: Phrases
