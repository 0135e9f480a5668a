"""Whatever a file does to its reader: it is refused with a reason and nobody else loses anything by it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agents.analyst.engines import open_sqlite
from agents.analyst.engines.patience import Patience
from agents.analyst.sources.receiving import UploadRefused
from agents.analyst.sources.uploads import Uploads
from agents.analyst.working.asked import ReaderLimits, WorkshopSettings
from agents.analyst.working.workshop import Workshop
from instances.service import Service
from instances.store import Store, open_engine
from tests.agents.analyst.working.asking import Asker, workers
from tests.agents.analyst.working.bombs import (
    ENDLESS,
    damaged,
    endless_tree,
    packed_page,
    repeated_text,
    sqlite,
)
from tests.tiny import TINY

TABLE = "CREATE TABLE t (a TEXT, n INTEGER); INSERT INTO t VALUES ('x', 1), ('x', 2);"
LONG = b"a,b\n" + b"1,2.5\n" * 3_000_000


@pytest.fixture(scope="module")
async def asker(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Asker]:
    """A workshop whose reader of files may use little."""
    store = Store(open_engine(f"sqlite:///{tmp_path_factory.mktemp('store') / 'auditorium.db'}"))
    few = WorkshopSettings(reader=ReaderLimits(memory=400 * 2**20, computing_s=3))
    workshop = Workshop(Uploads(store), few)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tempfile.tempdir", str(tmp_path_factory.mktemp("hand")))
        yield Asker(store, Service(store, TINY), workshop)
        await workshop.close()
    store.close()


BOMBS = {
    "text.parquet": (repeated_text(200_000, 90_000), "too_large"),
    "page.pdf": (packed_page(300_000_000), "too_large"),
    "tree.pdf": (endless_tree(9, 30), "too_large"),
    "line.csv": (b"x" * 3_000_000, "unreadable"),
    "commas.csv": (b",".join(b"c%d" % at for at in range(300_000)), "too_large"),
}


@pytest.mark.parametrize("name", BOMBS)
async def test_a_small_file_that_unpacks_to_a_large_one_is_refused(asker: Asker, name: str) -> None:
    analysis, (content, code) = await asker.analysis(), BOMBS[name]
    await asker.names(analysis)
    before = workers()
    with pytest.raises(UploadRefused) as refused:
        await asker.workshop.add(analysis, name, content)
    assert refused.value.code == code
    assert len(str(refused.value)) > 40
    assert await asker.names(analysis) == await asker.names("an_42")
    assert workers() == before


async def test_a_damaged_database_is_refused_by_the_name_that_its_owner_gave_it(
    asker: Asker, tmp_path: Path
) -> None:
    content = damaged(sqlite(tmp_path, TABLE))
    with pytest.raises(UploadRefused, match=r"books\.db cannot be read") as refused:
        await asker.workshop.add(await asker.analysis(), "books.db", content)
    assert "data.sqlite" not in str(refused.value)


async def test_what_takes_too_long_is_refused_and_others_are_read_meanwhile(asker: Asker) -> None:
    slow = asyncio.ensure_future(asker.workshop.add(await asker.analysis(), "long.csv", LONG))
    source = await asker.workshop.add(await asker.analysis(), "quick.csv", b"n\n1\n")
    assert source.tables[0].row_count == 1
    with pytest.raises(UploadRefused, match=r"long\.csv takes longer than 3 s"):
        await slow


async def test_a_view_that_never_ends_is_left_out_and_its_tables_are_asked(tmp_path: Path) -> None:
    path = tmp_path / "made.sqlite"
    views = f"CREATE VIEW v AS {ENDLESS}; CREATE VIEW w AS SELECT * FROM no;"
    path.write_bytes(sqlite(tmp_path, TABLE + views))
    with open_sqlite(path, patience=Patience(views_s=0.4, view_s=0.2)) as database:
        assert [table.table_id for table in database.source.tables] == ["t"]
        notes = {note.table_id: note.text for note in database.source.notes}
    assert "more time or memory" in notes["v"]
    assert "no such table" in notes["w"]
