"""Documents: pages of text with the labels that are printed on them.

Leaves to `pdf` how a page's text is read and to `library` how it is searched.
"""

from __future__ import annotations

import re

from agents.analyst.sources.decoding import decoded
from agents.analyst.sources.receiving import UploadLimits, UploadRefused, too_many
from envs.analyst.catalogue import Document
from envs.kernel.records import Record

_HEADING = re.compile(r"(?m)^(?=#{1,3} )")


class Page(Record):
    """One sheet of a document.

    Attributes:
        sheet: Its place, from 1.
        label: What is printed on it: `ii`, `2`.
        text: Without what cannot be read.
    """

    sheet: int
    label: str
    text: str

    @property
    def cited(self) -> str:
        """How a person finds it: `page 2 (sheet 4)`, or `page 2` where the two agree."""
        return f"page {self.label}" + ("" if self.label == str(self.sheet) else f" (sheet {self.sheet})")


class Text(Record):
    """A document with its pages."""

    document: Document
    pages: tuple[Page, ...]

    def page(self, label: str) -> Page | None:
        """The page that bears a label; None if none does."""
        return next((page for page in self.pages if page.label == label), None)


def read_text(content: bytes, document_id: str, filename: str, limits: UploadLimits) -> Text:
    """A text or Markdown file; each of its sections is a page, numbered from 1.

    Raises:
        UploadRefused: If there is no text, or too much.
    """
    text, notes = decoded(content)
    if len(text) > limits.letters:
        raise too_many("letters", len(text), limits.letters)
    parts = [part.strip() for part in _HEADING.split(text.replace("\r\n", "\n")) if part.strip()]
    if not parts:
        raise UploadRefused("empty", "the document has no text")
    pages = tuple(Page(sheet=at, label=str(at), text=part) for at, part in enumerate(parts, 1))
    labels = tuple(page.label for page in pages)
    document = Document(document_id=document_id, filename=filename, page_labels=labels, notes=notes)
    return Text(document=document, pages=pages)
