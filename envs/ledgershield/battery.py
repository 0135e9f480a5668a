"""The battery: trivial policies that no gate may let earn skill.

Constants, one check with a reflex after it, everything asked and nothing made of it, and one thing repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng
from envs.ledgershield import artifacts
from envs.ledgershield.actions import ActionType
from envs.ledgershield.inference.hypotheses import Decision, Hypothesis
from envs.ledgershield.inference.tables import Evidence, Finding
from envs.ledgershield.meaning import findings_of
from envs.ledgershield.models import Action
from envs.ledgershield.reaching import asked, waited
from envs.ledgershield.seen import Observation

Play = Policy[Observation, Action]
Verdict = Callable[[Observation], Decision]

UNIFORM: Mapping[str, float] = MappingProxyType({name.value: 1 / len(Hypothesis) for name in Hypothesis})
WRONG: Mapping[str, float] = MappingProxyType({Hypothesis.SAFE.value: 1.0})


def decide(
    observation: Observation, rng: Rng, decision: Decision, stated: Mapping[str, float] | None = None
) -> Action:
    """The same decision in every case, with the same probabilities."""
    return Action(
        action_type=ActionType.SUBMIT_DECISION,
        decision=decision,
        predicted_probabilities=None if stated is None else dict(stated),
        # A case of reading takes no decision and cannot do without a field.
        extracted_fields={"currency": observation.case_metadata.currency},
    )


def checked(observation: Observation, rng: Rng, tools: tuple[Evidence, ...], verdict: Verdict) -> Action:
    """Asks the same tools in every case, waits for their answers, then follows a reflex."""
    findings = findings_of(observation.revealed_artifacts)
    pending = {event.action_type.value for event in observation.pending_events}
    left = [tool for tool in tools if tool not in findings and tool.value not in pending]
    if observation.step_count + 1 >= observation.max_steps:
        return decide(observation, rng, verdict(observation))
    if left:
        return asked(observation, left[0])
    return waited(observation) if pending else decide(observation, rng, verdict(observation))


def under_limit(observation: Observation) -> Decision:
    """Pays what is below the approval limit, sends the rest to review."""
    shown = [own for own in observation.revealed_artifacts if isinstance(own, artifacts.Policy)]
    below = any((own.invoice_total or 0.0) <= (own.approval_limit or 0.0) for own in shown)
    return Decision.PAY if below else Decision.NEEDS_REVIEW


def clear(observation: Observation, tool: Evidence) -> Decision:
    """Pays if a tool found nothing, escalates if it did."""
    found = findings_of(observation.revealed_artifacts).get(tool)
    return Decision.PAY if found is Finding.CLEAR else Decision.ESCALATE_FRAUD


def repeat(observation: Observation, rng: Rng) -> Action:
    """Reads the policy again and again."""
    return asked(observation, Evidence.POLICY)


def _battery() -> dict[str, Play]:
    found: dict[str, Play] = {name: partial(decide, decision=decision) for name, decision in _NAMED.items()}
    found["uniform-probabilities"] = partial(decide, decision=Decision.ESCALATE_FRAUD, stated=UNIFORM)
    found["confident-wrong"] = partial(decide, decision=Decision.ESCALATE_FRAUD, stated=WRONG)
    for tool in (Evidence.CALLBACK, Evidence.BANK):
        verdict = partial(clear, tool=tool)
        found[f"{tool.name.lower()}-reflex"] = partial(checked, tools=(tool,), verdict=verdict)
    found["pay-under-limit"] = partial(checked, tools=(Evidence.POLICY,), verdict=under_limit)
    # With another decision at the end it would be that constant, less what everything costs.
    review = partial(_always, decision=Decision.NEEDS_REVIEW)
    found["run-all-then-review"] = partial(checked, tools=tuple(Evidence), verdict=review)
    found["repeat-policy"] = repeat
    return found


def _always(observation: Observation, decision: Decision) -> Decision:
    return decision


_NAMED: Mapping[str, Decision] = {
    "pay": Decision.PAY,
    "hold": Decision.HOLD,
    "review": Decision.NEEDS_REVIEW,
    "escalate": Decision.ESCALATE_FRAUD,
}

BATTERY: Mapping[str, Play] = MappingProxyType(_battery())
CONSTANTS = (*_NAMED, "uniform-probabilities", "confident-wrong")
"""Those that never look."""
