"""Forecast-Audit for TRL: five judgements of a report as tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from clients.trl.rollout import Rollout


class ForecastAudit(Rollout):
    """Audit one report of a time series before it is published.

    A row may say `seed`, `difficulty` (easy, medium, hard), `track` and, on the contract track, `task_id`.
    The audit track is the default: its cases are generated, so equal seeds are equal cases in every rollout
    of a group, and no label gives the answer away.
    """

    slug: ClassVar[str] = "forecast-audit"
    columns: ClassVar[frozenset[str]] = frozenset({"seed", "difficulty", "track", "task_id", "split"})
    defaults: ClassVar[Mapping[str, Any]] = {"track": "audit"}

    def get_reward(self) -> float:
        """What the last legal judgement earned, from 0 to 1: the report as it would be published."""
        return next((step.reward or 0.0 for step in reversed(self._steps) if step.legal), 0.0)

    def impute(
        self,
        target_index: int,
        predicted_value: float,
        severity: str | None = None,
        violated_constraints: list[str] | None = None,
        rationale: str = "",
    ) -> str:
        """Write the right value where one is missing.

        Args:
            target_index: Position of the missing value, from 0.
            predicted_value: What the value should be, in the metric's unit.
            severity: How serious the fault is (choices: ["low", "medium", "high"])
            violated_constraints: The broken constraints, word for word.
            rationale: One sentence: a fact of this case and the reason.

        Returns:
            The report as it stands now.
        """
        return self._judge("impute", target_index, predicted_value, severity, violated_constraints, rationale)

    def flag_anomaly(
        self,
        target_index: int,
        predicted_value: float | None = None,
        severity: str | None = None,
        violated_constraints: list[str] | None = None,
        rationale: str = "",
    ) -> str:
        """Mark a value that cannot be right, and say what it should have been if you can tell.

        Args:
            target_index: Position of the faulty value, from 0.
            predicted_value: What the value should have been, in the metric's unit.
            severity: How serious the fault is (choices: ["low", "medium", "high"])
            violated_constraints: The broken constraints, word for word.
            rationale: One sentence: a fact of this case and the reason.

        Returns:
            The report as it stands now.
        """
        return self._judge(
            "flag_anomaly", target_index, predicted_value, severity, violated_constraints, rationale
        )

    def accept(
        self,
        severity: str | None = None,
        violated_constraints: list[str] | None = None,
        rationale: str = "",
    ) -> str:
        """Let the report go out as it stands; this ends an audit.

        Args:
            severity: How serious what is left is (choices: ["low", "medium", "high"])
            violated_constraints: The broken constraints, word for word.
            rationale: One sentence: a fact of this case and the reason.

        Returns:
            The report as it stands now.
        """
        return self._judge("accept", None, None, severity, violated_constraints, rationale)

    def repair_and_finalize(
        self,
        target_index: int | None = None,
        predicted_value: float | None = None,
        severity: str | None = None,
        violated_constraints: list[str] | None = None,
        rationale: str = "",
    ) -> str:
        """Let the report go out repaired, by what is given here and was written before; this ends an audit.

        Args:
            target_index: Position of the faulty value, from 0.
            predicted_value: What the value should be, in the metric's unit.
            severity: How serious the fault is (choices: ["low", "medium", "high"])
            violated_constraints: The broken constraints, word for word.
            rationale: One sentence: a fact of this case and the reason.

        Returns:
            The report as it stands now.
        """
        return self._judge(
            "repair_and_finalize", target_index, predicted_value, severity, violated_constraints, rationale
        )

    def escalate(
        self,
        target_index: int | None = None,
        predicted_value: float | None = None,
        severity: str | None = None,
        violated_constraints: list[str] | None = None,
        rationale: str = "",
    ) -> str:
        """Hold the report back and hand it to the owner of the data; this ends an audit.

        Args:
            target_index: Position where the fault begins, from 0.
            predicted_value: What the value should be there, in the metric's unit.
            severity: How serious the fault is (choices: ["low", "medium", "high"])
            violated_constraints: The broken constraints, word for word.
            rationale: One sentence: a fact of this case and the reason.

        Returns:
            The report as it stands now.
        """
        return self._judge(
            "escalate", target_index, predicted_value, severity, violated_constraints, rationale
        )

    def _judge(
        self,
        operation: str,
        target_index: int | None,
        predicted_value: float | None,
        severity: str | None,
        violated_constraints: list[str] | None,
        rationale: str,
    ) -> str:
        return self._play(
            operation=operation,
            target_index=target_index,
            predicted_value=predicted_value,
            severity=severity,
            violated_constraints=violated_constraints,
            rationale=rationale,
        )
