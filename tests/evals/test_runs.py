"""A run plays what is missing and comes to the same bytes, however often stopped and wherever played."""

from __future__ import annotations

import asyncio
import io
import json
import sqlite3
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import orjson
import pyarrow.parquet as pq
import pytest

from evals.executors import NoCluster, open_executor
from evals.runner import Runner, RunStopped
from evals.runs import CHUNK, units
from evals.shelf import MemoryShelf, StoreShelf
from instances.service import Service
from tests.conftest import ROOT
from tests.evals import toy
from tests.evals.conftest import Here, WithStore, play, spec_of

MANY = 1_600


def test_a_run_leaves_json_and_parquet_with_the_same_rows(with_store: WithStore, here: Here):
    async def work(service: Service) -> tuple[list[dict], list[dict], str]:
        result = await play(spec_of(), here, service)
        shelf = StoreShelf(service)
        whole = orjson.loads(await shelf.get(f"{result.name}.json") or b"")
        table = pq.read_table(io.BytesIO(await shelf.get(f"{result.name}.parquet") or b""))
        return whole["rows"], table.to_pylist(), result.name

    rows, table, name = with_store(work)
    assert rows == table
    assert [row["seed"] for row in rows] == list(range(40))
    assert name.startswith("runs/sorter/blind/public/medium/one-look-v1-")


def test_the_command_in_a_result_makes_it_again(here: Here):
    found = asyncio.run(play(spec_of(trials=2, first=5), here))
    words = found.header["command"].split()
    assert words[:4] == ["python", "-m", "evals", "run"]
    named = dict(zip(words[4::2], words[5::2], strict=True))
    assert named == {
        "--env": "sorter", "--agent": "one-look", "--split": "public", "--level": "medium",
        "--seeds": "40", "--trials": "2", "--first": "5",
    }  # fmt: skip


@pytest.mark.parametrize(("agent", "skill"), [("pass-all", 0.0), ("majority", 1.0)])
def test_the_ends_of_the_scale_have_skill_0_and_1(agent: str, skill: float, here: Here):
    found = asyncio.run(play(spec_of(agent, seeds=100), here)).summary
    assert found["constant"] == "pass-all"
    assert found["skill"]["estimate"] == pytest.approx(skill, abs=1e-9)


def test_an_agent_between_them_has_skill_between_them(here: Here):
    summary = asyncio.run(play(spec_of(seeds=200), here)).summary
    skill = summary["skill"]
    assert 0 < skill["low"] < skill["estimate"] < skill["high"] < 1
    assert {family["family"] for family in summary["families"]} == set(toy.FAMILIES)


def test_failed_episodes_are_rows_with_their_texts(here: Here):
    found = asyncio.run(play(spec_of("failing"), here))
    assert found.summary["failed"] == 40
    assert {row["error"] for row in found.rows} == {
        "ValueError: no idea what to do with <object object at 0x…>"
    }


def test_several_trials_give_the_rate_at_which_all_of_k_pass(here: Here):
    passed = asyncio.run(play(spec_of("random", trials=3, seeds=60), here)).summary["passed"]
    assert list(passed["all_of"]) == ["1", "2", "3"]
    assert passed["all_of"]["1"] == pytest.approx(passed["rate"]["estimate"])
    assert passed["all_of"]["1"] > passed["all_of"]["2"] > passed["all_of"]["3"]


def test_running_again_plays_nothing_and_gives_the_same_bytes(with_store: WithStore, here: Here):
    with_store(lambda service: play(spec_of(), here, service))
    first = with_store(_kept)
    here.units.clear()
    with_store(lambda service: play(spec_of(), here, service))
    assert here.units == []
    assert with_store(_kept) == first


def test_more_seeds_and_trials_play_only_what_is_missing(with_store: WithStore, here: Here):
    with_store(lambda service: play(spec_of(seeds=20), here, service))
    here.units.clear()
    grown = spec_of(seeds=40, trials=2)
    with_store(lambda service: play(grown, here, service))
    own = [(seed, unit.trial) for unit in here.units if unit.spec.agent == "one-look" for seed in unit.seeds]
    assert sorted(own) == sorted([(s, 0) for s in range(20, 40)] + [(s, 1) for s in range(40)])
    at_once = asyncio.run(play(grown, Here()))
    assert with_store(_kept)[f"{at_once.name}.json"] == at_once.as_json()


def test_rows_of_unlike_code_never_mix(with_store: WithStore, here: Here, monkeypatch: pytest.MonkeyPatch):
    with_store(lambda service: play(spec_of(), here, service))
    monkeypatch.setattr("evals.runs.code_digest", lambda env: "0ther000")
    here.units.clear()
    with_store(lambda service: play(spec_of(), here, service))
    assert here.units


def test_every_episode_becomes_an_instance_that_replays(with_store: WithStore, here: Here, store_url: str):
    with_store(lambda service: play(spec_of("random"), here, service))
    with sqlite3.connect(store_url.removeprefix("sqlite:///")) as database:
        found = database.execute("select id, label from instances").fetchall()
        surfaces = database.execute(
            "select distinct surface, actor_kind, actor_label from journal"
        ).fetchall()
    database.close()
    assert {label for _, label in found} == {
        f"sorter/public/medium/{seed} by random, trial 0" for seed in range(40)
    }
    assert surfaces == [("batch", "baseline", "random")]

    async def look(service: Service) -> bool:
        return all([(await service.look(ref)).episode is not None for ref, _ in found])

    assert with_store(look)


def test_without_episodes_only_rows_are_kept(with_store: WithStore, here: Here, store_url: str):
    with_store(lambda service: play(spec_of(), here, service, episodes=False))
    with sqlite3.connect(store_url.removeprefix("sqlite:///")) as database:
        assert database.execute("select count(*) from instances").fetchone() == (0,)
    database.close()


def test_units_are_chunks_of_one_trial():
    found = units(spec_of(seeds=40, trials=2, first=8), frozenset({(8, 0)}))
    assert all(len(unit.seeds) <= CHUNK and len({s // CHUNK for s in unit.seeds}) == 1 for unit in found)
    assert [unit.trial for unit in found] == sorted(unit.trial for unit in found)
    assert sum(len(unit.seeds) for unit in found) == 79


def test_a_run_whose_worker_dies_says_how_to_go_on():
    class Dying(Here):
        def submit(self, fn, /, *args, **kwargs):
            raise BrokenProcessPool("a child ended")

    with pytest.raises(RunStopped, match="give the same command again"):
        asyncio.run(Runner(MemoryShelf(), Dying()).run(spec_of()))


@pytest.mark.slow
def test_a_run_killed_half_way_and_run_again_gives_the_identical_artifact(tmp_path: Path):
    killed, whole = tmp_path / "killed.db", tmp_path / "whole.db"
    process = subprocess.Popen(_command(killed), cwd=ROOT, stderr=subprocess.DEVNULL)
    while len(_parts(killed)) < 3:
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.005)
    process.kill()
    process.wait()
    assert 3 <= len(_parts(killed)) < MANY // CHUNK
    assert _artifacts(killed) == {}
    left = _rows(killed)
    for database in (killed, whole):
        subprocess.run(_command(database), cwd=ROOT, check=True, capture_output=True)
    assert left.items() <= _rows(killed).items()
    assert _artifacts(killed) == _artifacts(whole)
    assert [name.rpartition(".")[2] for name in _artifacts(whole)] == ["json", "parquet"]


@pytest.mark.slow
def test_no_worker_outlives_a_killed_run(tmp_path: Path):
    psutil = pytest.importorskip("psutil")
    process = subprocess.Popen(_command(tmp_path / "killed.db"), cwd=ROOT, stderr=subprocess.DEVNULL)
    while len(_parts(tmp_path / "killed.db")) < 2:
        time.sleep(0.01)
    children = psutil.Process(process.pid).children(recursive=True)
    assert len(children) >= 2
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
def test_a_dask_cluster_gives_the_same_artifact_as_processes():
    distributed = pytest.importorskip("distributed")
    spec = spec_of("random", trials=2)
    with open_executor(workers=2) as executor:
        by_processes = asyncio.run(play(spec, executor))
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        open_executor(scheduler=cluster.scheduler_address) as executor,
    ):
        by_dask = asyncio.run(play(spec, executor))
    assert by_dask.as_json() == by_processes.as_json()
    assert by_dask.as_parquet() == by_processes.as_parquet()


@pytest.mark.slow
def test_a_scheduler_that_nobody_runs_is_named():
    with (
        pytest.raises(NoCluster, match="no Dask scheduler answers"),
        open_executor(scheduler="tcp://127.0.0.1:9", timeout_s=1),
    ):
        pass


async def _kept(service: Service) -> dict[str, bytes]:
    shelf = StoreShelf(service)
    return {name: await shelf.get(name) or b"" for name in await shelf.names("runs/")}


def _command(database: Path) -> list[str]:
    """A run in a process of its own."""
    arguments = ["run", "--env", "sorter", "--agent", "one-look", "--level", "hard", "--seeds", str(MANY)]
    arguments += ["--workers", "2", "--store", f"sqlite:///{database}", "--no-episodes"]
    code = (
        "import sys; from evals.__main__ import main\n"
        f"if __name__ == '__main__': sys.exit(main({arguments!r}, {toy.PATH!r}))"
    )
    return [sys.executable, "-W", "error", "-c", code]


def _query(database: Path, query: str) -> list[tuple]:
    if not database.exists():
        return []
    connection = sqlite3.connect(database, timeout=10)
    try:
        return connection.execute(query).fetchall()
    except sqlite3.OperationalError:
        return []
    finally:
        connection.close()


def _parts(database: Path) -> list[str]:
    query = "select name from artifacts where name like 'parts/sorter/%/hard/one-look-%' order by name"
    return [name for (name,) in _query(database, query)]


def _artifacts(database: Path) -> dict[str, bytes]:
    return dict(
        _query(database, "select name, content from artifacts where name like 'runs/%' order by name")
    )


def _rows(database: Path) -> dict[int, str]:
    query = "select content from artifacts where name like 'parts/sorter/%/hard/one-look-%'"
    found = [row for (content,) in _query(database, query) for row in orjson.loads(content)]
    return {row["seed"]: json.dumps(row) for row in found}
