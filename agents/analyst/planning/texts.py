"""Texts: tests of parts of a text: containing, starting with, ending with."""

from __future__ import annotations

from agents.analyst.planning.conditions import joined_at, negated_at
from agents.analyst.planning.items import Item, Named, Numbered, Said, Timed, Unknown, Valued
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import Reading, anything
from agents.analyst.planning.sketch import Test
from envs.analyst.ir import Op


def read_text(reading: Reading, place: int) -> None:
    mark = reading.mark(place)
    assert mark is not None
    there = reading.after(place, Kind.IS)
    if isinstance(item := reading.free(there), (Unknown, Named)) and item.text.lower() in _WORDS:
        reading.take(there)
        there = reading.after(there)
    value = _typed(reading.free(there))
    if value is None:
        return
    if mark.what == "contains" and reading.table(there) is not None:
        # `halls that contain shops`: no part of a text.
        reading.take(place)
        return
    op = Op(mark.what)
    refused = negated_at(reading, place)
    if refused is not None and op is Op.CONTAINS:
        op = Op.NOT_CONTAINS
        reading.take(refused)
    before = reading.before(place, Kind.IS, Kind.CLAUSE, Kind.NOT, Kind.HAVE)
    pick = reading.column(before, anything, reading.sketch.entity) if reading.named(before) else None
    taken = [place, there]
    if pick is not None and reading.table(before) is None:
        taken.append(before)
    else:
        behind = reading.after(there, Kind.OF)
        pick = reading.column(behind, anything, reading.sketch.entity) if reading.named(behind) else None
        if pick is not None and reading.kind(reading.before(behind)) is Kind.OF:
            taken.append(behind)
        else:
            table = reading.table(before) or reading.sketch.entity
            pick = reading.label(table)[0] if table else None
    if pick is None:
        return
    reading.take(*taken)
    reading.sketch.tests.append(Test(place, pick, op, (value,), joined=joined_at(reading, place)))


_WORDS = frozenset("word letter substring phrase string text character kata huruf".split())


def _typed(item: Item | None) -> str | None:
    match item:
        case Valued() | Unknown() | Named() | Numbered() | Timed():
            return item.text
        case Said() if len(item.text) <= 3:
            return item.text
        case Said() | None:
            return None
