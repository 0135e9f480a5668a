"""Databases of the development set: small, of eight domains, the same for the same seed.

Written for this project; nothing in them is from a public benchmark.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

from evals.nl2sql.development import institutions, outings

SCHEMAS = Path(__file__).parent / "schemas"

FILLS: dict[str, Callable[[sqlite3.Connection, Random], None]] = {
    "library": institutions.library,
    "hospital": institutions.hospital,
    "air_travel": outings.flights,
    "league": outings.league,
    "college": institutions.college,
    "festivals": outings.festival,
    "company": institutions.company,
    "dining": outings.dining,
}


def make(folder: Path, seed: int = 0) -> None:
    """Writes `<name>/<name>.sqlite` for each database into a folder; files that are there are replaced."""
    for name, fill in FILLS.items():
        path = folder / name / f"{name}.sqlite"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript((SCHEMAS / f"{name}.sql").read_text(encoding="utf-8"))
            fill(connection, Random(f"{seed} {name}"))
            connection.commit()
