"""For `GRPOTrainer(environment_factory=…)`: one class per system, whose methods are the model's tools."""

from clients.trl.fleet import Fleet
from clients.trl.forecast_audit import ForecastAudit
from clients.trl.ledgershield import LedgerShield
from clients.trl.moderation import Moderation

__all__ = ["Fleet", "ForecastAudit", "LedgerShield", "Moderation"]
