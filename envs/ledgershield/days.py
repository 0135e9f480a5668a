"""Days of the calendar as numbers: day 0 is 1 March of year 0, so that leap days end a year.

Decides nothing else. Source: Howard Hinnant, "chrono-compatible low-level date algorithms", civil_from_days.
"""

from __future__ import annotations

DAYS_OF_400_YEARS = 146_097


def day_of(year: int, month: int, day: int) -> int:
    """The number of a day of the Gregorian calendar."""
    y = year - (month <= 2)
    era, of_era = divmod(y, 400)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * DAYS_OF_400_YEARS + of_era * 365 + of_era // 4 - of_era // 100 + of_year


def iso(day: int) -> str:
    """A day's number as YYYY-MM-DD."""
    era, of_era = divmod(day, DAYS_OF_400_YEARS)
    year = (of_era - of_era // 1460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    day_of_month = of_year - (153 * month + 2) // 5 + 1
    civil = month + 3 if month < 10 else month - 9
    return f"{year + era * 400 + (civil <= 2):04d}-{civil:02d}-{day_of_month:02d}"
