"""Extremes: superlatives: which row or group is the largest, how many of the top, or the extreme itself."""

from __future__ import annotations

from agents.analyst.planning.deeds import BY_DEEDS, by_deeds, ordinal, percent, rank, said_by
from agents.analyst.planning.items import Named, Unknown, Valued
from agents.analyst.planning.marks import Kind, Mark
from agents.analyst.planning.reading import Reading, anything, numeric, ordered
from agents.analyst.planning.sketch import Pick, Ranking, Target
from agents.analyst.planning.targets import AGGREGATES, added_up, target_at
from agents.analyst.planning.thesaurus import NOUNS
from agents.analyst.planning.words import name_words
from envs.analyst.catalogue import ColumnType, Role
from envs.analyst.ir import MOST_ROWS, Aggregate

_SIZES = (
    "population area size capacity height elevation altitude length total number count amount value".split()
)


def read_extremes(reading: Reading) -> None:
    """Takes superlatives, `top 3 … by …` and `the most common …`."""
    for place in reading.places(Kind.AGG):
        _with_the_maximum(reading, place)
    for place in reading.places(Kind.COMMON):
        _commonest(reading, place)
    for place in reading.places(Kind.SUPER):
        if reading.kind(place) is Kind.SUPER:
            _extreme(reading, place)


def _with_the_maximum(reading: Reading, place: int) -> None:
    """`the aircraft with the maximum range`: an aggregate that says which row is meant."""
    mark, there = reading.mark(place), reading.after(place, Kind.OF)
    before = reading.kind(reading.before(place))
    if mark is None or mark.what not in ("min", "max") or before not in (Kind.HAVE, Kind.CLAUSE):
        return
    pick = reading.column(there, numeric, reading.sketch.entity) if reading.named(there) else None
    if pick is None or numeric(reading.column_record(pick)) < 0 or reading.table(there):
        return
    if any(reading.said(earlier) is Kind.EACH for earlier in range(place)):
        return
    reading.take(place, there)
    rank(reading, Target(None, pick), mark.what == "max", None)


def _limit(reading: Reading, place: int) -> int | None:
    """The number beside a superlative; taken."""
    behind = place - 2 if reading.named(place - 1) else place - 1
    for beside in (place + 1, place - 1, behind, _before_noun(reading, place)):
        number = reading.number(beside)
        if number is not None and percent(reading, beside, number):
            return MOST_ROWS
        if number is not None and number == int(number) and 1 <= number <= 1000:
            reading.take(beside)
            return int(number)
    return None


def _before_noun(reading: Reading, place: int) -> int:
    """Where the number of `3 regions with the highest revenue` stands, or `3 wilayah dengan … tertinggi`."""
    there = place - 1 if reading.named(place - 1) is None else place - 2
    noun = reading.before(there + 1, Kind.HAVE) if reading.kind(there) in (Kind.HAVE, Kind.NOTHING) else -1
    return noun - 1 if noun >= 0 and reading.named(noun) is not None else -1


def _commonest(reading: Reading, place: int) -> None:
    mark = reading.mark(place)
    assert mark is not None
    there = reading.after(place, Kind.OF)
    if isinstance(noun := reading.free(there), Unknown) and noun.text.lower() in NOUNS:
        # `the most common type of status`
        reading.take(there)
        there = reading.after(there, Kind.OF)
    limit = _limit(reading, place)
    before = reading.before(place, Kind.IS, Kind.CLAUSE)
    if reading.named(before) is not None and reading.kind(reading.before(place)) is Kind.IS:
        there = before
    if reading.number(there) is not None:
        limit, there = int(reading.number(there) or 1), reading.after(there)
    if reading.named(there) is None:
        there = next((p for p in range(place - 1, -1, -1) if reading.named(p)), -1)
    if there < 0:
        return
    pick = reading.column(there, anything, reading.sketch.entity) if reading.table(there) is None else None
    table = reading.table(there)
    if pick is None and table is None:
        return
    reading.take(place, there)
    sketch = reading.sketch
    sketch.limit = limit or 1
    if pick is not None:
        sketch.groups.append(pick)
        sketch.rankings.append(Ranking(Target(Aggregate.COUNT, table=pick.table), mark.what == "desc"))
        return
    assert table is not None
    child = reading.graph.below(table, table)
    counted = next((t for t in reading.mentioned if t != table and reading.graph.reaches(t, table)), child)
    sketch.groups.extend(reading.label(table))
    sketch.keyed.add(table)
    sketch.rankings.append(Ranking(Target(Aggregate.COUNT, table=counted or table), mark.what == "desc"))


def _extreme(reading: Reading, place: int) -> None:
    mark = reading.mark(place)
    assert mark is not None
    if _is_aggregate(reading, place):
        return
    ordinal(reading, place)
    limit = _limit(reading, place)
    descending = mark.what == "desc"
    there = reading.after(place + 1 if place + 1 in reading.used else place, Kind.OF)
    if reading.number(there) is not None and limit is None:
        limit = int(reading.number(there) or 1)
        reading.take(there)
        there = reading.after(there)
    if mark.hint and BY_DEEDS & set(mark.hint):
        by_deeds(reading, place, mark, there, limit)
        return
    if mark.hint and _by_hint(reading, place, mark, there, limit):
        return
    _of_what_follows(reading, place, there, descending, limit)


def _is_aggregate(reading: Reading, place: int) -> bool:
    """Takes `the maximum number of pages` as an aggregate: pages are counted in a column already."""
    item, there = reading.items[place], reading.after(place, Kind.OF)
    word = item.text.lower().removeprefix("the ").partition(" ")[0]
    if word not in ("maximum", "minimum") or reading.named(there) is None or reading.table(there):
        return False
    pick = reading.column(there, numeric, reading.sketch.entity)
    if pick is None or numeric(reading.column_record(pick)) < 0:
        return False
    aggs = [AGGREGATES[word[:3]]]
    joint = reading.before(place)
    other = reading.mark(reading.before(joint)) if reading.kind(joint) is Kind.AND else None
    if other is not None and other.kind is Kind.AGG and AGGREGATES.get(other.what):
        aggs.insert(0, AGGREGATES[other.what])
        reading.take(reading.before(joint), joint)
    reading.take(place, there)
    reading.sketch.targets.extend(Target(agg, pick) for agg in aggs)
    return True


def _of_what_follows(reading: Reading, place: int, there: int, descending: bool, limit: int | None) -> None:
    if isinstance(reading.free(there), Valued):
        # `the highest number of Thai restaurants`
        there = reading.after(there)
    if isinstance(verb := reading.free(there), Unknown) and verb.text.lower().endswith("ed"):
        reading.take(there)
        there = reading.after(there)
    also = _chained(reading, place, there)
    if also is not None:
        return
    target = target_at(reading, there, reading.sketch.entity)
    if target is None:
        _trailing(reading, place, descending, limit)
        return
    found, taken = target
    if _says_nothing(reading, place, found) and said_by(reading, taken[-1]) is None:
        return
    _place(reading, place, found, taken, descending, limit)


def _says_nothing(reading: Reading, place: int, found: Target) -> bool:
    """`top 2 channels`: texts are not ranked by themselves."""
    if found.pick is None or reading.items[place].text.lower() not in _BARE:
        return False
    return (
        reading.column_record(found.pick).role is Role.DIMENSION
        and found.agg is None
        and (reading.column_record(found.pick).type is ColumnType.TEXT)
    )


_BARE = frozenset("top best worst bottom leading terbaik teratas terburuk terbawah".split())


def _place(
    reading: Reading, place: int, found: Target, taken: tuple[int, ...], descending: bool, limit: int | None
) -> None:
    """Ranks by what a superlative is of, or shows it where the extreme itself is asked for."""
    by = said_by(reading, taken[-1])
    if by is not None and (found.pick is None or limit is not None):
        reading.take(place, *by[1])
        rank(reading, by[0], descending, limit)
    elif found.agg is Aggregate.COUNT and found.table is not None:
        own = found.table == reading.sketch.entity and reading.sketch.grain is None
        if own and not _named_before(reading, place):
            _by_size(reading, place, found.table, descending, limit)
            return
        reading.take(place, *taken)
        rank(reading, found, descending, limit)
    elif reading.sketch.skip and found.agg is None and _is_head(reading, place, limit):
        # `the second highest amount` is a value and none of the rows that have it.
        reading.take(place, *taken)
        rank(reading, found, descending, limit)
        reading.sketch.targets.append(found)
        reading.sketch.distinct = True
    elif _is_head(reading, place, limit) or (limit is None and found.pick and _of_groups(reading, place)):
        reading.take(place, *taken)
        agg = Aggregate.MAX if descending else Aggregate.MIN
        if found.agg in (None, agg):
            reading.sketch.targets.append(Target(agg, found.pick))
        else:
            rank(reading, found, descending, limit)
            reading.sketch.targets.append(found)
    else:
        reading.take(place, *taken)
        rank(reading, found, descending, limit)


def _chained(reading: Reading, place: int, there: int) -> bool | None:
    """`the highest and lowest price`: both are of the same column."""
    other = reading.mark(reading.after(there)) if reading.kind(there) is Kind.AND else None
    if other is None or other.kind not in (Kind.SUPER, Kind.AGG):
        return None
    named = reading.after(reading.after(there), Kind.OF)
    aggs = [AGGREGATES.get(other.what) or _extreme_of(other)]
    if reading.kind(named) is Kind.AND and (third := reading.mark(reading.after(named))):
        aggs.append(AGGREGATES.get(third.what) or _extreme_of(third))
        reading.take(reading.after(named))
        named = reading.after(reading.after(named))
    pick = reading.column(named, numeric, reading.sketch.entity) if reading.named(named) else None
    first = reading.mark(place)
    if pick is None or first is None:
        return None
    reading.take(place, there, reading.after(there), named)
    reading.sketch.targets.extend(Target(agg, pick) for agg in (_extreme_of(first), *aggs))
    return True


def _extreme_of(mark: Mark) -> Aggregate:
    return Aggregate.MAX if mark.what == "desc" else Aggregate.MIN


def _by_hint(reading: Reading, place: int, mark: Mark, there: int, limit: int | None) -> bool:
    """`the youngest singer`, `the most recent order`, `which player is the oldest`."""
    table = reading.table(there)
    if table is None and reading.named(there) is not None:
        pick = reading.column(there, ordered, reading.sketch.entity)
        words = set(name_words(pick.column)) if pick else set[str]()
        if pick is not None and (ordered(reading.column_record(pick)) or words & {"date", "time", "year"}):
            if _is_head(reading, place, limit):
                reading.take(place, there)
                agg = Aggregate.MAX if mark.what == "desc" else Aggregate.MIN
                reading.sketch.targets.append(Target(agg, pick))
                return True
            reading.take(place, there)
            rank(reading, Target(None, pick), mark.what == "desc", limit)
            return True
    entity = reading.sketch.entity
    above = sorted(reading.graph.above[entity].items(), key=lambda each: each[1]) if entity else []
    for candidate in (table, entity, *reading.mentioned, *(each for each, _ in above)):
        found = reading.hinted(mark, candidate)
        if found is not None:
            reading.take(place)
            pick, turned = found
            rank(reading, Target(None, pick), (mark.what == "desc") != turned, limit)
            return True
    return False


def _trailing(reading: Reading, place: int, descending: bool, limit: int | None) -> None:
    """A superlative after which nothing stands: what it is of stands before, or after `by`."""
    by = said_by(reading, place)
    before = reading.before(place, Kind.IS)
    if by is None and reading.kind(reading.before(before)) is Kind.EACH and limit is not None:
        # `units per product, top 10`: by what is shown of each.
        reading.take(place)
        reading.sketch.rankings.append(Ranking(None, descending))
        reading.sketch.limit = limit
        return
    target = by or target_at(reading, before)
    entity = reading.sketch.entity
    about = target is not None and target[0].table == entity and target[0].pick is None and by is None
    if target is None or (about and not _named_before(reading, before)):
        if entity is not None and (pick := reading.amount(entity)) and added_up(reading, pick):
            reading.take(place)
            rank(reading, Target(None, pick), descending, limit)
        elif entity is not None and reading.sketch.grain is None:
            _by_size(reading, place, entity, descending, limit)
        return
    reading.take(place, *target[1])
    rank(reading, target[0], descending, limit)


def _by_size(reading: Reading, place: int, table: str, descending: bool, limit: int | None) -> None:
    """`the largest city`: by what says how large one is; of what happened, what it was worth."""
    worth = reading.money(table) if table == reading.events(table) else None
    if worth is not None and reading.items[place].text.lower() in _LARGE:
        reading.take(place)
        rank(reading, Target(None, worth), descending, limit)
        return
    for size in _SIZES:
        for column in reading.vocabulary.table(table).columns:
            if size in name_words(column.name) and numeric(column) > 0:
                reading.take(place)
                rank(reading, Target(None, Pick(table, column.name)), descending, limit)
                return


_LARGE = frozenset(
    "largest biggest greatest highest smallest lowest terbesar terkecil tertinggi terendah top".split()
)


def _of_groups(reading: Reading, place: int) -> bool:
    """`for each genre the average price and the highest price`: an extreme of each group."""
    before = reading.before(place, Kind.AND, Kind.HAVE)
    beside_agg = reading.kind(reading.before(place)) is Kind.AND and any(
        reading.kind(there) is Kind.AGG for there in range(place)
    )
    each = isinstance(reading.item(before), Named) and reading.kind(reading.before(before)) is Kind.EACH
    return beside_agg or each


def _named_before(reading: Reading, place: int) -> bool:
    return any(isinstance(reading.item(before), Named) for before in range(place))


def _is_head(reading: Reading, place: int, limit: int | None) -> bool:
    """Whether the extreme itself is asked for: nothing is named before it that could be."""
    if limit is not None:
        return False
    for before in range(place):
        if reading.kind(before) in (Kind.WHO, Kind.CLAUSE, Kind.HAVE):
            return False
        if isinstance(reading.free(before), Named) and reading.kind(before - 1) is not Kind.EACH:
            return False
    return not any(ranking.target for ranking in reading.sketch.rankings) and not reading.sketch.groups
