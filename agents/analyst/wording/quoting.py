"""Quoting: what passages say to a question, in their own words and with their pages.

A sentence that gives orders to whoever reads it is data like any other and is not repeated as an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

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
    """The sentences that say most on a question, and which passages were left out; None where all are.

    A passage is left out as far as it gives orders to its reader.
    """
    english = language is Language.EN
    if not answer.passages:
        return (
            "The documents say nothing on this." if english else "Dokumen tidak menyebut apa pun tentang ini."
        )
    found = _best(question, answer.passages)
    if found is None:
        return None
    passage, text, nearest = found
    page = f"page {passage.page_label}" if english else f"halaman {passage.page_label}"
    said = f"{passage.filename}, {page}: “{text}”"
    if answer.confidence < SURE or not nearest:
        unsure = (
            "The documents may not answer this; the nearest is"
            if english
            else "Dokumen mungkin tidak menjawab ini; yang terdekat"
        )
        said = f"{unsure} {said}"
    return "\n".join((said, *_left_out(answer.passages, english)))


def without_orders(text: str) -> str:
    """A passage with three dots where a sentence gives orders to its reader."""
    if not instructs(text):
        return text
    return " ".join("…" if instructs(each) else each for each in _sentences(text) or [text])


def _left_out(passages: Iterable[Passage], english: bool) -> list[str]:
    """A line on the passages that give orders; none where none does."""
    ordering = [passage for passage in passages if instructs(passage.text)]
    if not ordering:
        return []
    pages = ", ".join(dict.fromkeys(f"{each.filename} {each.page_label}" for each in ordering))
    if english:
        one = "One passage was" if len(ordering) == 1 else f"{len(ordering)} passages were"
        return [f"{one} left out ({pages}): text there gives orders to whoever reads it."]
    one = "Satu bagian" if len(ordering) == 1 else f"{len(ordering)} bagian"
    return [f"{one} dilewati ({pages}): teks di situ memberi perintah kepada pembacanya."]


class _Best(NamedTuple):
    """What is quoted; `nearest`: no sentence that gives orders has more of the question's words."""

    passage: Passage
    text: str
    nearest: bool


def _best(question: str, passages: Iterable[Passage]) -> _Best | None:
    """The run of sentences with the most of the question's words; of equals the one found first."""
    asked = set(words(searched(question)))
    best: dict[bool, int] = {}
    found: tuple[Passage, str] | None = None
    for passage in passages:
        said = _sentences(passage.text) or [passage.text]
        for at, first in enumerate(said):
            ordering = instructs(first)
            run = first if ordering else _run(said[at:])
            shared = len(asked & set(words(indexed(run))))
            if shared > best.get(ordering, 0):
                best[ordering] = shared
                found = found if ordering else (passage, run)
    return None if found is None else _Best(*found, best[False] >= best.get(True, 0))


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
