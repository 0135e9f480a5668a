"""Hypotheses: what can be behind an invoice, and which decision each of them asks for.

Decides nothing about evidence. A scenario is a way in which a hypothesis comes about; cases are drawn from
scenarios, beliefs are held over scenarios, and players are asked about hypotheses.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from envs.kernel.rng import Rng


class Hypothesis(StrEnum):
    """What is behind an invoice, in the order in which beliefs list it."""

    SAFE = "safe"
    BANK_FRAUD = "bank_fraud"
    DUPLICATE_BILLING = "duplicate_billing"
    VENDOR_TAKEOVER = "vendor_takeover"
    CEO_BEC = "ceo_bec"
    PHANTOM_VENDOR = "phantom_vendor"
    SUPPLY_CHAIN_COMPROMISE = "supply_chain_compromise"
    INSIDER_COLLUSION = "insider_collusion"
    MULTI_ENTITY_LAYERING = "multi_entity_layering"
    CAMPAIGN_FRAUD = "campaign_fraud"
    SPLIT_PAYMENT = "split_payment"
    THRESHOLD_EVASION = "threshold_evasion"


class Decision(StrEnum):
    """What an analyst can do with an invoice."""

    PAY = "PAY"
    HOLD = "HOLD"
    NEEDS_REVIEW = "NEEDS_REVIEW"
    ESCALATE_FRAUD = "ESCALATE_FRAUD"


IMPLIED: Mapping[Hypothesis, Decision] = MappingProxyType(
    {
        Hypothesis.SAFE: Decision.PAY,
        Hypothesis.BANK_FRAUD: Decision.ESCALATE_FRAUD,
        Hypothesis.DUPLICATE_BILLING: Decision.HOLD,
        Hypothesis.VENDOR_TAKEOVER: Decision.ESCALATE_FRAUD,
        Hypothesis.CEO_BEC: Decision.ESCALATE_FRAUD,
        Hypothesis.PHANTOM_VENDOR: Decision.ESCALATE_FRAUD,
        Hypothesis.SUPPLY_CHAIN_COMPROMISE: Decision.ESCALATE_FRAUD,
        Hypothesis.INSIDER_COLLUSION: Decision.ESCALATE_FRAUD,
        Hypothesis.MULTI_ENTITY_LAYERING: Decision.ESCALATE_FRAUD,
        Hypothesis.CAMPAIGN_FRAUD: Decision.ESCALATE_FRAUD,
        Hypothesis.SPLIT_PAYMENT: Decision.HOLD,
        Hypothesis.THRESHOLD_EVASION: Decision.NEEDS_REVIEW,
    }
)
"""The decision that a hypothesis asks for, where the match raises no exception."""


class Scenario(StrEnum):
    """How a hypothesis comes about: the generator's families, each with its own pattern of evidence."""

    CLEAN = "clean"
    LEGITIMATE_CHANGE = "legitimate_change"
    PRICE_MISMATCH = "price_mismatch"
    QUANTITY_MISMATCH = "quantity_mismatch"
    MISSING_RECEIPT = "missing_receipt"
    OVERBILLING = "overbilling"
    BANK_OVERRIDE = "bank_override"
    EXACT_DUPLICATE = "exact_duplicate"
    NEAR_DUPLICATE = "near_duplicate"
    VENDOR_TAKEOVER = "vendor_takeover"
    SLEEPER_VENDOR = "sleeper_vendor"
    CEO_IMPERSONATION = "ceo_impersonation"
    PHANTOM_VENDOR = "phantom_vendor"
    SUPPLY_CHAIN = "supply_chain"
    INSIDER_OVERRIDE = "insider_override"
    LAYERING = "layering"
    CAMPAIGN = "campaign"
    SPLIT = "split"
    UNDER_THRESHOLD = "under_threshold"


_SHARES: Mapping[Hypothesis, Mapping[Scenario, float]] = {
    Hypothesis.SAFE: {
        Scenario.CLEAN: 0.40,
        Scenario.LEGITIMATE_CHANGE: 0.28,
        Scenario.PRICE_MISMATCH: 0.08,
        Scenario.QUANTITY_MISMATCH: 0.08,
        Scenario.MISSING_RECEIPT: 0.08,
        Scenario.OVERBILLING: 0.08,
    },
    Hypothesis.BANK_FRAUD: {Scenario.BANK_OVERRIDE: 1.0},
    Hypothesis.DUPLICATE_BILLING: {Scenario.EXACT_DUPLICATE: 0.5, Scenario.NEAR_DUPLICATE: 0.5},
    Hypothesis.VENDOR_TAKEOVER: {Scenario.VENDOR_TAKEOVER: 0.5, Scenario.SLEEPER_VENDOR: 0.5},
    Hypothesis.CEO_BEC: {Scenario.CEO_IMPERSONATION: 1.0},
    Hypothesis.PHANTOM_VENDOR: {Scenario.PHANTOM_VENDOR: 1.0},
    Hypothesis.SUPPLY_CHAIN_COMPROMISE: {Scenario.SUPPLY_CHAIN: 1.0},
    Hypothesis.INSIDER_COLLUSION: {Scenario.INSIDER_OVERRIDE: 1.0},
    Hypothesis.MULTI_ENTITY_LAYERING: {Scenario.LAYERING: 1.0},
    Hypothesis.CAMPAIGN_FRAUD: {Scenario.CAMPAIGN: 1.0},
    Hypothesis.SPLIT_PAYMENT: {Scenario.SPLIT: 1.0},
    Hypothesis.THRESHOLD_EVASION: {Scenario.UNDER_THRESHOLD: 1.0},
}
"""How often a hypothesis comes about in each of its ways."""

EXCEPTIONS = frozenset(
    {
        Scenario.PRICE_MISMATCH,
        Scenario.QUANTITY_MISMATCH,
        Scenario.MISSING_RECEIPT,
        Scenario.OVERBILLING,
    }
)
"""Scenarios in which nobody cheats and the three-way match still fails: the exception bit beside `safe`."""

HYPOTHESIS: Mapping[Scenario, Hypothesis] = MappingProxyType(
    {scenario: hypothesis for hypothesis, shares in _SHARES.items() for scenario in shares}
)
"""The hypothesis that a scenario belongs to."""

CHANCES: Mapping[Scenario, float] = MappingProxyType(
    {scenario: _SHARES[HYPOTHESIS[scenario]][scenario] / len(Hypothesis) for scenario in Scenario}
)
"""How likely each scenario is before anything is found: every hypothesis as likely as the next."""


def implied(hypothesis: Hypothesis, exception: bool) -> Decision:
    """The right decision: a match exception turns the PAY of `safe` into HOLD and nothing else."""
    right = IMPLIED[hypothesis]
    return Decision.HOLD if exception and right is Decision.PAY else right


def right_decision(scenario: Scenario) -> Decision:
    """The right decision in a scenario."""
    return implied(HYPOTHESIS[scenario], scenario in EXCEPTIONS)


def drawn(rng: Rng) -> Scenario:
    """A scenario drawn at this address by `CHANCES`: the hypothesis first, then how it comes about."""
    shares = _SHARES[rng.at("hypothesis").choice(tuple(Hypothesis))]
    left = rng.at("scenario").unit()
    for scenario, share in shares.items():
        left -= share
        if left < 0.0:
            return scenario
    return tuple(shares)[-1]
