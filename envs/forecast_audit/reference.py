"""The reference policy: reads everything that an episode shows and nothing else.

Keeps no record of its own: what it did so far stands in the analyst's note.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from envs.forecast_audit.detection import Finding, findings
from envs.forecast_audit.models import Action, Observation, Operation, Series, Severity
from envs.forecast_audit.reading import Reading, broken, read
from envs.kernel.rng import Rng

# Beyond this a value is a blank: sums of squares of a player's values must not overflow.
_LARGEST = 1e12


def reference(observation: Observation, rng: Rng) -> Action:
    """Reads curve, limits, sums, events and a second instrument's readings."""
    return _answer(observation, read(observation))


def curve_only(observation: Observation, rng: Rng) -> Action:
    """The same eyes and no words: events, sums and other readings do not count."""
    reading = read(observation)
    return _answer(observation, replace(reading, claims=(), hints=(), totals=(), checks=()))


def _answer(observation: Observation, reading: Reading) -> Action:
    """Repairs point by point, the smallest error first, and ends the report with what is left."""
    repeat = _repeat(observation)
    if repeat is not None:
        return _twice(observation, repeat)
    values: Series = tuple(
        value if value is None or abs(value) < _LARGEST else None for value in observation.values
    )
    found = _likely(values, observation, reading)
    points = [finding for finding in found if not finding.owner and finding.start not in reading.marks]
    points = [point for point in points if not any(_inside(point, other) for other in found)]
    points.sort(key=lambda point: _error(point, values))
    owners = [finding for finding in found if finding.owner]
    owner = max(owners, key=lambda finding: finding.stop - finding.start, default=None)
    cited = broken(observation, values)
    worst = max((_error(finding, values) for finding in found), default=0.0)
    severity = _severity(worst, reading, values)
    last_step = observation.step_count + 1 >= observation.max_steps
    if owner is not None and (not points or last_step):
        return _end(Operation.ESCALATE, owner, reading, severity, cited)
    if points:
        ends = (len(points) == 1 and owner is None) or last_step
        operation = Operation.REPAIR_AND_FINALIZE if ends else Operation.IMPUTE
        return _end(operation, points[0], reading, severity, cited)
    if cited and not reading.marks:
        return Action(
            operation=Operation.ESCALATE,
            severity=Severity.MEDIUM,
            violated_constraints=cited[:64],
            rationale=_BROKEN,
        )
    operation = Operation.REPAIR_AND_FINALIZE if reading.marks else Operation.ACCEPT
    return Action(operation=operation, severity=severity, violated_constraints=cited[:64], rationale=_NOTHING)


def _repeat(observation: Observation) -> int | None:
    """Position of the first date that comes again; a time of day may, when a clock is set back."""
    stamps = observation.timestamps
    return next((at for at, stamp in enumerate(stamps) if ":" not in stamp and stamp in stamps[:at]), None)


def _twice(observation: Observation, at: int) -> Action:
    """Which of two rows of one date counts is for the owner of the data to say, never their mean."""
    stamp, values = observation.timestamps[at], observation.values
    before = values[observation.timestamps.index(stamp)]
    alike = "the same value, so one of them goes" if values[at] == before else f"{before} and {values[at]}"
    return Action(
        operation=Operation.ESCALATE,
        target_index=at,
        severity=Severity.MEDIUM,
        rationale=f"Position {at} repeats {stamp}: {alike}; the owner of the data must say which row counts.",
    )


# Faults of the higher levels are smaller and more, so less of a deviation has to count: caution, most faults.
_BELIEFS = {"easy": (1.25, 1), "medium": (1.12, 2), "hard": (1.1, 3)}
_BROKEN = "A limit of the desk is broken, and no single value explains it; the owner must say."
_NOTHING = "Every value is explained by the pattern of the series or by an event on record."


def _likely(values: Series, observation: Observation, reading: Reading) -> tuple[Finding, ...]:
    """What to believe: an easy report has at most one fault, and what is certain comes first."""
    caution, most = _BELIEFS.get(observation.difficulty, _BELIEFS["hard"])
    found = findings(values, reading, caution, most)
    certain = tuple(finding for finding in found if not finding.rank)
    return certain if most == 1 and (certain or reading.marks) else found


def _end(
    operation: Operation,
    finding: Finding,
    reading: Reading,
    severity: Severity,
    cited: tuple[str, ...],
) -> Action:
    value = finding.repaired[0]
    if reading.low is not None and reading.high is not None and reading.low <= reading.high:
        value = min(max(value, reading.low), reading.high)
    return Action(
        operation=operation,
        target_index=finding.start,
        predicted_value=float(f"{value:.6g}"),
        severity=severity,
        violated_constraints=cited[:64],
        rationale=f"The value at position {finding.start} does not follow from trend, season or any event.",
    )


def _inside(point: Finding, other: Finding) -> bool:
    """Whether a point is part of a fault that is for the owner; gaps and sums stand for themselves."""
    return other.owner and point.kind == "spike" and other.start - 1 <= point.start < other.stop


def _error(finding: Finding, values: Series) -> float:
    """The largest error of a finding, in the metric's unit; 0 for blanks."""
    span = zip(values[finding.start : finding.stop], finding.repaired, strict=False)
    return max((abs(value - right) for value, right in span if value is not None), default=0.0)


def _severity(worst: float, reading: Reading, values: Series) -> Severity:
    swing = reading.swing or _typical(values)
    return Severity.LOW if worst <= 2 * swing else Severity.MEDIUM if worst <= 5 * swing else Severity.HIGH


def _typical(values: Series) -> float:
    """Mean absolute change from one known value to the next."""
    known = [value for value in values if value is not None]
    steps = [abs(later - earlier) for earlier, later in pairwise(known)]
    return sum(steps) / len(steps) if steps else 1.0
