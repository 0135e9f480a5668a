"""Tables: how likely each finding is in each scenario, and a case's own copy of them.

Findings are independent given the scenario and not given the hypothesis: one hypothesis comes about in
several ways, so that what a finding means depends on what else was found. Decides nothing about belief.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from envs.kernel.records import Record
from envs.kernel.rng import Rng
from envs.ledgershield.inference.hypotheses import HYPOTHESIS, Hypothesis, Scenario
from envs.ledgershield.inference.rows import ROWS, Row


class Evidence(StrEnum):
    """The tools that tell hypotheses apart, named by their action; each speaks once in a case.

    Asking again, or asking through another action that looks at the same facts, gives the same finding.
    """

    BANK = "compare_bank_account"
    EMAIL = "inspect_email_thread"
    HISTORY = "lookup_vendor_history"
    LEDGER = "search_ledger"
    PO = "lookup_po"
    RECEIPT = "lookup_receipt"
    POLICY = "lookup_policy"
    CALLBACK = "request_callback_verification"
    APPROVALS = "request_bank_change_approval_chain"


class Finding(StrEnum):
    """What a tool turns up. What is shown of it must be a function of the finding, never of the scenario."""

    CLEAR = "clear"
    MIXED = "mixed"
    ADVERSE = "adverse"


Findings = Mapping[Evidence, Finding]

EVIDENCE = tuple(Evidence)
FINDINGS = tuple(Finding)
SCENARIOS = tuple(Scenario)

SHARPNESS: Mapping[str, float] = MappingProxyType({"easy": 1.65, "medium": 1.11, "hard": 0.74})
"""The power to which a level raises each share of a row: above 1 findings say more, below 1 less."""

JITTER = 0.5
"""The most that a case moves from one share of a row to another, of the smaller of the two."""


class Tables(Record):
    """Likelihoods of the findings, by evidence, then scenario: rows of three that sum to 1."""

    rows: tuple[tuple[Row, ...], ...]

    def likelihood(self, evidence: Evidence, finding: Finding, scenario: Scenario) -> float:
        """How likely a finding is in a scenario."""
        place = EVIDENCE.index(evidence), SCENARIOS.index(scenario), FINDINGS.index(finding)
        return self.rows[place[0]][place[1]][place[2]]


@cache
def nominal(level: str) -> Tables:
    """The tables of a level, which every player may know: the mean of its cases' own.

    Args:
        level: `easy`, `medium` or `hard`; harder ones say less with each finding.
    """
    return Tables(
        rows=tuple(
            tuple(_tempered(evidence, scenario, SHARPNESS[level]) for scenario in SCENARIOS)
            for evidence in EVIDENCE
        )
    )


def jittered(level: str, rng: Rng) -> Tables:
    """One case's own tables, which nobody sees; their mean over all addresses is `nominal`."""
    rows = nominal(level).rows
    return Tables(
        rows=tuple(_moved(own, rng.at(evidence)) for evidence, own in zip(EVIDENCE, rows, strict=True))
    )


def drawn(tables: Tables, scenario: Scenario, rng: Rng) -> dict[Evidence, Finding]:
    """What each tool would turn up in one case, drawn at this address."""
    at = SCENARIOS.index(scenario)
    found: dict[Evidence, Finding] = {}
    for evidence, own in zip(EVIDENCE, tables.rows, strict=True):
        clear, mixed, _ = own[at]
        level = rng.at(evidence).unit()
        found[evidence] = (
            Finding.CLEAR if level < clear else Finding.MIXED if level < clear + mixed else Finding.ADVERSE
        )
    return found


def _tempered(evidence: Evidence, scenario: Scenario, power: float) -> Row:
    row = ROWS[scenario][EVIDENCE.index(evidence)]
    if evidence is Evidence.CALLBACK and HYPOTHESIS[scenario] is Hypothesis.SAFE:
        # An honest vendor does not come to the phone once in twenty calls, on every level.
        return row
    clear, mixed, adverse = (share**power for share in row)
    total = math.fsum((clear, mixed, adverse))
    return clear / total, mixed / total, adverse / total


def _moved(rows: tuple[Row, ...], rng: Rng) -> tuple[Row, ...]:
    """A tool's rows with some of one share given to another: as often this way as that, and as much."""
    source, target = rng.at("pair").choice(((0, 1), (1, 2), (0, 2)))
    part = rng.at("part").uniform(-JITTER, JITTER)
    return tuple(_given(row, source, target, part) for row in rows)


def _given(row: Row, source: int, target: int, part: float) -> Row:
    shares = list(row)
    given = part * min(shares[source], shares[target])
    shares[source] -= given
    shares[target] += given
    return shares[0], shares[1], shares[2]
