"""What a shift is at one moment and how an act of oversight moves it.

Knows what a step does and shows. What an act earns is judged elsewhere, and so is how faults go on.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

from pydantic import Field

from envs.fleet import audit, grader, index, world
from envs.fleet.judging import AUDIT, Judged, judged
from envs.fleet.models import (
    CREDITS,
    WORKERS,
    Act,
    Action,
    Gate,
    Observation,
    Report,
    Span,
    Stage,
    WorkerStatus,
    WorkerView,
)
from envs.fleet.standing import NOBODY, Standing, Tally
from envs.fleet.tasks import Task
from envs.fleet.telemetry import report
from envs.fleet.works import Damage
from envs.kernel import records
from envs.kernel.outcome import Grade, Parts, Reward, Step, clipped
from envs.kernel.records import HIDDEN, Record

T = TypeVar("T")


class Desk(Record):
    """What is on record of one worker.

    Attributes:
        done: Acts of oversight on it, each with its step.
        sample: A piece of what it put out in this step, under a close look.
    """

    paused: bool = False
    done: tuple[tuple[Act, int], ...] = ()
    sample: str = ""
    reports: tuple[Report, ...] = ()


class Closing(Record):
    """What the end tells.

    Attributes:
        timeline: All faults.
        total: What was earned, less the charge for what nobody found.
        gates: Values of the gates that need no index.
        damage: How the index came about.
    """

    timeline: tuple[Span, ...]
    total: float
    gates: Parts
    damage: Damage


class State(records.State):
    """The shift so far.

    Attributes:
        faults: What stands with each worker now.
        past: What was repaired.
        harm: Of each worker what its faults have done to its part of the index, in steps.
        stopped: Of each worker in how many steps it got nothing done.
        earned: Sum of the clipped rewards.
        closing: After the end: what was so, and what it came to.
    """

    task: Task
    desks: tuple[Desk, ...]
    faults: Annotated[tuple[Standing | None, ...], HIDDEN]
    past: Annotated[tuple[Standing, ...], HIDDEN] = ()
    harm: Annotated[tuple[float, ...], HIDDEN] = (0.0,) * len(WORKERS)
    stopped: Annotated[tuple[int, ...], HIDDEN] = (0,) * len(WORKERS)
    tally: Annotated[Tally, HIDDEN] = Tally()
    invalid: Annotated[int, Field(ge=0)] = 0
    earned: float = 0.0
    closing: Closing | None = None


def initial(task: Task) -> State:
    """The start of the shift: five healthy workers and their first reports."""
    return _reported(State(task=task, desks=(Desk(),) * len(WORKERS), faults=NOBODY), watched=None)


def step(state: State, action: Action) -> Step[State]:
    """What an act does; it is judged on the faults that stand before it."""
    if action.worker_id not in WORKERS:
        after = _passed(state.model_copy(update={"invalid": state.invalid + 1}), None)
        known = ", ".join(WORKERS)
        message = f"There is no worker {action.worker_id[:40]!r}; use one of: {known}. The step is spent."
        return Step[State].illegal(after, message)
    if action.action_type is Act.SUBMIT_AUDIT:
        return _audited(state, action)
    worker, act = WORKERS.index(action.worker_id), action.action_type
    desk = state.desks[worker]
    found = judged(act, state.faults[worker], state.step_count, desk.done, paused=desk.paused)
    total = clipped(found.parts, -1.0, 1.0)
    after = _passed(_acted(state, worker, act, found, total), worker if act is Act.MONITOR else None)
    return Step[State].going(after, Reward(parts=found.parts, total=total, message=found.message))


def observe(state: State) -> Observation:
    """The fleet as an overseer sees it; the index is measured when the shift has ended and is looked at."""
    closing = state.closing
    return Observation(
        task_id=state.task.level,
        step_count=state.step_count,
        max_steps=state.task.max_steps,
        oversight_budget_remaining=max(0, state.task.max_steps - state.step_count),
        invalid_actions=state.invalid,
        workers=tuple(_seen(state, worker) for worker in range(len(WORKERS))),
        timeline=None if closing is None else closing.timeline,
        total_reward=None if closing is None else closing.total,
        gates=None if closing is None else gates(closing),
    )


def gates(closing: Closing) -> tuple[Gate, ...]:
    """The contract's gates of a finished shift."""
    return grader.gates(closing.gates, index.built(closing.damage).quality)


def grade(task: Task, steps: tuple[Step[State], ...]) -> Grade:
    """The shift judged as if it ended now."""
    return _graded(steps[-1].state if steps else initial(task))


def _graded(state: State) -> Grade:
    return grader.grade(
        grader.Shift(
            task=state.task,
            tally=state.tally,
            earned=state.earned,
            missed=missed(state),
            unfound=unfound(state),
            steps=state.step_count,
            invalid=state.invalid,
        )
    )


def missed(state: State) -> int:
    """Faults that nobody has found: those of the plan, begun or not, and what has spread and still stands."""
    caught = sum(fault is not None and fault.spread and fault.found is None for fault in state.faults)
    return len(state.task.truth.faults) - state.tally.found + caught


def unfound(state: State) -> int:
    """Steps at which faults of their own stood that nobody had found, to the end of the shift if need be."""
    found = {
        fault.plan.worker: fault.found
        for fault in (*state.past, *state.faults)
        if fault is not None and not fault.spread and fault.found is not None
    }
    return sum(found.get(plan.worker, state.task.max_steps) - plan.onset for plan in state.task.truth.faults)


def _acted(state: State, worker: int, act: Act, found: Judged, total: float) -> State:
    """The state right after an act, before the step goes by."""
    desk = state.desks[worker]
    paused = act is Act.PAUSE or (desk.paused and act is not Act.RESUME)
    noted = desk.model_copy(update={"paused": paused, "done": (*desk.done, (act, state.step_count))})
    tally = state.tally
    if found.counted:
        tally = tally.model_copy(update={found.counted: getattr(tally, found.counted) + 1})
    return state.model_copy(
        update={
            "desks": _with(state.desks, worker, noted),
            "faults": _with(state.faults, worker, found.standing),
            "tally": tally,
            "earned": round(state.earned + total, 4),
        }
    )


def _audited(state: State, action: Action) -> Step[State]:
    """The end by an audit: what the findings are worth, and the rest of the shift without an overseer."""
    begun = [fault for fault in (*state.past, *state.faults) if fault is not None and not fault.spread]
    found = audit.judged(action.findings, begun, [desk.reports for desk in state.desks])
    parts = (("audit", round(AUDIT * found.worth, 4)),)
    total = clipped(parts, -1.0, 1.0)
    noted = {
        "past": tuple(fault.told(found.right) for fault in state.past),
        "faults": tuple(fault and fault.told(found.right) for fault in state.faults),
        "tally": state.tally.model_copy(update={"audit": round(found.worth, 4)}),
        "earned": round(state.earned + total, 4),
    }
    after = _closed(_worked(state.model_copy(update=noted)))
    message = f"{found.told()}: the audit is worth {found.worth:.2f} of 1. {_charged(after)}"
    return Step[State].ended(after, Reward(parts=parts, total=total, message=message))


def _passed(state: State, watched: int | None) -> State:
    """The state one step later; closed if that was the last."""
    after = _worked(state)
    if after.step_count >= state.task.max_steps:
        return _closed(after)
    paused = [desk.paused for desk in state.desks]
    faults, ended = world.next_faults(state.task, state.faults, after.step_count, paused)
    moved = after.model_copy(update={"faults": faults, "past": (*state.past, *ended)})
    return _reported(moved, watched)


def _worked(state: State) -> State:
    """A step of work with the faults that stand, and its traces in the index."""
    harm, stopped = list(state.harm), list(state.stopped)
    for worker, (fault, desk) in enumerate(zip(state.faults, state.desks, strict=True)):
        harm[worker] = round(harm[worker] + world.harm(fault, state.step_count, paused=desk.paused), 4)
        stopped[worker] += world.stopped(fault, paused=desk.paused)
    return state.model_copy(
        update={"step_count": state.step_count + 1, "harm": tuple(harm), "stopped": tuple(stopped)}
    )


def _closed(state: State) -> State:
    """The shift at its end: every fault is told, also those that an early audit left to come."""
    begun = [fault for fault in (*state.past, *state.faults) if fault is not None]
    known = {fault.plan.worker for fault in begun if not fault.spread}
    coming = [Standing(plan=plan) for plan in state.task.truth.faults if plan.worker not in known]
    ordered = sorted((*begun, *coming), key=lambda fault: (fault.plan.onset, fault.plan.worker))
    closing = Closing(
        timeline=tuple(fault.span() for fault in ordered),
        total=grader.total(state.earned, missed(state)),
        gates=_graded(state).parts,
        damage=index.damage(state),
    )
    return state.model_copy(update={"closing": closing})


def _reported(state: State, watched: int | None) -> State:
    """The state with everybody's report of this step."""
    desks = tuple(_desk(state, worker, deep=worker == watched) for worker in range(len(WORKERS)))
    return state.model_copy(update={"desks": desks})


def _desk(state: State, worker: int, *, deep: bool) -> Desk:
    desk = state.desks[worker]
    now = world.showing(state.task, state.faults[worker], worker, state.step_count)
    sent = report(state.task, state.step_count, worker, now, paused=desk.paused, deep=deep)
    sample = index.sample(state, worker) if sent.deep and not desk.paused else ""
    return desk.model_copy(update={"reports": (*desk.reports, sent), "sample": sample})


def _seen(state: State, worker: int) -> WorkerView:
    desk = state.desks[worker]
    last = desk.reports[-1]
    silent = last.burned is None
    burned = sum(sent.burned or 0.0 for sent in desk.reports)
    return WorkerView(
        worker_id=WORKERS[worker],
        stage=tuple(Stage)[worker],
        status=WorkerStatus.UNSEEN
        if silent
        else WorkerStatus.PAUSED
        if desk.paused
        else WorkerStatus.RUNNING,
        last_action_name=desk.done[-1][0] if desk.done else "none",
        budget_remaining=max(0, int(CREDITS - burned)),
        anomaly_flag=last.flag,
        step_count=state.step_count,
        approved_at=_steps(desk, Act.APPROVE),
        monitored_at=_steps(desk, Act.MONITOR),
        intervened_at=_steps(desk, Act.INTERVENE),
        escalated_at=_steps(desk, Act.ESCALATE),
        paused_at=_steps(desk, Act.PAUSE),
        resumed_at=_steps(desk, Act.RESUME),
        sample=desk.sample,
        reports=desk.reports,
    )


def _steps(desk: Desk, act: Act) -> tuple[int, ...]:
    return tuple(at for done, at in desk.done if done is act)


def _charged(state: State) -> str:
    count = missed(state)
    if not count:
        return "Nothing was missed."
    return f"Nobody found {count} of the shift's faults: {grader.charge(count):+.2f} at the end."


def _with(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    return (*items[:place], item, *items[place + 1 :])
