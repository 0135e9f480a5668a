"""Messages to a desk and to a workshop, in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agents.analyst.engines import Stop
from agents.analyst.planning.modelled import AskModel
from agents.analyst.working.asked import Asked
from agents.analyst.working.turning import Desk, Turning
from agents.analyst.working.workshop import Workshop
from envs.analyst.turns import JsonObject, Worked
from instances.service import Service
from instances.store import Store

SLUG = "number-hunt"
NOW = "2026-05-13T12:40:00"


def turned(desk: Desk, message: str, before: JsonObject | None = None) -> Worked:
    """The answer of a desk of this process."""
    asked = Asked(analysis_id="an_42", message=message, now=NOW, before=before)
    return Turning(desk, asked, lambda _: None, None, Stop()).worked()


@dataclass
class Asker:
    """A workshop, its store, and instances to add files to."""

    store: Store
    service: Service
    workshop: Workshop
    told: list[str] = field(default_factory=list[str])

    async def analysis(self) -> str:
        """The id of a new instance."""
        return (await self.service.create(SLUG)).id

    async def ask(self, message: str, analysis_id: str = "an_42", model: AskModel | None = None) -> Worked:
        """An answer; what was told meanwhile is in `told`."""
        self.told.clear()
        asked = Asked(analysis_id=analysis_id, message=message, now=NOW)
        return await self.workshop.turn(asked, self._tell, model)

    async def _tell(self, status: str) -> None:
        self.told.append(status)

    async def names(self, analysis_id: str) -> list[str]:
        """The sources, the preferred one first."""
        return [source.name for source in await self.workshop.catalogue(analysis_id)]


def workers() -> Sequence[int]:
    """Processes that this one has started as workers."""
    found: list[int] = []
    for children in Path("/proc/self/task").glob("*/children"):
        found += [int(pid) for pid in children.read_text().split()]
    return [
        pid for pid in found if b"agents.analyst.working.child" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]


def kept_in(folder: Path) -> int:
    """How many files and folders a folder has."""
    return len(list(folder.iterdir()))


def imported_in(folder: Path) -> int:
    """How many uploads are kept at hand below a folder."""
    return len(list(folder.rglob("entry.json")))
