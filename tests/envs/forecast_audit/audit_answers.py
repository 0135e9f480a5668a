"""What the audit tests play: cases by seed, and what somebody who knows the truth would do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from envs.forecast_audit import POLICIES, ForecastAudit
from envs.forecast_audit.audit import generator
from envs.forecast_audit.audit.cases import AuditTask, Fault
from envs.forecast_audit.catalogue import Memory
from envs.forecast_audit.models import LEVELS, SPLITS, Action, Observation, Operation, Request
from envs.kernel.play import Episode, grade, play
from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng
from tests.envs.forecast_audit.answers import AuditEpisode

ENV = ForecastAudit()
PLACES = tuple((level, split) for level in LEVELS for split in SPLITS)


# Kept: the tests ask for the same ones again and again.
@cache
def case(seed: int, level: str, split: str = "public") -> AuditTask:
    return generator.task(Rng(seed, "task"), level, split)


def cases(count: int) -> Iterator[AuditTask]:
    """As many cases of every level and split."""
    return (case(seed, level, split) for level, split in PLACES for seed in range(count))


def opened(task: AuditTask) -> AuditEpisode:
    return Episode(Request(track="audit"), 1, Memory(), task, ENV.initial(task, Memory()))


def played(task: AuditTask, *actions: Action) -> AuditEpisode:
    episode = opened(task)
    for action in actions:
        episode = play(ENV, episode, action)
    return episode


def finished(task: AuditTask, policy: str | Policy[Observation, Action], seed: int = 1) -> AuditEpisode:
    """An episode that a policy plays to its end."""
    ask = POLICIES[policy] if isinstance(policy, str) else policy
    episode = opened(task)
    while not episode.done:
        episode = play(ENV, episode, ask(seen(episode), Rng(seed, "policy").at(len(episode.steps))))
    return episode


def seen(episode: AuditEpisode) -> Observation:
    return ENV.observe(episode.state, "audit")


def score(episode: AuditEpisode) -> float:
    return grade(ENV, episode).score


def oracle(task: AuditTask) -> tuple[Action, ...]:
    """The answer of somebody who reads the task: the true values, or a hair beside what stands there."""
    truth = task.truth
    ordered = sorted(truth.faults, key=lambda fault: not fault.repairable)
    spots = [at for fault in ordered for at in _spots(task, fault)]
    end = {"severity": truth.severity, "violated_constraints": truth.violated}
    if not spots:
        return (Action(operation=truth.operation, **end),)
    marks = [_mark(task, Operation.IMPUTE, at) for at in spots]
    return (*marks[:-1], _mark(task, truth.operation, spots[-1]).model_copy(update=end))


def _spots(task: AuditTask, fault: Fault) -> list[int]:
    """Where a fault must be marked: everywhere, or once if it is for the owner."""
    spots = [at for at in range(fault.start, fault.stop) if task.truth.clean[at] is not None]
    return spots if fault.repairable else spots[:1]


def _mark(task: AuditTask, operation: Operation, at: int) -> Action:
    value = task.truth.clean[at]
    assert value is not None
    if value == task.values[at]:
        value += 1e-9 * task.truth.scale
    return Action(operation=operation, target_index=at, predicted_value=value)
