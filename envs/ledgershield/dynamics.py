"""How an action moves an episode.

Decides what is spent, when the clock ticks, which answers arrive and when it ends. What an action reveals is
`acts`', what a step earns `rewards`', what the whole was worth `grader`'s.
"""

from __future__ import annotations

from envs.kernel.outcome import Parts, Step
from envs.ledgershield import grader, requests, rewards
from envs.ledgershield.actions import ActionType
from envs.ledgershield.acts import Done, cost_of, done, kind_of
from envs.ledgershield.artifacts import Artifact
from envs.ledgershield.inference.machine import Machine, advanced
from envs.ledgershield.models import Action, Family
from envs.ledgershield.seen import RewardModel, ToolResult
from envs.ledgershield.state import State, Trace
from envs.ledgershield.submission import checked
from envs.ledgershield.tasks import Task
from envs.ledgershield.tools import Misfit

DECIDED, BUDGET_SPENT, STEPS_SPENT = "decided", "budget_spent", "steps_spent"


def initial(task: Task) -> State:
    """The case as it lies on the desk."""
    return State(task=task, machine=Machine(family=task.family), messages=(f"Loaded case {task.task_id}",))


def step(state: State, action: Action) -> Step[State]:
    """What an action does. One that cannot be done costs a step and reward, and nothing of the budget."""
    kind = kind_of(action)
    try:
        if kind is None:
            known = ", ".join(ActionType)
            raise Misfit(f"there is no action {action.action_type[:40]!r}; use one of: {known}")
        if kind is ActionType.SUBMIT_DECISION:
            checked(state.task.family, action)
            return _submitted(state, action)
        return _worked(state, action, kind, done(state, action, kind))
    except Misfit as error:
        return _failed(state, action, kind, str(error))


def pressed_at(task: Task) -> int:
    """The step with which a message that asks to hurry arrives, where there is one."""
    return max(2, task.max_steps // 2)


def _worked(state: State, action: Action, kind: ActionType, came: Done) -> Step[State]:
    """After an action that worked: the clock ticks, answers arrive, and everything is paid."""
    cost, clock = cost_of(action, kind), state.clock + 1
    due = tuple(event for event in state.pending if event.due_at <= clock)
    answers = tuple(requests.answer(state.task, event.action_type, event.event_id) for event in due)
    waiting = tuple(event for event in state.pending if event not in due)
    told = tuple(f"{event.event_id} is answered" for event in due)
    machine, bonus = advanced(state.machine, kind, success=True)
    after = _stepped(state, Trace(kind=kind, success=True, cost=cost), machine).model_copy(
        update={
            "clock": clock,
            "spent": round(state.spent + cost, 2),
            "revealed": _with(state.revealed, came.shown, *answers),
            "pending": waiting if came.asked is None else (*waiting, came.asked),
            "messages": (*state.messages, came.message, *told),
        }
    )
    after = _hurried(after)
    ended = BUDGET_SPENT if after.remaining <= 0.0 else _out_of_steps(after)
    reached = rewards.reached(after)
    milestones = sum(rewards.WORTH[name] for name in reached if name not in state.milestones)
    parts: Parts = (
        (rewards.COST, -cost),
        (rewards.MILESTONES, milestones),
        *_shaped(state, after, ended, bonus),
    )
    after = after.model_copy(update={"milestones": reached, "ended": ended})
    reward = rewards.reward(parts, came.message)
    result = _result(after, action, came.message, cost, parts, reward.total)
    result = result.model_copy(update={"artifact": came.shown, "pending": came.asked, **came.words})
    after = after.model_copy(update={"last": result})
    return Step[State].ended(after, reward) if ended == BUDGET_SPENT else Step[State].going(after, reward)


def _failed(state: State, action: Action, kind: ActionType | None, why: str) -> Step[State]:
    """After an action that could not be done: nothing was spent, and nothing arrives."""
    machine, bonus = (state.machine, 0.0) if kind is None else advanced(state.machine, kind, success=False)
    after = _stepped(state, Trace(kind=kind, success=False, cost=0.0), machine)
    after = _hurried(after.model_copy(update={"messages": (*state.messages, why)}))
    ended = _out_of_steps(after)
    parts: Parts = ((rewards.FAILURE, rewards.FAILED), *_shaped(state, after, ended, bonus))
    failed = Step[State].illegal(after, why, parts)
    result = _result(after, action, why, 0.0, parts, failed.reward.total, success=False)
    return Step[State].illegal(after.model_copy(update={"ended": ended, "last": result}), why, parts)


def _submitted(state: State, action: Action) -> Step[State]:
    """After the decision: the grade is paid and what was behind the case is told."""
    machine, bonus = advanced(state.machine, ActionType.SUBMIT_DECISION, success=True)
    after = _stepped(state, Trace(kind=ActionType.SUBMIT_DECISION, success=True, cost=0.0), machine)
    after = after.model_copy(update={"submission": action, "ended": DECIDED})
    graded = grader.grade(after)
    message = _told(state.task, action, graded.score)
    parts: Parts = ((rewards.GRADE, graded.score), *_shaped(state, after, DECIDED, bonus))
    reward = rewards.reward(parts, message)
    result = _result(after, action, message, 0.0, parts, reward.total)
    after = after.model_copy(update={"last": result, "messages": (*state.messages, message)})
    return Step[State].ended(after, reward)


def _stepped(state: State, trace: Trace, machine: Machine) -> State:
    return state.model_copy(
        update={"step_count": state.step_count + 1, "trail": (*state.trail, trace), "machine": machine}
    )


def _hurried(state: State) -> State:
    """The state with the message that asks to hurry, if this is its step."""
    message = state.task.file.pressure
    if message is None or state.step_count != pressed_at(state.task):
        return state
    return state.model_copy(
        update={
            "revealed": _with(state.revealed, message),
            "messages": (*state.messages, f"{message.sender}: {message.text}"),
        }
    )


def _shaped(before: State, after: State, ended: str, bonus: float) -> Parts:
    """The parts that the blind track does not have."""
    if not before.instrumented:
        return ()
    believed = rewards.believed(before.belief, after.belief, over=bool(ended))
    return (*believed, (rewards.MACHINE, bonus))


def _result(
    state: State,
    action: Action,
    message: str,
    cost: float,
    parts: Parts,
    total: float,
    *,
    success: bool = True,
) -> ToolResult:
    components = dict(parts)
    if rewards.INFORMATION in components:
        components["voi_reward"] = components[rewards.INFORMATION] - cost
    return ToolResult(
        tool_name=action.action_type,
        success=success,
        cost=cost,
        message=message,
        reward_model=RewardModel(
            value=total,
            terminal=bool(state.ended) or bool(_out_of_steps(state)),
            components=components,
            metadata={
                "action_type": action.action_type,
                "success": success,
                "terminal_reason": state.ended or _out_of_steps(state),
            },
        ),
    )


def _with(revealed: tuple[Artifact, ...], *more: Artifact | None) -> tuple[Artifact, ...]:
    """What is revealed, each thing once."""
    known = {shown.artifact_id for shown in revealed}
    new = {shown.artifact_id: shown for shown in more if shown is not None}
    return (*revealed, *(shown for name, shown in new.items() if name not in known))


def _out_of_steps(state: State) -> str:
    return STEPS_SPENT if state.step_count >= state.task.max_steps else ""


def _told(task: Task, action: Action, score: float) -> str:
    """What was behind the case, after its end."""
    if task.family is Family.A:
        return f"Submitted; scored {score:.2f}"
    right = task.truth.decision
    verdict = "Right" if action.decision is right else "Wrong"
    return f"{verdict}: behind it was {task.truth.hypothesis}, which asks for {right}; scored {score:.2f}"
