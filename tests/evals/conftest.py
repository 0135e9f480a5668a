"""Runs over a store of the test's own, played in this process unless a test is about another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from evals.gates.lines import SMOKE, Line, Sizes
from evals.gates.plays import played
from evals.gates.policies import policy_lines
from evals.runner import Runner
from evals.runs import Spec
from evals.shelf import MemoryShelf, StoreShelf
from evals.subjects import load
from instances.service import Service
from instances.store import Store, open_engine
from tests.evals import toy

T = TypeVar("T")
WithStore = Callable[[Callable[[Service], Coroutine[Any, Any, T]]], T]


class Here(Executor):
    """Does the work where it is asked for; counts the units."""

    def __init__(self) -> None:
        self.units: list[Any] = []

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        future: Future[T] = Future()
        self.units.extend(args)
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.fixture
def here() -> Here:
    return Here()


@pytest.fixture
def store_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'auditorium.db'}"


@pytest.fixture
def with_store(store_url: str) -> WithStore:
    """Runs a coroutine function on the service of one store."""

    def run(work: Callable[[Service], Coroutine[Any, Any, T]]) -> T:
        store = Store(open_engine(store_url))
        service = Service(store, {"sorter": toy.SUBJECTS["sorter"].entry})
        try:
            return asyncio.run(work(service))
        finally:
            service.close()
            store.close()

    return run


# What a smoke shows of so simple an environment.
FEW = replace(SMOKE, cases=48, most=48)


def spec_of(agent: str = "one-look", **changes: Any) -> Spec:
    """A run of Sorter."""
    fields = {"split": "public", "level": "medium", "seeds": 40, "subjects": toy.PATH}
    return Spec(environment="sorter", agent=agent, **{**fields, **changes})


def play(spec: Spec, executor: Executor, service: Service | None = None, **options: Any) -> Any:
    """A coroutine that plays the run."""
    shelf = MemoryShelf() if service is None else StoreShelf(service)
    return Runner(shelf, executor).run(spec, **options)


def policy_lines_of(slug: str, path: str, sizes: Sizes = FEW) -> list[Line]:
    """The lines of the policy gates."""
    subject = load(path)[slug]
    runner = Runner(MemoryShelf(), Here())

    async def work() -> list[Line]:
        plays = [await played(runner, subject, level, sizes, path) for level in subject.env.levels]
        return list(policy_lines(subject, plays, sizes))

    return asyncio.run(work())
