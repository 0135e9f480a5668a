"""Baselines: what simple rules make of an observation.

They see what a player sees and nothing else, and each reads as much of it as it names.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from statistics import median
from types import MappingProxyType

from envs.forecast_audit.models import Action, IssueType, Observation, Operation, Series, Severity
from envs.forecast_audit.reading import read
from envs.forecast_audit.reference import curve_only, reference
from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng


def random_action(observation: Observation, rng: Rng) -> Action:
    """Every field uniform over what is legal; values over the range of the series."""
    known = [value for value in observation.values if value is not None] or [0.0]
    share = rng.at("value").unit()
    # Not low + share * (high - low): the range of values that a player wrote may overflow.
    value = (1 - share) * min(known) + share * max(known)
    return Action(
        operation=rng.at("operation").choice(tuple(Operation)),
        target_index=rng.at("index").choice((None, *range(len(observation.values)))),
        predicted_value=rng.at("has_value").choice((None, value)),
        severity=rng.at("severity").choice((None, *Severity)),
        violated_constraints=tuple(
            sentence
            for position, sentence in enumerate(observation.constraints)
            if rng.at("constraint", position).flip(0.5)
        ),
    )


def accept_all(observation: Observation, rng: Rng) -> Action:
    """Publishes every report as it stands."""
    return Action(
        operation=Operation.ACCEPT,
        severity=Severity.LOW,
        rationale="The report is published as it stands.",
    )


def escalate_all(observation: Observation, rng: Rng) -> Action:
    """Leaves every report to somebody else."""
    return Action(
        operation=Operation.ESCALATE,
        severity=Severity.HIGH,
        rationale="Somebody else should look at this report.",
    )


def issue_type_lookup(observation: Observation, rng: Rng) -> Action:
    """Operation and severity by the label; the first gap, if there is one, takes its neighbours' mean."""
    operation, severity = _answer_to(observation.issue_type)
    index = observation.values.index(None) if None in observation.values else None
    return Action(
        operation=operation,
        target_index=index,
        predicted_value=None if index is None else neighbours_mean(observation.values, index),
        severity=severity,
        rationale="The label of the report says what to do.",
    )


def flag_max_z(observation: Observation, rng: Rng) -> Action:
    """Flags the value farthest from the mean, the one of the largest |z|; escalates it on the audit track."""
    known = [(index, value) for index, value in enumerate(observation.values) if value is not None]
    # Each term is divided first: a player may have written values whose sum overflows.
    mean = math.fsum(value / len(known) for _, value in known)
    farthest = max(known, key=lambda point: abs(point[1] - mean), default=None)
    blind = observation.issue_type is IssueType.UNDISCLOSED
    return Action(
        operation=Operation.ESCALATE if blind else Operation.FLAG_ANOMALY,
        target_index=None if farthest is None else farthest[0],
        severity=Severity.MEDIUM,
        rationale="This value is the farthest from the mean of the series.",
    )


def hampel_linear(observation: Observation, rng: Rng) -> Action:
    """Fills blanks within the series, or else the first Hampel outlier, by lines; then ends the report."""
    values = observation.values
    marks = read(observation).marks
    blanks = [at for at, value in enumerate(values) if value is None and _between(values, at)]
    doubtful = [at for at in (*blanks, *(() if blanks or marks else hampel(values)[:1])) if at not in marks]
    if not doubtful:
        operation = Operation.REPAIR_AND_FINALIZE if marks else Operation.ACCEPT
        return Action(
            operation=operation, severity=Severity.LOW, rationale="No value is left that stands out."
        )
    index = doubtful[0]
    blank = values[index] is None
    if observation.issue_type is not IssueType.UNDISCLOSED:
        operation, _ = _answer_to(observation.issue_type)
    elif len(doubtful) == 1 or ends(observation):
        operation = Operation.REPAIR_AND_FINALIZE
    else:
        operation = Operation.IMPUTE
    return Action(
        operation=operation,
        target_index=index,
        predicted_value=linear(values, index),
        severity=Severity.LOW if blank else Severity.HIGH,
        rationale=f"The value at position {index} is replaced by a line between its neighbours.",
    )


def hampel(values: Series, reach: int = 4, limit: float = 5.0) -> tuple[int, ...]:
    """Positions that lie more than `limit` scaled median deviations from the median of their neighbourhood.

    The neighbourhood holds the 2 * reach + 1 nearest points, at the ends too. Where most of it is constant,
    any value that differs is an outlier. Source: Hampel (1974), JASA 69, 383-393.
    """
    found: list[int] = []
    for at, value in enumerate(values):
        first = max(0, min(at - reach, len(values) - 2 * reach - 1))
        near = [other for other in values[first : first + 2 * reach + 1] if other is not None]
        if value is None or len(near) < 4:
            continue
        middle = median(near)
        spread = 1.4826 * median([abs(other - middle) for other in near])
        if abs(value - middle) > limit * spread:
            found.append(at)
    return tuple(found)


def linear(values: Series, index: int) -> float | None:
    """The value on the line between a position's nearest known neighbours; None where a side has none."""
    before = next((at for at in range(index - 1, -1, -1) if values[at] is not None), None)
    after = next((at for at in range(index + 1, len(values)) if values[at] is not None), None)
    if before is None or after is None:
        return None
    left, right = values[before], values[after]
    share = (index - before) / (after - before)
    return None if left is None or right is None else (1 - share) * left + share * right


def ends(observation: Observation) -> bool:
    """Whether this is the last step that can end the report."""
    return observation.step_count + 1 >= observation.max_steps


def _between(values: Series, index: int) -> bool:
    return linear(values, index) is not None


def neighbours_mean(values: Series, index: int) -> float | None:
    """Mean of the nearest known values on both sides; the only one at an end, None in an empty series."""
    sides = (_first_known(reversed(values[:index])), _first_known(values[index + 1 :]))
    known = [value for value in sides if value is not None]
    return math.fsum(value / len(known) for value in known) if known else None


def _first_known(values: Iterable[float | None]) -> float | None:
    return next((value for value in values if value is not None), None)


def _answer_to(issue_type: IssueType) -> tuple[Operation, Severity]:
    match issue_type:
        case IssueType.MISSING_VALUE:
            return Operation.IMPUTE, Severity.LOW
        case IssueType.ANOMALY:
            return Operation.REPAIR_AND_FINALIZE, Severity.HIGH
        case IssueType.INVALID_FORECAST:
            return Operation.ESCALATE, Severity.HIGH
        case IssueType.UNDISCLOSED:
            return Operation.ACCEPT, Severity.LOW


POLICIES: Mapping[str, Policy[Observation, Action]] = MappingProxyType(
    {
        "random": random_action,
        "accept-all": accept_all,
        "escalate-all": escalate_all,
        "issue-type-lookup": issue_type_lookup,
        "flag-max-z": flag_max_z,
        "hampel-linear": hampel_linear,
        "curve-only": curve_only,
        "reference": reference,
    }
)
