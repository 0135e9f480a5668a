"""Purpose: which analysis a question wants besides its rows: a share, growth, a trend, a comparison."""

from __future__ import annotations

from agents.analyst.planning.items import Named, Numbered, Timed, Unknown
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import Reading, numeric
from agents.analyst.planning.sketch import Pick, Target
from envs.analyst.ir import Grain

_STEPS = {
    "month": Grain.MONTH, "quarter": Grain.QUARTER, "week": Grain.WEEK, "day": Grain.DAY, "year": Grain.YEAR,
    "bulan": Grain.MONTH, "kuartal": Grain.QUARTER, "minggu": Grain.WEEK, "hari": Grain.DAY,
    "tahun": Grain.YEAR,
}  # fmt: skip


def read_purpose(reading: Reading) -> None:
    """Takes the words that name an analysis, and what a forecast or a correlation is of."""
    for place in reading.places(Kind.SHARE):
        reading.take(place)
        reading.sketch.share = True
        if reading.kind(place + 1) is Kind.OF and isinstance(reading.item(place + 2), Unknown):
            reading.take(place + 1)
    for place in reading.places(Kind.COMPARE):
        mark = reading.mark(place)
        assert mark is not None
        reading.take(place)
        reading.sketch.comparison = mark.what
    for place in reading.places(Kind.ANALYSIS):
        _analysis(reading, place)
    for place in reading.places(Kind.VERSUS):
        reading.take(place)
        reading.sketch.analysis = reading.sketch.analysis or "compare"


def _analysis(reading: Reading, place: int) -> None:
    mark = reading.mark(place)
    assert mark is not None
    reading.take(place)
    reading.sketch.analysis = mark.what
    match mark.what:
        case "forecast":
            _ahead(reading)
        case "correlation":
            _pair(reading, place)
        case _:
            return


def _ahead(reading: Reading) -> None:
    """`next 3 months`: how far, and in which steps."""
    sketch = reading.sketch
    for place in range(len(reading.items)):
        item = reading.free(place)
        if isinstance(item, Timed):
            words = item.text.lower().split()
            step = next((_STEPS[word.rstrip("s")] for word in words if word.rstrip("s") in _STEPS), None)
            if step is not None and ({"next", "depan"} & set(words)):
                reading.take(place)
                sketch.grain, sketch.periods = step, 1
        if isinstance(item, Numbered):
            unit = reading.item(place + 1)
            word = unit.text.lower().rstrip("s") if unit is not None else ""
            if word in _STEPS:
                reading.take(place, place + 1)
                sketch.grain, sketch.periods = _STEPS[word], int(item.number)
                _take_words(
                    reading, (place - 1, place + 2, place + 3), ("next", "coming", "ke", "depan", "mendatang")
                )


def _take_words(reading: Reading, places: tuple[int, ...], words: tuple[str, ...]) -> None:
    for place in places:
        item = reading.item(place)
        if item is not None and item.text.lower() in words:
            reading.take(place)


def _pair(reading: Reading, place: int) -> None:
    """The two amounts of a correlation."""
    picks: list[Pick] = []
    for there in range(place + 1, len(reading.items)):
        if isinstance(reading.free(there), Named) and len(picks) < 2:
            pick = reading.column(there, numeric, reading.sketch.entity)
            if pick is not None and numeric(reading.column_record(pick)) > 0:
                picks.append(pick)
                reading.take(there)
    reading.sketch.targets.extend(Target(None, pick) for pick in picks)


def compared_values(reading: Reading) -> Pick | None:
    """The column whose values a comparison names two or more of."""
    for test in reading.sketch.tests:
        if len(test.values) > 1 and test.than is None and test.other is None:
            return test.pick
    return None
