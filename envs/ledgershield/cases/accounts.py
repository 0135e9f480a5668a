"""Account numbers of cases: with the right check digits, and of banks that do not exist."""

from __future__ import annotations

from envs.kernel.rng import Rng
from envs.ledgershield.matching.accounts import valid_form

UNKNOWN = "00"


def iban(country: str, rest: str) -> str:
    """The account number of a country with this national part, in groups of four."""
    number = valid_form(f"{country}{UNKNOWN}{rest}")
    return " ".join(number[start : start + 4] for start in range(0, len(number), 4))


def drawn(country: str, bank: str, digits: int, rng: Rng) -> str:
    """An account number of a country at this address: the bank, then as many digits."""
    return iban(country, bank + "".join(str(rng.at(place).integer(0, 9)) for place in range(digits)))
