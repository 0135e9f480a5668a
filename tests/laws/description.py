"""An environment's docstring, cut into the sections of its page."""

from __future__ import annotations

import inspect
import re

from envs.kernel.protocol import AnyEnvironment

SECTIONS = (
    "Description",
    "Action space",
    "Observation space",
    "Rewards",
    "Start",
    "Episode end",
    "Arguments",
    "Versions",
)
_HEADING = re.compile(r"^\*\*([^*]+)\.\*\* ?", re.MULTILINE)


def page(env: AnyEnvironment) -> str:
    """The docstring of the environment's class."""
    return inspect.cleandoc(type(env).__doc__ or "")


def sections(env: AnyEnvironment) -> dict[str, str]:
    """The page's sections by name, in the order in which they stand."""
    _, *pieces = _HEADING.split(page(env))
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def tabled(section: str) -> list[str]:
    """The names in the first column of a section's first table; one cell may hold several."""
    rows = [line for line in section.splitlines() if line.startswith("|")]
    cells = (row.strip("|").split("|")[0] for row in rows[2:])
    return [name.strip(" `") for cell in cells for name in cell.split(",") if name.strip()]
