"""What a held-out case keeps to itself until its round closes: rewards, and what was behind it."""

from __future__ import annotations

from envs.ledgershield.seen import RewardModel, ToolResult
from envs.ledgershield.state import State

RECORDED = "Recorded"


def concealed(state: State) -> State:
    """The state without a trace of how good the actions were; what they revealed stays."""
    if state.last is None:
        return state
    kept = {"last": _neutral(state.last, decided=state.submission is not None)}
    if state.submission is None:
        return state.model_copy(update=kept)
    return state.model_copy(update={**kept, "messages": (*state.messages[:-1], RECORDED)})


def _neutral(result: ToolResult, *, decided: bool) -> ToolResult:
    model = result.reward_model
    nothing = RewardModel(
        value=0.0,
        terminal=model.terminal,
        components=dict.fromkeys(model.components, 0.0),
        metadata=model.metadata,
    )
    said = {"message": RECORDED} if decided else {}
    return result.model_copy(update={"reward_model": nothing, **said})
