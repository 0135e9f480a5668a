"""The fleet on the page: how one of its acts reads on a chip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def act(action: Mapping[str, Any]) -> str:
    """The act and its worker, or how much an audit names: `intervene worker_2`."""
    name = str(action.get("action_type", ""))
    if name == "submit_audit":
        found = len(action.get("findings") or ())
        return f"audit, {found} finding{'' if found == 1 else 's'}"
    return f"{name} {action.get('worker_id', '')}".strip()
