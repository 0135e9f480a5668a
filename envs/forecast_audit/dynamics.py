"""What an episode is at one moment and how an action moves it.

Knows what an action writes and when it ends the episode; what it earns is the grader's.
"""

from __future__ import annotations

from envs.forecast_audit import grader
from envs.forecast_audit.audit import play as audit
from envs.forecast_audit.audit.cases import AuditTask
from envs.forecast_audit.models import Action, Observation, Operation, Series
from envs.forecast_audit.tasks import Task
from envs.kernel import records
from envs.kernel.outcome import Reward, Step


class State(records.State):
    """The report as it stands.

    Attributes:
        values: The series with everything that actions wrote into it.
        log: On the audit track, the legal actions so far and where they pointed.
        last_operation, last_reward: Of the last legal action; None before it.
        total_reward: Sum of the rewards so far.
    """

    task: AuditTask | Task
    values: Series
    log: tuple[tuple[Operation, int | None], ...] = ()
    last_operation: Operation | None = None
    last_reward: Reward | None = None
    total_reward: float = 0.0


def initial(task: Task) -> State:
    """The report as it was queued."""
    return State(task=task, values=task.values)


def step(state: State, action: Action) -> Step[State]:
    """What an action does; an index outside the series changes nothing and spends no step."""
    size = len(state.values)
    if action.target_index is not None and not 0 <= action.target_index < size:
        return Step[State].illegal(
            state,
            f"target_index {action.target_index} is outside this series of {size} values; "
            f"use 0 to {size - 1}",
        )
    values = _written(state.values, action)
    audited = isinstance(state.task, AuditTask)
    log = (*state.log, (action.operation, audit.mark_of(action))) if audited else ()
    reward = _reward(state, action, values, log)
    after = state.model_copy(
        update={
            "step_count": state.step_count + 1,
            "values": values,
            "log": log,
            "last_operation": action.operation,
            "last_reward": reward,
            "total_reward": round(state.total_reward + reward.total, 4),
        }
    )
    ends = action.operation in audit.ENDS if audited else reward.total >= grader.DONE_AT
    return (Step[State].ended if ends else Step[State].going)(after, reward)


def observe(state: State) -> Observation:
    """The report as a player sees it."""
    task = state.task
    return Observation(
        task_id=task.task_id,
        difficulty=task.level,
        domain=task.domain,
        metric_name=task.metric_name,
        timestamps=task.timestamps,
        values=state.values,
        issue_type=task.issue_type,
        constraints=task.sentences,
        analyst_note=_note(state),
        step_count=state.step_count,
        max_steps=task.max_steps,
        history_summary=task.history_summary,
    )


def _reward(
    state: State, action: Action, values: Series, log: tuple[tuple[Operation, int | None], ...]
) -> Reward:
    number = state.step_count + 1
    if isinstance(state.task, AuditTask):
        marks = tuple(index for _, index in log if index is not None)
        return audit.reward(state.task, action, values, marks, number)
    return grader.reward(state.task, action, number)


def _note(state: State) -> str:
    if state.last_operation is None or state.last_reward is None:
        return state.task.analyst_note
    if isinstance(state.task, AuditTask) and state.last_operation not in audit.ENDS:
        return audit.note(state.task.analyst_note, state.log)
    reward = state.last_reward
    return f"Previous action: {state.last_operation}. Reward={reward.total:.2f}. {reward.message}"


def _written(values: Series, action: Action) -> Series:
    """The series with the action's value in its place, right or wrong."""
    if action.target_index is None or action.predicted_value is None:
        return values
    return (*values[: action.target_index], action.predicted_value, *values[action.target_index + 1 :])
