"""Account numbers: whether an IBAN can be right, and how a scan of one differs from a known one.

Decides no payment: a slip of the scanner and a lie look alike here, and a person confirms either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from envs.ledgershield.names import compact

PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        "AT": r"\d{16}", "BE": r"\d{12}", "CH": r"\d{5}[A-Z0-9]{12}", "CZ": r"\d{20}", "DE": r"\d{18}",
        "DK": r"\d{14}", "ES": r"\d{20}", "FI": r"\d{14}", "FR": r"\d{10}[A-Z0-9]{11}\d{2}",
        "GB": r"[A-Z]{4}\d{14}", "IE": r"[A-Z]{4}\d{14}", "IT": r"[A-Z]\d{10}[A-Z0-9]{12}",
        "LU": r"\d{3}[A-Z0-9]{13}", "NL": r"[A-Z]{4}\d{10}", "NO": r"\d{11}", "PL": r"\d{24}",
        "PT": r"\d{21}", "SE": r"\d{20}",
    }
)  # fmt: skip
"""What follows country and check digits, by country; of others only the check digits are known."""

_SHAPE = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{8,30}")
_DIGIT_OF = str.maketrans("OQDILZSGB", "000112568")
"""The digit that a scanner takes for a letter."""


class Doubt(StrEnum):
    """What is wrong with an account number taken by itself."""

    SHAPE = "not the shape of an IBAN"
    LETTER = "a letter in a place for digits"
    CHECK_DIGITS = "wrong check digits"


class Difference(StrEnum):
    """How a number that was read stands to one that is known."""

    NONE = "the known account"
    SCAN_SLIP = "a letter where the known account has its look-alike digit"
    ONE_DIGIT_OFF = "one digit off the known account"
    INVALID = "no account at all"
    OTHER = "another account"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A number that was read beside one that is known.

    Attributes:
        suggestion: The known number where the one read is probably a slip; for a person to confirm.
    """

    difference: Difference
    suggestion: str | None = None


def doubts(number: str) -> frozenset[Doubt]:
    """What is wrong with an account number; nothing is, if it can be one."""
    return frozenset(_doubts(compact(number)))


def valid_form(number: str) -> str:
    """The number with the check digits that belong to it: 02 to 98, never 00, 01 or 99.

    Raises:
        ValueError: If it has not the shape of an IBAN.
    Source: ISO 13616-1; ISO 7064, MOD 97-10.
    """
    number = compact(number)
    if not _SHAPE.fullmatch(number):
        raise ValueError(
            f"{number[:40]!r} is no IBAN; give country, two digits and 8 to 30 letters or digits"
        )
    country, rest = number[:2], number[4:]
    digits = "".join(str(int(letter, 36)) for letter in f"{rest}{country}00")
    return f"{country}{98 - int(digits) % 97:02d}{rest}"


def compared(read: str, known: str) -> Comparison:
    """How a number that was read differs from one that is known."""
    read, known = compact(read), compact(known)
    if read == known:
        return Comparison(Difference.NONE)
    wrong = doubts(read)
    if Doubt.LETTER in wrong and _digits_read(read, known):
        return Comparison(Difference.SCAN_SLIP, known)
    if wrong and _off(read, known) == 1:
        return Comparison(Difference.ONE_DIGIT_OFF, known)
    return Comparison(Difference.INVALID if wrong else Difference.OTHER)


def _doubts(number: str) -> Iterator[Doubt]:
    if not _SHAPE.fullmatch(number):
        lettered = _SHAPE.fullmatch(number[:2] + number[2:4].translate(_DIGIT_OF) + number[4:])
        yield Doubt.LETTER if lettered else Doubt.SHAPE
        return
    pattern = PATTERNS.get(number[:2])
    if pattern is not None and not re.fullmatch(pattern, number[4:]):
        spelled = re.fullmatch(pattern, number[4:].translate(_DIGIT_OF))
        yield Doubt.LETTER if spelled else Doubt.SHAPE
    if valid_form(number) != number:
        yield Doubt.CHECK_DIGITS


def _digits_read(read: str, known: str) -> bool:
    """Whether the two are one number once letters are taken for the digits that they look like."""
    return len(read) == len(known) and all(
        one == other or one.translate(_DIGIT_OF) == other for one, other in zip(read, known, strict=True)
    )


def _off(read: str, known: str) -> int:
    """In how many places two numbers differ; all of them if they are not equally long."""
    if len(read) != len(known):
        return max(len(read), len(known))
    return sum(one != other for one, other in zip(read, known, strict=True))
