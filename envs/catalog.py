"""Which environments there are: one line each, nothing registers itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from envs import analyst, fleet, forecast_audit, ledgershield, moderation
from envs.kernel.protocol import AnyEnvironment, Policy
from envs.scene import Hint, Scene


@dataclass(frozen=True, slots=True)
class Entry:
    """An environment and what stands around it.

    Attributes:
        scene: An observation as a person sees it.
        hints: What the action form shows beside the action's schema, in the form's order.
        policies: The baselines by name; each sees observations only.
    """

    environment: AnyEnvironment
    scene: Callable[[Any], Scene]
    hints: Callable[[Any], tuple[Hint, ...]]
    policies: Mapping[str, Policy[Any, Any]]


ENVIRONMENTS: Mapping[str, Entry] = {
    "analyst": Entry(analyst.Analyst(), analyst.scene, analyst.hints, analyst.POLICIES),
    "fleet": Entry(fleet.Fleet(), fleet.scene, fleet.hints, fleet.POLICIES),
    "forecast-audit": Entry(
        forecast_audit.ForecastAudit(), forecast_audit.scene, forecast_audit.hints, forecast_audit.POLICIES
    ),
    "ledgershield": Entry(
        ledgershield.LedgerShield(), ledgershield.scene, ledgershield.hints, ledgershield.POLICIES
    ),
    "moderation": Entry(moderation.Moderation(), moderation.scene, moderation.hints, moderation.POLICIES),
}
