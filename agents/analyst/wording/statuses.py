"""Statuses: what a person who waits is told, and what is said of sources and of what went wrong."""

from __future__ import annotations

from collections.abc import Iterable

from agents.analyst.wording.numbers import grouped
from envs.analyst.catalogue import Source
from envs.analyst.turns import Language


def planning(language: Language) -> str:
    return "Planning analysis..." if language is Language.EN else "Merencanakan analisis..."


def running(steps: int, language: Language) -> str:
    return f"Running {steps} steps..." if language is Language.EN else f"Menjalankan {steps} langkah..."


def waiting(others: int, language: Language) -> str:
    """While others who came before are being answered."""
    if language is Language.EN:
        return f"Waiting for {others} other question{'' if others == 1 else 's'}..."
    return f"Menunggu {others} pertanyaan lain..."


def inventory(language: Language) -> str:
    """What the first step of a plan is for."""
    return "Inventory the sources" if language is Language.EN else "Memeriksa sumber data"


def stopped(problem: str, language: Language) -> str:
    """A question that was planned and could not be worked out."""
    if language is Language.EN:
        return f"This could not be worked out: {problem}."
    return f"Ini tidak dapat dihitung: {problem}."


def inventoried(sources: Iterable[Source], language: Language) -> str:
    """Which sources there are, one a line."""
    english = language is Language.EN
    head = "These sources are here:" if english else "Sumber yang tersedia:"
    return "\n".join((head, *(f"- {_source(source, language, english)}" for source in sources)))


def _source(source: Source, language: Language, english: bool) -> str:
    if not source.tables:
        names = ", ".join(document.filename for document in source.documents)
        return f"{source.name}: {'documents' if english else 'dokumen'} ({names})"
    tables = ", ".join(
        f"{table.table_id} ({grouped(table.row_count, 0, language)} {'rows' if english else 'baris'})"
        for table in source.tables
    )
    return f"{source.name}: {tables}"
