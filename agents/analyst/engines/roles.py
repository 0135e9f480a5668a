"""Roles: what a column is for, by its name, its type and how often its values repeat."""

from __future__ import annotations

import re
from collections.abc import Sequence

from envs.analyst.catalogue import Column, ColumnType, Role

_IDENTIFIER = re.compile(
    r"(^|[_\s])(id|uuid|guid|key|code|zip|postcode|phone|fax|ssn|isbn|sku)$", re.IGNORECASE
)
_CAMEL = re.compile(r"[a-z](Id|ID|Code|Key)$")
_CALENDAR = re.compile(r"(^|[_\s])(year|month|week|day|quarter|tahun|bulan)$", re.IGNORECASE)
_NAME = re.compile(r"(^|[_\s])(name|title|label|nama|judul)$|[a-z](Name|Title)$", re.IGNORECASE)
_PROSE = re.compile(
    r"(^|[_\s])(description|comment|comments|note|notes|text|body|address|content)$", re.IGNORECASE
)
_LATER = re.compile(
    r"birth|born|update|modif|deliver|due|end|clos|join|launch|expire|until|_to$", re.IGNORECASE
)


def role_of(name: str, kind: ColumnType, distinct: int, rows: int, in_key: bool, refers: bool) -> Role:
    """What a column is for.

    Args:
        distinct: Its values.
        rows: Of its table.
        in_key: Whether it belongs to the primary key.
        refers: Whether it belongs to a foreign key.
    """
    telling = identifies(name)
    match kind:
        case ColumnType.DATE | ColumnType.TIMESTAMP:
            return Role.TIME
        case _ if refers:
            return Role.REFERENCE
        case _ if in_key and (telling or kind is ColumnType.INTEGER):
            return Role.KEY
        case ColumnType.INTEGER | ColumnType.NUMBER:
            if telling:
                return Role.KEY if distinct == rows else Role.REFERENCE
            return Role.DIMENSION if _CALENDAR.search(name) else Role.MEASURE
        case ColumnType.TEXT:
            if _NAME.search(name):
                return Role.LABEL
            if telling and distinct == rows:
                return Role.KEY
            return Role.TEXT if _PROSE.search(name) else Role.DIMENSION
        case _:
            return Role.DIMENSION


def identifies(name: str) -> bool:
    """Whether a column's name says that it holds ids or codes."""
    return bool(_IDENTIFIER.search(name) or _CAMEL.search(name))


def label_column(table: str, columns: Sequence[Column], rows: int) -> str | None:
    """The column by which a person tells rows apart; None if none does."""
    texts = [column for column in columns if column.type is ColumnType.TEXT]
    labels = [column for column in texts if column.role is Role.LABEL]
    own = [column for column in labels if column.name.lower() in ("name", "title", f"{table}_name".lower())]
    telling = [column for column in texts if column.role is Role.DIMENSION and column.distinct == rows > 1]
    found = [*own, *labels, *telling]
    return found[0].name if found else None


def time_column(columns: Sequence[Column]) -> str | None:
    """The date that a question about time means: the first that does not speak of a later event."""
    times = [column for column in columns if column.role is Role.TIME]
    first = [column for column in times if not _LATER.search(column.name)]
    found = [*first, *times]
    return found[0].name if found else None
