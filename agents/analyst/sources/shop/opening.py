"""Opening the shop: the shipped tables as a guarded database, its handbook and notes as libraries."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from agents.analyst.engines import Database
from agents.analyst.engines.duckdb import open_duckdb
from agents.analyst.sources.documents import read_text
from agents.analyst.sources.library import Library
from agents.analyst.sources.pdf import read_pdf
from agents.analyst.sources.receiving import UploadLimits
from agents.analyst.sources.shop.words import described
from agents.analyst.sources.shop.writing import read_parquet, write_duckdb

SOURCE_ID = "src_shop"
NAME = "shop"
HANDBOOK_ID = "src_handbook"
NOTES_ID = "src_notes"
SHIPPED = Path(__file__).parent / "shipped"


def open_shop(folder: Path) -> Database:
    """The embedded default source; its database is made in `folder` unless it is there already."""
    path = folder / "shop.duckdb"
    if not path.exists():
        arriving = path.with_suffix(".arriving")
        arriving.unlink(missing_ok=True)
        write_duckdb(read_parquet(SHIPPED), arriving)
        arriving.replace(path)
    database = open_duckdb(path, SOURCE_ID, NAME)
    return replace(database, source=described(database.source))


def open_handbook() -> Library:
    """The default source's document."""
    content = (SHIPPED / "handbook.pdf").read_bytes()
    text = read_pdf(content, "doc_handbook", "sales_handbook.pdf", UploadLimits())
    return Library(HANDBOOK_ID, "sales_handbook.pdf", [text])


def open_notes() -> Library:
    """The second embedded source, which has nothing but documents."""
    paths = sorted((SHIPPED / "notes").glob("*.md"))
    limits = UploadLimits()
    texts = [
        read_text(path.read_bytes(), f"doc_{path.stem.replace('-', '_')}", path.name, limits)
        for path in paths
    ]
    return Library(NOTES_ID, "notes", texts)
