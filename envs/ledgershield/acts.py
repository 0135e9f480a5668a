"""What an action reveals or asks for, before anything is paid.

Decides which of `tools` and `requests` an action is for. What it costs and what follows is `dynamics`'.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from envs.ledgershield import requests, tools
from envs.ledgershield.actions import ACCURATE_OCR_COST, COSTS, INTERVENTIONS, ActionType
from envs.ledgershield.artifacts import Artifact, Handoff, Reading
from envs.ledgershield.documents.reading import text_of
from envs.ledgershield.models import Action, OcrMode
from envs.ledgershield.remarks import remarks
from envs.ledgershield.seen import PendingEvent
from envs.ledgershield.state import State
from envs.ledgershield.tools import Misfit

PREVIEW = 400


@dataclass(frozen=True, slots=True)
class Done:
    """What an action came to.

    Attributes:
        shown: What it revealed at once.
        asked: The request that it made.
        words: What the result says beside it, by the result's fields.
    """

    message: str
    shown: Artifact | None = None
    asked: PendingEvent | None = None
    words: Mapping[str, str | int] = field(default_factory=dict[str, str | int])


def kind_of(action: Action) -> ActionType | None:
    """The action's type, None if there is no such action."""
    try:
        return ActionType(action.action_type)
    except ValueError:
        return None


def cost_of(action: Action, kind: ActionType) -> float:
    """What an action takes from the budget."""
    accurate = kind is ActionType.OCR and action.mode is OcrMode.ACCURATE
    return ACCURATE_OCR_COST if accurate else COSTS[kind]


def done(state: State, action: Action, kind: ActionType) -> Done:
    """What an action other than the decision comes to.

    Raises:
        Misfit: If it cannot be done so, or not be paid.
    """
    cost = cost_of(action, kind)
    if cost > state.remaining:
        raise Misfit(f"{kind} costs {cost:.2f} and {state.remaining:.2f} is left; submit_decision is free")
    if kind in tools.READS:
        reading = tools.read(state.task, action, kind)
        return Done(
            f"Read {len(reading.tokens)} words of {reading.doc_id}", reading, words=_words(action, reading)
        )
    if kind in requests.DELAYS:
        return _asked(state, action, kind)
    if kind is ActionType.CREATE_HUMAN_HANDOFF:
        return Done("Written up for a colleague", _handoff(state))
    if kind in INTERVENTIONS:
        return Done(f"Done: {kind}")
    shown = tools.found(state.task, action, kind)
    return Done(f"{kind} shows {shown.artifact_id}", shown)


def _asked(state: State, action: Action, kind: ActionType) -> Done:
    name = requests.event_id(kind, action)
    waiting = next((event for event in state.pending if event.event_id == name), None)
    if waiting is not None:
        raise Misfit(f"{name} is on its way and due at tick {waiting.due_at}; do something else until then")
    now = state.clock + 1
    event = PendingEvent(
        event_id=name,
        action_type=kind,
        requested_at=now,
        due_at=now + requests.delay(kind, state.findings),
    )
    return Done(f"Requested {name}; the answer is due at tick {event.due_at}", asked=event)


def _handoff(state: State) -> Handoff:
    return Handoff(
        artifact_id=f"handoff:{state.clock + 1}",
        case_id=state.task.task_id,
        revealed=tuple(shown.artifact_id for shown in state.revealed),
        pending=tuple(event.event_id for event in state.pending),
        remarks=remarks(state.revealed),
    )


def _words(action: Action, reading: Reading) -> dict[str, str | int]:
    text = text_of(reading.tokens)
    words: dict[str, str | int] = {
        "doc_id": reading.doc_id,
        "page": reading.page,
        "scope": "document" if action.bbox is None else "region",
        "text_preview": text if len(text) <= PREVIEW else f"{text[:PREVIEW]}…",
    }
    read_by_machine = reading.source.startswith("ocr")
    return {**words, "mode": (action.mode or OcrMode.FAST).value} if read_by_machine else words
