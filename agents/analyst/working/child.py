"""The workshop's process: planner, engines, imports and searches, where they hold up no other interpreter.

It reads jobs from its input, works on each in a thread of its own and writes what happens to its output; it
ends with its input. Files are read in by others that it forks; see `forking`. How many jobs it gets at once
is the server's to decide.
"""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import sys
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, BinaryIO, assert_never

from agents.analyst.engines import Stop
from agents.analyst.working.bench import Bench, folder_of
from agents.analyst.working.forking import Forker
from agents.analyst.working.messages import (
    AskingModel,
    Begin,
    Cancel,
    DoForget,
    DoList,
    DoReceive,
    DoTurn,
    Ended,
    Job,
    Replied,
    Telling,
    framed,
    next_said,
)
from agents.analyst.working.turning import Turning
from agents.llm.completion import Reply
from agents.llm.endpoint import Question, Style
from envs.analyst.problems import Cancelled, QueryProblem, Unavailable
from envs.kernel.records import Record

if TYPE_CHECKING:
    from agents.analyst.planning.modelled import AskModel

FAILED = "this could not be worked out; ask in another way"
NICE = 5
"""Below the server: whoever plays goes first."""
MEMORY = 4 * 2**30
"""Bytes that this process may use; beyond it ends, and is started anew."""

log = logging.getLogger(__name__)


class Child:
    """The process's loop."""

    def __init__(self, output: BinaryIO, begin: Begin, forker: Forker) -> None:
        self._output = output
        self._forker = forker
        self._bench = Bench(Path(begin.folder), begin.source_url)
        self._writing = Lock()
        self._stops: dict[int, Stop] = {}
        self._replies: dict[int, Future[Reply]] = {}

    def hear(self) -> None:
        """Hands on what became of files; to be called in a thread of its own."""
        self._forker.hear(self._say)
        # Without it no file can be read in; the server starts another process.
        os._exit(1)

    def take(self, message: Begin | Job | Cancel | Replied) -> None:
        """Begins a job, or hands on what came for one."""
        match message:
            case Begin():
                raise ValueError("the workshop has begun already")
            case Cancel():
                self._forker.send(message)
                self._cancel(message.job)
            case DoReceive():
                self._forker.send(message)
            case Replied():
                self._reply(message)
            case _:
                self._stops[message.job] = Stop()
                Thread(target=self._work, args=(message,), daemon=True).start()

    def _work(self, job: DoTurn | DoList | DoForget) -> None:
        try:
            ended = self._done(job)
        except MemoryError:
            log.exception("the workshop has no memory left")
            os._exit(1)
        except QueryProblem as problem:
            ended = Ended(job=job.job, code=problem.code, message=str(problem))
        except Exception:
            log.exception("job %s of the workshop failed", job.kind)
            ended = Ended(job=job.job, code=Unavailable.code, message=FAILED)
        finally:
            self._stops.pop(job.job, None)
        self._say(ended)

    def _done(self, job: DoTurn | DoList | DoForget) -> Ended:
        match job:
            case DoTurn():
                desk = self._bench.desk(job.asked.analysis_id, job.uploads)
                ask = self._asker(job.job) if job.modelled else None
                turning = Turning(
                    desk,
                    job.asked,
                    lambda status: self._say(Telling(job=job.job, status=status)),
                    ask,
                    self._stops[job.job],
                )
                return Ended(job=job.job, worked=turning.worked())
            case DoList():
                return Ended(job=job.job, sources=self._bench.desk(job.analysis_id, job.uploads).sources)
            case DoForget():
                self._bench.forget(job.analysis_id, job.source_id)
                return Ended(job=job.job)
            case _:
                assert_never(job)

    def _asker(self, job: int) -> AskModel:
        async def ask(question: Question, style: Style) -> Reply:
            coming: Future[Reply] = Future()
            self._replies[job] = coming
            if self._stops[job].asked:
                raise Cancelled("the question was cancelled; nobody waits for its answer")
            self._say(AskingModel(job=job, question=question, style=style))
            return await asyncio.wrap_future(coming)

        return ask

    def _reply(self, message: Replied) -> None:
        coming = self._replies.pop(message.job, None)
        if coming is None or coming.done():
            return
        if message.reply is not None:
            coming.set_result(message.reply)
        elif message.fault is not None:
            coming.set_exception(message.fault.error())

    def _cancel(self, job: int) -> None:
        stop = self._stops.get(job)
        if stop is not None:
            stop.ask()
        coming = self._replies.pop(job, None)
        if coming is not None and not coming.done():
            coming.set_exception(Cancelled("the question was cancelled; nobody waits for its answer"))

    def _say(self, message: Record) -> None:
        content = framed(message)
        with self._writing:
            self._output.write(content)
            self._output.flush()


def main() -> None:
    """Works until its input ends."""
    os.nice(NICE)
    begin = next_said(sys.stdin.buffer)
    if not isinstance(begin, Begin):
        return
    # Before there is a thread: a process that is forked has none but the one that forked it.
    forker = Forker.forked(partial(folder_of, Path(begin.folder)), begin.reader)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    # Whatever a library prints must not come between messages.
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    child = Child(output, begin, forker)
    Thread(target=child.hear, daemon=True).start()
    while (message := next_said(sys.stdin.buffer)) is not None:
        child.take(message)
    # Threads may be deep in a query that nobody waits for.
    os._exit(0)


if __name__ == "__main__":
    main()
