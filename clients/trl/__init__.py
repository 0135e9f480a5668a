"""For `GRPOTrainer(environment_factory=…)`: one class per system, whose methods are the model's tools."""

from clients.trl.forecast_audit import ForecastAudit

__all__ = ["ForecastAudit"]
