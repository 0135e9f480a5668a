"""`python -m instances` keeps, moves and checks a store, of either kind and from one kind to the other."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest
from sqlalchemy import update

from envs.catalog import ENVIRONMENTS
from envs.forecast_audit.models import Action, Operation, Request
from instances import errors
from instances.__main__ import main
from instances.model import Round
from instances.schema import JOURNAL, MIGRATIONS
from instances.store import Store, open_engine
from instances.submissions import Submissions
from tests.instances.conftest import Clock, Databases, StartProcess, start_on
from tests.instances.hunt import by

SLUG = "forecast-audit"
NEWEST = len(MIGRATIONS)
OPEN = Request(task_id="hard_energy_forecast_001")
ACCEPT = Action(operation=Operation.ACCEPT)
FLAG = Action(operation=Operation.FLAG_ANOMALY, target_index=2)


@pytest.fixture(params=["sqlite", "postgres"])
def elsewhere(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """An empty database of either kind to restore into."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'elsewhere.db'}"
        return
    server = request.getfixturevalue("postgres")
    url = server.new()
    yield url
    server.release(url)


@pytest.fixture
async def kept(start: StartProcess, clock: Clock) -> str:
    """The id of an instance of three entries, in a store that has everything a store can have."""
    service = start(ENVIRONMENTS).service
    instance = await service.create(SLUG, label="naïve – 中")
    await service.reset(instance.id, OPEN, by("ada", key="k"))
    await service.step(instance.id, FLAG, by("ada"))
    await service.reset(instance.id, OPEN, by("ada"))
    erased = await service.create(SLUG)
    await service.reset(erased.id, OPEN, by())
    await service.erase(erased.id)
    await service.put_artifact("runs/a.png", "image/png", bytes(range(256)))
    rounds = Submissions(service)
    await rounds.put_round(Round("spring", SLUG, "easy", 12, clock.now + 60))
    submission, (case,) = await rounds.submit(SLUG, "ada", "1", "easy", 1, "spring")
    await service.reset(case.id, Request(), by())
    await rounds.close(submission.id)
    return instance.id


async def test_a_backup_is_restored_to_the_row_on_either_kind_of_database(
    kept: str, store_url: str, elsewhere: str, tmp_path: Path, clock: Clock
):
    first, second = tmp_path / "first.gz", tmp_path / "second.gz"
    assert main(["backup", str(first), "--store", store_url]) == 0
    assert main(["restore", str(first), "--store", elsewhere]) == 0
    assert main(["backup", str(second), "--store", elsewhere]) == 0
    assert _rows(first) == _rows(second)
    assert len(_rows(first)) == 11
    restored = start_on(elsewhere, clock, ENVIRONMENTS)
    try:
        assert (await restored.service.step(kept, ACCEPT, by())).entry.n == 4
        assert (await restored.service.reset(kept, OPEN, by(key="k"))).replayed
        with pytest.raises(errors.Gone):
            await restored.service.look(next(row["id"] for row in _rows(first) if row.get("ended")))
        assert await restored.service.artifact("runs/a.png") == ("image/png", bytes(range(256)))
    finally:
        restored.stop()


async def test_a_restored_store_guards_its_journals(
    kept: str, store_url: str, elsewhere: str, tmp_path: Path, clock: Clock
):
    file = str(tmp_path / "backup.gz")
    main(["backup", file, "--store", store_url])
    main(["restore", file, "--store", elsewhere])
    processes = [start_on(elsewhere, clock, ENVIRONMENTS) for _ in range(2)]
    try:
        here, there = (process.service for process in processes)
        await there.look(kept)
        await here.erase(kept)
        with pytest.raises(errors.Gone):
            await there.step(kept, ACCEPT, by())
    finally:
        for process in processes:
            process.stop()


async def test_only_an_empty_store_is_restored_into(
    kept: str, store_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = str(tmp_path / "backup.gz")
    main(["backup", file, "--store", store_url])
    assert main(["restore", file, "--store", store_url]) == 1
    assert "already has instances" in capsys.readouterr().err


def _rows(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file) as lines:
        next(lines)
        return [orjson.loads(line)["row"] for line in lines]


async def test_a_journal_that_replays_says_so(kept: str, store_url: str, capsys: pytest.CaptureFixture[str]):
    assert main(["replay", kept, "--store", store_url]) == 0
    assert "3 entries, every digest reproduced" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("n", "changed", "named"),
    [
        (2, {"body": ACCEPT.model_dump_json()}, "entry 2: the journal has digest"),
        (
            2,
            {"outcome": '{"status":"TERMINATED","legal":true,"reward":{}}'},
            "entry 2: the journal has outcome",
        ),
        (1, {"digest": "0" * 32}, f"entry 1: the journal has digest {'0' * 32}"),
        (3, {"seed": 99, "digest": "1" * 32}, "entry 3: the journal has digest"),
        (2, {"body": "{"}, "entry 2: the journal has digest"),
        (2, {"kind": "dream"}, "Entry 2 cannot be read"),
    ],
    ids=["body", "outcome", "digest", "seed", "unreadable", "unknown"],
)
async def test_a_replay_names_the_first_entry_that_differs(
    kept: str,
    store_url: str,
    archive: Store,
    capsys: pytest.CaptureFixture[str],
    n: int,
    changed: dict[str, object],
    named: str,
):
    mine = (JOURNAL.c.instance_id == kept) & (JOURNAL.c.n == n)
    with archive.engine.begin() as connection:
        connection.execute(update(JOURNAL).where(mine).values(**changed))
    assert main(["replay", kept, "--store", store_url]) == 1
    assert named in capsys.readouterr().err


def test_a_store_is_migrated_once(store_url: str, capsys: pytest.CaptureFixture[str]):
    assert main(["migrate", "--store", store_url]) == 0
    assert main(["migrate", "--store", store_url]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"schema version 0 → {NEWEST}",
        f"schema version {NEWEST}, nothing to do",
    ]


@pytest.mark.parametrize("command", ["backup x.gz", "migrate", "replay x"])
def test_a_database_that_is_not_there_is_told_as_such(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    url = f"postgresql://nobody@/nothing?host={tmp_path}"
    assert main([*command.split(), "--store", url]) == 1
    assert "the store cannot be used" in capsys.readouterr().err


def test_the_url_may_be_as_hosts_hand_it_out(databases: Databases):
    url = databases.new()
    for given in (url, url.replace("+psycopg", ""), url.replace("postgresql+psycopg", "postgres")):
        engine = open_engine(given)
        Store(engine).close()
    databases.release(url)
