"""One module for each contract, exactly as the contract's document has it."""

from __future__ import annotations

from collections.abc import Mapping

from api.contracts import analyst, fleet, forecast_audit, moderation
from api.routes import Contract

CONTRACTS: Mapping[str, Contract] = {
    "analyst": analyst.CONTRACT,
    "fleet": fleet.CONTRACT,
    "forecast-audit": forecast_audit.CONTRACT,
    "moderation": moderation.CONTRACT,
}
