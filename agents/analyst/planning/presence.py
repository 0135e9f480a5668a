"""Presence: rows that must, or must not, be there in another table: `customers without orders`."""

from __future__ import annotations

from agents.analyst.planning.items import Named, Said, Unknown, Valued
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import Reading, anything
from agents.analyst.planning.sketch import Pick, Presence, Test
from envs.analyst.ir import Op

_NEAR = 6
_NAMED_LEAST = 0.85


def read_presence(reading: Reading) -> None:
    """Takes `without any …`, `who never …`, `with no value of …` and `not used by …`."""
    for place in range(len(reading.items)):
        _verb(reading, place)
    for place in reading.places(Kind.WITHOUT, Kind.NOT):
        _absent(reading, place)
    for place in reading.places(Kind.NULL):
        _nothing(reading, place)


def _verb(reading: Reading, place: int) -> None:
    """`who ordered`, `never reviewed`: a verb that is made of a table's name."""
    item = reading.free(place)
    ordering = isinstance(item, Said) and item.mark.kind is Kind.ORDER
    if not (isinstance(item, Unknown) or ordering) or item is None:
        return
    table = reading.vocabulary.table_of_verb(item.text.lower().split()[0])
    if table is None or table == reading.sketch.entity:
        return
    before = place - 1
    refused = reading.kind(before) is Kind.WITHOUT
    reading.take(place, *((before,) if refused else ()))
    reading.sketch.presences.append(Presence(place, table, negated=refused))


def _absent(reading: Reading, place: int) -> None:
    entity = reading.sketch.entity
    for there in range(place + 1, min(place + _NEAR, len(reading.items))):
        item = reading.item(there)
        ends = reading.kind(there) in (Kind.AND, Kind.OR, Kind.EACH, Kind.ORDER)
        own = isinstance(item, Valued) and (reading.kind(place) is Kind.NOT or _is_own(reading, item))
        if ends or own:
            return
        if not isinstance(item, Named) or there in reading.used:
            continue
        if entity is not None and reading.table(there) == entity:
            if _of_values(reading, place, entity):
                # `which districts have no member who …`: of the values, not of the rows.
                reading.take(place, there)
                reading.sketch.presences.append(Presence(place, entity, negated=True))
                return
            # `devices that have no devices in stock`
            continue
        table = _other_table(item, reading, there, entity)
        if table is not None:
            reading.take(place, there)
            reading.sketch.presences.append(Presence(place, table, negated=True))
            _forget_words(reading, place, there)
            return
        if item.naming.score < _NAMED_LEAST:
            # `never borrowed a book`: half a name is the verb, the table comes after it.
            if _half_named(reading, item, place, there):
                return
            continue
        pick = reading.column(there, anything, entity)
        if pick is not None and reading.kind(place) is Kind.WITHOUT:
            reading.take(place, there)
            reading.sketch.tests.append(Test(place, pick, Op.BLANK))
            return


def _of_values(reading: Reading, place: int, entity: str) -> bool:
    """Whether a column of the table, and not the table, is what has no rows."""
    subject = reading.before(place, Kind.CLAUSE)
    item = reading.item(subject)
    if not isinstance(item, Named) or reading.table(subject) is not None:
        return False
    return any(hit.table == entity for hit in item.naming.columns)


def _is_own(reading: Reading, item: Valued) -> bool:
    """`that do not have Android as their platform`: the value is one of the rows asked about themselves."""
    entity = reading.sketch.entity
    return any(entity is not None and reading.graph.reaches(entity, match.table_id) for match in item.matches)


def _half_named(reading: Reading, item: Named, place: int, there: int) -> bool:
    """Takes `never borrowed` and `not returned` where the verb is half the name of a column."""
    entity = reading.sketch.entity
    if _is_verb_of(item, reading, there, entity):
        reading.take(place, there)
        reading.sketch.presences.append(Presence(place, item.naming.columns[0].table, negated=True))
        return True
    own = next((hit for hit in item.naming.columns if hit.table == entity), None)
    if own is None or _goes_on(reading, there):
        return False
    reading.take(place, there)
    reading.sketch.tests.append(Test(place, Pick(own.table, own.column), Op.BLANK))
    return True


def _other_table(item: Named, reading: Reading, place: int, entity: str | None) -> str | None:
    """The table that an absence is of; a column of the same name is that of the table that refers to it."""
    table = reading.table(place)
    if table is None and item.naming.tables and item.naming.tables[0].score >= 0.8:
        table = item.naming.tables[0].table
        own = [hit for hit in item.naming.columns if hit.table == entity and hit.score > 0.9]
        table = None if own else table
    if table is None or table == entity:
        return None
    return table


def _goes_on(reading: Reading, place: int) -> bool:
    return any(
        isinstance(reading.item(there), Named)
        for there in range(place + 1, min(place + 4, len(reading.items)))
    )


def _is_verb_of(item: Named, reading: Reading, place: int, entity: str | None) -> bool:
    """`books that were never borrowed`: nothing follows, and the verb is a column of another table."""
    columns = item.naming.columns
    return (
        not _goes_on(reading, place) and bool(columns) and columns[0].table != entity and entity is not None
    )


def _forget_words(reading: Reading, place: int, there: int) -> None:
    """What stands between `never` and a table is its verb: `never placed an order`."""
    reading.take(
        *(between for between in range(place, there) if isinstance(reading.item(between), Unknown | Named))
    )


def _nothing(reading: Reading, place: int) -> None:
    mark = reading.mark(place)
    assert mark is not None
    before = reading.before(place, Kind.IS, Kind.NOT)
    beside = before if reading.named(before) else reading.after(place)
    pick = reading.column(beside, anything, reading.sketch.entity) if reading.named(beside) else None
    if pick is None:
        return
    reading.take(place, beside)
    op = Op.BLANK if mark.what == "is_null" else Op.NOT_BLANK
    if reading.kind(reading.before(place)) is Kind.NOT:
        reading.take(reading.before(place))
        op = Op.NOT_BLANK if op is Op.BLANK else Op.BLANK
    reading.sketch.tests.append(Test(place, pick, op))
