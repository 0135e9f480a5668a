"""Reading: what an observation's words say, for baselines that read.

Takes sentences apart by what they name (subject, dates, effect, negation) and by the numbers they bound.
Knows nothing of how cases are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from envs.forecast_audit.audit.calendars import PERIODS, Frequency, frequency_of, ordinals
from envs.forecast_audit.models import Observation, Operation, Series

_NUMBER = r"-?\d[\d,]*(?:\.\d+)?"
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_DONE = re.compile(r"Done so far: (.*)\.$", re.DOTALL)
_MARK = re.compile(r"(\w+) at (\d+)|(\w+)")
_CAP = re.compile(
    rf"\b(?:cannot exceed|never exceeds?|at or below)\b[^.\d]{{0,40}}?({_NUMBER})(?! decimals)(?!:?\d)"
)
_FLOOR = re.compile(
    rf"\b(?:cannot fall below|never falls? below|at or above|at least)\b[^.\d]{{0,40}}?({_NUMBER})(?!:?\d)"
)
_BAND = re.compile(rf"\bbetween ({_NUMBER}) and ({_NUMBER})(?!:?\d)")
_RAMP = re.compile(rf"(?:changes by no more than|differ by) ({_NUMBER})")
_SUM = re.compile(rf"({_NUMBER}), ({_NUMBER}) and ({_NUMBER})[^\d]*({_NUMBER})")
_CHECKS = re.compile(r"second instrument: (.*?)\.(?:\s|$)")
_SWING = re.compile(rf"typical swing is ({_NUMBER})")
_UP = re.compile(r"\b(?:lift(?:ed|s)?|push(?:ed|es)? up|swell(?:ed|s)?|rais(?:ed?|es)|boost(?:ed|s)?)\b")
_DOWN = re.compile(r"\b(?:cut(?:s)?|pull(?:ed|s)? down|depress(?:ed|es)?|lower(?:ed|s)?)\b")
_BLANK = re.compile(r"\b(?:blanks? in|stop(?:ped|s)? the readings of)\b")
# Said of events that did take place; taken out before a negation is looked for.
_AFTER_ALL = re.compile(
    r"feared that .*? called off, but|not cancelled after all|had once been postponed; it then took place"
    r"|was not withdrawn|never took place anywhere else|no effect on other sites|Nobody disputes"
    r"|not ended before|not over by|no complaint",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"called off|never took place|cancelled|withdrawn|no effect|postponed|rumour that|could confirm"
    r"|did not|was not held|nothing could",
    re.IGNORECASE,
)
_OVER = re.compile(r"had ended before|was over by")


@dataclass(frozen=True, slots=True)
class Claim:
    """An event that took place and moved this series: its sign, 0 for blanks, and its span, ends included."""

    sign: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Total:
    """What the branches of one point come to, and how far the total may be away."""

    at: int
    value: float
    slack: float
    sentence: str


@dataclass(frozen=True, slots=True)
class Reading:
    """An observation taken apart.

    Attributes:
        done: Operations so far, and the positions they marked.
        hints: Spans of events that do not count: cancelled, over or elsewhere.
        checks: Readings of a second instrument by position.
        swing: The typical swing; None if it is not said.
    """

    period: int
    done: tuple[Operation, ...]
    marks: tuple[int, ...]
    claims: tuple[Claim, ...]
    hints: tuple[tuple[int, int], ...]
    totals: tuple[Total, ...]
    checks: tuple[tuple[int, float], ...]
    low: float | None
    high: float | None
    swing: float | None


def read(observation: Observation) -> Reading:
    """All that the words of an observation say."""
    frequency = frequency_of(observation.timestamps)
    texts = (observation.analyst_note, observation.history_summary, *observation.constraints)
    sentences = [sentence for text in texts for sentence in _SENTENCE.split(text)]
    start = next(ordinals(frequency, observation.timestamps[0]), None) if frequency else None
    dated = None if frequency is None or start is None else (frequency, start)
    claims = tuple(_claims(observation, sentences, *dated)) if dated else ()
    done = tuple(_done(observation.analyst_note))
    bounds = [_bounds(sentence) for sentence in observation.constraints]
    lows = [low for low, _ in bounds if low is not None]
    highs = [high for _, high in bounds if high is not None]
    swing = _SWING.search(observation.history_summary)
    return Reading(
        period=PERIODS[frequency] if frequency else 1,
        done=tuple(operation for operation, _ in done),
        marks=tuple(index for _, index in done if index is not None),
        claims=tuple(claim for claim, counts in claims if counts),
        hints=tuple((claim.first, claim.last) for claim, counts in claims if claim.sign and not counts),
        totals=tuple(_totals(observation.constraints, *dated)) if dated else (),
        checks=tuple(_checks(observation, *dated)) if dated else (),
        low=max(lows, default=None),
        high=min(highs, default=None),
        swing=amount(swing[1]) if swing else None,
    )


def broken(observation: Observation, values: Series) -> tuple[str, ...]:
    """The sentences on single values, neighbouring values and totals that a series breaks."""
    reading = read(observation)
    totals = {total.sentence: total for total in reading.totals}
    found: list[str] = []
    for sentence in observation.constraints:
        low, high = _bounds(sentence)
        ramp = _RAMP.search(sentence)
        if sentence in totals:
            value = values[totals[sentence].at]
            wrong = value is not None and abs(value - totals[sentence].value) > totals[sentence].slack + 1e-9
        elif ramp:
            wrong = any(abs(step) > amount(ramp[1]) + 1e-9 for step in _steps(values))
        else:
            known = [value for value in values if value is not None]
            wrong = (low is not None and min(known, default=low) < low) or (
                high is not None and max(known, default=high) > high
            )
        if wrong:
            found.append(sentence)
    return tuple(found)


def amount(text: str) -> float:
    return float(text.replace(",", ""))


def _steps(values: Series) -> Iterator[float]:
    for earlier, later in pairwise(values):
        if earlier is not None and later is not None:
            yield later - earlier


def _done(note: str) -> Iterator[tuple[Operation, int | None]]:
    told = _DONE.search(note)
    for piece in told[1].split("; ") if told else ():
        word, _, index = piece.partition(" at ")
        if word in tuple(Operation):
            yield Operation(word), int(index) if index.isdigit() else None


def _bounds(sentence: str) -> tuple[float | None, float | None]:
    band, cap, floor = _BAND.search(sentence), _CAP.search(sentence), _FLOOR.search(sentence)
    if band and not _looks_dated(sentence):
        return amount(band[1]), amount(band[2])
    return (amount(floor[1]) if floor else None), (amount(cap[1]) if cap else None)


def _looks_dated(sentence: str) -> bool:
    """Whether "between" speaks of dates rather than of values."""
    return any(next(ordinals(frequency, sentence), None) is not None for frequency in Frequency)


def _claims(
    observation: Observation, sentences: list[str], frequency: Frequency, start: int
) -> Iterator[tuple[Claim, bool]]:
    """Every event that is told, and whether it took place, here."""
    subject = " ".join(observation.metric_name.split("_")[:-1])
    for sentence in sentences:
        dates = [ordinal - start for ordinal in ordinals(frequency, sentence)]
        sign = _sign(sentence)
        if sign is None or not dates:
            continue
        said = _AFTER_ALL.sub("", sentence)
        over = _OVER.search(said)
        counts = subject in sentence.lower() and not over and not _NEGATED.search(said)
        yield Claim(sign, min(dates), max(dates)), counts


def _sign(sentence: str) -> int | None:
    """Which way an event moves a series, 0 if it blanks it; None if no event is told."""
    if _BLANK.search(sentence):
        return 0
    if _UP.search(sentence):
        return 1
    return -1 if _DOWN.search(sentence) else None


def _totals(constraints: tuple[str, ...], frequency: Frequency, start: int) -> Iterator[Total]:
    for sentence in constraints:
        numbers = _SUM.search(sentence)
        date = next(ordinals(frequency, sentence), None)
        if numbers and date is not None:
            first, second, third, slack = map(amount, numbers.groups())
            yield Total(date - start, first + second + third, slack, sentence)


def _checks(observation: Observation, frequency: Frequency, start: int) -> Iterator[tuple[int, float]]:
    told = _CHECKS.search(observation.history_summary + " ")
    for piece in told[1].split("; ") if told else ():
        date, _, value = piece.rpartition(": ")
        at = next(ordinals(frequency, date), None)
        if at is not None and 0 <= at - start < len(observation.values) and re.fullmatch(_NUMBER, value):
            yield at - start, amount(value)
