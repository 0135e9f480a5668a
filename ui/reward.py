"""Reward as signed bars that add up to the printed total."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from envs.kernel.outcome import Parts, Reward

CLIPPED = "limit"


@dataclass(frozen=True, slots=True)
class Bar:
    """One named part. `share` of the longest bar, in [0, 1]."""

    name: str
    value: float
    text: str
    share: float

    @property
    def sign(self) -> str:
        return "plus" if self.value > 0 else "minus" if self.value < 0 else "zero"


@dataclass(frozen=True, slots=True)
class Sheet:
    """Bars and the total that they come to."""

    bars: tuple[Bar, ...]
    total: float
    text: str

    @property
    def sign(self) -> str:
        return "plus" if self.total > 0 else "minus" if self.total < 0 else "zero"


def sheet(rewards: Iterable[Reward]) -> Sheet:
    """What these rewards come to together, by part.

    Where totals are held within bounds, a part named `limit` says how much that took away or gave.
    """
    rewards = list(rewards)
    total = math.fsum(reward.total for reward in rewards)
    parts = _summed(rewards)
    clipped = total - math.fsum(value for _, value in parts)
    if parts and abs(clipped) > 1e-9:
        parts = (*parts, (CLIPPED, clipped))
    digits = _digits([total, *(value for _, value in parts)])
    printed = round(total * 10**digits)
    texts = _texts([value for _, value in parts], printed, digits)
    longest = max((abs(value) for _, value in parts), default=0.0) or 1.0
    bars = (
        Bar(name, value, text, abs(value) / longest) for (name, value), text in zip(parts, texts, strict=True)
    )
    return Sheet(tuple(bars), total, signed(printed / 10**digits, digits))


def signed(value: float, digits: int = 2) -> str:
    """The number with + or − before it, unless it is zero at this precision."""
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0.0:
        return text
    return f"+{text}" if value > 0 else f"−{text}"


def _summed(rewards: Sequence[Reward]) -> Parts:
    names = dict.fromkeys(name for reward in rewards for name, _ in reward.parts)
    return tuple((name, math.fsum(v for r in rewards for n, v in r.parts if n == name)) for name in names)


def _digits(values: Sequence[float]) -> int:
    exact = all(math.isclose(value, round(value, 2), abs_tol=1e-9) for value in values)
    return 2 if exact else 3


def _texts(values: Sequence[float], total: int, digits: int) -> list[str]:
    """Rounded so that the parts add up to the printed total: the largest remainders give way.

    Args:
        total: In units of the last printed digit.
    """
    unit = 10**digits
    scaled = [value * unit for value in values]
    whole = [math.floor(value) for value in scaled]
    missing = total - sum(whole)
    by_remainder = sorted(range(len(values)), key=lambda i: whole[i] - scaled[i])
    for index in by_remainder[: max(0, missing)]:
        whole[index] += 1
    return [signed(value / unit, digits) for value in whole]
