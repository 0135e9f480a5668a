"""The catalogue: what a source holds, as far as a question has to know.

Pure records; leaves to the sources how they are read out of a file or a server, and to the planner what a
word of a question means.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple, Protocol

from envs.analyst.results import Cell
from envs.kernel.records import Record


class SourceType(StrEnum):
    """What a source is kept in. `schema` is the embedded database, as the contract calls it."""

    SCHEMA = "schema"
    SQLITE = "sqlite"
    POSTGRES = "postgres"
    DOCUMENTS = "documents"


class ColumnType(StrEnum):
    """What values a column has, the same for all engines."""

    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "text"
    BOOLEAN = "boolean"
    DATE = "date"
    TIMESTAMP = "timestamp"
    OTHER = "other"


class Role(StrEnum):
    """What a column is for. `label` names its row (a customer's name); `text` is free text."""

    KEY = "key"
    REFERENCE = "reference"
    MEASURE = "measure"
    DIMENSION = "dimension"
    TIME = "time"
    LABEL = "label"
    TEXT = "text"


class NoteCode(StrEnum):
    """What was noticed about a column or a table when it was read; see `Note`."""

    ASSUMED_ENCODING = "assumed_encoding"
    GUESSED_SEPARATOR = "guessed_separator"
    GUESSED_DATE_ORDER = "guessed_date_order"
    CONTRADICTING_DATES = "contradicting_dates"
    LOST_DIGITS = "lost_digits"
    MIXED_CURRENCIES = "mixed_currencies"
    RENAMED_COLUMN = "renamed_column"
    UNREADABLE_VALUE = "unreadable_value"
    MISSING_VALUES = "missing_values"
    DAMAGED_TEXT = "damaged_text"
    NO_TEXT = "no_text"
    SHORTENED = "shortened"
    LEFT_OUT = "left_out"


class Note(Record):
    """Something that a person should know before trusting a column.

    Attributes:
        text: One English sentence, complete.
        table_id, column: Where; None for all of it.
        lines: Line numbers in the file (of sheets: rows), the first few.
        values: The values in question, as they were typed, the first few.
        options: Other readings that can be chosen at upload, the one in use first.
    """

    code: NoteCode
    text: str
    table_id: str | None = None
    column: str | None = None
    lines: tuple[int, ...] = ()
    values: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


class Column(Record):
    """A column of a table.

    Attributes:
        name: As the engine has it.
        label: As a person reads it; the name as typed in the file, or words made of it.
        samples: Up to five of the commonest values; of numbers and dates some.
        distinct: How many values there are.
        missing: How many rows have none (NULL).
        low, high: Least and greatest, for numbers and dates (ISO).
        synonyms: Other words for it, English and Indonesian, lower case.
        unit: `%` (values are shares: 0.07 is 7 %), a currency such as `USD`, or another unit; None if none.
        unit_column: The column of the same table with each row's unit, where units differ.
        exact: False where digits were lost before upload; no sum, least or greatest is answered then.
    """

    name: str
    label: str
    type: ColumnType
    role: Role
    samples: tuple[Cell, ...] = ()
    distinct: int = 0
    missing: int = 0
    low: Cell = None
    high: Cell = None
    synonyms: tuple[str, ...] = ()
    unit: str | None = None
    unit_column: str | None = None
    exact: bool = True


class Table(Record):
    """A table or a view.

    Attributes:
        primary_key: Columns that tell its rows apart; empty if unknown.
        time_column: The date that questions about time mean unless they name another.
        label_column: The column that names a row; None if none does.
    """

    table_id: str
    label: str
    columns: tuple[Column, ...]
    row_count: int
    primary_key: tuple[str, ...] = ()
    time_column: str | None = None
    label_column: str | None = None
    synonyms: tuple[str, ...] = ()

    def column(self, name: str) -> Column | None:
        """The column of that name, None if there is none."""
        return next((column for column in self.columns if column.name == name), None)


class ForeignKey(Record):
    """Rows of `table` refer to one row of `to_table` (many to one).

    Attributes:
        columns, to_columns: Of equal length; usually one.
        declared: False where it was found by names and values and not declared.
    """

    table: str
    columns: tuple[str, ...]
    to_table: str
    to_columns: tuple[str, ...]
    declared: bool = True

    @property
    def key(self) -> str:
        """Its name: `orders.region_id>region.region_id`."""
        return f"{self.table}.{'+'.join(self.columns)}>{self.to_table}.{'+'.join(self.to_columns)}"


class Document(Record):
    """A text that can be searched.

    Attributes:
        page_labels: As printed, one a sheet (`i`, `ii`, `1`): sheet 3 of these is page 1.
    """

    document_id: str
    filename: str
    page_labels: tuple[str, ...]
    notes: tuple[Note, ...] = ()


class Source(Record):
    """What one source holds; a source of documents has no tables.

    Attributes:
        newest_date: The newest day in any table's time column (ISO), None without one.
        notes: What was noticed when it was read.
    """

    source_id: str
    name: str
    source_type: SourceType
    tables: tuple[Table, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    documents: tuple[Document, ...] = ()
    newest_date: str | None = None
    notes: tuple[Note, ...] = ()

    def table(self, table_id: str) -> Table | None:
        """The table of that name, None if there is none."""
        return next((table for table in self.tables if table.table_id == table_id), None)


class ValueMatch(NamedTuple):
    """A stored value that a question may mean.

    Attributes:
        value: As it is stored; compare with it and not with what was typed.
        score: 1.0 where it is equal but for case, accents and blanks; below that, how alike, in (0, 1).
    """

    table_id: str
    column: str
    value: str
    score: float


class ValueIndex(Protocol):
    """All text values of a source that can be named in a question; see `envs.analyst.values`."""

    def exact(self, text: str) -> tuple[ValueMatch, ...]:
        """Values equal to the text but for case, accents and blanks: every stored spelling of it."""
        ...

    def alike(self, text: str, least: float = 0.85, count: int = 5) -> tuple[ValueMatch, ...]:
        """The most similar values, from the best; equals are among them."""
        ...

    def of(self, table_id: str, column: str) -> tuple[str, ...]:
        """A column's values in order; empty where it is not indexed."""
        ...

    def phrases(self) -> Mapping[str, tuple[ValueMatch, ...]]:
        """Every normalised value with where it is stored, for taggers that scan a question."""
        ...
