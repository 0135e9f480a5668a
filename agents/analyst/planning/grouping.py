"""Grouping: what an answer has one row for each of, and the steps of time it goes in."""

from __future__ import annotations

from agents.analyst.planning.items import Named, Said, Unknown, Valued
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import TEMPORAL, Reading, anything, numeric
from agents.analyst.planning.sketch import Pick, Target
from agents.analyst.planning.words import name_words
from envs.analyst.ir import Aggregate, Grain

OWN = 0.98
"""How surely a column of the rows asked about is named for it to be meant and not the table of that name."""


def read_ratios(reading: Reading) -> None:
    """Takes `kg per bobbin`: of two amounts the one is divided by the other, total by total."""
    for place in reading.places(Kind.EACH):
        item = reading.item(place)
        if not isinstance(item, Said) or item.text.lower() != "per":
            continue
        before, after = reading.before(place), reading.after(place)
        if reading.named(before) is None or reading.named(after) is None or reading.table(after):
            continue
        upper, lower = reading.column(before, numeric), reading.column(after, numeric)
        if upper is None or lower is None or upper == lower:
            continue
        if numeric(reading.column_record(upper)) < 0 or numeric(reading.column_record(lower)) < 0:
            continue
        reading.take(before, place, after)
        agg = reading.before(before, Kind.OF)
        if (mark := reading.mark(agg)) and mark.kind is Kind.AGG:
            reading.take(agg)
        reading.sketch.targets.append(Target(Aggregate.SUM, upper, over=lower))


def read_groups(reading: Reading) -> None:
    """Takes `for each …`, `by … and …`, `per month`."""
    for place in reading.places(Kind.GRAIN):
        _grain(reading, place)
    for place in reading.places(Kind.EACH):
        _each(reading, place)


def _grain(reading: Reading, place: int) -> None:
    mark = reading.mark(place)
    assert mark is not None
    grain = Grain(mark.what)
    before = reading.before(place, Kind.OF)
    pick = reading.column(before) if reading.named(before) else None
    if pick is not None and reading.column_record(pick).type in TEMPORAL:
        reading.take(before)
        reading.sketch.grain_of = pick
    elif (own := _column_of_grain(reading, grain)) is not None:
        reading.take(place)
        reading.sketch.groups.append(own)
        return
    reading.take(place)
    reading.sketch.grain = grain
    reading.sketch.within_grain = reading.sketch.limit is not None and bool(reading.sketch.rankings)
    more = _next_group(reading, place)
    if more is not None and reading.named(more) is not None and not _is_amount(reading, more):
        # `per month and region`
        reading.take(place + 1)
        if _group(reading, more):
            reading.take(more)


def _is_amount(reading: Reading, place: int) -> bool:
    pick = reading.column(place, anything, reading.sketch.entity) if not reading.table(place) else None
    return pick is not None and numeric(reading.column_record(pick)) > 0


def _column_of_grain(reading: Reading, grain: Grain) -> Pick | None:
    """A column that holds years or months itself, in a table that knows no dates."""
    entity = reading.sketch.entity
    tables = [entity] if entity else list(reading.mentioned)
    for table_id in tables:
        table = reading.vocabulary.table(table_id)
        if table.time_column is not None:
            continue
        for column in table.columns:
            if name_words(column.name)[-1:] == (grain.value,) and column.type not in TEMPORAL:
                return Pick(table_id, column.name)
    return None


def _each(reading: Reading, place: int) -> None:
    there = reading.after(place, Kind.OF, Kind.DISTINCT, Kind.WHICH)
    if not isinstance(reading.free(there), Named):
        return
    if _done_by(reading, place, there) or _over_all(reading, place, there):
        return
    reading.take(place)
    sketch = reading.sketch
    known = list(sketch.groups)
    next_one: int | None = there
    while next_one is not None and _group(reading, next_one):
        reading.take(next_one)
        next_one = _next_group(reading, next_one)
    added = [pick for pick in sketch.groups if pick not in known]
    if sketch.limit is not None and sketch.rankings and _parts(reading, place):
        sketch.within.extend(added)
    if sketch.overall is not None and not _parts(reading, place):
        sketch.kept.extend(added)


def _parts(reading: Reading, place: int) -> bool:
    """Whether `in each`, `per` and the like say that every group is looked at by itself."""
    item = reading.item(place)
    return isinstance(item, Said) and item.text.lower() not in _SPLITTING


_SPLITTING = frozenset(
    {"by", "by each", "by every", "menurut", "berdasarkan", "broken down by", "split by", "grouped by",
     "group by", "across", "across all", "across different"}
)  # fmt: skip


def _group(reading: Reading, place: int) -> bool:
    """Groups by what is named at a place: a table's rows, a column's values, a date's days."""
    sketch, named, table = reading.sketch, reading.named(place), reading.table(place)
    if named is None:
        return False
    own = any(hit.score > OWN and hit.table == sketch.entity for hit in named.naming.columns)
    if table is not None and not own:
        sketch.groups.extend(reading.label(table))
        sketch.keyed.add(table)
        sketch.labels.update(reading.label(table))
        return True
    pick = reading.column(place, anything, sketch.entity)
    if pick is None:
        return False
    if reading.column_record(pick).type in TEMPORAL and sketch.grain is None:
        sketch.grain, sketch.grain_of = Grain.DAY, pick
    else:
        sketch.groups.append(pick)
    return True


def _next_group(reading: Reading, place: int) -> int | None:
    """Where the list of groups goes on: `by region and channel`; None where it ends."""
    joined = reading.mark(place + 1)
    if joined is None or joined.kind is not Kind.AND:
        return None
    there = reading.after(place + 1)
    if reading.kind(there) is Kind.EACH:
        there = reading.after(there)
    if reading.kind(reading.after(there)) in (Kind.IS, Kind.CMP, Kind.HAVE):
        return None
    return None if joined.what == "," and not _enumerates(reading, there) else there


def _over_all(reading: Reading, place: int, there: int) -> bool:
    """`the average age across all members`: the rows whose ages these are, and no groups of them."""
    item, table = reading.item(place), reading.table(there)
    if item is None or not item.text.lower().startswith("across") or table is None:
        return False
    counted = [ranking.target.table for ranking in reading.sketch.rankings if ranking.target]
    if table in counted and reading.sketch.limit is not None:
        # `the genre that is most frequent across all tracks`
        return True
    picks = [
        reading.column(before, numeric, table)
        for before in range(place)
        if isinstance(reading.item(before), Named) and reading.table(before) is None
    ]
    return any(pick is not None and pick.table == table for pick in picks)


def _done_by(reading: Reading, place: int, there: int) -> bool:
    """`paid by members` says who did it, `revenue by region` what it is split by."""
    item, before = reading.item(place), reading.item(place - 1)
    if not isinstance(item, Said) or item.text.lower() != "by":
        return False
    if isinstance(reading.item(there + 1), Valued):
        # `albums by the artist Vale`
        return True
    if isinstance(before, Named) and reading.table(place - 1) is None and reading.table(there) is not None:
        # `money requested by all founders`: the name of the column is what they did.
        plural = there > place + 1 or reading.items[there].text.lower().endswith("s")
        return (plural and before.text.lower().endswith(("ed", "en"))) or _is_half(before)
    verb = isinstance(before, Unknown) and before.text.lower().endswith(("ed", "en", "wn", "de", "ht", "id"))
    return verb or (isinstance(before, Named) and _is_half(before))


def _is_half(name: Named) -> bool:
    """Whether a word that is only half a column's name is a verb."""
    return name.naming.score < 0.85 and name.text.lower().endswith(("ed", "en"))


def _enumerates(reading: Reading, place: int) -> bool:
    """Whether a comma goes on with the list of groups and does not end the clause."""
    item = reading.mark(place + 1)
    return reading.named(place) is not None and item is not None and item.kind is Kind.AND
