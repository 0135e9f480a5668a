"""What is measured of forecast-audit: its audit track."""

from __future__ import annotations

from envs.catalog import ENVIRONMENTS
from envs.forecast_audit.audit import generator
from envs.forecast_audit.battery import BATTERY, CONSTANTS
from envs.forecast_audit.models import Observation, Operation, Request
from envs.kernel.play import AnyEpisode
from evals.subject import PUBLIC, Feature, Group, Pairs, Probe, Subject


def _metadata(seen: Observation) -> dict[str, Feature]:
    """What surrounds the curve and the words."""
    return {
        "task id": seen.task_id,
        "domain": seen.domain,
        "metric": seen.metric_name,
        "points": len(seen.values),
        "first time": seen.timestamps[0],
        "last time": seen.timestamps[-1],
        "constraints": len(seen.constraints),
        "note length": len(seen.analyst_note),
        "history length": len(seen.history_summary),
        "steps": seen.max_steps,
    }


def _rightly_published(episode: AnyEpisode) -> bool:
    """Whether the report went out as it was if and only if it was sound."""
    accepted = bool(episode.actions) and episode.actions[-1].operation is Operation.ACCEPT
    return accepted == (not episode.task.truth.faults)


_FLOORS = {
    "clean": 0.05,
    "legitimate_shock": 0.05,
    "missing_point": 0.25,
    "missing_block": 0.25,
    "parts_total": 0.25,
    "easy": 0.25,
    "medium": 0.4,
    "hard": 0.5,
    # A slip of five, two and one hours: of all faults the hardest to tell from noise.
    "easy/clock_slip": 0.4,
    "medium/clock_slip": 0.6,
    "hard/clock_slip": 0.75,
    "hard/broken_seasonality": 0.6,
    "hard/drift": 0.6,
    "hard/spike": 0.6,
}


def forecast_audit() -> Subject:
    return Subject(
        entry=ENVIRONMENTS["forecast-audit"],
        track="audit",
        request=lambda level, split, seed: Request(track="audit", difficulty=level, split=split, seed=seed),
        group=lambda task: Group(task.truth.family.value, task.metric_name),
        policies={**ENVIRONMENTS["forecast-audit"].policies, **BATTERY},
        constants=CONSTANTS,
        battery=tuple(BATTERY),
        rungs=("random", "accept-all", "curve-only", "reference"),
        probe=Probe(_metadata, lambda task: task.truth.operation.value),
        # Nothing lost.
        ceiling=lambda task: 0.0,
        floors=_FLOORS,
        pairs=Pairs(
            tasks=lambda level, seed: generator.pair(seed, level, PUBLIC),
            right=_rightly_published,
            blind=("hampel-linear", "curve-only"),
        ),
        pass_score=0.9,
    )
