"""The process's other end: starts it, hands it jobs and brings back what it says, without ever blocking.

A process that dies is started anew with the next job; what it was working on has failed. Leaves to `workshop`
how many jobs there are at once and what they are.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import assert_never

import agents
from agents.analyst.working.messages import (
    AskingModel,
    Begin,
    Cancel,
    Ended,
    Job,
    Replied,
    Telling,
    framed,
    next_heard,
)
from envs.analyst.problems import Unavailable
from envs.kernel.records import Record

ENDING_S = 15.0
"""How long a job that was cancelled may still take; after that its process is ended."""
DIED = "the analyst's worker ended while it was at this; ask again"
_ENVIRONMENT = {
    "PYTHONPATH": str(Path(agents.__file__).parents[1]),
    "PYTHONUTF8": "1",
    # It forks, and what is forked has no threads.
    "OPENBLAS_NUM_THREADS": "1",
}
"""Nothing of the server's own: the process reads strangers' files and is told no keys."""

log = logging.getLogger(__name__)

Listen = Callable[[Telling | AskingModel], Awaitable[Replied | None]]
"""Is given what a job says before its end; what it returns goes back to the process."""


class Process:
    """One process, for one event loop."""

    def __init__(self, begin: Callable[[], Begin]) -> None:
        self._begin = begin
        self._running: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._ends: dict[int, asyncio.Future[Ended]] = {}
        self._listening: dict[int, Listen] = {}
        self._answering: dict[int, set[asyncio.Task[None]]] = {}

    async def start(self, job: Job, listen: Listen) -> asyncio.Future[Ended]:
        """Hands a job over; done when it has ended, however it did.

        Raises:
            Unavailable: If there is no process and none can be started.
        """
        running = await self._alive()
        ended: asyncio.Future[Ended] = asyncio.get_running_loop().create_future()
        self._ends[job.job] = ended
        self._listening[job.job] = listen
        self._send(running, job)
        return ended

    def cancel(self, job: int) -> None:
        """Ends a job for which nobody waits; one that does not end in time takes its process with it."""
        if job not in self._ends or self._running is None:
            return
        for task in self._answering.get(job, ()):
            task.cancel()
        self._send(self._running, Cancel(job=job))
        asyncio.get_running_loop().call_later(ENDING_S, self._overdue, job, self._running)

    async def close(self) -> None:
        """Ends the process and fails what it was at."""
        if self._running is not None:
            self._kill(self._running)
        if self._reader is not None:
            await self._reader

    async def _alive(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._running is None:
                try:
                    self._running = await asyncio.create_subprocess_exec(
                        sys.executable, "-m", "agents.analyst.working.child",
                        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env=_ENVIRONMENT,
                    )  # fmt: skip
                except OSError as error:
                    raise Unavailable(f"the analyst's worker does not start: {error}") from error
                self._send(self._running, self._begin())
                self._reader = asyncio.create_task(self._read(self._running))
            return self._running

    async def _read(self, running: asyncio.subprocess.Process) -> None:
        assert running.stdout is not None
        try:
            while True:
                await self._heard(running, await next_heard(running.stdout))
        except (asyncio.IncompleteReadError, ValueError) as error:
            if isinstance(error, ValueError):
                log.warning("the analyst's worker said what cannot be read: %s", error)
        finally:
            self._kill(running)
            self._running = None
            ends, self._ends = self._ends, {}
            for job, ended in ends.items():
                self._end(job, ended, Ended(job=job, code=Unavailable.code, message=DIED))
            await running.wait()

    async def _heard(
        self, running: asyncio.subprocess.Process, message: Telling | AskingModel | Ended
    ) -> None:
        match message:
            case Ended():
                ended = self._ends.pop(message.job, None)
                if ended is not None:
                    self._end(message.job, ended, message)
            case Telling() | AskingModel():
                listen = self._listening.get(message.job)
                if listen is not None:
                    task = asyncio.create_task(self._answer(running, listen, message))
                    self._answering.setdefault(message.job, set()).add(task)
            case _:
                assert_never(message)

    async def _answer(
        self, running: asyncio.subprocess.Process, listen: Listen, message: Telling | AskingModel
    ) -> None:
        with suppress(asyncio.CancelledError):
            reply = await listen(message)
            if reply is not None:
                self._send(running, reply)

    def _end(self, job: int, ended: asyncio.Future[Ended], message: Ended) -> None:
        self._listening.pop(job, None)
        self._answering.pop(job, None)
        if not ended.done():
            ended.set_result(message)

    def _overdue(self, job: int, running: asyncio.subprocess.Process) -> None:
        if job in self._ends and running is self._running:
            log.warning("job %d of the analyst's worker does not end; it is started anew", job)
            self._kill(running)

    def _send(self, running: asyncio.subprocess.Process, message: Record) -> None:
        # The stream takes it at once and writes as the pipe lets it; a dead process is noticed by its reader.
        if running.stdin is not None and not running.stdin.is_closing():
            running.stdin.write(framed(message))

    def _kill(self, running: asyncio.subprocess.Process) -> None:
        with suppress(ProcessLookupError):
            running.kill()
