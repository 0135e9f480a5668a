"""Texts: tests of parts of a text: containing, starting with, ending with."""

from __future__ import annotations

from agents.analyst.planning.conditions import joined_at, negated_at
from agents.analyst.planning.items import Item, Named, Numbered, Said, Timed, Unknown, Valued
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import Reading, anything
from agents.analyst.planning.sketch import Test
from envs.analyst.catalogue import ColumnType
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
        # `the full names that contain …` are asked for, those `whose name contains …` are not.
        taken += [] if reading.said(place - 1) is Kind.CLAUSE else [before]
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


def read_held(reading: Reading, place: int) -> None:
    """Takes `that have "a" in their names`: a part of a text that is quoted."""
    there = reading.after(place)
    item, behind = reading.free(there), reading.after(there, Kind.OF)
    inside = reading.item(reading.after(there))
    if not isinstance(item, Valued) or inside is None or inside.text.lower() != "in":
        return
    pick = reading.column(behind, anything, reading.sketch.entity) if reading.named(behind) else None
    if pick is None or reading.column_record(pick).type is not ColumnType.TEXT or item.matches:
        return
    reading.take(place, there, behind)
    reading.sketch.tests.append(
        Test(place, pick, Op.CONTAINS, (item.text,), joined=joined_at(reading, place))
    )


_WORDS = frozenset("word letter substring phrase string text character kata huruf".split())


def _typed(item: Item | None) -> str | None:
    match item:
        case Valued() | Unknown() | Named() | Numbered() | Timed():
            return item.text
        case Said() if len(item.text) <= 3:
            return item.text
        case Said() | None:
            return None
