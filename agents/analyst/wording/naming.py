"""Naming: what the columns and the times of an answer are called in the data's own words.

Leaves to `goals` and `answering` what is said of them.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from agents.analyst.planning.outcome import Planned
from agents.analyst.planning.words import Language

_MONTHS = {
    Language.EN: (
        "January February March April May June July August September October November December".split()
    ),
    Language.ID: (
        "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November Desember".split()
    ),
}


def title(planned: Planned, name: str) -> str:
    """A column's name with a capital: `total_amount` is `Revenue` where people call it so."""
    words = called(planned, name)
    return words[:1].upper() + words[1:]


def called(planned: Planned, name: str) -> str:
    """A column's name as words."""
    spoken = dict(planned.words)
    if name.endswith("_before") and name.removesuffix("_before") in spoken:
        before = "before" if planned.language is Language.EN else "sebelumnya"
        return f"{spoken[name.removesuffix('_before')]} {before}"
    return spoken.get(name, name.replace(".", " ").replace("_", " "))


def period(start: str, end: str, language: Language) -> str:
    """A half-open stretch of time as people say it: `Q1 2026`, `March 2026`, `2025`, else both its days."""
    first, after = datetime.fromisoformat(start), datetime.fromisoformat(end)
    months = (after.year - first.year) * 12 + after.month - first.month
    if (first.day, after.day) == (1, 1) and (first.hour, after.hour) == (0, 0):
        if months == 1:
            return f"{_MONTHS[language][first.month - 1]} {first.year}"
        if months == 3 and first.month % 3 == 1:
            return f"Q{first.month // 3 + 1} {first.year}"
        if months == 12 and first.month == 1:
            return str(first.year)
    last = (after - timedelta(seconds=1)).date().isoformat()
    return f"{start[:10]} to {last}" if language is Language.EN else f"{start[:10]} sampai {last}"
