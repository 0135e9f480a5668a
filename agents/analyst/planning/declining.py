"""Declining: `which regions declined`: the groups that went one way from one time to the other.

Leaves the two times to `analysing`.
"""

from __future__ import annotations

from dataclasses import replace

from agents.analyst.planning.built import Built
from agents.analyst.planning.items import Named, Said
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import Reading, numeric
from agents.analyst.planning.sketch import Pick, Target
from envs.analyst.catalogue import Role
from envs.analyst.ir import Aggregate, Having, Op, Order

_DOWN = frozenset(
    "decline declined declining decrease decreased decreasing fell fall fallen falling drop dropped dropping"
    " shrink shrank shrunk shrinking contract contracted turun penurunan menyusut down".split()
)
_UP = frozenset(
    "grow grew grown growing increase increased increasing rose rise risen rising naik kenaikan tumbuh"
    " up".split()
)


_FASTEST = frozenset("fastest slowest most least quickest tercepat terlambat paling".split())


def read_direction(reading: Reading) -> None:
    """Takes which of a table's rows went up or down, where a question looks for those."""
    sketch = reading.sketch
    if sketch.analysis != "growth":
        return
    words = {word for item in reading.items if _of_change(item) for word in item.text.lower().split()}
    fast = [place for place in range(len(reading.items)) if reading.items[place].text.lower() in _FASTEST]
    went = "down" if words & _DOWN else "up" if words & _UP else None
    sought = _sought(reading)
    if went is None or sought is None:
        return
    amount = _amount(reading)
    if amount is None:
        return
    reading.take(sought)
    table = reading.table(sought)
    if table is not None:
        sketch.groups.extend(reading.label(table))
        sketch.keyed.add(table)
        sketch.labels.update(reading.label(table))
    elif (pick := reading.column(sought)) is not None:
        sketch.groups.append(pick)
    sketch.targets[:] = [Target(Aggregate.SUM, amount)]
    sketch.presences.clear()
    if fast:
        # Who grew most is seen where all stand side by side.
        reading.take(*fast)
        sketch.rankings.clear()
        sketch.limit = None
        return
    sketch.direction = "down" if went == "down" else "up"


def only_those(built: Built, direction: str) -> Built:
    """The groups of a comparison that went that way, the one that went farthest first."""
    ir = built.ir
    value = ir.measures[0].alias
    op = Op.LT if direction == "down" else Op.GT
    having = (*ir.having, Having(alias=value, op=op, than="before"))
    order = ir.order_by or (Order(by=value, descending=True),)
    return replace(built, ir=ir.model_copy(update={"having": having, "order_by": order}))


def _of_change(item: object) -> bool:
    return isinstance(item, Said) and item.mark.kind is Kind.ANALYSIS


def _sought(reading: Reading) -> int | None:
    """The place of what is looked for: `which regions`, `wilayah mana`, or what comes first."""
    events = reading.events()
    for place in range(len(reading.items)):
        if not isinstance(reading.item(place), Named) or reading.table(place) == events:
            continue
        pick = reading.column(place) if reading.table(place) is None else None
        if reading.table(place) is None and (
            pick is None or reading.column_record(pick).role is not Role.DIMENSION
        ):
            continue
        before, behind = reading.said(reading.before(place)), reading.item(place + 1)
        asked = before in (Kind.WHICH, Kind.WHO) or (
            behind is not None and behind.text.lower() in ("mana", "yang mana", "apa", "manakah", "apa saja")
        )
        first = reading.before(place) < 0 or before is Kind.VERB
        follows = reading.said(place + 1) in (Kind.HAVE, Kind.CLAUSE, Kind.ANALYSIS)
        if asked or (first and follows):
            return place
    return None


def _amount(reading: Reading) -> Pick | None:
    """The amount that a question names, else what the things that happened were worth."""
    for target in reading.sketch.targets:
        if target.pick is not None and numeric(reading.column_record(target.pick)) > 0:
            return target.pick
    entity = reading.sketch.entity
    for place in range(len(reading.items)):
        if reading.named(place) is not None:
            pick = reading.column(place, numeric, entity)
            if pick is not None and numeric(reading.column_record(pick)) > 0 and not reading.table(place):
                reading.take(place)
                return pick
    return reading.money(entity) if entity else None
