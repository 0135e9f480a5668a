"""Forecast-Audit: repair and judge reports of time series."""

from envs.forecast_audit.baselines import POLICIES
from envs.forecast_audit.environment import ForecastAudit
from envs.forecast_audit.view import hints, scene

__all__ = ["POLICIES", "ForecastAudit", "hints", "scene"]
