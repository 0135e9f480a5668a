"""Content moderation on the page: how one of its actions reads on a chip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_LOOKS = {"fetch_user_history": "history", "fetch_thread_context": "thread"}


def act(action: Mapping[str, Any]) -> str:
    """A look by its place, a clause or a type by its name, a decision as it is: `check insults`."""
    match action.get("action"):
        case "check_policy_clause":
            return f"check {action.get('clause_id') or ''}".strip()
        case "mark_violation_type":
            return f"mark {action.get('violation_type') or ''}".strip()
        case name:
            return _LOOKS.get(str(name), str(name))
