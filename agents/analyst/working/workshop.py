"""The workshop: what the server asks for answers, files and catalogues; everything slow is in its process.

So many turns at once, the others in their order; a turn that nobody waits for, or that takes too long, is
interrupted. Loads no engine itself. Leaves to others what is kept of a turn and who pays for a model.
"""

from __future__ import annotations

import asyncio
import itertools
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

from sqlalchemy.exc import SQLAlchemyError

from agents.analyst.planning.modelled import AskModel
from agents.analyst.planning.words import language_of
from agents.analyst.sources.receiving import Readings, UploadRefused
from agents.analyst.sources.uploads import Upload, Uploads
from agents.analyst.wording.statuses import waiting
from agents.analyst.working.asked import Asked, WorkshopSettings
from agents.analyst.working.folders import OwnFolder
from agents.analyst.working.messages import (
    AskingModel,
    Begin,
    DoForget,
    DoList,
    DoReceive,
    DoTurn,
    Ended,
    Fault,
    Job,
    Replied,
    Telling,
)
from agents.analyst.working.places import Places
from agents.analyst.working.process import Listen, Process
from agents.llm.endpoint import EndpointError
from envs.analyst.catalogue import Source
from envs.analyst.problems import PROBLEMS, QueryProblem, Stopped, Unavailable
from envs.analyst.turns import Worked

LATE_S = 15.0
"""How long the process may need to say that a file's time was over."""

OnStatus = Callable[[str], Awaitable[None]]


ARRIVING = 8
"""Uploads that come over the wire at once, each of another caller."""


class Workshop:
    """One for a server; its calls belong to one event loop.

    Attributes:
        arriving: Held while an upload comes over the wire, as slowly as its sender likes.
    """

    def __init__(self, uploads: Uploads, settings: WorkshopSettings | None = None) -> None:
        self._uploads = uploads
        self._settings = settings or WorkshopSettings()
        self._folder: OwnFolder | None = None
        self._process = Process(self._begin)
        self._jobs = itertools.count(1)
        self._turns = asyncio.Semaphore(self._settings.turns_at_once)
        self._waiting = 0
        self.arriving = Places(ARRIVING)
        self._places = Places(self._settings.imports_at_once)
        self._coming: dict[tuple[str, str], asyncio.Task[Source]] = {}
        self._at_hand: OrderedDict[str, set[str]] = OrderedDict()
        self._tidying: asyncio.Task[None] | None = None

    async def turn(self, asked: Asked, on_status: OnStatus, ask: AskModel | None = None) -> Worked:
        """The answer to a message; a task that is cancelled interrupts its query.

        Args:
            on_status: Is told what happens now.
            ask: Asks a model, for every call anew; None plans without one.
        Raises:
            QueryProblem: If there is no answer: no worker, no source, or no more time.
        """
        uploads = await self._brought(asked.analysis_id)
        job = DoTurn(job=next(self._jobs), asked=asked, uploads=uploads, modelled=ask is not None)
        await self._wait(asked, on_status)
        listen = partial(_listened, on_status, ask)
        ended = await self._run(job, self._turns.release, self._settings.turn_s, listen)
        assert ended.worked is not None
        return ended.worked

    async def catalogue(self, analysis_id: str) -> tuple[Source, ...]:
        """The sources of an analysis, the preferred one first: uploads, then what everybody has.

        Raises:
            QueryProblem: As `turn`.
        """
        uploads = await self._brought(analysis_id)
        await self._turns.acquire()
        job = DoList(job=next(self._jobs), analysis_id=analysis_id, uploads=uploads)
        return (await self._run(job, self._turns.release, self._settings.turn_s, _unheard)).sources

    def place(self, caller: str) -> AbstractAsyncContextManager[None]:
        """What an upload is added in: a file is in memory as a whole only while it has a place.

        Raises:
            Busy: If none comes free in time.
        """
        return self._places.place(caller, self._settings.place_s)

    async def add(
        self, analysis_id: str, filename: str, content: bytes, readings: Readings | None = None
    ) -> Source:
        """Adds a file as a source; it is in the store and can be asked when this returns.

        Args:
            filename: As the person has it; only its last part counts.
            readings: How columns are read that could be read in several ways.
        Raises:
            UploadRefused: If it is not taken; nothing of it is kept then.
            Gone: If the instance has ended.
            QueryProblem: If it could not be read in now.
        """
        self._uploads.refuse(await self._uploads.of(analysis_id), len(content))
        readings = readings or Readings()
        upload = Upload(
            source_id=f"src_{uuid4().hex[:12]}",
            filename=filename,
            size=len(content),
            readings=readings.columns,
            others=tuple(sorted(readings.others)),
        )
        try:
            source = await self._received(analysis_id, upload, content)
            await self._uploads.put(analysis_id, upload, content)
        except BaseException:
            await self._forgotten(analysis_id, upload.source_id)
            raise
        return source

    async def remove(self, analysis_id: str, source_id: str) -> None:
        """Removes an upload.

        Raises:
            KeyError: If the analysis has no upload of that id; what everybody has cannot be removed.
        """
        await self._uploads.remove(analysis_id, source_id)
        await self._forgotten(analysis_id, source_id)

    async def close(self) -> None:
        """Ends the process and deletes what it kept at hand."""
        if self._tidying is not None:
            self._tidying.cancel()
        await self._process.close()
        if self._folder is not None:
            await asyncio.to_thread(self._folder.close)

    def _begin(self) -> Begin:
        folder, settings = self._own_folder(), self._settings
        return Begin(folder=str(folder), reader=settings.reader, source_url=settings.source_url)

    def _own_folder(self) -> Path:
        """Where files are at hand; there is one as soon as one is needed."""
        if self._folder is None:
            self._folder = OwnFolder.made()
        return self._folder.path

    async def _wait(self, asked: Asked, on_status: OnStatus) -> None:
        """Until it is this turn's turn."""
        if self._turns.locked():
            await on_status(waiting(self._waiting + 1, language_of(asked.message)))
        self._waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self._waiting -= 1

    async def _run(self, job: Job, release: Callable[[], None], longest_s: float, listen: Listen) -> Ended:
        """A job's end; the place that the caller has taken is given back when the process has let go of it.

        Raises:
            QueryProblem, UploadRefused: As the job.
        """
        try:
            end = await self._process.start(job, listen)
        except BaseException:
            release()
            raise
        end.add_done_callback(lambda _: release())
        try:
            ended = await asyncio.wait_for(asyncio.shield(end), longest_s)
        except TimeoutError as error:
            self._process.cancel(job.job)
            raise Stopped(f"this took longer than {longest_s:g} s; ask about less") from error
        except asyncio.CancelledError:
            # The others are short, or are wanted again.
            if isinstance(job, DoTurn | DoReceive):
                self._process.cancel(job.job)
            raise
        if ended.code is not None:
            raise _problem(ended)
        return ended

    async def _brought(self, analysis_id: str) -> tuple[Upload, ...]:
        """The uploads of an analysis, each at hand for the process."""
        uploads = await self._uploads.of(analysis_id)
        missing = [each for each in uploads if each.source_id not in self._at_hand.get(analysis_id, ())]
        for upload in missing:
            key = analysis_id, upload.source_id
            if key not in self._coming:
                self._coming[key] = asyncio.create_task(self._bring(analysis_id, upload))
                self._coming[key].add_done_callback(lambda _, key=key: self._coming.pop(key))
            try:
                await asyncio.shield(self._coming[key])
            except KeyError:
                # Removed since it was listed.
                return await self._brought(analysis_id)
            except UploadRefused as refused:
                raise Unavailable(f"an upload could not be read in again: {refused}") from refused
        if uploads:
            await self._keep_few(analysis_id)
        return uploads

    async def _bring(self, analysis_id: str, upload: Upload) -> Source:
        async with self._places.place(analysis_id):
            content = await self._uploads.content(analysis_id, upload.source_id)
            return await self._received(analysis_id, upload, content)

    async def _received(self, analysis_id: str, upload: Upload, content: bytes) -> Source:
        path = self._own_folder() / f"arriving-{uuid4().hex}"
        try:
            await asyncio.to_thread(path.write_bytes, content)
            job = DoReceive(job=next(self._jobs), analysis_id=analysis_id, upload=upload, path=str(path))
            ended = await self._run(job, _nothing, self._settings.reader.elapsed_s + LATE_S, _unheard)
        finally:
            path.unlink(missing_ok=True)
        self._at_hand.setdefault(analysis_id, set()).add(upload.source_id)
        if self._tidying is None or self._tidying.done():
            self._tidying = asyncio.create_task(self._tidy())
        return ended.sources[0]

    async def _keep_few(self, analysis_id: str) -> None:
        """Lets go of the uploads of those analyses that were not asked about for longest."""
        self._at_hand.move_to_end(analysis_id)
        while len(self._at_hand) > self._settings.analyses:
            longest, source_ids = self._at_hand.popitem(last=False)
            for source_id in source_ids:
                await self._forgotten(longest, source_id)

    async def _tidy(self) -> None:
        """Lets go of what the store has no more: other replicas remove uploads, and instances end."""
        while self._at_hand:
            await asyncio.sleep(self._settings.tidy_s)
            for analysis_id, source_ids in list(self._at_hand.items()):
                with suppress(SQLAlchemyError):
                    kept = {upload.source_id for upload in await self._uploads.of(analysis_id)}
                    for source_id in source_ids - kept:
                        await self._forgotten(analysis_id, source_id)
                if not source_ids:
                    self._at_hand.pop(analysis_id, None)

    async def _forgotten(self, analysis_id: str, source_id: str) -> None:
        """What cannot be forgotten now goes with the folder."""
        self._at_hand.get(analysis_id, set()).discard(source_id)
        job = DoForget(job=next(self._jobs), analysis_id=analysis_id, source_id=source_id)
        with suppress(QueryProblem):
            await self._run(job, _nothing, self._settings.turn_s, _unheard)


def _nothing() -> None:
    """What a job gives back that has no place."""


async def _unheard(_: Telling | AskingModel) -> Replied | None:
    return None


async def _listened(
    on_status: OnStatus, ask: AskModel | None, message: Telling | AskingModel
) -> Replied | None:
    if isinstance(message, Telling):
        await on_status(message.status)
        return None
    if ask is None:
        return None
    try:
        return Replied(job=message.job, reply=await ask(message.question, message.style))
    except EndpointError as error:
        return Replied(job=message.job, fault=Fault.of(error))


def _problem(ended: Ended) -> Exception:
    code = ended.code or ""
    if ended.refused:
        return UploadRefused(code, ended.message)
    return PROBLEMS.get(code, QueryProblem)(ended.message)
