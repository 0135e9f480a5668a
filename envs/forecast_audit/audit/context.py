"""Context: everything of a case that is not its curve.

Decides which events are told, which limits the desk knows and which readings other instruments took. How many
sentences there are depends on the level alone, so that their number tells nothing.
"""

from __future__ import annotations

from itertools import pairwise

from envs.forecast_audit.audit import wording
from envs.forecast_audit.audit.calendars import PERIODS
from envs.forecast_audit.audit.cases import Fault
from envs.forecast_audit.audit.curves import Curve
from envs.forecast_audit.audit.wording import Effect, Standing, Subject
from envs.forecast_audit.constraints import Change, Constraint, Level, context, rule
from envs.forecast_audit.models import Series
from envs.kernel.records import Record
from envs.kernel.rng import Rng

EVENTS = {"easy": 2, "medium": 3, "hard": 4}
PARTS = {"easy": 1, "medium": 2, "hard": 2}
CHECKS = {"easy": 6, "medium": 3, "hard": 2}

_NO_EXPLANATION = (
    Standing.CANCELLED, Standing.ELSEWHERE, Standing.ANOTHER_TIME, Standing.OVER, Standing.OPPOSITE,
)  # fmt: skip
_TOTALS = (
    "{When} the branches of {subject} reported {a}, {b} and {c}; the total is their sum, give or take {t}.",
    "The total of {subject} {when} is the sum of its branches {a}, {b} and {c}, give or take {t}.",
)
_CAPS = (
    "{subject} cannot exceed {high} {unit}.",
    "By licence {subject} never exceeds {high} {unit}.",
    "{subject} stays at or below {high} {unit}.",
)
_FLOORS = (
    "{subject} cannot fall below {low} {unit}.",
    "{subject} never falls below {low} {unit}.",
    "{subject} stays at or above {low} {unit}.",
)
_RAMPS = (
    "From one point to the next {subject} changes by no more than {step} {unit}.",
    "Neighbouring points of {subject} differ by {step} {unit} at most.",
)


class Told(Record):
    """Something that a sentence should tell of a span of the series, its ends included."""

    effect: Effect
    first: int
    last: int
    standing: Standing


class Context(Record):
    """What stands beside the curve."""

    constraints: tuple[Constraint, ...]
    note: str
    history: str


def unexplained(rng: Rng, effect: Effect, first: int, last: int) -> Told:
    """An event that seems to explain a span and does not."""
    choices = _NO_EXPLANATION if effect is not Effect.BLANK else _NO_EXPLANATION[:-1]
    return Told(effect=effect, first=first, last=last, standing=rng.choice(choices))


def written(
    rng: Rng,
    level: str,
    split: str,
    subject: Subject,
    curve: Curve,
    clean: Series,
    told: tuple[Told, ...],
    parts: tuple[int, ...],
    checks: tuple[int, ...],
) -> Context:
    """The context of a case.

    Args:
        clean: The true series; None where a gap is intended.
        told: What events must be told; others are added until the level has its number.
        parts: Positions whose branches are listed.
        checks: Positions that another instrument read.
    """
    events = [
        _sentence(rng.at("told", place), split, subject, curve, item) for place, item in enumerate(told)
    ]
    events += [
        _aside(rng.at("aside", place), split, subject, curve) for place in range(len(told), EVENTS[level])
    ]
    places = [rng.at("place", place).choice(("rule", "history", "note")) for place in range(len(events))]
    pairs = list(zip(events, places, strict=True))
    rules = (
        *_limits(rng.at("limits"), subject, curve, clean),
        *(_total(rng.at("parts", at), subject, curve, at) for at in parts),
        *(context(text) for text, place in pairs if place == "rule"),
    )
    history = [_usual(curve, subject), *(text for text, place in pairs if place == "history")]
    notes = [wording.note(rng.at("note")), *(text for text, place in pairs if place == "note")]
    return Context(
        constraints=rng.at("order").shuffled(rules),
        note=" ".join(notes),
        history=" ".join([*history, _readings(rng.at("checks"), curve, clean, checks), _scale(curve)]),
    )


def readable(clean: Series, faults: tuple[Fault, ...]) -> tuple[int, ...]:
    """Positions with a value that no fault touches."""
    return tuple(
        at
        for at, value in enumerate(clean)
        if value is not None and not any(fault.start <= at < fault.stop for fault in faults)
    )


def _sentence(rng: Rng, split: str, subject: Subject, curve: Curve, told: Told) -> str:
    first, last = curve.start + told.first, curve.start + told.last
    effect, frequency, name = told.effect, curve.frequency, subject.name
    match told.standing:
        case Standing.CONFIRMED:
            return wording.event(rng, name, effect, frequency, first, last)
        case Standing.CANCELLED:
            return wording.event(rng, name, effect, frequency, first, last, held=False)
        case Standing.ELSEWHERE:
            other = wording.other_subject(rng.at("other"), subject, split).name
            return wording.event(rng, other, effect, frequency, first, last)
        case Standing.ANOTHER_TIME:
            length = last - first + 1
            gap = rng.at("gap").integer(length + 1, length + 9) * rng.at("side").choice((-1, 1))
            return wording.event(rng, name, effect, frequency, first + gap, last + gap)
        case Standing.OVER:
            return wording.over(rng, name, effect, frequency, first - rng.at("gap").integer(0, 2))
        case Standing.OPPOSITE:
            opposite = Effect.DOWN if effect is Effect.UP else Effect.UP
            return wording.event(rng, name, opposite, frequency, first, last)


def _aside(rng: Rng, split: str, subject: Subject, curve: Curve) -> str:
    """An event that has no bearing on the series, wherever one looks."""
    effect = rng.at("effect").choice(tuple(Effect))
    first = rng.at("first").integer(2, len(curve.values) - 8)
    last = first + rng.at("length").integer(0, 4)
    standing = rng.at("standing").choice((Standing.CANCELLED, Standing.ELSEWHERE, Standing.ANOTHER_TIME))
    if standing is Standing.ANOTHER_TIME:
        away = len(curve.values) + 2 if rng.at("later").flip(0.5) else -len(curve.values) - 8
        told = Told(effect=effect, first=first + away, last=last + away, standing=Standing.CONFIRMED)
        return _sentence(rng, split, subject, curve, told)
    told = Told(effect=effect, first=first, last=last, standing=standing)
    return _sentence(rng, split, subject, curve, told)


def _limits(rng: Rng, subject: Subject, curve: Curve, clean: Series) -> tuple[Constraint, ...]:
    known = [value for value in clean if value is not None]
    room = max(max(known) - min(known), 6 * curve.sigma)
    high = _wide(max(known) + room * rng.at("high").uniform(0.15, 0.5), curve.decimals)
    low = _wide(max(0.0, min(known) - room * rng.at("low").uniform(0.15, 0.5)), curve.decimals)
    steps = [abs(later - earlier) for earlier, later in pairwise(known)]
    step = _wide(max(steps) * rng.at("step").uniform(1.15, 1.6), curve.decimals)
    words = {"subject": subject.name, "unit": _unit(subject), "high": high, "low": low, "step": step}
    return (
        rule(rng.at("cap").choice(_CAPS).format(**words), Level(high=high)),
        rule(rng.at("floor").choice(_FLOORS).format(**words), Level(low=low)),
        rule(rng.at("ramp").choice(_RAMPS).format(**words), Change(low=-step, high=step)),
        context(f"Readings of {subject.name} are kept to {10.0**-curve.decimals:g} {_unit(subject)}."),
    )


def _total(rng: Rng, subject: Subject, curve: Curve, at: int) -> Constraint:
    total = curve.values[at]
    first = round(total * rng.at("first").uniform(0.2, 0.4), curve.decimals)
    second = round(total * rng.at("second").uniform(0.2, 0.4), curve.decimals)
    third = round(total - first - second, curve.decimals)
    slack = round(max(0.25 * curve.sigma, 10.0**-curve.decimals), curve.decimals + 1)
    when = f"{wording.on(curve.frequency)} {wording.date(rng.at('date'), curve.frequency, curve.start + at)}"
    sentence = rng.at("frame").choice(_TOTALS).format(
        subject=subject.name, when=when, When=when[0].upper() + when[1:],
        a=first, b=second, c=third, t=f"{slack:g} {_unit(subject)}",
    )  # fmt: skip
    # The list rounds each branch, so the bound stands around their sum and not around the total.
    middle = first + second + third
    return rule(sentence, Level(low=middle - slack, high=middle + slack, where=(at,)))


def _usual(curve: Curve, subject: Subject) -> str:
    period = PERIODS[curve.frequency]
    season = f"repeats every {period} points" if period > 1 else "has no season"
    return f"{subject.name} {season}."


def _readings(rng: Rng, curve: Curve, clean: Series, checks: tuple[int, ...]) -> str:
    errors = rng.normals(len(checks))
    told = [
        f"{wording.date(rng.at(at), curve.frequency, curve.start + at)}: "
        f"{round(value + 0.25 * curve.sigma * max(-2.0, min(2.0, error)), curve.decimals)}"
        for at, error in zip(checks, errors, strict=True)
        if (value := clean[at]) is not None
    ]
    return f"Check readings of a second instrument: {'; '.join(told)}."


def _scale(curve: Curve) -> str:
    return (
        f"Desk scale: one typical swing is {curve.swing:g}; an error of up to 2 swings is low, "
        "up to 5 medium, above that high; a blank is low."
    )


def _wide(value: float, decimals: int) -> float:
    return round(value, max(0, decimals - 1))


def _unit(subject: Subject) -> str:
    return {"keur": "kEUR", "kusd": "kUSD", "mw": "MW", "gwh": "GWh"}.get(subject.unit, subject.unit)
