"""Steps: where a period starts, and moving on by whole periods."""

from __future__ import annotations

from datetime import datetime, timedelta

from agents.analyst.planning.months import add_months
from agents.analyst.planning.phrases import Unit


def floor(moment: datetime, unit: Unit) -> datetime:
    """The start of the hour, day, week (Monday), month, quarter or year that a moment is in."""
    if unit is Unit.HOUR:
        return moment.replace(minute=0, second=0, microsecond=0)
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    match unit:
        case Unit.DAY:
            return day
        case Unit.WEEK:
            return day - timedelta(days=day.weekday())
        case Unit.MONTH:
            return day.replace(day=1)
        case Unit.QUARTER:
            return day.replace(month=3 * ((day.month - 1) // 3) + 1, day=1)
        case Unit.YEAR:
            return day.replace(month=1, day=1)


def shift(moment: datetime, unit: Unit, count: int) -> datetime:
    """A moment so many units later; months keep the first day that they start on."""
    match unit:
        case Unit.HOUR:
            return moment + timedelta(hours=count)
        case Unit.DAY:
            return moment + timedelta(days=count)
        case Unit.WEEK:
            return moment + timedelta(weeks=count)
        case Unit.MONTH:
            return add_months(moment, count)
        case Unit.QUARTER:
            return add_months(moment, 3 * count)
        case Unit.YEAR:
            return add_months(moment, 12 * count)
