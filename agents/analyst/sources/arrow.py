"""Arrow: the few things that are needed of pyarrow, which ships no types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow  # pyright: ignore[reportMissingTypeStubs] - it ships none
from pyarrow import parquet  # pyright: ignore[reportMissingTypeStubs]

Columns = Any
"""A pyarrow table."""

_pyarrow: Any = pyarrow
_parquet: Any = parquet


class Size(NamedTuple):
    """How much a Parquet file holds; `unpacked` is in bytes."""

    rows: int
    columns: int
    unpacked: int


class NotParquet(ValueError):
    """A file that is no Parquet, or a damaged one."""


def table(**columns: Any) -> Columns:
    """A table of columns of equal length: sequences, numpy arrays, or `masked` ones."""
    return _pyarrow.table({name: _pyarrow.array(values) for name, values in columns.items()})


def masked(values: Any, missing: Any) -> Any:
    """A numpy array as a column, without a value where `missing` is true."""
    return _pyarrow.array(values, mask=missing)


def texts(columns: Mapping[str, Iterable[str | None]]) -> Columns:
    """A table of texts."""
    kind = _pyarrow.string()
    return _pyarrow.table({name: _pyarrow.array(values, type=kind) for name, values in columns.items()})


def read(path: Path) -> Columns:
    """The table in a Parquet file.

    Raises:
        NotParquet: If it cannot be read.
        MemoryError: If it unpacks to more than there is.
    """
    try:
        return _parquet.read_table(path)
    except MemoryError:
        # Arrow's own is one of both kinds.
        raise
    except (OSError, ValueError, _pyarrow.ArrowException) as error:
        raise NotParquet(str(error)) from error


def size(path: Path) -> Size:
    """What a Parquet file says it has, before it is read.

    Raises:
        NotParquet: If it cannot be read.
    """
    try:
        metadata = _parquet.read_metadata(path)
    except (OSError, ValueError, _pyarrow.ArrowException) as error:
        raise NotParquet(str(error)) from error
    groups = (metadata.row_group(at) for at in range(metadata.num_row_groups))
    unpacked = sum(int(group.total_byte_size) for group in groups)
    return Size(int(metadata.num_rows), int(metadata.num_columns), unpacked)


def write(columns: Columns, path: Path) -> None:
    """A Parquet file, as small as it gets."""
    _parquet.write_table(columns, path, compression="zstd", compression_level=19)
