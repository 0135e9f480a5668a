"""The embedded shop, opened once on each engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from agents.analyst.engines import Database, open_sqlite
from agents.analyst.engines.postgres import open_postgres
from agents.analyst.sources.shop.opening import NAME, SHIPPED, SOURCE_ID, open_shop
from agents.analyst.sources.shop.words import described
from agents.analyst.sources.shop.writing import SCHEMA, read_parquet, write_sqlite
from tests.instances.postgres import Postgres, programs


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """The default source as it is shipped."""
    with open_shop(tmp_path_factory.mktemp("shop")) as database:
        yield database


@pytest.fixture(scope="session")
def shop_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shop's tables in SQLite."""
    path = tmp_path_factory.mktemp("shop") / "shop.sqlite"
    write_sqlite(read_parquet(SHIPPED), path)
    return path


@pytest.fixture(scope="session")
def shop_on_sqlite(shop_file: Path) -> Iterator[Database]:
    with open_sqlite(shop_file, SOURCE_ID, NAME) as database:
        yield replace(database, source=described(database.source))


@pytest.fixture(scope="session")
def shop_url() -> Iterator[str]:
    """The shop on a real Postgres of the tests' own."""
    bin_dir = programs()
    if bin_dir is None:
        pytest.skip("PostgreSQL is not installed")
    server = Postgres.make(bin_dir)
    try:
        url = server.new()
        _fill(url)
        yield url
    finally:
        server.remove()


@pytest.fixture(scope="session")
def shop_on_postgres(shop_url: str) -> Iterator[Database]:
    with open_postgres(shop_url, SOURCE_ID, NAME) as database:
        yield replace(database, source=described(database.source))


def _fill(url: str) -> None:
    with psycopg.connect(url.replace("postgresql+psycopg", "postgresql")) as connection:
        connection.execute(SCHEMA.encode())
        for name, table in read_parquet(SHIPPED).items():
            with connection.cursor().copy(f"COPY {name} FROM STDIN".encode()) as copy:
                for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
                    copy.write_row(row)
