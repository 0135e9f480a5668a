"""The input of a tool as a person reads it: one line for each thing that was asked of it, instead of JSON.

Whatever has no words of its own is named by its key, so that nothing of an input is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from envs.analyst.turns import JsonObject

_LABELS = {
    "source_id": "Source",
    "table_id": "Table",
    "select": "Columns",
    "measures": "Values",
    "group_by": "Grouped by",
    "filters": "Only rows with",
    "having": "Only groups with",
    "time_range": "Time",
    "comparison": "Compared with",
    "order_by": "Sorted by",
    "limit": "Rows at most",
    "ties": "With ties",
}
_OPS = {"eq": "=", "ne": "≠", "lt": "<", "le": "≤", "gt": ">", "ge": "≥"}


class Line(NamedTuple):
    """One thing that a tool was given."""

    label: str
    words: str


def read(given: JsonObject) -> tuple[Line, ...]:
    """The input's lines; a query's own stand in for it."""
    ir = given.get("ir")
    flat: Mapping[str, Any] = ir if isinstance(ir, dict) else given
    return tuple(
        Line(_LABELS.get(key, key.replace("_", " ").capitalize()), _words(value))
        for key, value in flat.items()
        if value is not None
    )


def _words(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case Mapping():
            return _phrase(dict(value))
        case Sequence() if not isinstance(value, str):
            return ", ".join(map(_words, value))
        case _:
            return str(value)


def _phrase(parts: dict[str, Any]) -> str:
    """`sum of amount as total_amount`, `region.name`, `ordered_at from … to before …`."""
    said: list[str] = []
    if "agg" in parts:
        said.append(f"{parts.pop('agg')} of {_column(parts) or 'rows'}")
    elif "by" in parts:
        said.append(_words(parts.pop("by")))
        said.append("highest first" if parts.pop("descending", False) else "lowest first")
    elif "op" in parts and "column" in parts:
        op = str(parts.pop("op"))
        against = next((key for key in ("value", "values", "other") if key in parts), "")
        said.append(f"{_column(parts)} {_OPS.get(op, op.replace('_', ' '))} {_words(parts.pop(against, ''))}")
    elif "column" in parts:
        said.append(_column(parts))
    if "grain" in parts:
        said.append(f"by {parts.pop('grain')}")
    if "start" in parts:
        said.append(f"from {parts.pop('start')}")
    if "end" in parts:
        said.append(f"to before {parts.pop('end')}")
    if "alias" in parts:
        said.append(f"as {parts.pop('alias')}")
    said += [
        f"({key.replace('_', ' ')}: {_words(value)})" for key, value in parts.items() if value is not None
    ]
    return " ".join(each.strip() for each in said)


def _column(parts: dict[str, Any]) -> str:
    column, table = parts.pop("column", None), parts.pop("table", None)
    if column is None:
        return str(table or "")
    name = _words(column)
    return f"{table}.{name}" if table else name
