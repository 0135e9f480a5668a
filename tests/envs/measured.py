"""What the official run that ships with this version measured of a baseline, as a README states it."""

from __future__ import annotations

import json
from pathlib import Path

from envs.kernel.protocol import AnyEnvironment

_RUNS = Path(__file__).parents[2] / "assets" / "results" / "runs"


def measured(env: AnyEnvironment | type[AnyEnvironment], track: str, name: str, level: str) -> str:
    """A baseline's mean objective on public cases, with its interval."""
    (file,) = (_RUNS / env.slug / track / "public" / level).glob(f"{name}-v{env.version}-*.json")
    mean = json.loads(file.read_bytes())["summary"]["objective"]
    return f"{mean['estimate']:.2f} [{mean['low']:.2f}, {mean['high']:.2f}]"
