"""Vendors: whether two records on file are one vendor.

Compares names and accounts; which of two records is kept is for a person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from envs.ledgershield.names import compact

_FORMS = frozenset(
    "ab ag bv co company corp corporation gmbh inc kg limited llc llp ltd nv oy plc sa sarl sas spa".split()
)
_WORD = re.compile(r"\w+")


class Kinship(StrEnum):
    """How two vendor records stand to each other."""

    SAME_RECORD = "the same record"
    DUPLICATE_RECORD = "one vendor on file twice"
    SAME_ACCOUNT = "two names with one account"
    SAME_NAME = "one name with two accounts"
    APART = "two vendors"


@dataclass(frozen=True, slots=True)
class Vendor:
    """A vendor record."""

    name: str
    account: str


def kinship(one: Vendor, other: Vendor) -> Kinship:
    """How two vendor records stand to each other."""
    named = stem(one.name) == stem(other.name)
    paid = compact(one.account) == compact(other.account)
    if paid and one.name == other.name:
        return Kinship.SAME_RECORD
    if named and paid:
        return Kinship.DUPLICATE_RECORD
    return Kinship.SAME_ACCOUNT if paid else Kinship.SAME_NAME if named else Kinship.APART


def stem(name: str) -> str:
    """A vendor's name without its legal form, points and capitals."""
    words = _WORD.findall(name.casefold().replace(".", ""))
    return " ".join(word for word in words if word not in _FORMS)
