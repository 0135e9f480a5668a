"""The embedded shop and two small books, to be asked."""

from __future__ import annotations

import pytest

from agents.analyst.engines import Database
from agents.analyst.planning.planner import Rules
from tests.agents.analyst.planning.asking import Book
from tests.agents.analyst.planning.market import Market, market, till


@pytest.fixture
def shop_book(shop: Database) -> Book:
    """The default source as it is shipped."""
    return Book(shop, Rules())


@pytest.fixture(scope="session")
def small_market(tmp_path_factory: pytest.TempPathFactory) -> Market:
    """Four regions, 25 customers, 300 orders."""
    folder = tmp_path_factory.mktemp("market")
    return Market(market(folder), folder / "book.sqlite")


@pytest.fixture(scope="session")
def small_till(tmp_path_factory: pytest.TempPathFactory) -> Market:
    """Days, stores, units and prices in one table."""
    folder = tmp_path_factory.mktemp("till")
    return Market(till(folder), folder / "book.sqlite")
