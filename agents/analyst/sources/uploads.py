"""Uploads: the files that were added to an analysis, kept in the store as they came.

Every replica on one store sees them, and they end with their instance. Leaves to the workshop what is made of
a file.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from sqlalchemy import Connection

from agents.analyst.sources.receiving import UploadRefused, too_many
from envs.kernel.records import Record
from instances import files
from instances.store import Store

_FOLDER = "uploads/"


class Upload(Record):
    """What is known of an upload beside its bytes.

    Attributes:
        number: From 1; a later upload of the analysis has a higher one.
        size: Bytes as they came.
        readings, others: How its columns are read; see `Readings`.
    """

    source_id: str
    filename: str
    size: int
    number: int = 0
    readings: Mapping[str, str] = {}
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptLimits:
    """What the uploads of one analysis may have together.

    Attributes:
        size: Bytes as they came.
    """

    sources: int = 8
    size: int = 256 * 2**20


@dataclass(frozen=True, slots=True)
class Uploads:
    """The uploads in one store."""

    store: Store
    limits: KeptLimits = field(default_factory=KeptLimits)

    async def of(self, analysis_id: str) -> tuple[Upload, ...]:
        """The uploads of an analysis, the newest last."""
        return await asyncio.to_thread(self.store.answer, partial(_uploads, instance_id=analysis_id))

    async def content(self, analysis_id: str, source_id: str) -> bytes:
        """A file as it came.

        Raises:
            KeyError: If there is none of that id.
        """
        return await asyncio.to_thread(self._content, analysis_id, _FOLDER + source_id)

    async def put(self, analysis_id: str, upload: Upload, content: bytes) -> Upload:
        """Keeps a file; it is there when this returns, or nothing of it is.

        Raises:
            UploadRefused: If the analysis has as much as it may.
            Gone: If the instance has ended.
        """
        name = _FOLDER + upload.source_id
        packed = await asyncio.to_thread(zlib.compress, content, 1)
        try:
            for number, first in enumerate(range(0, len(packed), files.PART), 1):
                part = packed[first : first + files.PART]
                await self.store.writer.apply(
                    partial(files.put_part, instance_id=analysis_id, name=name, part=number, content=part)
                )
            kept: list[Upload] = []
            await self.store.writer.apply(partial(self._head, analysis_id, upload, kept))
        except BaseException:
            await self.store.writer.apply(partial(_remove, analysis_id, name, []))
            raise
        return kept[-1]

    async def remove(self, analysis_id: str, source_id: str) -> None:
        """Deletes a file.

        Raises:
            KeyError: If there is none of that id.
        """
        found: list[bool] = []
        await self.store.writer.apply(partial(_remove, analysis_id, _FOLDER + source_id, found))
        if not found[-1]:
            raise KeyError(source_id)

    def refuse(self, kept: tuple[Upload, ...], size: int) -> None:
        """Nothing, if a file of that size may come to these.

        Raises:
            UploadRefused: If not.
        """
        if len(kept) >= self.limits.sources:
            raise UploadRefused(
                "too_many",
                f"the analysis has {len(kept)} uploads, as many as it may; delete one to add another",
            )
        whole = size + sum(each.size for each in kept)
        if whole > self.limits.size:
            raise too_many("bytes with what the analysis has", whole, self.limits.size)

    def _head(self, analysis_id: str, upload: Upload, told: list[Upload], connection: Connection) -> None:
        files.hold(connection, analysis_id)
        kept = _uploads(connection, analysis_id)
        self.refuse(kept, upload.size)
        numbered = upload.model_copy(update={"number": 1 + max((each.number for each in kept), default=0)})
        head = numbered.model_dump_json().encode()
        files.put_part(connection, analysis_id, _FOLDER + upload.source_id, 0, head)
        told.append(numbered)

    def _content(self, analysis_id: str, name: str) -> bytes:
        packed = self.store.answer(partial(files.body, instance_id=analysis_id, name=name))
        if not packed:
            raise KeyError(name.removeprefix(_FOLDER))
        return zlib.decompress(packed)


def _uploads(connection: Connection, instance_id: str) -> tuple[Upload, ...]:
    heads = files.heads(connection, instance_id)
    found = [Upload.model_validate_json(head) for name, head in heads.items() if name.startswith(_FOLDER)]
    return tuple(sorted(found, key=lambda upload: upload.number))


def _remove(analysis_id: str, name: str, found: list[bool], connection: Connection) -> None:
    found.append(files.remove(connection, analysis_id, name))
