"""Receiving: what an upload may be, and the errors that say why one is not taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class UploadRefused(ValueError):
    """A file that is not taken; nothing of it is kept.

    Attributes:
        code: For programs: `too_large`, `too_many`, `unreadable`, `empty`, `needs_password`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


_SMALLER = "send a smaller part of it, or the columns and rows that you ask about as CSV"


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """What one file may have.

    Attributes:
        size: Bytes as they arrive.
        unpacked: Bytes of a packed file (XLSX, Parquet) when it is unpacked.
        rows, columns: Of one table.
        cell_length: Characters of one value.
        tables: Sheets of a workbook.
        cells: Of one sheet from its first to its last, empty ones too, and of all that are merged in it.
        pages, letters: Of a document.
    """

    size: int = 128 * 2**20
    unpacked: int = 512 * 2**20
    rows: int = 2_000_000
    columns: int = 256
    cell_length: int = 100_000
    tables: int = 32
    cells: int = 5_000_000
    pages: int = 1_000
    letters: int = 5_000_000


class Choice(StrEnum):
    """How a column can be read that its values leave open; the options of notes."""

    THOUSANDS = "thousands"
    DECIMAL = "decimal"
    DAY_FIRST = "day first"
    MONTH_FIRST = "month first"
    NUMBER = "number"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Readings:
    """How a person wants columns to be read that could be read in several ways.

    Attributes:
        columns: Column name to how that one is read.
        others: How all other columns are read.
    """

    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    others: frozenset[str] = frozenset()

    def of(self, column: str) -> frozenset[str]:
        """What is wanted of a column."""
        return frozenset((self.columns[column],)) if column in self.columns else self.others


def too_many(what: str, found: int, allowed: int) -> UploadRefused:
    """The refusal of a file that has more of something than it may."""
    return UploadRefused("too_large", f"the file has {found:,} {what}; at most {allowed:,} are taken")


def too_much_memory(name: str, allowed: int) -> UploadRefused:
    """The refusal of a file that unpacks to more bytes than its reader can hold."""
    return UploadRefused(
        "too_large", f"{name} takes more than {allowed // 2**20:,} MB of memory to read; {_SMALLER}"
    )


def too_slow(name: str, allowed_s: int) -> UploadRefused:
    """The refusal of a file that is not read in time."""
    return UploadRefused("too_large", f"{name} takes longer than {allowed_s} s to read; {_SMALLER}")
