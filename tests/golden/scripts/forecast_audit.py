"""Forecast-Audit, scripted."""

from __future__ import annotations

from envs.forecast_audit.models import Action, Operation, Request, Severity
from tests.golden.scripts.play import Play

PLAYS = (
    Play(
        "the worked example, answered in full",
        Request(seed=1, task_id="easy_ops_missing_001"),
        (
            Action(
                operation=Operation.IMPUTE,
                target_index=3,
                predicted_value=135.0,
                severity=Severity.LOW,
                rationale="The value at 12:00 follows the steady ramp of 5 orders an hour.",
            ),
        ),
    ),
    Play(
        "a bad repair, an index outside, then the right one too late",
        Request(seed=2),
        (
            Action(
                operation=Operation.IMPUTE,
                target_index=3,
                predicted_value=90.0,
                severity=Severity.HIGH,
                violated_constraints=("No promotions or outages were recorded.",),
                rationale="drop drop drop",
            ),
            Action(operation=Operation.IMPUTE, target_index=5, predicted_value=135.0),
            Action(operation=Operation.IMPUTE, target_index=-1, predicted_value=135.0),
            Action(
                operation=Operation.IMPUTE,
                target_index=3,
                predicted_value=136.5,
                severity=Severity.MEDIUM,
                rationale="The missing value lies between its neighbours 130 and 140.",
            ),
        ),
    ),
    Play(
        "a faulty report is published twice",
        Request(seed=3),
        (
            Action(operation=Operation.ACCEPT),
            Action(operation=Operation.ACCEPT, severity=Severity.LOW, rationale="It looks fine to me today."),
        ),
    ),
    Play(
        "flagged, repaired, then escalated with the right value",
        Request(seed=4, difficulty="hard"),
        (
            Action(operation=Operation.FLAG_ANOMALY, target_index=4, severity=Severity.MEDIUM),
            Action(operation=Operation.REPAIR_AND_FINALIZE, target_index=4, predicted_value=100.0),
            Action(
                operation=Operation.ESCALATE,
                target_index=4,
                predicted_value=49.0,
                severity=Severity.HIGH,
                violated_constraints=(
                    "Output cannot exceed the inverter rating of 100 MW.",
                    "Under a clear sky output only declines after 13:00.",
                ),
                rationale="At 17:00 the forecast of 131 exceeds the inverter rating, so it must not go out.",
            ),
        ),
    ),
    Play(
        "escalated without a word, left unfinished",
        Request(seed=5, difficulty="hard"),
        (Action(operation=Operation.ESCALATE),),
    ),
    Play(
        "an audit: one blank filled, the report repaired",
        Request(seed=55, track="audit"),
        (
            Action(operation=Operation.FLAG_ANOMALY, target_index=999),
            Action(
                operation=Operation.IMPUTE,
                target_index=20,
                predicted_value=218.38,
            ),
            Action(
                operation=Operation.REPAIR_AND_FINALIZE,
                target_index=21,
                predicted_value=199.07,
                severity=Severity.LOW,
                rationale="Both blanks follow the season, and no event explains them.",
            ),
        ),
    ),
    Play(
        "an audit that nobody ends",
        Request(seed=8, track="audit", difficulty="medium", split="held-out"),
        (Action(operation=Operation.FLAG_ANOMALY, target_index=4),) * 4,
    ),
)
