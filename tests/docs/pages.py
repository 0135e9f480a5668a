"""The documentation as data: pages, their code blocks, links and tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

FENCE = re.compile(
    r"(?:^<!-- not run: (?P<why>[^\n]+?) -->\n+)?^```(?P<language>\w*)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block.

    Attributes:
        line: Of the opening fence, from 1.
        not_run: Why it is not run, from a comment above the fence: `<!-- not run: why -->`.
    """

    language: str
    code: str
    line: int
    not_run: str | None


def pages() -> tuple[Path, ...]:
    """Every Markdown file that we wrote, README.md first."""
    found = [ROOT / "README.md", ROOT / "CHANGELOG.md"]
    for folder in ("docs", "envs"):
        found += sorted((ROOT / folder).rglob("*.md"))
    return tuple(found)


def name(page: Path) -> str:
    """The page's path from the root."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> tuple[Block, ...]:
    """The page's fenced blocks, in order."""
    text = page.read_text()
    return tuple(
        Block(
            found["language"], found["code"], text.count("\n", 0, found.start("language")) + 1, found["why"]
        )
        for found in FENCE.finditer(text)
    )


def links(page: Path) -> tuple[str, ...]:
    """Targets of the page's links, code blocks and comments apart."""
    return tuple(LINK.findall(COMMENT.sub("", FENCE.sub("", page.read_text()))))


def anchors(page: Path) -> frozenset[str]:
    """What a link to the page may name behind a `#`, as GitHub and Hugging Face make it from headings."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings)


def table(page: Path, heading: str) -> tuple[tuple[str, ...], ...]:
    """Rows of the first table under a heading, without the header row."""
    text = page.read_text()
    found = re.search(rf"^#+ {re.escape(heading)}$(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise LookupError(f"{name(page)} has no heading {heading!r}")
    lines = [line for line in found[1].splitlines() if line.startswith("|")]
    return tuple(tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines[2:])
