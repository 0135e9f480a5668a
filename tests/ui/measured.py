"""Results of made-up runs, for tests of the pages that show results; as a command: a server that has them.

No agent played these: skill and score of a case follow from its number, so that a test knows what must be
shown.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import orjson
import uvicorn

import ui
from api.app import create_app
from api.settings import read_settings
from envs.catalog import ENVIRONMENTS
from evals import artifact
from evals.gates import table
from evals.gates.lines import Line
from evals.runs import Row, Spec, code_digest
from instances.service import Service
from instances.store import Store, open_engine

SLUG = "forecast-audit"
FAMILIES = ("spike", "drift", "missing_block")
HOSTILE = "<img src=x onerror=\"window.hurt='markup'\">${window.hurt='template'}|`=1"
OLD_CODE = "00000000"
LINES = (
    Line("reference", "hard", "0.95 [0.93, 0.97]", "≥ 0.80", 1_000, holds=True),
    Line("ladder", "hard", "p = 0.2", "p < 0.01", 1_000, holds=False, note="The step <b>random</b> is flat."),
)

Files = dict[str, bytes]
T = TypeVar("T")


def rows(offset: float, cases: int, trials: int = 1) -> tuple[Row, ...]:
    """Rows whose objectives lie around `offset`, between 0 and 1 where that is 0.5."""
    return tuple(
        Row(
            seed=seed,
            trial=trial,
            family=FAMILIES[seed % len(FAMILIES)],
            template=str(seed % 4),
            objective=offset + (seed % 5 - 2) / 10,
            score=min(1.0, max(0.0, offset + (seed % 5 - 2) / 10)),
            reward=0.0,
            steps=1 + seed % 3,
            actions=1,
            status="TERMINATED",
            error="",
        )
        for seed in range(cases)
        for trial in range(trials)
    )


def run(
    agent: str = "curve-only",
    offset: float = 0.5,
    *,
    level: str = "hard",
    split: str = "public",
    cases: int = 30,
    code: str | None = None,
) -> Files:
    """The two files of a run; `code` makes it one of other code than runs here."""
    spec = Spec(SLUG, agent, split, level, cases)
    ends = artifact.Yardsticks("escalate-low", "reference", rows(0.0, cases), rows(1.0, cases))
    made = artifact.built(spec, rows(offset, cases), ends)
    files = {f"{made.name}.json": made.as_json(), f"{made.name}.parquet": made.as_parquet()}
    return files if code is None else _aged(files, code)


def gates(*, code: str | None = None, smoke: bool = False) -> Files:
    """The file of a table of gates with one breach."""
    env = ENVIRONMENTS[SLUG].environment
    version = f"v{env.version}-{code or code_digest(env)}"
    return {f"{table.PREFIX}{SLUG}.json": table.as_json(SLUG, version, LINES, smoke=smoke)}


def write(folder: Path, files: Mapping[str, bytes]) -> Path:
    """The files as they ship."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def keep(url: str, files: Mapping[str, bytes]) -> None:
    """The files in a store."""
    store = Store(open_engine(url))
    service = Service(store, ENVIRONMENTS)

    async def put() -> None:
        for name, content in files.items():
            await service.put_artifact(name, "application/octet-stream", content)

    try:
        alone(put())
    finally:
        service.close()
        store.close()


def alone(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine on a thread, because Playwright keeps a loop running on the tests' own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def _aged(files: Files, code: str) -> Files:
    made = code_digest(ENVIRONMENTS[SLUG].environment)
    aged: Files = {}
    for name, content in files.items():
        whole = orjson.loads(content) if name.endswith(".json") else None
        if whole is not None:
            whole["run"]["code"] = code
        aged[name.replace(made, code)] = content if whole is None else orjson.dumps(whole)
    return aged


def serve(port: str, data_dir: str, shipped: str) -> None:
    """The whole application with that folder in the place of the results that ship."""
    settings = read_settings(
        {"DATA_DIR": data_dir, "HOST": "127.0.0.1", "PORT": port}, frozenset(ENVIRONMENTS)
    )
    store = Store(open_engine(settings.database_url))
    service = Service(store, ENVIRONMENTS, settings.limits)
    page = ui.PageSettings(results=Path(shipped))
    uvicorn.run(
        ui.mount(create_app(service, settings), service, page),
        host=settings.host,
        port=settings.port,
        log_level="warning",
        timeout_graceful_shutdown=1,
    )


if __name__ == "__main__":
    serve(*sys.argv[1:])
