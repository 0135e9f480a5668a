"""The battery: trivial policies that no gate may let earn skill.

Every constant answer, three ways to fill the first blank, and saying the last thing again. None of them reads
the curve beyond its first blank.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from types import MappingProxyType

from envs.forecast_audit.baselines import ends, neighbours_mean
from envs.forecast_audit.models import Action, Observation, Operation, Series, Severity
from envs.forecast_audit.reading import read
from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng

Fill = Callable[[Series, int], float | None]


def constant(
    observation: Observation, rng: Rng, operation: Operation, severity: Severity, *, cites_all: bool
) -> Action:
    """The same answer to every report."""
    return Action(
        operation=operation,
        severity=severity,
        violated_constraints=observation.constraints[:64] if cites_all else (),
        rationale="Every report gets the same answer.",
    )


def fill_first(observation: Observation, rng: Rng, fill: Fill, operation: Operation) -> Action:
    """Fills the first blank and ends the report; accepts a report without one."""
    if None not in observation.values:
        done = bool(read(observation).done)
        return Action(
            operation=Operation.REPAIR_AND_FINALIZE if done else Operation.ACCEPT, severity=Severity.LOW
        )
    index = observation.values.index(None)
    last = ends(observation)
    return Action(
        operation=Operation.REPAIR_AND_FINALIZE if last else operation,
        target_index=index,
        predicted_value=fill(observation.values, index),
        severity=Severity.LOW,
        rationale="The first blank is filled.",
    )


def repeat_last(observation: Observation, rng: Rng) -> Action:
    """Does what was done last; at first whatever chance says."""
    done = read(observation).done
    operation = done[-1] if done else rng.choice(tuple(Operation))
    return Action(operation=operation, target_index=0, severity=Severity.LOW)


def mean(values: Series, index: int) -> float | None:
    """The mean of what is known; None in an empty series."""
    known = [value for value in values if value is not None]
    return math.fsum(value / len(known) for value in known) if known else None


def last(values: Series, index: int) -> float | None:
    """The last value known before the index; None if there is none."""
    return next((value for value in reversed(values[:index]) if value is not None), None)


def _battery() -> dict[str, Policy[Observation, Action]]:
    found: dict[str, Policy[Observation, Action]] = {}
    for operation, severity, cites_all in product(Operation, Severity, (False, True)):
        name = f"{operation}-{severity}{'-all' if cites_all else ''}"
        found[name] = partial(constant, operation=operation, severity=severity, cites_all=cites_all)
    fills: dict[str, Fill] = {"mean": mean, "last": last, "linear": neighbours_mean}
    for (name, fill), operation in product(
        fills.items(), (Operation.IMPUTE, Operation.REPAIR_AND_FINALIZE, Operation.ESCALATE)
    ):
        found[f"{name}-at-first-null-{operation}"] = partial(fill_first, fill=fill, operation=operation)
    found["repeat-last"] = repeat_last
    return found


BATTERY: Mapping[str, Policy[Observation, Action]] = MappingProxyType(_battery())
CONSTANTS = tuple(name for name in BATTERY if "-at-" not in name and name != "repeat-last")
"""Those that never look."""
