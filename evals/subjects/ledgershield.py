"""What is measured of LedgerShield: its blind track, generated cases with a decision."""

from __future__ import annotations

from envs.catalog import ENVIRONMENTS
from envs.ledgershield.battery import BATTERY, CONSTANTS
from envs.ledgershield.inference.hypotheses import EXCEPTIONS, Scenario
from envs.ledgershield.models import LEVELS, Request
from envs.ledgershield.seen import Observation
from envs.ledgershield.tasks import Task
from evals.subject import Feature, Group, Probe, Subject

HONEST = EXCEPTIONS | {Scenario.CLEAN, Scenario.LEGITIMATE_CHANGE}
FLOORS = {
    **dict(zip(LEVELS, (5.0, 9.0, 13.0), strict=True)),
    **{
        f"{level}/{scenario}": most
        for level, most in zip(LEVELS, (8.0, 14.0, 19.0), strict=True)
        for scenario in HONEST
    },
}
"""How far the reference may lie below the clairvoyant. Fraud is the rule here, so honest cases cost most."""


def _metadata(seen: Observation) -> dict[str, Feature]:
    """What surrounds an invoice that nobody has read."""
    boxes = [box for document in seen.visible_documents for page in document.pages for box in page.lines]
    return {
        "family": seen.task_type,
        "case": seen.case_id,
        "thread": seen.case_metadata.thread_id,
        "budget": seen.budget_total,
        "steps": seen.max_steps,
        "documents": len(seen.visible_documents),
        "language": seen.visible_documents[0].language,
        "terms": seen.case_metadata.due_date_days,
        "lines": len(boxes),
        "writing": sum(box[2] - box[0] for box in boxes),
        "margin": boxes[0][0],
        "top": boxes[0][1],
        "foot": boxes[-1][3],
    }


def _group(task: Task) -> Group:
    """The scenario; and the family, what the vendor trades in and where it sits.

    Scenarios are all that there are, drawn by chances that are known: by themselves they are no sample of
    anything, and cases that share one resemble each other in nothing but what is behind them.
    """
    trade, city = task.invoice.vendor_name.partition(" ")[2], task.invoice.vendor_address.rpartition(", ")[2]
    return Group(task.truth.scenario.value, f"{task.family} {trade} {city}")


def ledgershield() -> Subject:
    return Subject(
        entry=ENVIRONMENTS["ledgershield"],
        track="blind",
        request=lambda level, split, seed: Request(level=level, split=split, seed=seed, track="blind"),
        group=_group,
        policies={**ENVIRONMENTS["ledgershield"].policies, **BATTERY},
        constants=CONSTANTS,
        battery=tuple(BATTERY),
        rungs=("random", "check-list", "clerk", "myopic-voi", "reference"),
        probe=Probe(_metadata, lambda task: task.truth.decision.value),
        # The right decision for nothing.
        ceiling=lambda task: 0.0,
        floors=FLOORS,
        pass_score=0.5,
        strong="myopic-voi",
    )
