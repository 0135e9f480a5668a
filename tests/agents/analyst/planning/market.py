"""Market: a small shop and a till's upload, and what SQL written by hand says of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import permutations
from pathlib import Path

from envs.analyst.results import Cell
from tests.agents.analyst.planning.asking import Answer, Book, Rows, book

_FIRST = date(2024, 11, 1)
_REGIONS = ("North", "South", "East", "West")
_CHANNELS = ("online", "store", "phone")
_PRODUCTS = (
    ("Anvil", "Tools", 120.0),
    ("Bucket", "Garden", 8.5),
    ("Clamp", "Tools", 19.0),
    ("Drill", "Tools", 240.0),
    ("Edger", "Garden", 75.0),
    ("Fork", "Garden", 31.0),
)


def _orders() -> Iterator[tuple[Cell, ...]]:
    """Orders from November 2024 to April 2026, a little more than one in two days; West fades at the end."""
    for at in range(300):
        day = _FIRST + timedelta(days=at * 545 // 300)
        region = at * 7 % 4 + 1
        product = (at * 11 + at // 13) % 6 + 1
        quantity = at * 5 % 7 + 1
        fading = 0.4 if region == 4 and day >= date(2026, 1, 1) else 1.0
        revenue = round(quantity * (_PRODUCTS[product - 1][2] or 0) * fading + at % 10, 2)
        status = "returned" if at % 17 == 3 else "delivered"
        yield (
            at + 1, at * 13 % 23 + 1, product, region, _CHANNELS[at * 3 % 8 % 3], day.isoformat(), quantity,
            revenue, status,
        )  # fmt: skip


def _customers() -> Rows:
    return [
        (
            at,
            f"Customer {chr(64 + at)}",
            ("Delft", "Breda")[at % 2],
            date(2024 + at % 3, 1 + at % 4, 9).isoformat(),
        )
        for at in range(1, 26)
    ]


def market(folder: Path) -> Book:
    """Orders of 25 customers, two of whom never ordered, over four regions."""
    return book(
        folder,
        region=("id INTEGER PRIMARY KEY, name TEXT", list(enumerate(_REGIONS, 1))),
        customer=("id INTEGER PRIMARY KEY, name TEXT, city TEXT, joined_on DATE", _customers()),
        product=(
            "id INTEGER PRIMARY KEY, name TEXT, category TEXT, price REAL",
            [(at, *each) for at, each in enumerate(_PRODUCTS, 1)],
        ),
        orders=(
            (
                "id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id),"
                " product_id INTEGER REFERENCES product(id), region_id INTEGER REFERENCES region(id),"
                " channel TEXT, ordered_on DATE, quantity INTEGER, revenue REAL, status TEXT"
            ),
            list(_orders()),
        ),
    )


def till(folder: Path) -> Book:
    """One table as a person uploads it: a row a day and store."""
    rows = [
        ((date(2026, 2, 27) + timedelta(days=at // 3)).isoformat(), ("Ash", "Birch", "Cedar")[at % 3],
         at * at * 7 % 23 + at % 5 + (9 if at % 3 == 1 else 0), 2.5 + at % 4)
        for at in range(90)
    ]  # fmt: skip
    return book(folder, till=("date DATE, store TEXT, units INTEGER, price REAL", rows))


@dataclass(frozen=True)
class Market:
    """A book, and SQL on the same file."""

    book: Book
    path: Path

    def gold(self, sql: str) -> list[tuple[Cell, ...]]:
        with closing(sqlite3.connect(self.path)) as connection:
            return [_plain(row) for row in connection.execute(sql)]

    def says(self, question: str, width: int) -> Iterator[list[tuple[Cell, ...]]]:
        """The answer's rows, in every choice of so many of its columns."""
        result = self.book.ask(question).result
        for places in permutations(range(len(result.names)), width):
            yield [_plain(tuple(row[at] for at in places)) for row in result.rows]

    def answer(self, question: str) -> Answer:
        return self.book.ask(question)


def _plain(row: tuple[Cell, ...]) -> tuple[Cell, ...]:
    return tuple(round(float(cell), 6) if isinstance(cell, int | float) else cell for cell in row)
