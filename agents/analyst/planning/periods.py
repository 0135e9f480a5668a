"""Periods: two stretches of time that a question puts side by side: `2025 versus 2024`."""

from __future__ import annotations

from agents.analyst.planning.reading import Reading
from agents.analyst.planning.sketch import Timing

_SIDE_BY_SIDE = ("compare", "growth")


def read_periods(reading: Reading) -> None:
    """Takes the later of two times for the one asked about, and the earlier for what it is held against."""
    sketch = reading.sketch
    if sketch.analysis not in _SIDE_BY_SIDE or len(sketch.timings) != 2:
        return
    one, other = sketch.timings
    if one.pick != other.pick:
        return
    if (one.window.start, one.window.end) == (other.window.start, other.window.end):
        # `last quarter against the previous quarter`: the one before the other.
        sketch.timings[:] = [one]
        sketch.comparison = "previous_period"
        sketch.analysis = "growth" if sketch.analysis == "growth" else None
        return
    for earlier, later in ((one, other), (other, one)):
        if _before(earlier, later):
            sketch.timings[:] = [later]
            sketch.comparison, sketch.against = "custom", earlier.window
            sketch.analysis = "growth" if sketch.analysis == "growth" else None


def _before(earlier: Timing, later: Timing) -> bool:
    """Whether both have two ends and one is over when the other begins."""
    if None in (earlier.window.start, later.window.end):
        return False
    end, start = earlier.window.end, later.window.start
    return end is not None and start is not None and end <= start
