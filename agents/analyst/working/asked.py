"""What the workshop is asked, and what it may use for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from envs.analyst.turns import JsonObject
from envs.kernel.records import Record


class Asked(Record):
    """A message to one analysis.

    Attributes:
        now: What "today" is, ISO to the second, without a time zone: `2026-05-13T12:40:00`.
        before: `Worked.carried` of the newest turn that has one; None if none has.
    """

    analysis_id: str
    message: str
    now: str
    before: JsonObject | None = None


class ReaderLimits(Record):
    """What the process may use that reads one file in.

    Attributes:
        memory: Bytes of its own.
        disk: Bytes of one file that it writes.
        computing_s: Of a processor.
        elapsed_s: In all.
    """

    memory: int = 1536 * 2**20
    disk: int = 2 * 2**30
    computing_s: int = 120
    elapsed_s: int = 180


@dataclass(frozen=True, slots=True)
class WorkshopSettings:
    """What the workshop may use.

    Attributes:
        source_url: Of a Postgres that every analysis can ask, before the embedded source; None for none.
        turns_at_once: More wait in the order in which they came.
        turn_s: The longest that a turn may take once it is its own.
        imports_at_once: Files that are read in at once, each of another caller.
        place_s: The longest that an upload waits until it is read in; then it is told to come again.
        tidy_s: How often uploads that the store has no more are looked for among those at hand.
        analyses: Whose uploads are kept at hand; those of others are read again when they are asked for.
    """

    source_url: str | None = None
    turns_at_once: int = 2
    turn_s: float = 60.0
    imports_at_once: int = 2
    place_s: float = 10.0
    reader: ReaderLimits = field(default_factory=ReaderLimits)
    tidy_s: float = 60.0
    analyses: int = 16
