"""Engines: one IR, three databases, the same rows.

`Database` is an open source; `run` answers an IR on it. Leaves to `sources` where databases come from and to
`envs.analyst` what an IR is and when it is sound.

    with open_sqlite(Path("chinook.sqlite")) as database:
        result = run(database, QueryIR(source_id=database.source.source_id, table_id="album", …))
"""

from agents.analyst.engines.database import Database, Limits, Stop
from agents.analyst.engines.running import run
from agents.analyst.engines.sqlite import open_sqlite

__all__ = ["Database", "Limits", "Stop", "open_sqlite", "run"]
