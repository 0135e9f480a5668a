"""The report as a person sees it, from an observation alone.

Limits are read from the wording of the constraints: an observation carries no predicates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from envs.forecast_audit.models import Observation
from envs.scene import Chart, Checklist, Heading, Hint, Limit, Line, Prose, Scene

_AMOUNT = r"([-−]?\d[\d,]*(?:\.\d+)?)(?!:?\d)"
# Up to 40 characters may stand before the number: "cannot exceed the inverter rating of 100 MW".
_CAP = re.compile(rf"\b(?:cannot exceed|never exceeds?|at or below)\b[^.\d]{{0,40}}?{_AMOUNT}")
_FLOOR = re.compile(
    rf"\b(?:cannot fall below|never falls? below|at or above|at least)\b[^.\d]{{0,40}}?{_AMOUNT}"
)
_BAND = re.compile(rf"\bbetween {_AMOUNT} and {_AMOUNT}")

_MOST_GAPS = 6

_UNITS = {
    "c": "°C",
    "days": "days",
    "eur": "EUR",
    "gwh": "GWh",
    "keur": "kEUR",
    "kgbp": "kGBP",
    "kusd": "kUSD",
    "kw": "kW",
    "litres": "litres",
    "m": "m",
    "meur": "MEUR",
    "mw": "MW",
    "orders": "orders",
    "pct": "%",
}
_ACRONYMS = {"atm": "ATM", "ev": "EV", "pv": "PV"}


def scene(observation: Observation) -> Scene:
    """The case, its curve, its constraints and its history, top to bottom."""
    name, unit = _name_and_unit(observation.metric_name)
    eyebrow = (observation.domain, observation.difficulty, observation.issue_type.replace("_", " "))
    return Scene(
        pieces=(
            Heading(
                eyebrow=" · ".join(eyebrow),
                title=name,
                quote=observation.analyst_note,
                # After a step the contract puts the verdict into the field that held the analyst's words.
                quote_by=(
                    "verdict on the last action"
                    if observation.analyst_note.startswith("Previous action: ")
                    else "analyst’s note"
                ),
            ),
            Chart(
                summary=_summary(observation, name, unit),
                unit=unit,
                labels=observation.timestamps,
                lines=(Line(name="observed", values=observation.values),),
                limits=tuple(_limits(observation.constraints)),
                selects="target_index",
            ),
            Checklist(
                label="What the desk knows",
                help="Tick every constraint that the report breaks; a wrong tick costs like a missing one.",
                fills="violated_constraints",
                items=observation.constraints,
            ),
            Prose(label="History", text=observation.history_summary),
        )
    )


def hints(observation: Observation) -> tuple[Hint, ...]:
    """The action form's fields in order, with the bounds of this case."""
    _, unit = _name_and_unit(observation.metric_name)
    return (
        Hint(field="operation", label="Operation", help="What should happen to this report."),
        Hint(
            field="target_index",
            label="Faulty point",
            help="Click it in the chart; points are counted from 0.",
            low=0,
            high=len(observation.values) - 1,
        ),
        Hint(
            field="predicted_value",
            label="Right value",
            help="What the report should say there. It is written into the series.",
            unit=unit,
        ),
        Hint(field="severity", label="Severity", help="The harm if the report went out as it is."),
        Hint(
            field="violated_constraints",
            label="Broken constraints",
            help="None, if the report keeps them all.",
        ),
        Hint(
            field="rationale", label="Rationale", help="One sentence with a fact of this case and the reason."
        ),
    )


def _name_and_unit(metric_name: str) -> tuple[str, str]:
    """A metric's name and unit for people, e.g. ("Wind farm forecast", "MW")."""
    *words, last = metric_name.split("_")
    unit = _UNITS.get(last, "") if words else ""
    if "per" in words:
        position = words.index("per")
        unit = (
            f"{' '.join(words[max(0, position - 1) : position])}/{' '.join([*words[position + 1 :], last])}"
        )
    named = words if last in _UNITS and "per" not in words else [*words, last]
    name = " ".join(_ACRONYMS.get(word, word) for word in named)
    return name[:1].upper() + name[1:], unit


def _summary(observation: Observation, name: str, unit: str) -> str:
    """The curve in one sentence, for those who cannot see it."""
    known = [value for value in observation.values if value is not None]
    gaps = [
        label
        for label, value in zip(observation.timestamps, observation.values, strict=True)
        if value is None
    ]
    span = f" between {min(known):g} and {max(known):g} {unit}".rstrip() if known else ""
    told = ", ".join(gaps[:_MOST_GAPS]) + (f" and {len(gaps) - _MOST_GAPS} more" if gaps[_MOST_GAPS:] else "")
    gap = f", with no value at {told}" if gaps else ""
    first, last = observation.timestamps[0], observation.timestamps[-1]
    return f"{name}: {len(observation.values)} points from {first} to {last}{span}{gap}."


def _limits(sentences: tuple[str, ...]) -> Iterator[Limit]:
    """The bounds on single values that the sentences state."""
    for sentence in sentences:
        if band := _BAND.search(sentence):
            yield Limit(label="at least", value=_amount(band[1]))
            yield Limit(label="at most", value=_amount(band[2]))
        if cap := _CAP.search(sentence):
            yield Limit(label="at most", value=_amount(cap[1]))
        if floor := _FLOOR.search(sentence):
            yield Limit(label="at least", value=_amount(floor[1]))


def _amount(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))
