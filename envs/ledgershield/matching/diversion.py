"""Diversion: whether a payment is asked to go elsewhere than it used to, and what has to happen first.

An account is only the commonest way; whoever asks for another payee, portal or means of payment asks for the
same thing. Decides from what is written and on file; the record is never changed here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from envs.ledgershield.names import compact

APPROVALS = 2
"""How many must have approved a change, beside a call to the number on file."""


class Sign(StrEnum):
    """How money is asked to go elsewhere."""

    ACCOUNT = "another account than the one on file"
    NEW_BANK = "a new bank"
    PAYEE = "another payee"
    PORTAL = "another portal"
    MEANS = "another means of payment"


class Ruling(StrEnum):
    """What happens to the payment."""

    RELEASE = "release"
    HOLD_AND_CALL = "hold; call the number on file; leave the record as it is"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a vendor's record in the log."""

    entry_id: str
    account: str
    called: bool
    approvals: int

    @property
    def verified(self) -> bool:
        return self.called and self.approvals >= APPROVALS


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found and what follows. `cites` is the log's entry that clears an account."""

    ruling: Ruling
    signs: frozenset[Sign]
    cites: str | None = None


_WORDS: Mapping[Sign, re.Pattern[str]] = MappingProxyType(
    {
        sign: re.compile(pattern, re.IGNORECASE)
        for sign, pattern in {
            Sign.NEW_BANK: r"\b(new|changed?|updated?|different)\b.{0,30}\b(bank|account|iban|remittance)\b",
            Sign.PAYEE: r"\b(factoring|assigned|receivables? (were|was|have been|has been) sold)\b",
            Sign.PORTAL: r"\b(use|through|via|on)\b.{0,20}\bportal\b",
            Sign.MEANS: r"\b(gift cards?|crypto\w*|cheque instead|payment link|wire instead)\b",
        }.items()
    }
)


def judged(mail: str, account: str, on_file: str, log: tuple[Change, ...] = ()) -> Judged:
    """What a request for payment asks for and what follows.

    Args:
        mail: What came with the invoice.
        account: What the invoice asks to pay to.
        on_file: The vendor's account before the changes in the log.
        log: Changes of the vendor's record, the latest last.
    """
    signs = {sign for sign, words in _WORDS.items() if words.search(mail)}
    if compact(account) != compact(on_file):
        signs.add(Sign.ACCOUNT)
    cleared = next(
        (entry for entry in reversed(log) if compact(entry.account) == compact(account) and entry.verified),
        None,
    )
    if cleared is not None:
        signs -= {Sign.ACCOUNT, Sign.NEW_BANK}
    if signs:
        return Judged(Ruling.HOLD_AND_CALL, frozenset(signs))
    return Judged(Ruling.RELEASE, frozenset(), cleared.entry_id if cleared else None)
