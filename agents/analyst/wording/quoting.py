"""Quoting: what passages say to a question, in their own words and with their pages.

A sentence that gives orders to whoever reads it is data like any other and is not repeated as an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agents.analyst.planning.routing import instructs
from agents.analyst.sources.folding import indexed, searched
from agents.analyst.sources.library import Answer, Passage
from envs.analyst.turns import Language
from envs.retrieval import sentences, words

SURE = 0.5
QUOTED = 280
"""Characters of a quotation, about."""
_HEADED = re.compile(r"(?m)^(?:#+ .*|.{1,60}[^\s.!?:;,]\n(?=[A-Z\d“\"]))")
"""A line of its own: marked, or short, without a stop, and with a new sentence after it."""
_HEADING = re.compile(r"^#+\s*")


def quoted(question: str, answer: Answer, language: Language) -> str | None:
    """The sentences that say most on a question; None where these give orders."""
    english = language is Language.EN
    if not answer.passages:
        return (
            "The documents say nothing on this." if english else "Dokumen tidak menyebut apa pun tentang ini."
        )
    passage, text = _best(question, answer.passages)
    if instructs(text):
        return None
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


def _best(question: str, passages: Iterable[Passage]) -> tuple[Passage, str]:
    """The run of sentences with the most of the question's words; of equals the one found first."""
    asked = set(words(searched(question)))
    runs = [
        (passage, _run(said[at:]))
        for passage in passages
        for said in (_sentences(passage.text) or [passage.text],)
        for at in range(len(said))
    ]
    return max(runs, key=lambda each: len(asked & set(words(indexed(each[1])))))


def _sentences(text: str) -> list[str]:
    """Sentences of a passage; a heading is none of them, and a blank line parts them."""
    paragraphs = re.split(r"\n\s*\n|\n(?=#|[-*] )", _HEADED.sub("", text))
    bare = [" ".join(_HEADING.sub("", each.strip()).split()) for each in paragraphs]
    return [sentence for paragraph in bare for sentence in sentences(paragraph) if sentence]


def _run(said: list[str]) -> str:
    """Sentences from the first one on, as many as a quotation has room for; none with an order after it."""
    run = said[0][:QUOTED]
    for each in said[1:]:
        if len(run) + len(each) + 1 > QUOTED or instructs(each):
            break
        run = f"{run} {each}"
    return run
