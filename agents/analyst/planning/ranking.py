"""Ranking: what a question sorts by, and in which direction."""

from __future__ import annotations

from agents.analyst.planning.items import Named, Unknown
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import Reading
from agents.analyst.planning.sketch import Pick, Ranking
from agents.analyst.planning.targets import target_at
from agents.analyst.planning.words import name_words


def read_orders(reading: Reading) -> None:
    """Takes `sorted by …`, `in descending order of …` and their directions."""
    for place in reading.places(Kind.ORDER, Kind.DIRECTION):
        _order(reading, place)


def _order(reading: Reading, place: int) -> None:
    if reading.kind(place - 1) in (Kind.CLAUSE, Kind.WITHOUT, Kind.WHO):
        # `customers who ordered` sorts nothing.
        return
    if reading.items[place].text.lower() in ("ordered", "ordered in") and _is_deed(reading, place):
        return
    here = _behind(reading, place)
    marks = [(at, mark) for at in range(place, here) if (mark := reading.mark(at))]
    turns = [(at, mark.what) for at, mark in marks if mark.kind is Kind.DIRECTION]
    direction: str | None = turns[-1][1] if turns else None
    aged = any(_ages(reading, at) for at, _ in turns)
    linked = any(mark.kind in (Kind.ORDER, Kind.OF, Kind.EACH) for _, mark in marks)
    reading.take(*(at for at, _ in marks))
    if isinstance(verb := reading.free(here), Unknown) and verb.text.lower().endswith(("ing", "ed")):
        # `sorted by their opening year` where the column is called `open_year`
        here += 1
    found = False
    while linked and (target := target_at(reading, here, reading.sketch.entity)) is not None:
        reading.take(*target[1])
        here = reading.after(target[1][-1])
        own = reading.mark(here)
        if own and own.kind is Kind.DIRECTION:
            reading.take(here)
            aged = _ages(reading, here)
            direction, here = own.what, reading.after(here)
        turned = aged and target[0].pick is not None and _born(reading, target[0].pick)
        reading.sketch.rankings.append(Ranking(target[0], (direction == "desc") is not turned))
        found = True
        joined = reading.mark(here)
        if not (joined and joined.kind is Kind.AND and target_at(reading, reading.after(here))):
            break
        if not _closing(reading, reading.after(here)):
            break
        here = reading.after(here)
    if not found and (direction is not None or reading.items[place]):
        reading.sketch.rankings.append(Ranking(None, direction == "desc"))


def _behind(reading: Reading, place: int) -> int:
    """Where the words of an order end, and what is sorted by begins."""
    here = place
    while (
        (mark := reading.mark(here)) and mark.kind in _ORDERING and not (mark.kind is Kind.EACH and mark.what)
    ):
        here += 1
    return here


_ORDERING = (Kind.ORDER, Kind.DIRECTION, Kind.OF, Kind.EACH, Kind.NOTHING)


def _ages(reading: Reading, place: int) -> bool:
    return "old" in reading.items[place].text.lower() and "young" in reading.items[place].text.lower()


def _born(reading: Reading, pick: Pick) -> bool:
    """Whether the oldest have the least value: a day of birth and no age."""
    return bool({"birth", "born", "dob", "birthdate"} & set(name_words(pick.column)))


def _is_deed(reading: Reading, place: int) -> bool:
    """`how many customers ordered in 2025`: what was done with another table, and no order of rows."""
    table = reading.vocabulary.table_of_verb("ordered")
    behind = reading.free(reading.after(place))
    return table not in (None, reading.sketch.entity) and not isinstance(behind, Named)


def _closing(reading: Reading, place: int) -> bool:
    """Whether after a name only names, directions and joining words follow: it belongs to the order."""
    target = target_at(reading, place)
    rest = reading.mark(reading.after(target[1][-1])) if target else None
    return target is not None and (rest is None or rest.kind in (Kind.AND, Kind.DIRECTION))
