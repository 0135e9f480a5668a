"""The world: how faults begin, spread, end and do harm while the shift goes on.

Knows nothing of rewards. Whether a fault passes on is drawn once, at the address of its step and worker.
"""

from __future__ import annotations

from collections.abc import Sequence

from envs.fleet.faults import SPREAD
from envs.fleet.models import Fault
from envs.fleet.standing import Standing
from envs.fleet.tasks import LEVELS, Plan, Task
from envs.fleet.telemetry import Showing
from envs.kernel.rng import Rng

SHOWS = 0.5
"""How strongly a fault must show to pass on."""

Faults = tuple[Standing | None, ...]


def next_faults(task: Task, faults: Faults, step: int, paused: Sequence[bool]) -> tuple[Faults, Faults]:
    """The faults that stand at `step`, and those that ended on the way there.

    Args:
        faults: Of each worker at the step before, after the act.
    """
    beginning = {plan.worker: plan for plan in task.truth.faults if plan.onset == step}
    standing: list[Standing | None] = []
    ended: list[Standing] = []
    for worker, fault in enumerate(faults):
        now, over = _next(fault, step)
        if now is None and worker > 0 and not paused[worker] and not paused[worker - 1]:
            now = _caught(task, faults[worker - 1], worker, step)
        if worker in beginning:
            # Its own fault hides what it had caught: both show as one, and a repair ends both.
            now = Standing(plan=beginning[worker])
        standing.append(now)
        ended += [] if over is None else [over]
    return tuple(standing), tuple(ended)


def _next(fault: Standing | None, step: int) -> tuple[Standing | None, Standing | None]:
    """A worker's fault at `step`, and the one that has just ended."""
    if fault is None:
        return None, None
    if fault.ended is not None:
        return None, fault
    if fault.due is not None and fault.due <= step:
        return None, fault.model_copy(update={"ended": step})
    return fault, None


def _caught(task: Task, source: Standing | None, worker: int, step: int) -> Standing | None:
    """What a healthy worker catches from the one before it."""
    if source is None or source.ended is not None or source.strength(step - 1) < SHOWS:
        return None
    if not Rng(task.truth.stream, "spread").at(step, worker).flip(LEVELS[task.level].spread):
        return None
    plan = Plan(worker=worker, family=SPREAD[0], variant=SPREAD[1], onset=step)
    return Standing(plan=plan, spread=True)


def showing(task: Task, fault: Standing | None, worker: int, step: int) -> Showing:
    """How a worker shows itself at a step."""
    if fault is not None:
        plan, faulty = fault.plan, True
    else:
        odd = [plan for plan in task.truth.oddities if plan.worker == worker and plan.onset <= step]
        if not odd:
            return Showing()
        plan, faulty = odd[0], False
    return Showing(case=(plan.family, plan.variant), age=step - plan.onset, dwell=plan.dwell, faulty=faulty)


def harm(fault: Standing | None, step: int, *, paused: bool) -> float:
    """What a worker's fault does to its part of the index in a step, in [0, 1]."""
    if fault is None or fault.ended is not None or paused:
        return 0.0
    return fault.profile.harm * fault.strength(step)


def stopped(fault: Standing | None, *, paused: bool) -> bool:
    """Whether a worker gets nothing done at all in a step."""
    crashed = fault is not None and fault.ended is None and fault.plan.family == Fault.LOUD_FAILURE
    return paused or crashed
