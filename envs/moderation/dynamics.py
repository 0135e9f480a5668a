"""What an episode is at one moment and how an action moves it.

Knows what a step shows, when it ends the case and what is told of it; what it earns is the grader's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, assert_never

from pydantic import Field

from envs.kernel import records
from envs.kernel.outcome import Grade, Parts, Reward, Step, clipped
from envs.moderation import grader
from envs.moderation.models import Act, Action, Decision, Observation, Violation
from envs.moderation.policy.clauses import CLAUSES
from envs.moderation.policy.wording import clause_text, explained
from envs.moderation.tasks import Task

QUOTA, WINDOW = 4, 10
"""Escalations among the last cases of one instance that cost no more than others."""


class Memory(records.Memory):
    """Whether each of the last cases was escalated, the latest last."""

    escalated: Annotated[tuple[bool, ...], Field(max_length=WINDOW)] = ()


class State(records.State):
    """The case so far.

    Attributes:
        checked: Clauses that were read, in this order.
        marked: The first classification.
        ruling: After the decision: what the policy says, in words.
    """

    task: Task
    escalations_left: Annotated[int, Field(ge=0)]
    history: bool = False
    thread: bool = False
    checked: tuple[str, ...] = ()
    marked: Violation | None = None
    decision: Decision | None = None
    ruling: str | None = None


def initial(task: Task, memory: Memory) -> State:
    """The post as it lies on the desk."""
    return State(task=task, escalations_left=max(0, QUOTA - sum(memory.escalated)))


def remember(memory: Memory, state: State) -> Memory:
    """The memory after a case; one that nobody decided leaves it as it was."""
    if state.decision is None:
        return memory
    return Memory(escalated=(*memory.escalated, state.decision is Decision.ESCALATE)[-WINDOW:])


def step(state: State, action: Action) -> Step[State]:
    """What an action does."""
    match action.action:
        case Act.FETCH_USER_HISTORY:
            return _looked(state, state.history, {"history": True}, "User history fetched")
        case Act.FETCH_THREAD_CONTEXT:
            return _looked(state, state.thread, {"thread": True}, "Thread context fetched")
        case Act.CHECK_POLICY_CLAUSE:
            return _checked(state, action.clause_id)
        case Act.MARK_VIOLATION_TYPE:
            return _marked(state, action.violation_type)
        case Act.ALLOW | Act.FLAG | Act.REMOVE | Act.ESCALATE:
            return _decided(state, Decision(action.action))
        case _:
            assert_never(action.action)


def observe(state: State) -> Observation:
    """The case as a player sees it."""
    task = state.task
    return Observation(
        task=task.level,
        post_content=task.post_content,
        geo=task.geo,
        engagement=task.engagement,
        reports=task.reports,
        available_context=tuple(CLAUSES),
        user_history=task.user_history if state.history else None,
        thread_context=task.thread_context if state.thread else None,
        policy_context=_policy(state) if state.checked else None,
        predicted_violation=state.marked,
        final_action=state.decision,
        ruling=state.ruling,
        escalations_left=state.escalations_left,
        step_count=state.step_count,
        max_steps=task.max_steps,
    )


def grade(task: Task, steps: tuple[Step[State], ...]) -> Grade:
    """The episode judged."""
    if not steps:
        return grader.grade(task, None, None, frozenset(), 0, QUOTA)
    last = steps[-1].state
    looked = _looked_at(last)
    return grader.grade(task, last.decision, last.marked, looked, last.step_count, last.escalations_left)


def _looked_at(state: State) -> frozenset[str]:
    places = [name for name, seen in (("history", state.history), ("thread", state.thread)) if seen]
    return frozenset((*places, *state.checked))


def _looked(state: State, before: bool, seen: Mapping[str, bool], message: str) -> Step[State]:
    if before:
        return _repeated(state, f"{message} before; looking again tells nothing new")
    return _going(state, seen, (("investigation", grader.LOOKED),), message)


def _checked(state: State, clause_id: str | None) -> Step[State]:
    if clause_id is None:
        return Step[State].illegal(state, "Missing required parameter: clause_id")
    if clause_id not in CLAUSES:
        spent = state.model_copy(update={"step_count": state.step_count + 1})
        known = ", ".join(CLAUSES)
        message = f"There is no clause {clause_id[:40]!r}; use one of: {known}"
        return Step[State].illegal(
            spent, message, (("invented", grader.INVENTED), *_late(state), *_last(state))
        )
    if clause_id in state.checked:
        return _repeated(state, f"Clause {clause_id} was read before; it says the same")
    return _going(state, {"checked": (*state.checked, clause_id)}, (), f"Clause {clause_id} fetched")


def _marked(state: State, violation: Violation | None) -> Step[State]:
    if violation is None:
        return Step[State].illegal(state, "Missing required parameter: violation_type")
    if state.marked is not None:
        return _repeated(state, f"Only the first mark counts: {state.marked}")
    return _going(state, {"marked": violation}, (), f"Marked as {violation}; scored with the decision")


def _decided(state: State, decision: Decision) -> Step[State]:
    earned = grader.decided(state.task, decision, state.marked, state.checked, state.escalations_left)
    ruling = explained(state.task.truth.ruling)
    right = decision is state.task.truth.ruling.decision
    after = _spent(state, {"decision": decision, "ruling": ruling})
    message = f"{'Right' if right else 'Wrong'}: {decision}. {ruling}"
    return Step[State].ended(after, _reward((*earned, *_late(state)), message))


def _repeated(state: State, message: str) -> Step[State]:
    return _going(state, {}, (("repetition", grader.REPEATED),), message)


def _going(state: State, update: Mapping[str, object], parts: Parts, message: str) -> Step[State]:
    return Step[State].going(_spent(state, update), _reward((*parts, *_late(state), *_last(state)), message))


def _spent(state: State, update: Mapping[str, object]) -> State:
    return state.model_copy(update={"step_count": state.step_count + 1, **update})


def _reward(parts: Parts, message: str) -> Reward:
    return Reward(parts=parts, total=round(clipped(parts, float("-inf"), float("inf")), 4), message=message)


def _late(state: State) -> Parts:
    """What the next step costs for coming late."""
    return (("late", grader.LATE),) if state.step_count >= state.task.free_steps else ()


def _last(state: State) -> Parts:
    """What the next step costs if it is the last and decides nothing: else stalling would beat erring."""
    spent = state.step_count + 1 >= state.task.max_steps
    return (("undecided", grader.UNDECIDED),) if spent else ()


def _policy(state: State) -> str:
    """The clauses that were read, one block each."""
    posted = {own.clause_id: own.lines for own in state.task.notices}
    return "\n\n".join(clause_text(name, posted.get(name, ())) for name in state.checked)
