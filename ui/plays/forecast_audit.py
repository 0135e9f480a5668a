"""Forecast-Audit on the page: how one of its actions reads on a chip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def act(action: Mapping[str, Any]) -> str:
    """Operation, index and value, as far as the action names them: `impute 3 → 135`."""
    words = [str(action.get("operation", ""))]
    if action.get("target_index") is not None:
        words.append(str(action["target_index"]))
    if action.get("predicted_value") is not None:
        words.append(f"→ {action['predicted_value']:g}")
    return " ".join(words)
