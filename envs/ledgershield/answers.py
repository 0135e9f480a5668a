"""Answers: what a careful analyst writes under a decision, from what the episode revealed.

Decides no decision. Of what was not looked at it says what is usual, which is that nothing is wrong.
"""

from __future__ import annotations

from envs.ledgershield import gold
from envs.ledgershield.actions import ActionType
from envs.ledgershield.artifacts import LedgerSearch
from envs.ledgershield.inference.belief import posterior
from envs.ledgershield.inference.hypotheses import Decision
from envs.ledgershield.inference.tables import Evidence, Finding, nominal
from envs.ledgershield.meaning import SIGNALS, finding_of, findings_of
from envs.ledgershield.models import Action, EvidenceRef
from envs.ledgershield.seen import Observation


def submission(observation: Observation, decision: Decision) -> Action:
    """The decision with its reasons, each with the artifact that shows it."""
    findings = findings_of(observation.revealed_artifacts)
    assumed = {tool: findings.get(tool, Finding.CLEAR) for tool in Evidence}
    believed = posterior(nominal(observation.case_metadata.level), findings)
    reasons = _signals(findings, tuple(Evidence))
    return Action(
        action_type=ActionType.SUBMIT_DECISION,
        decision=decision,
        confidence=min(1.0, believed.decisions()[decision]),
        predicted_probabilities={
            name.value: min(1.0, share) for name, share in believed.hypotheses().items()
        },
        reason_codes=reasons,
        policy_checks=dict(gold.checks(assumed)),
        evidence_map=_cited(observation),
        discrepancies=_signals(findings, gold.MATCHED),
        fraud_flags=_signals(findings, gold.SUSPECT),
        duplicate_links=_repeated(observation),
        campaign_links=observation.portfolio_context.linked_documents,
        counterfactual=_counterfactual(findings, decision),
    )


def _signals(findings: dict[Evidence, Finding], among: tuple[Evidence, ...]) -> tuple[str, ...]:
    known = tuple(tool for tool in among if tool in findings)
    return tuple(sorted(gold.signals(findings, known)))


def _cited(observation: Observation) -> dict[str, EvidenceRef]:
    """By each signal, or the tool that found none, the artifact that shows it."""
    cited: dict[str, EvidenceRef] = {}
    for artifact in observation.revealed_artifacts:
        shown = finding_of(artifact)
        if shown is not None:
            tool, finding = shown
            name = SIGNALS[tool].get(finding, tool.value)
            cited.setdefault(name, EvidenceRef(artifact_id=artifact.artifact_id))
    return cited


def _repeated(observation: Observation) -> tuple[str, ...]:
    searches = [
        own for own in observation.revealed_artifacts if isinstance(own, LedgerSearch) and own.complete
    ]
    return tuple(hit.entry_id for hit in searches[0].hits) if searches else ()


def _counterfactual(findings: dict[Evidence, Finding], decision: Decision) -> str | None:
    """What would have changed the decision, by a tool that was used."""
    if not findings:
        return None
    grave = [tool for tool, finding in findings.items() if finding is not Finding.CLEAR]
    tool = grave[0] if grave else next(iter(findings))
    if decision is Decision.PAY:
        return f"Had {tool} been adverse, the invoice would be held or escalated: {Decision.ESCALATE_FRAUD}."
    return f"Had {tool} been clear with all else, the invoice would be paid: {Decision.PAY}."
