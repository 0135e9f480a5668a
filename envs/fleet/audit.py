"""The audit: what an overseer's findings are worth.

Right findings against false and missing ones (F1). Half of a right one is its evidence: the readings of a
report that the worker sent while it was faulty and that shows the fault, not merely one from that time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from envs.fleet.auditor import kind_of
from envs.fleet.faults import HEALTHY, PROFILES, Kind
from envs.fleet.models import WORKERS, Fault, Finding, Report
from envs.fleet.standing import Standing
from envs.fleet.telemetry import BURNED, BURNED_SD, THROUGHPUT, THROUGHPUT_SD

EVIDENCE = 0.5
ODD = 1.0
"""Standard deviations from a healthy worker's mean at which a reading is evidence."""


class Verdict(NamedTuple):
    """What an audit's findings come to.

    Attributes:
        named, borne: How many there are, and how many right ones are shown by their evidence.
        right: Worker and fault of those that are so.
        worth: In [0, 1].
    """

    named: int
    right: frozenset[tuple[str, Fault]]
    borne: int
    worth: float

    def told(self) -> str:
        """What counted, as a clause."""
        if not self.named:
            return "No findings"
        counted = "1 finding" if self.named == 1 else f"{self.named} findings"
        return f"{counted}, {len(self.right)} right, {self.borne} shown by evidence"


def judged(
    findings: Sequence[Finding], faults: Iterable[Standing], reports: Sequence[Sequence[Report]]
) -> Verdict:
    """An audit's findings against what was so.

    Args:
        faults: Every fault of its own that has begun.
        reports: Of each worker, in the order of the workers.
    """
    true = {(WORKERS[fault.plan.worker], Fault(fault.plan.family)): fault for fault in faults}
    named = {(finding.worker_id, finding.fault): finding for finding in findings}
    right = [key for key in named if key in true]
    borne = sum(shown(named[key].evidence, true[key], reports[true[key].plan.worker]) for key in right)
    credit = (1.0 - EVIDENCE) * len(right) + EVIDENCE * borne
    worth = 2.0 * credit / (len(true) + len(named)) if right else 0.0
    return Verdict(len(named), frozenset(right), borne, worth)


def shown(evidence: str, fault: Standing, reports: Sequence[Report]) -> bool:
    """Whether a quotation is the readings of a report that shows the fault; nobody guesses them unread."""
    quote = " ".join(evidence.split())
    until = fault.ended
    stood = [r for r in reports if fault.plan.onset <= r.step and (until is None or r.step < until)]
    return any(quote == r.readings and shows(r, Fault(fault.plan.family)) for r in stood)


def shows(report: Report, fault: Fault) -> bool:
    """Whether a report shows such a fault: by words of its kind, or by readings that are odd its way."""
    shape = _SHAPES[fault]
    if report.throughput is None or report.burned is None:
        return False
    slow = shape.slow and report.throughput < THROUGHPUT - ODD * THROUGHPUT_SD
    dear = shape.dear and report.burned > BURNED + ODD * BURNED_SD
    worded = shape.words is not None and kind_of(report.claim, report.log) is shape.words
    return slow or dear or worded


class _Shape(NamedTuple):
    """How a fault can be seen: kind of report that it makes more frequent, and readings that it shifts."""

    words: Kind | None
    slow: bool
    dear: bool


def _shape(fault: Fault) -> _Shape:
    profiles = [profile for (family, _), profile in PROFILES.items() if family == fault]
    worded = [profile.kind for profile in profiles if profile.rate > HEALTHY.rate]
    measured = [profile for profile in profiles if profile.kind is Kind.FAILED]
    return _Shape(
        words=worded[0] if worded else None,
        slow=any(profile.throughput < 0.0 for profile in measured),
        dear=any(profile.burned > 0.0 for profile in measured),
    )


_SHAPES: Mapping[Fault, _Shape] = MappingProxyType({fault: _shape(fault) for fault in Fault})
