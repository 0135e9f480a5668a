"""Heading: what a question wants to see, out of what no clause has taken."""

from __future__ import annotations

import re

from agents.analyst.planning.items import Named, Said
from agents.analyst.planning.marks import Kind, Mark
from agents.analyst.planning.reading import NUMERIC, Reading, anything, numeric
from agents.analyst.planning.sketch import Pick, Presence, Target
from agents.analyst.planning.targets import AGGREGATES, added_up, amount_named
from agents.analyst.planning.thesaurus import VERBS
from agents.analyst.planning.words import name_words
from envs.analyst.catalogue import ColumnType, Role
from envs.analyst.ir import Aggregate

HALF = 0.6
"""A name of which only the first words were said: `borrowed` of `borrowed_on`."""
_CONTEXT = (Kind.OF, Kind.CLAUSE, Kind.HAVE, Kind.EACH, Kind.BOTH)
_EVERYTHING = frozenset(
    "details detail information info record records row rows data everything attributes "
    "informasi rincian".split()
)


_COUNTED = frozenset(("count", "number", "num"))


def read_heading(reading: Reading) -> None:
    """Takes aggregates with what they are of, columns to show and tables whose rows are counted or listed."""
    waiting: list[Aggregate | None] = []
    distinct = clause = False
    for place in range(len(reading.items)):
        mark, item = reading.mark(place), reading.free(place)
        if reading.said(place) is Kind.SHARE:
            waiting = [None]
        elif reading.kind(place) is Kind.STOP:
            _leftover(reading, waiting)
            clause, waiting = False, []
        elif mark is not None:
            waiting = _awaited(reading, place, mark, waiting)
            clause = _in_clause(reading, place, mark, clause)
            distinct = distinct or mark.kind is Kind.DISTINCT
        elif isinstance(item, Named):
            used = _name(reading, place, waiting, distinct, clause)
            if used and not _goes_on(reading, place, waiting):
                waiting, distinct = [], False
    _leftover(reading, waiting)


def _awaited(
    reading: Reading, place: int, mark: Mark, waiting: list[Aggregate | None]
) -> list[Aggregate | None]:
    """The aggregates that still wait for what they are of, after a mark."""
    if mark.kind in (Kind.AGG, Kind.DISTINCT, Kind.WHICH, Kind.WHO):
        reading.take(place)
    if mark.kind is Kind.DISTINCT and " " in reading.items[place].text:
        # `… without repetition` comes after what it is about.
        reading.sketch.distinct = True
    if mark.kind is Kind.AGG and (waiting or not _after_its_noun(reading, place, mark.what)):
        return _waiting(waiting, _agg(mark.what))
    return waiting


def _in_clause(reading: Reading, place: int, mark: Mark, clause: bool) -> bool:
    """Whether what follows a mark only says which rows are meant."""
    if mark.kind in (Kind.CLAUSE, Kind.HAVE):
        return True
    if mark.kind in (Kind.WHICH, Kind.WHO) and reading.sketch.targets and reading.said(place - 1) is None:
        # `the course which the student took`
        return True
    return clause and not (mark.kind in (Kind.VERB, Kind.WHICH, Kind.WHO) and not reading.sketch.targets)


def _after_its_noun(reading: Reading, place: int, what: str) -> bool:
    """`harga minimum dan maksimum`: in Indonesian an aggregate stands after what it is of."""
    agg, targets = _agg(what), reading.sketch.targets
    again = reading.said(place - 1) is Kind.AND and reading.said(place - 2) is Kind.AGG
    if agg in (None, Aggregate.COUNT) or not targets:
        return False
    last, pick = targets[-1], targets[-1].pick
    if pick is None:
        return False
    follows = isinstance(reading.item(place - 1), Named)
    if (
        last.agg in (None, Aggregate.SUM)
        and last.over is None
        and follows
        and numeric(reading.column_record(pick)) > 0
    ):
        targets[-1] = Target(agg, pick)
        reading.sketch.after_noun = True
        return True
    if last.agg is not None and again and reading.sketch.after_noun:
        targets.append(Target(agg, pick))
        return True
    return False


def _waiting(waiting: list[Aggregate | None], agg: Aggregate | None) -> list[Aggregate | None]:
    """`average number of pages` averages; `berapa rata-rata` too."""
    if agg in (None, Aggregate.COUNT) and waiting:
        return waiting
    return [*(each for each in waiting if each is not None), agg]


def _agg(what: str) -> Aggregate | None:
    """`berapa` and `jumlah` count tables and sum amounts: None until it is known what they are of."""
    return None if what in ("howmany", "jumlah") else AGGREGATES[what]


def _goes_on(reading: Reading, place: int, waiting: list[Aggregate | None]) -> bool:
    """`average age and weight`: an aggregate goes on over the amounts that are joined to its first."""
    if len(waiting) != 1 or waiting[0] in (Aggregate.COUNT, None) or reading.kind(place + 1) is not Kind.AND:
        return False
    following = reading.after(place + 1)
    pick = reading.column(following, numeric) if reading.named(following) else None
    return pick is not None and numeric(reading.column_record(pick)) > 0


def _name(
    reading: Reading, place: int, waiting: list[Aggregate | None], distinct: bool, clause: bool
) -> bool:
    """Takes a name as what is shown or aggregated; False when it only says where."""
    sketch, before = reading.sketch, reading.said(reading.before(place, Kind.DISTINCT, Kind.AND))
    table = reading.table(place)
    if _half_table(reading, place):
        return False
    counted = bool(waiting) and waiting[-1] in (Aggregate.COUNT, None)
    if table is not None and not (waiting and not counted):
        undecided = bool(waiting) and waiting[-1] is None
        return _table(reading, place, table, counted, distinct, clause, undecided=undecided)
    pick = reading.column(place, numeric if waiting and not counted else anything, sketch.entity)
    if pick is None:
        if table is not None:
            reading.take(place)
            _context(reading, place, table)
        return False
    if clause and not waiting and before in _CONTEXT:
        return False
    reading.take(place)
    if _is_verb(reading, place) or _said_already(reading, place, pick) or _name_of_column(reading, place):
        return False
    if waiting:
        sketch.targets.extend(_aggregated(reading, agg, pick, distinct) for agg in waiting)
        return True
    _show(reading, place, pick, distinct)
    return True


def _show(reading: Reading, place: int, pick: Pick, distinct: bool) -> None:
    sketch = reading.sketch
    sketch.distinct = sketch.distinct or distinct
    if _later_sentence(reading, place):
        # `Which students …? Show their last names.` says what to show of those.
        sketch.targets[:] = [target for target in sketch.targets if target.pick not in sketch.labels]
        sketch.groups[:] = [group for group in sketch.groups if group not in sketch.labels]
        sketch.labels.clear()
    if pick in reading.label(pick.table) and pick.table in reading.beside(place):
        sketch.keyed.add(pick.table)
    sketch.targets.append(Target(None, pick))


def _half_table(reading: Reading, place: int) -> bool:
    """`students play chess` where a table is called `plays_games`: the verb names no table."""
    item = reading.item(place)
    half = isinstance(item, Named) and bool(item.naming.tables) and item.naming.score < HALF
    return half and item is not None and item.text.lower() in VERBS


def _later_sentence(reading: Reading, place: int) -> bool:
    return any(reading.said(before) is Kind.STOP for before in range(place))


def _is_verb(reading: Reading, place: int) -> bool:
    """`students majoring in …`: a word that was taken for a name and stands between two of them."""
    item = reading.item(place)
    unsure = isinstance(item, Named) and (item.naming.guessed is not None or item.naming.score < HALF)
    if not unsure or item is None:
        return False
    asked = any(each.text.lower() in ("do", "does", "did") for each in reading.items[:place])
    last = reading.said(reading.after(place)) in (Kind.STOP, None)
    return (item.text.lower().endswith(("ing", "ed")) and place > 1) or (asked and last)


def _name_of_column(reading: Reading, place: int) -> bool:
    """`the names of the cities` where a city is a column: the column holds the names."""
    item, there = reading.item(place), reading.after(place + 1)
    if not isinstance(item, Named) or item.text.lower() not in ("name", "names", "nama"):
        return False
    named = isinstance(reading.item(there), Named) and reading.table(there) is None
    pick = reading.column(there) if named and reading.said(place + 1) is Kind.OF else None
    return pick is not None and reading.column_record(pick).type is ColumnType.TEXT


def _said_already(reading: Reading, place: int, pick: Pick) -> bool:
    """`which album sold the most copies`: half of a name whose column a clause has taken."""
    item = reading.item(place)
    half = isinstance(item, Named) and item.naming.score < 0.85
    ranked = [ranking.target.pick for ranking in reading.sketch.rankings if ranking.target]
    shown = [target.pick for target in reading.sketch.targets if target.agg]
    return half and pick in (*ranked, *shown, *(test.pick for test in reading.sketch.tests))


def _aggregated(reading: Reading, agg: Aggregate | None, pick: Pick, distinct: bool) -> Target:
    column = reading.column_record(pick)
    amount = column.type in NUMERIC and column.role not in (Role.KEY, Role.REFERENCE)
    if agg is None:
        agg = Aggregate.SUM if amount and _holds_numbers_of(reading, pick) else Aggregate.COUNT
    if agg is Aggregate.SUM and not amount:
        agg = Aggregate.COUNT
    if agg is Aggregate.COUNT and not distinct and _COUNTED & set(name_words(column.name)) and not amount:
        # `number of rooms` where a text column `room_count` holds it
        return Target(None, pick)
    if agg is Aggregate.COUNT:
        if column.role is Role.KEY and not distinct:
            return Target(Aggregate.COUNT, table=pick.table)
        if amount and not distinct and column.role is Role.MEASURE and _holds_numbers_of(reading, pick):
            return Target(Aggregate.SUM, pick)
        return Target(Aggregate.COUNT_DISTINCT, pick)
    return Target(agg, pick)


def _holds_numbers_of(reading: Reading, pick: Pick) -> bool:
    """Whether a column says how many there are, as `cows` does, and not which one, as `advisor` does."""
    column = reading.column_record(pick)
    plural = any(part.lower().endswith("s") for part in re.split(r"[\W_]+|(?<=[a-z])(?=[A-Z])", column.name))
    return added_up(reading, pick) or plural or column.type is ColumnType.NUMBER


def _table(
    reading: Reading,
    place: int,
    table: str,
    counted: bool,
    distinct: bool,
    clause: bool,
    *,
    undecided: bool = False,
) -> bool:
    sketch, there = reading.sketch, reading.before(place, Kind.DISTINCT)
    before = reading.said(there)
    reading.take(place)
    following = reading.named(place + 1)
    if counted and following and following.naming.score > HALF and reading.table(place + 1) is None:
        # `how many game types`: the types of games are counted and not the games.
        return False
    if counted:
        # `berapa penjualan` asks how much was sold, `berapa banyak` how often.
        amount = amount_named(reading, place, table) if undecided else None
        sketch.targets.append(
            Target(Aggregate.SUM, amount) if amount else Target(Aggregate.COUNT, table=table)
        )
        return True
    shown = (there < 0 or before in (Kind.VERB, Kind.WHICH, Kind.WHO, Kind.STOP)) and not clause
    ranked = before is Kind.SUPER or (
        bool(sketch.within) and bool(sketch.rankings) and table not in sketch.keyed
    )
    shown = shown or (ranked and not sketch.targets and (not sketch.groups or bool(sketch.within)))
    joined = before is Kind.AND and not clause and bool(sketch.targets) and _shows_table(reading, place)
    if (shown and not _column_follows(reading, place)) or joined:
        sketch.distinct = sketch.distinct or distinct
        if _details(reading, place):
            sketch.everything = True
        else:
            sketch.labels.update(reading.label(table))
            sketch.keyed.add(table)
            sketch.targets.extend(
                Target(None, pick)
                for pick in reading.label(table)
                if Target(None, pick) not in sketch.targets
            )
        return True
    _context(reading, place, table)
    return False


def _shows_table(reading: Reading, place: int) -> bool:
    earlier = next((p for p in range(place - 2, -1, -1) if isinstance(reading.item(p), Named)), -1)
    return earlier >= 0 and reading.table(earlier) is not None


def _column_follows(reading: Reading, place: int) -> bool:
    """`students' names and ages`: the table only says whose."""
    following = reading.item(place + 1)
    return isinstance(following, Named) and reading.table(place + 1) is None


def _details(reading: Reading, place: int) -> bool:
    return any(
        isinstance(item := reading.item(p), Said) and set(item.text.lower().split()) & _EVERYTHING
        for p in (place - 1, place + 1, place - 2, place - 3)
    )


def _context(reading: Reading, place: int, table: str) -> None:
    """A table that is only mentioned: rows of it must be there, if it is another than the one asked about."""
    if table != reading.sketch.entity:
        reading.sketch.presences.append(Presence(place, table))


def _leftover(reading: Reading, waiting: list[Aggregate | None]) -> None:
    """`How many are there?`: what is counted is the only thing that is spoken of."""
    sketch = reading.sketch
    if not waiting or sketch.entity is None or any(target.agg for target in sketch.targets):
        return
    if waiting[-1] in (Aggregate.COUNT, None):
        counted = [target.pick for target in sketch.targets if target.pick]
        if counted and _counts_what_precedes(reading):
            # `code count by year`: what is counted stands before.
            sketch.targets[:] = [Target(Aggregate.COUNT, counted[-1])]
        elif not counted:
            amount = reading.amount(sketch.entity) if sketch.share else None
            shared = Target(Aggregate.SUM, amount) if amount else Target(Aggregate.COUNT, table=sketch.entity)
            sketch.targets.append(shared)
    elif not sketch.targets and (pick := reading.amount(sketch.entity)) is not None:
        sketch.targets.extend(Target(agg, pick) for agg in waiting)
    elif not sketch.targets:
        # `average by region`: of what, nobody said.
        reading.used -= {place for place in range(len(reading.items)) if reading.said(place) is Kind.AGG}


def _counts_what_precedes(reading: Reading) -> bool:
    return any(
        reading.said(place) is Kind.AGG and isinstance(reading.item(place - 1), Named)
        for place in range(1, len(reading.items))
    )
