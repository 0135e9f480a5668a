"""Quoting: what passages say to a question, in their own words and with their pages.

A sentence that gives orders to whoever reads it is data like any other and is not repeated as an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agents.analyst.planning.routing import instructs
from agents.analyst.sources.folding import indexed
from agents.analyst.sources.library import Answer, Passage
from envs.analyst.turns import Language
from envs.retrieval import sentences, words

SURE = 0.5
QUOTED = 280
"""Characters of a quotation, about."""
_HEADING = re.compile(r"^#+\s*")


def quoted(question: str, answer: Answer, language: Language) -> str | None:
    """The sentences that say most on a question; None where passages have nothing but orders."""
    english = language is Language.EN
    if not answer.passages:
        return (
            "The documents say nothing on this." if english else "Dokumen tidak menyebut apa pun tentang ini."
        )
    best = _best(question, answer.passages)
    if best is None:
        return None
    passage, text = best
    page = f"page {passage.page_label}" if english else f"halaman {passage.page_label}"
    said = f"{passage.filename}, {page}: “{text}”"
    if answer.confidence >= SURE:
        return said
    unsure = (
        "The documents may not answer this; the nearest is"
        if english
        else "Dokumen mungkin tidak menjawab ini; yang terdekat"
    )
    return f"{unsure} {said}"


def _best(question: str, passages: Iterable[Passage]) -> tuple[Passage, str] | None:
    """The run of sentences with the most of the question's words; of equals the one found first."""
    asked = set(words(indexed(question)))
    found: tuple[Passage, str] | None = None
    most = -1
    for passage in passages:
        said = [each for each in _sentences(passage.text) if not instructs(each)]
        for at in range(len(said)):
            run = _run(said[at:])
            score = len(asked & set(words(indexed(run))))
            if score > most:
                found, most = (passage, run), score
    return found


def _sentences(text: str) -> list[str]:
    """Sentences of a passage; lines that a blank one parts belong to different ones."""
    paragraphs = re.split(r"\n\s*\n|\n(?=#|[-*] )", text)
    bare = [" ".join(_HEADING.sub("", each.strip()).split()) for each in paragraphs]
    return [sentence for paragraph in bare for sentence in sentences(paragraph) if sentence]


def _run(said: list[str]) -> str:
    """Sentences from the first one on, as many as a quotation has room for."""
    run = said[0][:QUOTED]
    for each in said[1:]:
        if len(run) + len(each) + 1 > QUOTED:
            break
        run = f"{run} {each}"
    return run
