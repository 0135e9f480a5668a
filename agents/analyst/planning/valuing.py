"""Valuing: tests that a column is, or is not, a value that a question names; and stretches of time."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from agents.analyst.planning.conditions import joined_at, negated_at
from agents.analyst.planning.items import DIRECTIONS, Named, Said, Timed, Unknown, Valued
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.outcome import Assumption, AssumptionKind
from agents.analyst.planning.reading import NUMERIC, TEMPORAL, Reading, anything
from agents.analyst.planning.sketch import Pick, Test, Timing
from agents.analyst.planning.words import folded, name_words
from envs.analyst.catalogue import ColumnType
from envs.analyst.ir import Op, Scalar


def read_values(reading: Reading) -> None:
    """Takes values with the column that is named beside them, or whose only they are."""
    found: list[tuple[int, Pick, bool, tuple[str, ...]]] = []
    for place in range(len(reading.items)):
        item = reading.free(place)
        if isinstance(item, Valued):
            _value(reading, place, item, found)
        elif isinstance(item, Unknown) and _named_so(reading, place):
            _value(reading, place, Valued(item.text, ()), found)
    for place, pick, negated, values in found:
        _append(reading, place, pick, negated, values)


_YES = frozenset("yes y true t 1 ya active aktif".split())
_NO = frozenset("no n false f 0 tidak inactive nonaktif".split())


def read_flags(reading: Reading) -> None:
    """Takes `is active`, `not active`: columns that say yes or no."""
    for place in range(len(reading.items)):
        if reading.named(place) is None or reading.table(place) is not None:
            continue
        before = reading.before(place)
        refused = negated_at(reading, place)
        if refused is None and reading.said(before) not in (Kind.IS, Kind.CLAUSE):
            continue
        pick = reading.column(place, anything, reading.sketch.entity)
        stored = _stored_flag(reading, pick, wanted=refused is None) if pick else None
        if pick is None or stored is None:
            continue
        reading.take(place, *([refused] if refused is not None else []))
        reading.sketch.tests.append(Test(place, pick, Op.EQ, (stored,)))
        if refused is not None and reading.column_record(pick).missing:
            reading.sketch.unsure_flag = pick


def _stored_flag(reading: Reading, pick: Pick, *, wanted: bool) -> Scalar | None:
    """How a column stores yes, or no; None if it stores other things."""
    column = reading.column_record(pick)
    if column.type is ColumnType.BOOLEAN:
        return wanted
    samples = [sample for sample in column.samples if sample not in (None, "")]
    words = {str(sample).strip().lower() for sample in samples}
    if not words or column.distinct > 3 or not words <= _YES | _NO:
        return None
    fitting = [sample for sample in samples if str(sample).strip().lower() in (_YES if wanted else _NO)]
    return fitting[0] if fitting else None


def read_times(reading: Reading) -> None:
    """Takes stretches of time with the column that is named before them."""
    for place in reading.places(Kind.PART):
        reading.take(place)
        reading.sketch.weekend = True
    _new(reading)
    for place in range(len(reading.items)):
        item = reading.free(place)
        if not isinstance(item, Timed):
            continue
        before = reading.before(place, Kind.IS, Kind.OF, Kind.CMP)
        pick = reading.column(before, _timely) if reading.named(before) else None
        if (
            (pick is None or not _is_time(reading, pick))
            and reading.named(place + 1)
            and not reading.table(place + 1)
        ):
            before = place + 1
            pick = reading.column(before, _timely)
        if pick is not None and _is_time(reading, pick):
            reading.take(place, before)
            if not _as_number(reading, place, item, pick):
                reading.sketch.timings.append(Timing(place, item.window, pick))
        else:
            reading.take(place)
            reading.sketch.timings.append(Timing(place, item.window))


def _new(reading: Reading) -> None:
    """`new customers in 2025`: those whose own time lies there."""
    for place in range(len(reading.items)):
        item = reading.free(place)
        if not isinstance(item, Unknown) or item.text.lower() not in ("new", "baru"):
            continue
        table = reading.table(reading.after(place)) or reading.table(reading.before(place))
        timed = any(isinstance(each, Timed) for each in reading.items) or any(reading.places(Kind.GRAIN))
        if timed and table is not None and reading.vocabulary.table(table).time_column is not None:
            reading.take(place)
            reading.sketch.own_time = True


def joined_times(reading: Reading) -> None:
    """Puts `2014 or 2015` together: times that touch are one."""
    timings = reading.sketch.timings
    for one, other in list(pairwise(timings)):
        if one.pick == other.pick and one.window.end is not None and one.window.end == other.window.start:
            window = replace(one.window, last=other.window.last, end=other.window.end, year_only=None)
            timings[:] = [
                replace(one, window=window) if each is one else each for each in timings if each is not other
            ]


def _timely(column: object) -> float:
    return 0.2 if getattr(column, "type", None) in TEMPORAL else 0.0


def _is_time(reading: Reading, pick: Pick) -> bool:
    record = reading.column_record(pick)
    words = set(name_words(record.name))
    return (
        record.type in TEMPORAL
        or bool(words & {"year", "tahun", "date", "tanggal", "birth", "founded", "season"})
        or (record.type in NUMERIC and isinstance(record.low, (int, float)) and 1000 <= record.low <= 2100)
    )


def _as_number(reading: Reading, place: int, item: Timed, pick: Pick) -> bool:
    """A year column is compared with years."""
    if reading.column_record(pick).type in TEMPORAL:
        return False
    reading.sketch.tests.extend(year_tests(place, item, pick))
    return True


def year_tests(place: int, item: Timed | Timing, pick: Pick) -> tuple[Test, ...]:
    """Tests of a column of years that mean the same as a stretch of time."""
    window = item.window
    if window.year_only is not None:
        return (Test(place, pick, Op.EQ, (window.year_only,)),)
    tests: list[Test] = []
    if window.start is not None:
        tests.append(Test(place, pick, Op.GE, (window.start.year,)))
    if window.end is not None:
        whole = (window.end.month, window.end.day) == (1, 1)
        tests.append(Test(place, pick, Op.LT if whole else Op.LE, (window.end.year,)))
    return tuple(tests)


def _named_so(reading: Reading, place: int) -> bool:
    """Whether a word that nobody knows is said to be a name: `named Acme`, `whose title is Acme`."""
    before = reading.before(place)
    item = reading.item(before)
    said = isinstance(item, Said) and item.text.lower() in (
        "named",
        "called",
        "titled",
        "bernama",
        "berjudul",
        "entitled",
    )
    left = reading.before(before)
    column = (
        reading.kind(before) is Kind.IS and reading.named(left) is not None and reading.table(left) is None
    )
    capital = isinstance(word := reading.item(place), Unknown) and word.text[0].isupper()
    return capital and (said or column)


def _value(
    reading: Reading, place: int, item: Valued, found: list[tuple[int, Pick, bool, tuple[str, ...]]]
) -> None:
    refused = negated_at(reading, place)
    if refused is None and reading.kind(reading.before(place)) is Kind.WITHOUT:
        refused = reading.before(place)
    chosen = _column_of(reading, place, item, found)
    if chosen is None:
        return
    pick, beside = chosen
    values = tuple(
        match.value for match in item.matches if (match.table_id, match.column) == (pick.table, pick.column)
    )
    reading.take(place, *beside)
    if refused is not None:
        reading.take(refused)
    if values and (item.guessed or _translated(item.text, values[0])):
        reading.sketch.assumptions.append(Assumption(AssumptionKind.VALUE, item.text, values[0]))
    previous = found[-1] if found else None
    listed = previous is not None and previous[1] == pick and _listed(reading, previous[0], place)
    found.append(
        (
            place,
            pick,
            refused is not None or (listed and previous is not None and previous[2]),
            values or (item.text,),
        )
    )


_JOINTS = (Kind.AND, Kind.OR, Kind.VERSUS)


def _translated(text: str, value: str) -> bool:
    return folded(text) in DIRECTIONS and folded(text) != folded(value)


def _listed(reading: Reading, one: int, other: int) -> bool:
    """Whether two values are members of one list: `France, Spain or Italy`."""
    joined = any(reading.said(place) in _JOINTS for place in range(one + 1, other))
    return joined and all(
        isinstance(item := reading.item(place), Said)
        and item.mark.kind in (*_JOINTS, Kind.NOTHING, Kind.OF, Kind.IS, Kind.EACH, Kind.BOTH)
        for place in range(one + 1, other)
    )


def _column_of(
    reading: Reading, place: int, item: Valued, found: list[tuple[int, Pick, bool, tuple[str, ...]]]
) -> tuple[Pick, tuple[int, ...]] | None:
    """The column that a value is of: named before it, after it, or the likeliest that has it."""
    has = {Pick(match.table_id, match.column) for match in item.matches}
    before = reading.before(place, Kind.IS, Kind.NOT, Kind.OF, Kind.HAVE)
    after = reading.after(place)
    if (joint := reading.item(after)) is not None and joint.text.lower() == "as":
        after = reading.after(after)
    for beside in (before, after):
        named = reading.item(beside)
        if not isinstance(named, Named) or (beside == after and reading.table(beside) and not has):
            continue
        picks = [Pick(hit.table, hit.column) for hit in named.naming.columns]
        fitting = [pick for pick in picks if pick in has]
        if fitting:
            best = max(fitting, key=lambda pick: _weight(reading, pick))
            grouped = (
                reading.said(reading.before(beside)) is Kind.EACH and negated_at(reading, place) is not None
            )
            return best, (beside,) if reading.free(beside) and not grouped and not _shown(
                reading, beside
            ) else ()
        if not has and beside == before and picks and reading.free(beside) and not reading.table(beside):
            pick = reading.column(beside, anything, reading.sketch.entity)
            return (pick, (beside,)) if pick else None
    owner = reading.table(before)
    if item.quoted and owner and not any(reading.graph.reaches(owner, pick.table) for pick in has):
        # `the artist "Vale"` names an artist, though only a song is called so.
        return reading.label(owner)[0], ()
    if has:
        return _likeliest(reading, place, item, has, found), ()
    table = reading.table(before) or reading.table(after) or reading.sketch.entity
    return (reading.label(table)[0], ()) if table and item.text else None


def _shown(reading: Reading, place: int) -> bool:
    """Whether a name before a value is asked for, and not what the value is of: `names of singers from …`."""
    return reading.kind(place + 1) is Kind.OF and any(
        reading.kind(before) is Kind.VERB for before in range(max(place - 2, 0), place)
    )


def _likeliest(
    reading: Reading,
    place: int,
    item: Valued,
    has: set[Pick],
    found: list[tuple[int, Pick, bool, tuple[str, ...]]],
) -> Pick:
    if found and _listed(reading, found[-1][0], place):
        last = found[-1][1]
        if last in has or (
            last.table == reading.sketch.entity and not any(pick.table == last.table for pick in has)
        ):
            return last
    beside = reading.table(reading.before(place, Kind.IS)) or reading.table(reading.after(place))
    ranked = sorted(
        has,
        key=lambda pick: (-_weight(reading, pick) - 0.6 * (pick.table == beside), pick.table, pick.column),
    )
    if len(ranked) > 1 and _weight(reading, ranked[0]) == _weight(reading, ranked[1]) and beside is None:
        reading.doubts.append((item.text, tuple(ranked[:3])))
    return ranked[0]


def _weight(reading: Reading, pick: Pick) -> float:
    entity = reading.sketch.entity
    weight = 1.0 * (pick.table == entity) + 0.5 * (pick.table in reading.mentioned)
    if entity is not None and reading.graph.reaches(entity, pick.table):
        weight += 0.3 / (1 + reading.graph.above[entity][pick.table])
    table = reading.vocabulary.table(pick.table)
    return weight + 0.1 * (table.label_column == pick.column)


def _append(reading: Reading, place: int, pick: Pick, negated: bool, values: tuple[str, ...]) -> None:
    tests, typed = reading.sketch.tests, _typed(reading, pick, values)
    last = tests[-1] if tests else None
    many = Op.NOT_IN if negated else Op.IN
    same = (
        last is not None
        and last.pick == pick
        and last.op in ((Op.NE, Op.NOT_IN) if negated else (Op.EQ, Op.IN))
    )
    if same and last is not None and not reading.sketch.both and _listed(reading, last.place, place):
        tests[-1] = replace(last, op=many, values=(*last.values, *typed), place=place)
        return
    op = many if len(typed) > 1 else Op.NE if negated else Op.EQ
    tests.append(Test(place, pick, op, typed, joined=joined_at(reading, place), missing=negated))


def _typed(reading: Reading, pick: Pick, values: tuple[str, ...]) -> tuple[Scalar, ...]:
    if reading.column_record(pick).type is ColumnType.BOOLEAN:
        return tuple(value.lower() in ("true", "yes", "ya", "t", "1") for value in values)
    return values
