"""Copies: the embedded shop as shipped, in SQLite, and with other orders, for our own questions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from agents.analyst.engines import Database, open_sqlite
from agents.analyst.sources import arrow
from agents.analyst.sources.shop.making import tables
from agents.analyst.sources.shop.opening import NAME, SHIPPED, SOURCE_ID, open_shop
from agents.analyst.sources.shop.words import described
from agents.analyst.sources.shop.writing import read_parquet, write_sqlite
from evals.nl2sql.own import OwnVerdict, judge_answerable, judge_unanswerable

SEEDS = (1, 2, 3, 4, 5)


def judged_copies() -> Iterator[tuple[str, tuple[OwnVerdict, ...]]]:
    """The name of each copy with its verdicts; the last is of the questions without an answer."""
    with TemporaryDirectory() as folder:
        with open_shop(Path(folder)) as shop:
            yield "shop on DuckDB", tuple(judge_answerable(shop))
            without = tuple(judge_unanswerable(shop))
        with on_sqlite(Path(folder) / "shop.sqlite", read_parquet(SHIPPED)) as shop:
            yield "shop on SQLite", tuple(judge_answerable(shop))
        for seed in SEEDS:
            with on_sqlite(Path(folder) / f"shop{seed}.sqlite", tables(seed)) as shop:
                yield f"other orders, seed {seed}", tuple(judge_answerable(shop))
    yield "without an answer", without


@contextmanager
def on_sqlite(path: Path, rows: dict[str, arrow.Columns]) -> Iterator[Database]:
    """The shop's tables in a SQLite file, opened as the shop."""
    write_sqlite(rows, path)
    with open_sqlite(path, SOURCE_ID, NAME) as database:
        yield replace(database, source=described(database.source))
