"""The battery: trivial policies that no gate may let earn skill.

None of them looks at more than the number of the step: each act always, on one worker or in turn on all, two
of them by turns, and the plans that a step count allows.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from envs.fleet.models import WORKERS, Act, Action, Fault, Finding, Observation
from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng


def act(done: Act, place: int) -> Action:
    return Action(action_type=done, worker_id=WORKERS[place % len(WORKERS)])


def always(observation: Observation, rng: Rng, done: Act, place: int) -> Action:
    """One act on one worker."""
    return act(done, place)


def in_turn(observation: Observation, rng: Rng, done: Act) -> Action:
    """One act on one worker after the other."""
    return act(done, observation.step_count)


def alternating(observation: Observation, rng: Rng, even: Act, odd: Act) -> Action:
    """Two acts by turns on one worker after the other."""
    turn, second = divmod(observation.step_count, 2)
    return act(odd if second else even, turn)


def sweeping(observation: Observation, rng: Rng, first: Act, last: Act) -> Action:
    """One act in turn until as many steps are left as there are workers, then another on each."""
    swept = observation.step_count - (observation.max_steps - len(WORKERS))
    return act(first, observation.step_count) if swept < 0 else act(last, swept)


def audited_at(observation: Observation, rng: Rng, left: int, fault: Fault | None) -> Action:
    """Signs off in turn, and ends with an audit; with `fault`, it accuses everybody of it."""
    if observation.oversight_budget_remaining > left:
        return act(Act.APPROVE, observation.step_count)
    named = tuple(Finding(worker_id=name, fault=fault) for name in WORKERS) if fault else ()
    return Action(action_type=Act.SUBMIT_AUDIT, worker_id=WORKERS[0], findings=named)


def _battery() -> dict[str, Policy[Observation, Action]]:
    found: dict[str, Policy[Observation, Action]] = {"do-nothing": partial(always, done=Act.RESUME, place=0)}
    for done in (Act.MONITOR, Act.INTERVENE, Act.APPROVE, Act.ESCALATE, Act.PAUSE):
        found[f"{done}-in-turn"] = partial(in_turn, done=done)
    for done in (Act.INTERVENE, Act.APPROVE):
        found[f"{done}-worker-3"] = partial(always, done=done, place=3)
    for even, odd in (
        (Act.INTERVENE, Act.APPROVE),
        (Act.MONITOR, Act.INTERVENE),
        (Act.PAUSE, Act.RESUME),
    ):
        found[f"{even}-{odd}"] = partial(alternating, even=even, odd=odd)
    for first, last in (
        (Act.APPROVE, Act.INTERVENE),
        (Act.MONITOR, Act.INTERVENE),
        (Act.MONITOR, Act.ESCALATE),
    ):
        found[f"{first}-then-{last}"] = partial(sweeping, first=first, last=last)
    found["audit-at-once"] = partial(audited_at, left=99, fault=None)
    found["audit-of-everybody"] = partial(audited_at, left=1, fault=Fault.CONSTRAINT_VIOLATION)
    return found


BATTERY: Mapping[str, Policy[Observation, Action]] = MappingProxyType(_battery())
CONSTANTS = (
    "do-nothing",
    "approve-in-turn",
    "intervene-approve",
    "monitor-intervene",
    "approve-then-intervene",
    "monitor-then-intervene",
    "monitor-then-escalate",
)
"""Among these the best that never looks is sought: all others of the battery earn nothing, or next to it."""
