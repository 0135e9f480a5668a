"""Baselines: how rules that go from finding to finding play a case.

They see what a player sees and nothing else: they read the invoice as far as a tool needs it, ask, do what
they would do next anyway while an answer is on its way, and write down what they found.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

from envs.kernel.protocol import Policy
from envs.kernel.rng import Rng
from envs.ledgershield import artifacts, extraction, paper
from envs.ledgershield.actions import COSTS, INTERVENTIONS, ActionType
from envs.ledgershield.answers import submission
from envs.ledgershield.battery import BATTERY, CONSTANTS, decide
from envs.ledgershield.inference import rules, voi
from envs.ledgershield.inference.belief import likelihoods, posterior
from envs.ledgershield.inference.hypotheses import CHANCES, Decision
from envs.ledgershield.inference.rules import Desk, Rule
from envs.ledgershield.inference.tables import SCENARIOS, Evidence, Finding, Findings, nominal
from envs.ledgershield.inference.utilities import TYPICAL, band, matrix
from envs.ledgershield.meaning import findings_of
from envs.ledgershield.models import Action, Family
from envs.ledgershield.reaching import asked, waited
from envs.ledgershield.seen import Observation

EXPECTED = 0.5
"""Chance of being asked next from which a tool is asked while another's answer is on its way."""

UNREAD = (
    ActionType.OCR,
    ActionType.INSPECT_EMAIL_THREAD,
    ActionType.LOOKUP_POLICY,
    *INTERVENTIONS,
    ActionType.SUBMIT_DECISION,
)
"""Actions that need nothing that stands on the invoice."""


def random_action(observation: Observation, rng: Rng) -> Action:
    """Any action that can be done without reading, be paid and is not on its way; any decision."""
    waiting = {event.action_type for event in observation.pending_events}
    left = observation.budget_remaining
    kinds = [kind for kind in UNREAD if kind not in waiting and COSTS[kind] <= left]
    kind = rng.at("kind").choice(kinds)
    if kind is ActionType.SUBMIT_DECISION:
        return decide(observation, rng, rng.at("decision").choice(tuple(Decision)))
    return Action(
        action_type=kind,
        doc_id=observation.visible_documents[0].doc_id if kind is ActionType.OCR else None,
        thread_id=(observation.case_metadata.thread_id if kind is ActionType.INSPECT_EMAIL_THREAD else None),
    )


def investigate(observation: Observation, rng: Rng, rule: Rule) -> Action:
    """One step of a rule; in a case that takes no decision, of a plain reader."""
    if observation.task_type == Family.A:
        return extraction.read(observation)
    findings = findings_of(observation.revealed_artifacts)
    desk = Desk(observation.case_metadata.level, _amount(observation), observation.budget_remaining)
    if observation.step_count + 1 >= observation.max_steps:
        return submission(observation, _best_now(desk, findings))
    answer = rule(desk, findings)
    pending = _pending(observation)
    if answer in pending:
        answer = _meanwhile(desk, findings, pending, rule)
    match answer:
        case None:
            return waited(observation)
        case Decision():
            return submission(observation, answer)
        case Evidence():
            return asked(observation, answer)


def _meanwhile(desk: Desk, findings: Findings, pending: tuple[Evidence, ...], rule: Rule) -> Evidence | None:
    """The tool that the rule will probably ask once all answers are there; None if it will rather decide."""
    chances: dict[Evidence, float] = {}
    for answers, chance in _answers(desk, findings, pending):
        next_one = rule(desk, answers)
        if isinstance(next_one, Evidence):
            chances[next_one] = chances.get(next_one, 0.0) + chance
    likeliest = max(chances, key=chances.__getitem__, default=None)
    return likeliest if likeliest is not None and chances[likeliest] >= EXPECTED else None


def _answers(desk: Desk, findings: Findings, pending: tuple[Evidence, ...]) -> list[tuple[Findings, float]]:
    """All that the answers can add to the findings, and how likely each of it is."""
    found: list[Findings] = [findings]
    for tool in pending:
        found = [{**earlier, tool: finding} for earlier in found for finding in Finding]
    weights = [_likely(desk, answers) for answers in found]
    total = math.fsum(weights)
    return [(answers, weight / total) for answers, weight in zip(found, weights, strict=True)]


def _likely(desk: Desk, findings: Findings) -> float:
    own = likelihoods(nominal(desk.level), findings)
    return math.fsum(CHANCES[scenario] * share for scenario, share in zip(SCENARIOS, own, strict=True))


def _best_now(desk: Desk, findings: Findings) -> Decision:
    return voi.decided(posterior(nominal(desk.level), findings), matrix(band(desk.amount)))


def _pending(observation: Observation) -> tuple[Evidence, ...]:
    kinds = {event.action_type.value for event in observation.pending_events}
    return tuple(tool for tool in Evidence if tool.value in kinds)


def _amount(observation: Observation) -> float:
    """The invoice's total as its foot or the policy shows it, a typical one before."""
    foot = paper.foot(observation)
    if foot is not None:
        return foot.total
    shown = (own for own in observation.revealed_artifacts if isinstance(own, artifacts.Policy))
    return next((own.invoice_total for own in shown if own.invoice_total is not None), TYPICAL)


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "check-list": rules.check_list,
        "clerk": rules.clerk,
        "run-all-bayes": rules.run_all,
        "msprt": rules.msprt,
        "myopic-voi": rules.myopic,
        "reference": rules.optimal,
    }
)
"""The rules by their names, in the order of the ladder but for `run-all-bayes`, which pays for everything."""

POLICIES: Mapping[str, Policy[Observation, Action]] = MappingProxyType(
    {
        "random": random_action,
        **{name: BATTERY[name] for name in CONSTANTS},
        "callback-reflex": BATTERY["callback-reflex"],
        "bank-reflex": BATTERY["bank-reflex"],
        "pay-under-limit": BATTERY["pay-under-limit"],
        "run-all-then-review": BATTERY["run-all-then-review"],
        **{name: partial(investigate, rule=rule) for name, rule in RULES.items()},
    }
)
