"""The embedded shop, to be asked."""

from __future__ import annotations

import pytest

from agents.analyst.engines import Database
from agents.analyst.planning.planner import Rules
from tests.agents.analyst.planning.asking import Book


@pytest.fixture
def shop_book(shop: Database) -> Book:
    """The default source as it is shipped."""
    return Book(shop, Rules())
