"""Stepping: units of the calendar asked about as such: `which month`, `best day`, `by region and week`.

Leaves `per month` and its like to `grouping`.
"""

from __future__ import annotations

from agents.analyst.planning.items import Numbered
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import Reading
from envs.analyst.ir import Grain

_ASKING = (Kind.WHICH, Kind.SUPER, Kind.COMMON)
_BEHIND = (Kind.WHICH, Kind.SUPER, Kind.COMMON, Kind.HAVE, Kind.CLAUSE)
_WHICH = frozenset({"apa", "mana", "manakah", "apakah"})


def read_steps(reading: Reading) -> None:
    """Takes units of the calendar that an answer has one row for each of."""
    for place in reading.places(Kind.PERIOD):
        if _ranked(reading, place) or _enumerated(reading, place):
            mark = reading.mark(place)
            assert mark is not None
            reading.pass_over(place)
            reading.sketch.grain = Grain(mark.what)
            if reading.sketch.entity is None:
                reading.sketch.entity = reading.events()


def _ranked(reading: Reading, place: int) -> bool:
    """Whether a question looks for the unit: `which month`, `top 3 days`, `bulan terbaik`."""
    if not any(
        reading.said(there) in (Kind.SUPER, Kind.COMMON, Kind.CMP) for there in range(len(reading.items))
    ):
        return False
    before = reading.before(place)
    if isinstance(reading.item(before), Numbered):
        before = reading.before(before)
    behind = reading.item(place + 1)
    asked = behind is not None and behind.text.lower() in _WHICH
    first = before < 0 or reading.said(before) is Kind.VERB
    if asked:
        reading.pass_over(place + 1)
    item = reading.item(place)
    asked = asked or (item is not None and item.text.lower().endswith(" apa"))
    return asked or reading.said(before) in _ASKING or (first and reading.said(place + 1) in _BEHIND)


def _enumerated(reading: Reading, place: int) -> bool:
    """`by region and month`: the unit goes on with a list of groups."""
    joint = reading.before(place)
    named = reading.before(joint)
    each = reading.before(named)
    grouped = reading.said(each) is Kind.EACH and reading.named(named) is not None
    if reading.said(joint) is Kind.EACH:
        return True
    if reading.said(joint) is not Kind.AND or not grouped:
        return False
    reading.take(joint)
    return True
