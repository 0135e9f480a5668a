"""The bench: every source that is open in the workshop's process, and the desk of each analysis.

A source is opened when it is first asked for and stays open until it is forgotten. Leaves to the server which
uploads an analysis has and which are kept at hand.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from time import monotonic

from agents.analyst.engines.database import Database
from agents.analyst.engines.postgres import open_postgres
from agents.analyst.planning.parsing import Ground, ground
from agents.analyst.planning.planner import Planner
from agents.analyst.sources.library import Library
from agents.analyst.sources.shelf import Shelf
from agents.analyst.sources.shop.opening import open_handbook, open_notes, open_shop
from agents.analyst.sources.uploads import Upload
from agents.analyst.working.turning import Desk
from envs.analyst.catalogue import Source
from envs.analyst.problems import Unavailable

POSTGRES_ID = "src_postgres"
AGAIN_S = 60.0
"""After that a server that did not answer is tried again."""
_ALL = "documents"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Opened:
    """A source that can be asked, made ready for questions."""

    database: Database
    ground: Ground


Open = Opened | Library


class Bench:
    """All that is open; its calls may come from several threads."""

    def __init__(self, folder: Path, source_url: str | None) -> None:
        self._folder = folder
        self._source_url = source_url
        self._lock = Lock()
        self._embedded: tuple[Open, ...] = ()
        self._server: Opened | None = None
        self._try_again = 0.0
        self._uploads: dict[tuple[str, str], Open] = {}
        self._desks: dict[tuple[str, ...], Desk] = {}

    def desk(self, analysis_id: str, uploads: Sequence[Upload]) -> Desk:
        """Where an analysis is asked: its uploads, the newest first, then what everybody has.

        Raises:
            Unavailable: If an upload cannot be opened.
        """
        with self._lock:
            own = [self._upload(analysis_id, upload.source_id) for upload in reversed(uploads)]
            server = self._of_server()
            if not self._embedded:
                self._embedded = (_opened(open_shop(self._folder)), open_handbook(), open_notes())
            key = (analysis_id if own else "", *(upload.source_id for upload in uploads), str(bool(server)))
            if key not in self._desks:
                # What an analysis had before it got or lost a source is of no use any more.
                self._desks = {other: desk for other, desk in self._desks.items() if other[0] != key[0]}
                self._desks[key] = _desk([*own, *server, *self._embedded])
            return self._desks[key]

    def forget(self, analysis_id: str, source_id: str) -> None:
        """Closes an upload and deletes what was made of it; what is not there is forgotten already."""
        with self._lock:
            opened = self._uploads.pop((analysis_id, source_id), None)
            self._desks = {key: desk for key, desk in self._desks.items() if key[0] != analysis_id}
        if isinstance(opened, Opened):
            opened.database.close()
        with suppress(KeyError):
            self._shelf(analysis_id).remove(source_id)

    def _upload(self, analysis_id: str, source_id: str) -> Open:
        key = (analysis_id, source_id)
        if key not in self._uploads:
            try:
                found = self._shelf(analysis_id).open(source_id)
            except KeyError as error:
                raise Unavailable("a source of this analysis was removed meanwhile; ask again") from error
            self._uploads[key] = found if isinstance(found, Library) else _opened(found)
        return self._uploads[key]

    def _of_server(self) -> tuple[Opened, ...]:
        """The Postgres that the server names, while it answers."""
        if self._source_url is None:
            return ()
        if self._server is None and monotonic() >= self._try_again:
            try:
                self._server = _opened(open_postgres(self._source_url, POSTGRES_ID, "postgres"))
            except Unavailable as problem:
                log.warning("AUDITORIUM_SOURCE_URL: %s", problem)
                self._try_again = monotonic() + AGAIN_S
        return () if self._server is None else (self._server,)

    def _shelf(self, analysis_id: str) -> Shelf:
        return Shelf(folder_of(self._folder, analysis_id))


def folder_of(folder: Path, analysis_id: str) -> Path:
    """Where the uploads of an analysis are."""
    # Whoever asks may have chosen the id, and a folder's name must not.
    return folder / blake2b(analysis_id.encode(), digest_size=16).hexdigest()


def _opened(database: Database) -> Opened:
    return Opened(database, ground(database.source, database.values))


def _source(opened: Open) -> Source:
    return opened.source if isinstance(opened, Library) else opened.database.source


def _desk(opened: Sequence[Open]) -> Desk:
    databases = [each for each in opened if isinstance(each, Opened)]
    texts = [text for each in opened if isinstance(each, Library) for text in each.texts]
    # One index over all documents: how rare a word is, and so a score, depends on all that are searched.
    library = Library(_ALL, _ALL, texts) if texts else None
    return Desk(
        sources=tuple(map(_source, opened)),
        databases={each.database.source.source_id: each.database for each in databases},
        library=library,
        planner=Planner([each.ground for each in databases], library),
    )
