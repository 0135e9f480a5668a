"""An open source: its catalogue, its values, and the engine that answers for it.

Leaves to each engine how it is guarded and interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock, Timer
from typing import Any, Protocol, Self

from agents.analyst.engines.dialects import Dialect
from envs.analyst.catalogue import Source, ValueIndex
from envs.analyst.problems import Cancelled, Stopped


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may use.

    Attributes:
        elapsed_s: After that it is interrupted.
        cell_length: Characters of a text; longer ones are cut.
    """

    elapsed_s: float = 10.0
    cell_length: int = 4_000


class Stop:
    """A way to end a query from outside, for a caller who does not wait any more; of use for many queries."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._interrupts: list[Callable[[], None]] = []
        self._asked = False

    @property
    def asked(self) -> bool:
        """Whether anybody has asked for the end."""
        return self._asked

    def ask(self) -> None:
        """Interrupts what runs, and lets nothing start from now on."""
        with self._lock:
            self._asked = True
            for interrupt in self._interrupts:
                interrupt()

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None], elapsed_s: float) -> Generator[None]:
        """Runs a query that `interrupt` ends when its time is over or somebody asks.

        Raises:
            Cancelled: If somebody asked.
            Stopped: If its time was over.
        """
        late: list[bool] = []

        def overdue() -> None:
            late.append(True)
            interrupt()

        timer = Timer(elapsed_s, overdue)
        with self._lock:
            if self._asked:
                raise Cancelled("the query was cancelled before it began")
            self._interrupts.append(interrupt)
        timer.daemon = True
        timer.start()
        try:
            yield
        except Exception as error:
            if self._asked:
                raise Cancelled("the query was cancelled; nobody waits for its answer") from error
            if late:
                raise Stopped(
                    f"the query was stopped after {elapsed_s:g} s; ask about a shorter time or fewer groups"
                ) from error
            raise
        finally:
            timer.cancel()
            with self._lock:
                self._interrupts.remove(interrupt)


class Engine(Protocol):
    """A guarded, read-only connection to one database."""

    @property
    def dialect(self) -> Dialect: ...

    def fetch(self, sql: str, limits: Limits, stop: Stop | None = None) -> list[tuple[Any, ...]]:
        """All rows of a SELECT, as the driver has them.

        Raises:
            Stopped, Cancelled: As `Stop.interrupting`; `Stopped` also when memory runs out.
            Unavailable: If the database does not answer.
        """
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Database:
    """An open source."""

    source: Source
    values: ValueIndex
    engine: Engine

    def close(self) -> None:
        """Ends the connection; nothing of it is kept."""
        self.engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
