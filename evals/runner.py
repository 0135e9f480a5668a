"""Runs: plays what is missing of a run and writes what came of it.

Every chunk is kept as soon as it is done; a run that was stopped goes on where it was, to the same bytes.
Leaves where the work is done to a `concurrent.futures.Executor`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import asdict, dataclass, replace

import orjson

from evals import artifact
from evals.runs import CHUNK, Done, Row, Spec, Unit, case_name, play_unit, units
from evals.shelf import Shelf
from evals.skill import best_constant
from evals.subject import PUBLIC

# Constants are chosen on cases that nobody is measured on.
TUNING_FIRST = 1_000_000
TUNING_SEEDS = 1_000

Progress = Callable[[str, int, int], None]
"""Called with what is played, how many episodes of it are there and how many it will be."""


class RunStopped(Exception):
    """The run did not finish; what is done is kept. The text says how to go on."""


def quiet(_what: str, _done: int, _total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True, slots=True)
class Runner:
    """Plays runs.

    Attributes:
        shelf: Where parts, results and episodes are kept.
        executor: Where episodes are played.
    """

    shelf: Shelf
    executor: Executor
    progress: Progress = quiet

    async def run(self, spec: Spec, *, episodes: bool = True) -> artifact.Artifact:
        """Plays what is missing of the run, measures skill on its cases and keeps the result.

        Args:
            episodes: Whether each episode also becomes an instance in the store.
        Raises:
            RunStopped: If a worker died.
        """
        rows = await self.rows(spec, episodes=episodes)
        result = artifact.built(spec, rows, await self.yardsticks(spec))
        await self.shelf.put(f"{result.name}.json", artifact.JSON, result.as_json())
        await self.shelf.put(f"{result.name}.parquet", artifact.PARQUET, result.as_parquet())
        return result

    async def rows(self, spec: Spec, *, episodes: bool = False) -> tuple[Row, ...]:
        """The run's rows by case and trial; those that are not there yet are played.

        Raises:
            RunStopped: If a worker died.
        """
        wanted = {(seed, t) for seed in _seeds(spec) for t in range(spec.trials)}
        parts = await self._parts(spec)
        rows = {(row.seed, row.trial): row for part in parts.values() for row in part}
        missing = units(spec, frozenset(rows))
        what = spec.place + (", tuning" if spec.first == TUNING_FIRST else "")
        self.progress(what, len(wanted & rows.keys()), len(wanted))
        async for done in self._played(missing):
            if episodes:
                await self._record(done)
            name = _part_name(spec, done.unit)
            part = sorted((*parts.get(name, ()), *done.rows), key=_order)
            await self.shelf.put(name, artifact.JSON, orjson.dumps([asdict(row) for row in part]))
            rows.update({(row.seed, row.trial): row for row in done.rows})
            self.progress(what, len(wanted & rows.keys()), len(wanted))
        return tuple(sorted((rows[key] for key in wanted), key=_order))

    async def yardsticks(self, spec: Spec) -> artifact.Yardsticks:
        """The best constant and the reference on the run's cases."""
        constant = await self.best_constant(spec)
        once = replace(spec, trials=1)
        subject = spec.subject
        return artifact.Yardsticks(
            constant,
            subject.reference,
            await self.rows(replace(once, agent=constant)),
            await self.rows(replace(once, agent=subject.reference)),
        )

    async def best_constant(self, spec: Spec, tuning: int = TUNING_SEEDS) -> str:
        """The policy that never looks and does best on the level's tuning cases."""
        objectives: dict[str, list[float]] = {}
        for name in spec.subject.constants:
            tuned = replace(spec, agent=name, split=PUBLIC, first=TUNING_FIRST, seeds=tuning, trials=1)
            objectives[name] = [row.objective for row in await self.rows(tuned)]
        return best_constant(objectives)

    async def _parts(self, spec: Spec) -> dict[str, tuple[Row, ...]]:
        parts: dict[str, tuple[Row, ...]] = {}
        for name in await self.shelf.names(_part_prefix(spec)):
            content = await self.shelf.get(name)
            parts[name] = tuple(Row(**row) for row in orjson.loads(content or b"[]"))
        return parts

    async def _played(self, missing: Sequence[Unit]) -> AsyncIterator[Done]:
        futures: list[asyncio.Future[Done]] = []
        try:
            futures.extend(asyncio.wrap_future(self.executor.submit(play_unit, unit)) for unit in missing)
            for future in asyncio.as_completed(futures):
                yield await future
        except BrokenExecutor as error:
            raise RunStopped(
                f"a worker died ({error}); what was done is kept: give the same command again, "
                "with fewer --workers if memory ran out"
            ) from error
        finally:
            for future in futures:
                future.cancel()
            await asyncio.gather(*futures, return_exceptions=True)

    async def _record(self, done: Done) -> None:
        spec = done.unit.spec
        for row, played in zip(done.rows, done.played, strict=True):
            request = spec.subject.request(spec.level, spec.split, row.seed)
            label = f"{case_name(spec, row.seed)} by {spec.agent}, trial {row.trial}"
            await self.shelf.record(spec.environment, request, row.seed, played.actions, spec.agent, label)


def _seeds(spec: Spec) -> range:
    return range(spec.first, spec.first + spec.seeds)


def _order(row: Row) -> tuple[int, int]:
    return row.seed, row.trial


def _part_prefix(spec: Spec) -> str:
    return f"parts/{spec.place}-{spec.version}/"


def _part_name(spec: Spec, unit: Unit) -> str:
    return f"{_part_prefix(spec)}t{unit.trial:04}-c{unit.seeds[0] // CHUNK:08}"
