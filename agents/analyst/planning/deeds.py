"""Deeds: superlatives of what was done, and what stands around any: `second`, `10 %`, `by revenue`.

Leaves to `extremes` which row or group one is about.
"""

from __future__ import annotations

from agents.analyst.planning.items import Named, Numbered, Timed, Valued
from agents.analyst.planning.marks import Kind, Mark
from agents.analyst.planning.outcome import Assumption, AssumptionKind
from agents.analyst.planning.reading import Reading, numeric
from agents.analyst.planning.sketch import Ranking, Target
from agents.analyst.planning.targets import target_at
from envs.analyst.ir import Aggregate


def percent(reading: Reading, place: int, number: float) -> bool:
    """Takes `10 pct`: a part of all and no number of rows."""
    behind = reading.item(place + 1)
    if behind is None or behind.text.lower() != "pct" or not 0 < number <= 100:
        return False
    reading.pass_over(place)
    reading.pass_over(place + 1)
    reading.sketch.percent = number
    return True


def ordinal(reading: Reading, place: int) -> None:
    """Takes `second` of `the second highest`: how many are before it."""
    before = reading.before(place)
    item = reading.item(before)
    nth = _NTH.get(item.text.lower()) if item is not None and before not in reading.used else None
    if nth is not None and item is not None and not isinstance(item, Named):
        reading.pass_over(before)
        reading.sketch.skip = nth - 1


_NTH = {
    "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5,
    "kedua": 2, "ketiga": 3, "keempat": 4, "kelima": 5,
}  # fmt: skip
BY_DEEDS = frozenset({"@sold", "@busy"})


def by_deeds(reading: Reading, place: int, mark: Mark, there: int, limit: int | None) -> None:
    """`which store sold most`, `the busiest day`: by pieces sold, by what happened."""
    descending = mark.what == "desc"
    by = said_by(reading, place)
    named = target_at(reading, there, reading.sketch.entity)
    if (
        by is None
        and named is not None
        and named[0].pick is not None
        and numeric(reading.column_record(named[0].pick)) > 0
    ):
        by = named
    if by is not None:
        reading.take(place, *by[1])
        rank(reading, by[0], descending, limit)
        return
    target = _done(reading, mark)
    if target is not None:
        reading.take(place)
        rank(reading, target, descending, limit)
        if target.pick is not None:
            said = reading.items[place].text
            meant = f"{target.pick.table}.{target.pick.column}"
            reading.sketch.assumptions.append(Assumption(AssumptionKind.COLUMN, said, meant))


def _done(reading: Reading, mark: Mark) -> Target | None:
    """Pieces sold, or, of what is busy, rows of what happened where these are told apart by a key."""
    entity = reading.sketch.entity or reading.events()
    table = (reading.events(entity) or entity) if entity else None
    if table is None:
        return None
    pieces = reading.sold(table)
    if "@busy" in mark.hint and (pieces is None or reading.vocabulary.table(table).primary_key):
        return Target(Aggregate.COUNT, table=table)
    return Target(Aggregate.SUM, pieces) if pieces else None


def said_by(reading: Reading, place: int) -> tuple[Target, tuple[int, ...]] | None:
    """What stands after `by`, `in terms of`, `with the … ` behind a name: the thing ranked by."""
    there = reading.after(place)
    for _ in range(8):
        mark, item = reading.mark(there), reading.item(there)
        if item is None:
            return None
        if (
            mark is not None
            and (mark.kind is Kind.EACH and not mark.what)
            and getattr(item, "text", "") in _BY
        ):
            target = target_at(reading, reading.after(there))
            if target is not None and _is_group(reading, there, target[0]):
                there = reading.after(target[1][-1])
                continue
            if target is not None and (target[0].agg is not None or _countable(reading, target[0])):
                return target[0], (there, *target[1])
            return None
        if not isinstance(item, (Named, Numbered, Valued, Timed)) and (
            mark is None or mark.kind not in (Kind.OF, Kind.NOTHING, Kind.EACH, Kind.GRAIN)
        ):
            return None
        there = reading.after(there)
    return None


_BY = ("by", "menurut", "berdasarkan", "per")


def _is_group(reading: Reading, place: int, target: Target) -> bool:
    """`top 2 channels per region`: a table after `per` that nothing counts is what the rows are parted by."""
    item = reading.item(place)
    per = item is not None and item.text.lower() == "per"
    return per and target.pick is None and reading.kind(reading.after(place)) is not Kind.AGG


def _countable(reading: Reading, target: Target) -> bool:
    return target.pick is None or numeric(reading.column_record(target.pick)) > 0


def rank(reading: Reading, target: Target, descending: bool, limit: int | None) -> None:
    reading.sketch.rankings.append(Ranking(target, descending))
    reading.sketch.limit = limit or reading.sketch.limit or 1
