"""PDF: the pages of a file with their printed labels, and what is wrong with their text.

Leaves to `layout` in which order a page is read.
"""

from __future__ import annotations

import io

from pypdf import PageObject, PdfReader
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError

from agents.analyst.sources.documents import Page, Text
from agents.analyst.sources.layout import read_in_order
from agents.analyst.sources.receiving import UploadLimits, UploadRefused, too_many
from envs.analyst.catalogue import Document, Note, NoteCode

_JOINED = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_REMOVED = {0: None, 0xAD: None}
_PRIVATE = range(0xE000, 0xF900)
_DAMAGED = "has signs that its fonts do not explain; its text is not exact"


def read_pdf(content: bytes, document_id: str, filename: str, limits: UploadLimits) -> Text:
    """The text of a PDF, page by page.

    Raises:
        UploadRefused: If it is no PDF, needs a password, has no text at all, or too much.
    """
    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise UploadRefused("needs_password", f"{filename} needs a password; save it without one")
        if len(reader.pages) > limits.pages:
            raise too_many("pages", len(reader.pages), limits.pages)
        labels = tuple(reader.page_labels)
        raw = _raw_pages(reader, limits)
    except LimitReachedError as error:
        raise UploadRefused(
            "too_large",
            f"{filename} unpacks to more than is read ({error}); print it to a new PDF and send that",
        ) from error
    except DependencyError as error:
        raise UploadRefused(
            "unreadable", f"{filename} is encrypted in a way that is not read here"
        ) from error
    except (PyPdfError, ValueError, KeyError, TypeError, RecursionError, OSError) as error:
        if isinstance(error, UploadRefused):
            raise
        raise UploadRefused("unreadable", f"{filename} is damaged and cannot be read") from error
    if not any(text.strip() for text in raw):
        raise UploadRefused(
            "empty", f"{filename} has no text; if it was scanned, have its text recognised first"
        )
    return _text(document_id, filename, labels, raw)


def _text(document_id: str, filename: str, labels: tuple[str, ...], raw: list[str]) -> Text:
    pages = tuple(
        Page(sheet=at, label=label, text=_clean(text))
        for at, (label, text) in enumerate(zip(labels, raw, strict=True), 1)
    )
    notes: list[Note] = []
    for page, text in zip(pages, raw, strict=True):
        if not text.strip():
            notes.append(_note(NoteCode.NO_TEXT, page, "held no text; it may be a picture"))
        elif _is_damaged(text):
            notes.append(_note(NoteCode.DAMAGED_TEXT, page, _DAMAGED))
    document = Document(document_id=document_id, filename=filename, page_labels=labels, notes=tuple(notes))
    return Text(document=document, pages=pages)


def _note(code: NoteCode, page: Page, what: str) -> Note:
    return Note(code=code, text=f"{page.cited.capitalize()} {what}.", lines=(page.sheet,))


def _raw_pages(reader: PdfReader, limits: UploadLimits) -> list[str]:
    raw: list[str] = []
    letters = 0
    for page in reader.pages:
        raw.append(_raw(page))
        letters += len(raw[-1])
        if letters > limits.letters:
            raise too_many("letters or more", letters, limits.letters)
    return raw


def _raw(page: PageObject) -> str:
    """A page's text in the order in which it is read."""
    return read_in_order(page.extract_text(extraction_mode="layout", layout_mode_space_vertically=False))


def _clean(text: str) -> str:
    return text.translate(_JOINED | _REMOVED)


def _is_damaged(text: str) -> bool:
    return any(sign in "\x00\ufffd" or ord(sign) in _PRIVATE for sign in text)
