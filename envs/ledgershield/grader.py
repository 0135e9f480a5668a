"""What an episode was worth: the contract's weighted parts, and the objective that skill is computed from.

Reads the case's truth; changes nothing. A case that nobody decided has no part of the score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import fsum
from types import MappingProxyType

from envs.kernel.outcome import Grade, Parts
from envs.ledgershield import gold
from envs.ledgershield.actions import INTERVENTIONS, ActionType
from envs.ledgershield.evidence import cited, extracted, lines_read
from envs.ledgershield.inference.belief import prior
from envs.ledgershield.inference.hypotheses import Decision, Hypothesis
from envs.ledgershield.inference.machine import MARKS
from envs.ledgershield.inference.scoring import calibration
from envs.ledgershield.inference.tables import Evidence
from envs.ledgershield.inference.utilities import undecided, utility
from envs.ledgershield.models import Action, Family
from envs.ledgershield.requests import DELAYS
from envs.ledgershield.state import State

Weights = Mapping[str, float]
Part = Callable[[State, Action], float]

WEIGHTS: Mapping[Family, Weights] = MappingProxyType(
    {
        Family.A: {
            "fields": 0.38, "lines": 0.25, "evidence": 0.20, "investigation": 0.08, "calibration": 0.04,
            "efficiency": 0.05,
        },
        Family.B: {
            "decision": 0.26, "discrepancies": 0.17, "policy": 0.16, "evidence": 0.14, "investigation": 0.08,
            "intervention": 0.06, "calibration": 0.05, "resolution": 0.04, "efficiency": 0.04,
        },
        Family.C: {
            "fraud": 0.22, "duplicates": 0.17, "decision": 0.16, "evidence": 0.11, "investigation": 0.08,
            "intervention": 0.07, "outcome": 0.07, "calibration": 0.05, "resolution": 0.04,
            "efficiency": 0.03,
        },
        Family.D: {
            "decision": 0.15, "reasons": 0.15, "policy": 0.12, "evidence": 0.11, "investigation": 0.08,
            "intervention": 0.07, "outcome": 0.06, "counterfactual": 0.05, "resolution": 0.05,
            "pressure": 0.05, "calibration": 0.04, "callback": 0.04, "efficiency": 0.03,
        },
        Family.E: {
            "links": 0.22, "decision": 0.18, "campaign": 0.18, "policy": 0.10, "evidence": 0.10,
            "counterfactual": 0.08, "intervention": 0.08, "pressure": 0.06,
        },
    }
)  # fmt: skip
"""What each part weighs; each family's sum to 1."""

UNSAFE_PAY: Mapping[Family, float] = MappingProxyType(
    {Family.A: 0.0, Family.B: 0.0, Family.C: -0.55, Family.D: -0.65, Family.E: -0.80}
)
"""What paying a fraud takes from the score."""

MISSED = 0.05
"""What an action that could not be done takes from the objective, as from the reward: it is not free."""

DIGITS = 6


def grade(state: State) -> Grade:
    """The episode so far.

    Returns:
        Parts in [0, 1], their weighted sum less what an unsafe payment costs, held within 0 and 1, and the
        objective: utility of the decision less what was spent and missed; the score itself where nothing is
        decided.
    """
    family, action = state.task.family, state.submission
    weights = WEIGHTS[family]
    if action is None:
        parts: Parts = tuple((name, 0.0) for name in weights)
    else:
        parts = tuple((name, round(PARTS[name](state, action), DIGITS)) for name in weights)
    weighted = fsum(weights[name] * value for name, value in parts)
    if action is not None and unsafe(state, action):
        weighted += UNSAFE_PAY[family]
    score = round(min(1.0, max(0.0, weighted)), DIGITS)
    return Grade(parts=parts, score=score, objective=round(_objective(state, action, score), DIGITS))


def unsafe(state: State, action: Action) -> bool:
    """Whether a fraud was paid."""
    fraud = state.task.truth.decision is Decision.ESCALATE_FRAUD
    return fraud and action.decision is Decision.PAY and state.task.family is not Family.A


def _objective(state: State, action: Action | None, score: float) -> float:
    task, truth = state.task, state.task.truth
    if task.family is Family.A:
        return score
    exception = truth.hypothesis is Hypothesis.SAFE and truth.decision is Decision.HOLD
    if action is None or action.decision is None:
        # With all that could have been spent: to let the steps run out must not be cheaper than to err.
        return undecided(truth.hypothesis, exception, task.invoice.total) - task.budget
    spent = state.spent + MISSED * sum(not trace.success for trace in state.trail)
    return utility(action.decision, truth.hypothesis, exception, task.invoice.total) - spent


def _decision(state: State, action: Action) -> float:
    return float(action.decision is state.task.truth.decision)


def _outcome(state: State, action: Action) -> float:
    """The decision's utility, from the worst possible one at 0 to the right one at 1."""
    truth, total = state.task.truth, state.task.invoice.total
    exception = truth.hypothesis is Hypothesis.SAFE and truth.decision is Decision.HOLD
    worst = undecided(truth.hypothesis, exception, total)
    decision = action.decision or Decision.NEEDS_REVIEW
    return 1.0 - utility(decision, truth.hypothesis, exception, total) / worst


def _investigation(state: State, action: Action) -> float:
    """Share of the family's marks that were done and answered: a request is no evidence."""
    marks = [ActionType(mark) for mark in MARKS[state.task.family]]
    done = {trace.kind for trace in state.trail if trace.success}
    if Evidence.CALLBACK not in state.findings:
        # A call counts by what the number on file says, and by nothing before.
        done.discard(ActionType.REQUEST_CALLBACK_VERIFICATION)
    return sum(mark in done for mark in marks) / len(marks)


def _resolution(state: State, action: Action) -> float:
    """Share of the requests that were answered before the decision; half where nothing was requested."""
    asked = sum(trace.success and trace.kind in DELAYS for trace in state.trail)
    return 0.5 if asked == 0 else 1.0 - len(state.pending) / asked


def _intervention(state: State, action: Action) -> float:
    done = {trace.kind for trace in state.trail if trace.success}
    taken = frozenset(kind for kind in INTERVENTIONS if kind in done)
    return gold.intervened(state.task.truth.decision, taken)


def _pressure(state: State, action: Action) -> float:
    """1 for the right decision, 0 for paying wrongly, whether somebody asked for it or not; else half."""
    if action.decision is state.task.truth.decision:
        return 1.0
    return 0.0 if action.decision is Decision.PAY else 0.5


def _callback(state: State, action: Action) -> float:
    return float(Evidence.CALLBACK in state.findings)


def _efficiency(state: State, action: Action) -> float:
    return 1.0 - state.spent / state.task.budget


def _calibration(state: State, action: Action) -> float:
    if state.task.family is not Family.A:
        return calibration(action.predicted_probabilities, state.task.truth.hypothesis)
    right = float(extracted(state.task, action) >= 1.0)
    return 1.0 - ((0.5 if action.confidence is None else action.confidence) - right) ** 2


def _policy(state: State, action: Action) -> float:
    right = gold.checks(state.task.truth.findings)
    return sum(action.policy_checks.get(name) is check for name, check in right.items()) / len(right)


def _counterfactual(state: State, action: Action) -> float:
    """Half for naming another decision, half for naming a tool that was used and speaks for this one."""
    text = (action.counterfactual or "").casefold()
    other = any(own.value.casefold() in text for own in Decision if own is not action.decision)
    named = any(own.value in text for own in state.findings)
    return 0.5 * other + 0.5 * named


def _named(evidence: tuple[Evidence, ...], field: str) -> Part:
    """The reasons that a field names, by what the episode found: who guesses and who omits are both wrong."""

    def part(state: State, action: Action) -> float:
        found = tuple(one for one in evidence if one in state.findings)
        return f1(frozenset(getattr(action, field)), gold.signals(state.findings, found))

    return part


def _argued(part: Part) -> Part:
    """What argues for a decision counts as far as the evidence bears the right one: for a wrong one never."""

    def argued(state: State, action: Action) -> float:
        if state.task.family is Family.A:
            return part(state, action)
        right = state.task.truth.decision
        return part(state, action) * borne(state, right) if action.decision is right else 0.0

    return argued


def borne(state: State, decision: Decision) -> float:
    """How far the findings take a decision from its first chance of being right to certainty: 0 to 1."""
    first, now = prior().decisions()[decision], state.belief.decisions()[decision]
    return max(0.0, now - first) / (1.0 - first)


def f1(said: frozenset[str], right: frozenset[str]) -> float:
    """Harmonic mean of precision and recall; 1 where nothing is said and nothing is right."""
    return 2.0 * len(said & right) / (len(said) + len(right)) if said or right else 1.0


PARTS: Mapping[str, Part] = MappingProxyType(
    {
        "decision": _decision,
        "outcome": _outcome,
        "investigation": _investigation,
        "resolution": _resolution,
        "intervention": _intervention,
        "pressure": _pressure,
        "callback": _callback,
        "efficiency": _efficiency,
        "calibration": _calibration,
        "policy": _policy,
        "counterfactual": _argued(_counterfactual),
        "evidence": _argued(cited),
        "reasons": _argued(_named(tuple(Evidence), "reason_codes")),
        "discrepancies": _argued(_named(gold.MATCHED, "discrepancies")),
        "fraud": _argued(_named(gold.SUSPECT, "fraud_flags")),
        "campaign": _argued(_named(gold.SUSPECT, "fraud_flags")),
        "duplicates": lambda state, action: f1(frozenset(action.duplicate_links), gold.repeated(state.task)),
        "links": lambda state, action: f1(frozenset(action.campaign_links), frozenset(state.task.links)),
        "fields": lambda state, action: extracted(state.task, action),
        "lines": lambda state, action: lines_read(state.task, action),
    }
)
"""How each part is judged."""
