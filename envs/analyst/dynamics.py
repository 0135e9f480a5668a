"""What an action does to an analysis: it is noted, and so is what answered it.

Decides what an analysis remembers. What answers a question comes from outside, as recorded data.
"""

from __future__ import annotations

from typing import assert_never

from pydantic import Field

from envs.analyst.models import LEVELS, Act, Action, Answered, Exchange, Observation
from envs.analyst.turns import Turn
from envs.kernel import records
from envs.kernel.outcome import Reward, Step

MAX_STEPS = 300
RECENT = 6
"""Exchanges that are seen at once; all of them are in the journal."""
UNANSWERED = "Nobody answers here: questions are answered where the instance is served."


class Memory(records.Memory):
    """What the next analysis of an instance begins with."""

    objective: str = ""
    business_questions: tuple[str, ...] = ()


class Task(records.Task):
    """An open analysis: nothing is hidden in it and nothing is right or wrong."""


class State(records.State):
    """An analysis as it stands.

    Attributes:
        exchanges: The last `RECENT`.
        asked: Questions so far, help included.
        analyses: Answers so far in which an `analyze_*` step succeeded.
    """

    task: Task
    objective: str
    business_questions: tuple[str, ...]
    exchanges: tuple[Exchange, ...] = ()
    asked: int = Field(default=0, ge=0)
    analyses: int = Field(default=0, ge=0)
    closed: bool = False


def task() -> Task:
    return Task(task_id="open", level=LEVELS[0], max_steps=MAX_STEPS)


def initial(task: Task, memory: Memory) -> State:
    return State(task=task, objective=memory.objective, business_questions=memory.business_questions)


def step(state: State, action: Action) -> Step[State]:
    match action.action:
        case Act.ASK:
            if not (action.message or "").strip():
                return Step.illegal(state, "ask needs a message: the question, in words.")
            return _exchanged(state, action.message or "", action)
        case Act.HELP:
            return _exchanged(state, "/help", action)
        case Act.SET_OBJECTIVE:
            return _aimed(state, action)
        case Act.FINISH:
            closed = state.model_copy(update={"closed": True, "step_count": state.step_count + 1})
            return Step.ended(closed, Reward(message="The analysis is closed."))
        case _:
            assert_never(action.action)


def observe(state: State) -> Observation:
    return Observation(
        objective=state.objective,
        business_questions=state.business_questions,
        exchanges=state.exchanges,
        asked=state.asked,
        analyses=state.analyses,
        closed=state.closed,
        step_count=state.step_count,
        max_steps=state.task.max_steps,
    )


def remember(state: State) -> Memory:
    return Memory(objective=state.objective, business_questions=state.business_questions)


def _exchanged(state: State, message: str, action: Action) -> Step[State]:
    turn = action.outcome if isinstance(action, Answered) else None
    noted = state.model_copy(
        update={
            "exchanges": (*state.exchanges, _exchange(message, turn))[-RECENT:],
            "asked": state.asked + 1,
            "analyses": state.analyses + (turn is not None and turn.substantive),
            "step_count": state.step_count + 1,
        }
    )
    return Step.going(noted, Reward(message=UNANSWERED if turn is None else f"Answered: {turn.intent}."))


def _exchange(message: str, turn: Turn | None) -> Exchange:
    if turn is None:
        return Exchange(message=message)
    return Exchange(message=message, message_id=turn.message_id, at=turn.generated_at, told=turn.told())


def _aimed(state: State, action: Action) -> Step[State]:
    given = {
        name: value
        for name in ("objective", "business_questions")
        if (value := getattr(action, name)) is not None
    }
    if not given:
        return Step.illegal(state, "set_objective needs an objective, business_questions, or both.")
    aimed = state.model_copy(update={**given, "step_count": state.step_count + 1})
    return Step.going(aimed, Reward(message="The objective is set."))
