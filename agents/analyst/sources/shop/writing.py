"""Writing the shop's tables: as Parquet to be shipped, as DuckDB or SQLite to be asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import date, datetime
from pathlib import Path

import duckdb

from agents.analyst.sources import arrow

SCHEMA = """
CREATE TABLE region (region_id INTEGER PRIMARY KEY, name TEXT, manager TEXT, opened_on DATE);
CREATE TABLE channel (channel_id INTEGER PRIMARY KEY, name TEXT, fee DOUBLE PRECISION);
CREATE TABLE product (
    product_id INTEGER PRIMARY KEY, name TEXT, category TEXT, unit_price DOUBLE PRECISION, launched_on DATE
);
CREATE TABLE customer (
    customer_id INTEGER PRIMARY KEY, name TEXT, segment TEXT, city TEXT, email TEXT, birth_year INTEGER,
    joined_on DATE
);
CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY,
    customer_id INTEGER REFERENCES customer (customer_id),
    product_id INTEGER REFERENCES product (product_id),
    region_id INTEGER REFERENCES region (region_id),
    channel_id INTEGER REFERENCES channel (channel_id),
    ordered_at TIMESTAMP, quantity INTEGER, discount DOUBLE PRECISION, amount DECIMAL(12, 2), status TEXT
);
"""
"""The same words on all three engines."""


def read_parquet(folder: Path) -> dict[str, arrow.Columns]:
    """The shipped tables, those that others refer to first."""
    names = ("region", "channel", "product", "customer", "orders")
    return {name: arrow.read(folder / f"{name}.parquet") for name in names}


def write_parquet(tables: Mapping[str, arrow.Columns], folder: Path) -> None:
    for name, table in tables.items():
        arrow.write(table, folder / f"{name}.parquet")


def write_duckdb(tables: Mapping[str, arrow.Columns], path: Path) -> None:
    """A new DuckDB file; `tables` in the order of `read_parquet`."""
    with duckdb.connect(str(path)) as connection:
        connection.execute(SCHEMA)
        for name, table in tables.items():
            connection.register("arriving", table)
            connection.execute(f"INSERT INTO {name} SELECT * FROM arriving")
            connection.unregister("arriving")


def write_sqlite(tables: Mapping[str, arrow.Columns], path: Path) -> None:
    """A new SQLite file; dates are ISO texts."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA)
        for name, table in tables.items():
            marks = ", ".join("?" * table.num_columns)
            rows = zip(*(map(_plain, column.to_pylist()) for column in table.columns), strict=True)
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
        connection.commit()


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    return value.isoformat() if isinstance(value, date) else value
