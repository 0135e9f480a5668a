"""The shop's handbook: how its text becomes a PDF with printed labels.

Pages under a heading of the first rank are the front, `i` and `ii`; those of the second rank are `1` and on.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF

WRITTEN = Path(__file__).with_name("handbook.md")
_PAGE = re.compile(r"(?m)^(?=##? )")


def write_handbook(path: Path) -> None:
    """The handbook as a PDF; the same bytes every time."""
    document = FPDF()
    document.set_creation_date(datetime(2026, 1, 5, tzinfo=UTC))
    before = ""
    for page in filter(None, _PAGE.split(WRITTEN.read_text(encoding="utf-8"))):
        heading, _, body = page.partition("\n\n")
        rank, _, title = heading.partition(" ")
        document.add_page(label_style="r" if rank == "#" else "D", label_start=None if rank == before else 1)
        before = rank
        document.set_font("helvetica", "B", 16)
        document.multi_cell(0, 10, title, new_x="LMARGIN", new_y="NEXT")
        document.set_font("helvetica", "", 12)
        paragraphs = (" ".join(part.split()) for part in body.split("\n\n"))
        document.multi_cell(0, 7, "\n".join(paragraphs), new_x="LMARGIN", new_y="NEXT")
    document.output(str(path))
