"""Graph: which tables foreign keys lead to from which.

Knows nothing of questions; `building` chooses with it whose rows an IR is about.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from envs.analyst.catalogue import ForeignKey, Source


@dataclass(frozen=True, slots=True)
class Graph:
    """The tables of a source.

    Attributes:
        above: For each table those that it refers to, over however many keys, with how many.
    """

    above: Mapping[str, Mapping[str, int]]
    keys: tuple[ForeignKey, ...]

    def reaches(self, table: str, other: str) -> bool:
        """Whether each row of a table has at most one row of the other."""
        return other in self.above[table]

    def base(self, needed: Iterable[str], preferred: str | None) -> str | None:
        """The table whose rows reach all tables needed over the fewest keys; None if there is none."""
        wanted = set(needed)
        fitting = [table for table, reached in self.above.items() if wanted <= reached.keys()]
        if preferred in fitting:
            return preferred
        return min(
            fitting,
            key=lambda table: (sum(self.above[table][other] for other in wanted), table),
            default=None,
        )

    def below(self, table: str, other: str) -> str | None:
        """The nearest table that refers to a table and is or reaches the other; None if there is none."""
        fitting = [
            child
            for child, reached in self.above.items()
            if child != table and table in reached and other in reached
        ]
        return min(
            fitting,
            key=lambda child: (self.above[child][table] + self.above[child][other], child),
            default=None,
        )

    def reference(self, table: str, other: str) -> ForeignKey | None:
        """The key with which a table refers to the other directly."""
        return next((key for key in self.keys if key.table == table and key.to_table == other), None)


def graph_of(source: Source) -> Graph:
    """The graph of a source's foreign keys."""
    direct: dict[str, list[str]] = {table.table_id: [] for table in source.tables}
    for key in source.foreign_keys:
        direct[key.table].append(key.to_table)
    return Graph({table: _reached(table, direct) for table in direct}, source.foreign_keys)


def _reached(table: str, direct: Mapping[str, list[str]]) -> dict[str, int]:
    steps, waiting = {table: 0}, deque([table])
    while waiting:
        here = waiting.popleft()
        for there in direct[here]:
            if there not in steps:
                steps[there] = steps[here] + 1
                waiting.append(there)
    return steps
