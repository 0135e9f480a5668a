"""Small files that unpack to what no reader can hold, or that take for ever to be read."""

from __future__ import annotations

import sqlite3
import zlib
from io import BytesIO
from pathlib import Path

import pyarrow
from pyarrow import parquet

ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c"


def sqlite(folder: Path, script: str) -> bytes:
    """A database as it is saved."""
    path = folder / "made.sqlite"
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    return path.read_bytes()


def damaged(content: bytes) -> bytes:
    """The database with a page that nobody wrote."""
    return content[:4096] + b"\xa5" * 4096 + content[8192:]


def repeated_text(rows: int, length: int) -> bytes:
    """A Parquet file that holds one long text once and refers to it from every row."""
    codes = pyarrow.array([0] * rows, pyarrow.int32())
    column = pyarrow.DictionaryArray.from_arrays(codes, pyarrow.array(["x" * length]))
    file = BytesIO()
    parquet.write_table(pyarrow.table({"n": codes, "text": column}), file, store_schema=False)
    return file.getvalue()


def packed_page(size: int) -> bytes:
    """A PDF of one page whose text is that long when it is unpacked."""
    return _pdf(zlib.compress(b"BT /F 9 Tf (" + b"x" * size + b") Tj ET", 9), b"1", b"[3 0 R]")


def endless_tree(depth: int, width: int) -> bytes:
    """A PDF whose tree of pages has `width` to the power of `depth` leaves, all of them one page."""
    parts = {1: b"<< /Type /Catalog /Pages 10 0 R >>", 3: b"<< /Type /Page /MediaBox [0 0 9 9] >>"}
    for level in range(depth):
        child = b"3 0 R" if level == depth - 1 else b"%d 0 R" % (11 + level)
        kids = b" ".join([child] * width)
        parts[10 + level] = b"<< /Type /Pages /Count 1 /Kids [%s] >>" % kids
    return _file(parts)


def _pdf(stream: bytes, count: bytes, kids: bytes) -> bytes:
    font = b"<< /Font << /F 5 0 R >> >>"
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources %s >>" % font
    return _file(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Count %s /Kids %s >>" % (count, kids),
            3: page,
            4: b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
            5: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        }
    )


def _file(parts: dict[int, bytes]) -> bytes:
    """Numbered objects as a PDF with its table of them."""
    made, places = bytearray(b"%PDF-1.7\n"), dict[int, int]()
    for number, part in parts.items():
        places[number] = len(made)
        made += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    start = len(made)
    made += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in sorted(places.items()):
        made += b"%d 1\n%010d 00000 n \n" % (number, place)
    made += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (max(parts) + 1, start)
    return bytes(made)
