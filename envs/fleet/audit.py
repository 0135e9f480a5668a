"""The audit: what an overseer's findings are worth.

Right findings against false and missing ones (F1). Half of a right one is its evidence: a line that
the worker sent while it was faulty and that shows the fault, not merely one from that time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from envs.fleet.auditor import audited, calls, kind_of
from envs.fleet.faults import HEALTHY, PROFILES, Kind
from envs.fleet.models import WORKERS, Fault, Finding, Report
from envs.fleet.standing import Standing
from envs.fleet.telemetry import BURNED, BURNED_SD, THROUGHPUT, THROUGHPUT_SD

EVIDENCE = 0.5
SHORTEST_QUOTE = 8
ODD = 1.0
"""Standard deviations from a healthy worker's mean at which a reading is evidence."""


def worth(
    findings: Sequence[Finding], faults: Iterable[Standing], reports: Sequence[Sequence[Report]]
) -> float:
    """What findings are worth, in [0, 1].

    Args:
        faults: Every fault of its own that has begun.
        reports: Of each worker, in the order of the workers.
    """
    true = {(WORKERS[fault.plan.worker], Fault(fault.plan.family)): fault for fault in faults}
    named = {(finding.worker_id, finding.fault): finding for finding in findings}
    if not true or not named:
        return 0.0
    credit = sum(
        1.0 - EVIDENCE + EVIDENCE * shown(finding.evidence, true[key], reports[true[key].plan.worker])
        for key, finding in named.items()
        if key in true
    )
    return 2.0 * credit / (len(true) + len(named))


def shown(evidence: str, fault: Standing, reports: Sequence[Report]) -> bool:
    """Whether a quotation stands in a line that shows the fault, and in no other line of the worker."""
    quote = " ".join(evidence.split())
    if len(quote) < SHORTEST_QUOTE:
        return False
    until = fault.ended
    stood = [r for r in reports if fault.plan.onset <= r.step and (until is None or r.step < until)]
    showing = {line for report in stood for line in telling(report, Fault(fault.plan.family))}
    said = {line for report in reports for line in (report.claim, *report.log, readings(report))}
    return {line for line in said if quote in line} <= showing and any(quote in line for line in showing)


def telling(report: Report, fault: Fault) -> Iterator[str]:
    """The lines of a report that show such a fault: words of its kind, and readings that are odd its way."""
    shape = _SHAPES[fault]
    if shape.words and kind_of(report.claim, report.log) is shape.words:
        yield from _words(report, shape.words)
    if report.throughput is None or report.burned is None:
        return
    slow = shape.slow and report.throughput < THROUGHPUT - ODD * THROUGHPUT_SD
    dear = shape.dear and report.burned > BURNED + ODD * BURNED_SD
    if slow or dear:
        yield readings(report)


def readings(report: Report) -> str:
    """A report's readings as a line."""
    return f"step {report.step}: {report.throughput} documents, {report.burned} credits, flag {report.flag}"


def _words(report: Report, kind: Kind) -> Iterator[str]:
    """The lines that make a report one of its kind; its claim too, unless the log alone does."""
    if kind is not Kind.BREACH:
        yield report.claim
    if kind is Kind.FAILED:
        yield from calls(report.log)
    else:
        yield from (finding.line for finding in audited(report.claim, report.log))


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
