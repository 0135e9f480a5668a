"""What is played for the golden transcripts: one line per environment."""

from __future__ import annotations

from collections.abc import Mapping

from tests.golden.scripts import analyst, fleet, forecast_audit, ledgershield, moderation, number_hunt
from tests.golden.scripts.play import Play

SCRIPTS: Mapping[str, tuple[Play, ...]] = {
    "analyst": analyst.PLAYS,
    "fleet": fleet.PLAYS,
    "forecast-audit": forecast_audit.PLAYS,
    "ledgershield": ledgershield.PLAYS,
    "moderation": moderation.PLAYS,
    "number-hunt": number_hunt.PLAYS,
}

__all__ = ["SCRIPTS", "Play"]
