"""Where the work is done: processes here, or a Dask cluster. No scheduler of our own."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from threading import Thread


class NoCluster(Exception):
    """The Dask cluster cannot be used; the text says why and what to do."""


@contextmanager
def open_executor(
    workers: int | None = None, scheduler: str | None = None, timeout_s: float = 10.0
) -> Iterator[Executor]:
    """An executor for the time of a run.

    Args:
        workers: Processes; None: one for each core.
        scheduler: Address of a Dask scheduler, e.g. `tcp://10.0.0.1:8786`; its workers need this same source.
        timeout_s: How long to wait for the scheduler.
    Raises:
        NoCluster: If Dask is not installed or nobody answers at the address.
    """
    if scheduler is not None:
        with _dask(scheduler, timeout_s) as executor:
            yield executor
        return
    # Not forked: a child must not inherit the store's connections and threads.
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with_parent)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """Lets no worker outlive a run that was killed: it would wait for work for ever."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=wait, name="parent-watch", daemon=True).start()


@contextmanager
def _dask(scheduler: str, timeout_s: float) -> Iterator[Executor]:
    try:
        from distributed import Client  # noqa: PLC0415 - not everywhere installed
    except ImportError as error:
        raise NoCluster(
            f"--scheduler {scheduler} needs Dask; pip install 'dask[distributed]', or leave the option out"
        ) from error
    try:
        client = Client(scheduler, timeout=timeout_s, set_as_default=False)
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
