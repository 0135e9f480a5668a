"""Helping: where an analysis stands and what could be asked next, in English and Indonesian."""

from __future__ import annotations

from collections.abc import Sequence

from envs.analyst.catalogue import Source
from envs.analyst.suggesting import suggested
from envs.analyst.turns import Language

SUGGESTED = 3


def help_text(
    objective: str, questions: Sequence[str], analyses: int, sources: Sequence[Source], language: Language
) -> str:
    """A few sentences: the goal, the sources, what is done, and questions to try."""
    english = language is Language.EN
    lines = [_goal(objective, len(questions), english), _sources(sources, english)]
    if analyses:
        lines.append(
            f"Analyses so far: {analyses}." if english else f"Analisis yang sudah selesai: {analyses}."
        )
    tries = questions[:SUGGESTED] or suggestions(sources)[:SUGGESTED]
    if tries:
        lines.append("Try a question like:" if english else "Coba tanyakan:")
        lines += [f"- {question}" for question in tries]
    return "\n".join(lines)


def suggestions(sources: Sequence[Source]) -> tuple[str, ...]:
    """Questions that fit the first source with tables; none without one."""
    return next((found for source in sources if (found := suggested(source))), ())


def _goal(objective: str, questions: int, english: bool) -> str:
    if not objective and not questions:
        return (
            "No goal is set yet; you can set one, or just ask."
            if english
            else "Tujuan belum ditetapkan; tetapkan dulu, atau langsung bertanya."
        )
    goal = objective.rstrip(".") or ("your business questions" if english else "pertanyaan bisnis Anda")
    return (
        f"Your goal is set: {goal}. You can start exploring now."
        if english
        else f"Tujuan Anda: {goal}. Anda bisa mulai sekarang."
    )


def _sources(sources: Sequence[Source], english: bool) -> str:
    named = "; ".join(f"{source.name} ({_held(source, english)})" for source in sources)
    return f"Sources: {named}." if english else f"Sumber: {named}."


def _held(source: Source, english: bool) -> str:
    if source.tables:
        return ", ".join(table.label for table in source.tables)
    count = len(source.documents)
    if not english:
        return f"{count} dokumen"
    return f"{count} document" if count == 1 else f"{count} documents"
