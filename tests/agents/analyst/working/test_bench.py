"""What the server names as a source is asked first, as long as it answers."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from agents.analyst.working.bench import Bench
from agents.analyst.working.turning import Desk
from envs.analyst.turns import DatabaseUsed
from tests.agents.analyst.working.asking import turned

QUESTION = "how many orders are there?"


def test_a_postgres_of_the_servers_own_is_preferred(shop_url: str, tmp_path: Path) -> None:
    with _desk(tmp_path, shop_url) as desk:
        assert [source.name for source in desk.sources[:2]] == ["postgres", "shop"]
        worked = turned(desk, QUESTION)
    assert [used.source_id for used in worked.sources if isinstance(used, DatabaseUsed)] == ["src_postgres"]
    assert worked.substantive


def test_without_an_answer_from_it_the_embedded_source_is_asked(tmp_path: Path) -> None:
    with _desk(tmp_path, "postgresql://nobody@127.0.0.1:1/none") as desk:
        assert [source.name for source in desk.sources] == ["shop", "sales_handbook.pdf", "notes"]
        assert turned(desk, QUESTION).substantive


@contextmanager
def _desk(folder: Path, source_url: str) -> Generator[Desk]:
    desk = Bench(folder, source_url).desk("an_42", ())
    try:
        yield desk
    finally:
        for database in desk.databases.values():
            database.close()
