"""Where results come from: those that ship with this version, and those that were measured on this server.

Decides which kept files may be seen at all, and whether a result still stands for the code that runs here.
Leaves what is in a file to `evals.report`.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from envs.kernel.protocol import AnyEnvironment
from evals import artifact
from evals.gates import table
from evals.report import GatesReport, RunReport, gates_report, run_report
from evals.runs import code_digest
from evals.shelf import StoreShelf
from evals.subjects import load
from instances.service import Service

SHIPPED_FOLDER = Path(__file__).resolve().parent.parent.parent / "assets" / "results"
# Everything else that is kept beside them (rounds, submissions, parts of runs) stays shut.
OPEN = (artifact.PREFIX, table.PREFIX)
MEDIA_TYPES = {".json": artifact.JSON, ".parquet": artifact.PARQUET}
# A report is some ten kilobytes.
READ_REPORTS = 512

_FIRST = re.compile(r"-from(\d+)\.json$")


class Origin(StrEnum):
    """Where a result was measured: before this version was published, or on this server."""

    SHIPPED = "shipped"
    HERE = "here"


@dataclass(frozen=True, slots=True)
class Run:
    """A run and where it came from.

    Attributes:
        origins: Both where the two files are the same to the byte.
        current: The environment's version and code are those that run here.
    """

    report: RunReport
    origins: tuple[Origin, ...]
    current: bool

    @property
    def cases(self) -> range:
        """Numbers of the cases that were played."""
        found = _FIRST.search(self.report.files[0])
        first = int(found[1]) if found else 0
        return range(first, first + self.report.seeds)


@dataclass(frozen=True, slots=True)
class Gates:
    """A table of gates and where it came from; `name` is its file's."""

    report: GatesReport
    name: str
    origins: tuple[Origin, ...]
    current: bool


@dataclass(frozen=True, slots=True)
class Results:
    """What is known of one environment.

    Attributes:
        code: Digest of the environment's code that runs here.
        unreadable: Names of files that are no results of this format.
    """

    environment: AnyEnvironment
    code: str
    runs: tuple[Run, ...] = ()
    gates: tuple[Gates, ...] = ()
    unreadable: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return not self.runs and not self.gates


class Files(Protocol):
    """Files by name; what results are read from."""

    async def names(self, prefix: str) -> Sequence[str]:
        """Names that start with `prefix`, in order."""
        ...

    async def get(self, name: str) -> bytes | None:
        """The content of a file, None when there is none."""
        ...


class Folder:
    """The files below a folder, named by their paths."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def names(self, prefix: str) -> Sequence[str]:
        return [name for name in await asyncio.to_thread(self._walk) if name.startswith(prefix)]

    async def get(self, name: str) -> bytes | None:
        return await asyncio.to_thread(self._content, name)

    def _content(self, name: str) -> bytes | None:
        root = self._path.resolve()
        try:
            path = (root / name).resolve()
            # A file has one name: another spelling, or a link, would lead past what may be seen.
            known = path.is_relative_to(root) and path.relative_to(root).as_posix() == name
            return path.read_bytes() if known and path.is_file() else None
        except (OSError, ValueError):
            # No file can have such a name.
            return None

    def _walk(self) -> list[str]:
        paths = sorted(path for path in self._path.rglob("*") if path.is_file() and not path.is_symlink())
        return [path.relative_to(self._path).as_posix() for path in paths]


class Shelves:
    """Both sources of results, with only those files in sight that may be seen."""

    def __init__(self, service: Service, shipped: Path = SHIPPED_FOLDER) -> None:
        self._service = service
        self._files: Mapping[Origin, Files] = {
            Origin.SHIPPED: Folder(shipped),
            Origin.HERE: StoreShelf(service),
        }
        self._read: OrderedDict[bytes, Any] = OrderedDict()

    @property
    def slugs(self) -> tuple[str, ...]:
        """Of every environment there is to play."""
        return tuple(self._service.catalog)

    @property
    def agents(self) -> Mapping[str, str]:
        """An agent for a first run of each environment that can be measured: the rung below the reference."""
        return {slug: subject.rungs[-2] for slug, subject in load().items()}

    async def file(self, origin: Origin, name: str) -> bytes | None:
        """A kept file; None also for one that may not be seen."""
        return await self._files[origin].get(name) if _is_open(name) else None

    async def results(self, slug: str) -> Results:
        """All that is kept of an environment, by name."""
        env = self._service.environment(slug)
        code = await asyncio.to_thread(code_digest, env)
        unreadable: list[str] = []
        runs: list[Run] = []
        for name, content, origins in await self._kept(f"{artifact.PREFIX}{slug}/"):
            run = await self._parsed(run_report, name, content)
            if run is None or run.environment != slug:
                unreadable.append(name)
            else:
                runs.append(Run(run, origins, (run.version, run.code) == (env.version, code)))
        gates: list[Gates] = []
        for name, content, origins in await self._kept(f"{table.PREFIX}{slug}.json"):
            gated = await self._parsed(_gates_report, name, content)
            if gated is None or gated.environment != slug:
                unreadable.append(name)
            else:
                gates.append(Gates(gated, name, origins, gated.version == f"v{env.version}-{code}"))
        return Results(env, code, tuple(runs), tuple(gates), tuple(unreadable))

    async def _kept(self, prefix: str) -> list[tuple[str, bytes, tuple[Origin, ...]]]:
        """JSON files with that prefix; twins of both sources are one."""
        found: dict[tuple[str, bytes], tuple[Origin, ...]] = {}
        for origin, files in self._files.items():
            for name in await files.names(prefix):
                content = await files.get(name) if name.endswith(".json") else None
                if content is not None:
                    found[name, content] = (*found.get((name, content), ()), origin)
        return [(name, content, origins) for (name, content), origins in sorted(found.items())]

    async def _parsed(self, parse: Callable[[str, bytes], Any], name: str, content: bytes) -> Any:
        """The report of a file, remembered by its content; None if it holds none."""
        key = blake2b(name.encode() + b"\0" + content, digest_size=16).digest()
        if key not in self._read:
            try:
                self._read[key] = await asyncio.to_thread(parse, name, content)
            except (KeyError, TypeError, ValueError, AttributeError):
                self._read[key] = None
            if len(self._read) > READ_REPORTS:
                self._read.popitem(last=False)
        return self._read.get(key)


def _is_open(name: str) -> bool:
    return name.startswith(OPEN) and Path(name).suffix in MEDIA_TYPES


def _gates_report(_name: str, content: bytes) -> GatesReport:
    return gates_report(content)
