"""Invoice numbers: how alike two are, and in which way.

Compares and never corrects: of two numbers that look alike both can be right.
"""

from __future__ import annotations

import re
from enum import StrEnum

from envs.ledgershield.names import compact

_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
_SUFFIX = re.compile(r"(?<=\d)[A-Z]$")
_TWINS = str.maketrans("OQILSBZG", "00115826")


class Likeness(StrEnum):
    """In which way two numbers are alike, the closest first."""

    SAME = "the same"
    ZEROS = "the same but for zeros in front"
    LOOK_ALIKE = "the same but for letters and digits that look alike"
    SUFFIXED = "the same but for a letter at the end"
    SWAPPED = "the same but for two neighbours that changed places"
    OTHER = "different"


def likeness(one: str, other: str) -> Likeness:
    """The closest way in which two numbers are alike."""
    one, other = compact(one), compact(other)
    if one == other:
        return Likeness.SAME
    if without_zeros(one) == without_zeros(other):
        return Likeness.ZEROS
    if _seen(one) == _seen(other):
        return Likeness.LOOK_ALIKE
    if _SUFFIX.sub("", one) == _SUFFIX.sub("", other):
        return Likeness.SUFFIXED
    return Likeness.SWAPPED if _swapped(one, other) else Likeness.OTHER


def without_zeros(number: str) -> str:
    """The number with no zero in front of any of its groups of digits."""
    return _ZEROS.sub("", compact(number))


def _seen(number: str) -> str:
    """The number as a scanner may see it."""
    return number.translate(_TWINS)


def _swapped(one: str, other: str) -> bool:
    if len(one) != len(other):
        return False
    differ = [place for place in range(len(one)) if one[place] != other[place]]
    if len(differ) != 2 or differ[1] != differ[0] + 1:
        return False
    return one[differ[0]] == other[differ[1]] and one[differ[1]] == other[differ[0]]
