"""Where the work is done: processes here, or a Dask cluster. No scheduler of our own."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager


class NoCluster(Exception):
    """The Dask cluster cannot be used; the text says why and what to do."""


@contextmanager
def open_executor(workers: int | None = None, scheduler: str | None = None) -> Iterator[Executor]:
    """An executor for the time of a run.

    Args:
        workers: Processes; None: one for each core.
        scheduler: Address of a Dask scheduler, e.g. `tcp://10.0.0.1:8786`; its workers need this same source.
    Raises:
        NoCluster: If Dask is not installed or nobody answers at the address.
    """
    if scheduler is not None:
        with _dask(scheduler) as executor:
            yield executor
        return
    # Not forked: a child must not inherit the store's connections and threads.
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(workers, mp_context=context)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


@contextmanager
def _dask(scheduler: str) -> Iterator[Executor]:
    try:
        from distributed import Client
    except ImportError as error:
        raise NoCluster(
            f"--scheduler {scheduler} needs Dask; pip install 'dask[distributed]', or leave the option out"
        ) from error
    try:
        client = Client(scheduler, timeout=10, set_as_default=False)
    except OSError as error:
        raise NoCluster(
            f"no Dask scheduler answers at {scheduler}; start one with `dask scheduler`"
        ) from error
    with client:
        executor = client.get_executor()
        try:
            yield executor
        finally:
            executor.shutdown(wait=False)
