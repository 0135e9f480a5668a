"""Rules: how analysts of several kinds go from findings to the next look or to a decision.

Each says what to do after any findings, and sees nothing else; how an observation becomes findings, and how
an answer becomes an action, is left to `baselines`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

from envs.ledgershield.inference import voi
from envs.ledgershield.inference.belief import posterior
from envs.ledgershield.inference.hypotheses import Decision
from envs.ledgershield.inference.prices import prices
from envs.ledgershield.inference.reference import solved
from envs.ledgershield.inference.tables import Evidence, Finding, Findings, nominal
from envs.ledgershield.inference.utilities import Band, band, matrix

SURE = 0.9
"""Probability of the right decision at which the sequential test of several decisions stops."""

KEPT = 1 << 16
"""Answers of the value of information that a process keeps."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What is known beside the findings: the level, the invoice's total in EUR, and what is left to spend."""

    level: str
    amount: float
    budget: float


Answer = Evidence | Decision
Rule = Callable[[Desk, Findings], Answer]


def check_list(desk: Desk, findings: Findings) -> Answer:
    """Two checks: a clear account and a clear thread mean hold, anything else escalate."""
    for tool in (Evidence.EMAIL, Evidence.BANK):
        if tool not in findings:
            return tool
        if findings[tool] is not Finding.CLEAR:
            return Decision.ESCALATE_FRAUD
    return Decision.HOLD


def clerk(desk: Desk, findings: Findings) -> Answer:
    """A careful clerk: the account, then people, the ledger and the match; calls before paying."""
    account = _account(findings)
    if account is not None:
        return account
    for tool in (Evidence.EMAIL, Evidence.HISTORY):
        if tool not in findings:
            return tool
        if findings[tool] is Finding.ADVERSE:
            return Decision.ESCALATE_FRAUD
    if Evidence.LEDGER not in findings:
        return Evidence.LEDGER
    return Decision.HOLD if findings[Evidence.LEDGER] is Finding.ADVERSE else _match(findings)


def run_all(desk: Desk, findings: Findings) -> Answer:
    """Asks every tool, then decides by Bayes."""
    return next((tool for tool in Evidence if tool not in findings), _decided(desk, findings))


def msprt(desk: Desk, findings: Findings) -> Answer:
    """Asks one tool after the other, the most telling first, until one decision is nine times in ten right.

    Source: Baum and Veeravalli (1994), IEEE Transactions on Information Theory 40, with equal thresholds.
    """
    chances = posterior(nominal(desk.level), findings).decisions()
    likeliest = max(chances, key=chances.__getitem__)
    if chances[likeliest] >= SURE:
        return likeliest
    left = (tool for tool in _by_first_worth(desk.level, band(desk.amount)) if tool not in findings)
    return next(left, likeliest)


def myopic(desk: Desk, findings: Findings) -> Answer:
    """Asks the tool with the highest value of information while one is worth its price."""
    payable = frozenset(tool for tool, price in prices(findings).items() if price <= desk.budget)
    return _myopic(desk.level, band(desk.amount), frozenset(findings.items()), payable)


def optimal(desk: Desk, findings: Findings) -> Answer:
    """The reference: what dynamic programming says."""
    return solved(desk.level, desk.amount).best(findings)


def _account(findings: Findings) -> Answer | None:
    """What a clerk does about the account; None once it is no longer in doubt."""
    if Evidence.BANK not in findings:
        return Evidence.BANK
    if findings[Evidence.BANK] is Finding.CLEAR:
        return None
    for tool in (Evidence.APPROVALS, Evidence.CALLBACK):
        if tool not in findings:
            return tool
        if findings[tool] is not Finding.CLEAR:
            return Decision.ESCALATE_FRAUD
    return None


def _match(findings: Findings) -> Answer:
    """What a clerk does about order, receipt and limit, and about the ledger's look-alikes."""
    for tool in (Evidence.PO, Evidence.RECEIPT, Evidence.POLICY):
        if tool not in findings:
            return tool
    order, receipt = findings[Evidence.PO], findings[Evidence.RECEIPT]
    broken = (order is Finding.ADVERSE) + (receipt is Finding.ADVERSE)
    if broken == 2:
        return Decision.ESCALATE_FRAUD
    if broken or order is receipt is Finding.MIXED:
        return _called(findings, Decision.HOLD)
    if findings[Evidence.LEDGER] is Finding.MIXED:
        return Decision.HOLD
    if findings[Evidence.POLICY] is Finding.ADVERSE:
        return Decision.NEEDS_REVIEW if receipt is Finding.CLEAR else Decision.ESCALATE_FRAUD
    return _called(findings, Decision.PAY)


def _called(findings: Findings, confirmed: Decision) -> Answer:
    """The decision if the vendor confirms on the number on file."""
    if Evidence.CALLBACK not in findings:
        return Evidence.CALLBACK
    return confirmed if findings[Evidence.CALLBACK] is Finding.CLEAR else Decision.ESCALATE_FRAUD


def _decided(desk: Desk, findings: Findings) -> Decision:
    return voi.decided(posterior(nominal(desk.level), findings), matrix(band(desk.amount)))


# The same findings come up in many cases, and many times in each.
@lru_cache(maxsize=KEPT)
def _myopic(
    level: str, size: Band, found: frozenset[tuple[Evidence, Finding]], payable: frozenset[Evidence]
) -> Answer:
    findings, tables, utilities = dict(found), nominal(level), matrix(size)
    costs = {tool: price for tool, price in prices(findings).items() if tool in payable}
    ranked = voi.by_worth(tables, findings, costs, utilities)
    if ranked and ranked[0].voi > 0.0:
        return ranked[0].tool
    return voi.decided(posterior(tables, findings), utilities)


@cache
def _by_first_worth(level: str, size: Band) -> tuple[Evidence, ...]:
    """All tools, the most telling first."""
    return tuple(worth.tool for worth in voi.by_worth(nominal(level), {}, prices({}), matrix(size)))
