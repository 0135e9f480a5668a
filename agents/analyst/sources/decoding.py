"""Decoding: which letters a file's bytes are, and what was assumed about that."""

from __future__ import annotations

import codecs

from agents.analyst.sources.receiving import UploadRefused
from envs.analyst.catalogue import Note, NoteCode

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_ASSUMED = "cp1252"


def decoded(content: bytes) -> tuple[str, tuple[Note, ...]]:
    """The text, and a note where its encoding was assumed.

    Raises:
        UploadRefused: If the bytes are no text.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return _strictly(content, encoding), ()
    if b"\x00" in content[:4096]:
        return _unmarked(content), ()
    try:
        return content.decode("utf-8"), ()
    except UnicodeDecodeError:
        return _strictly(content, _ASSUMED), (
            Note(
                code=NoteCode.ASSUMED_ENCODING,
                text="The file is no UTF-8; Windows-1252 was assumed.",
                options=("Windows-1252",),
            ),
        )


def _unmarked(content: bytes) -> str:
    """UTF-16 without its mark: every second byte of plain text is zero."""
    odd, even = content[1:4096:2].count(0), content[:4096:2].count(0)
    if max(odd, even) * 5 < len(content[:4096]):
        raise UploadRefused("unreadable", "the file is no text; save it as CSV in UTF-8 and send it again")
    return _strictly(content, "utf-16-le" if odd >= even else "utf-16-be")


def _strictly(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise UploadRefused(
            "unreadable",
            f"byte {error.start} of the file is no {encoding.upper()}; save it in UTF-8 and send it again",
        ) from error
