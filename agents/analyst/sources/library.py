"""The library: documents that can be searched, passage by passage.

Leaves to `envs.retrieval` how alike a question and a passage are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

from agents.analyst.sources.documents import Page, Text
from agents.analyst.sources.folding import indexed, searched
from envs.analyst.catalogue import Source, SourceType
from envs.kernel.records import Record
from envs.retrieval import Calibration, Lexical, Signs, best, signs, words

WORDS = 120
"""Of a passage, about; a paragraph is not cut."""
SURE = Calibration((-8.29, 6.73, 3.44, 9.31))
"""Signs of a search to the chance that its passages answer the question; fitted to questions to the shop."""


class Passage(Record):
    """A stretch of a page, cited as it is printed.

    Attributes:
        cited: `page 2 (sheet 4)`.
        score: In [0, 1]; 1 where a passage has all of the question's words as densely as can be.
    """

    document_id: str
    filename: str
    page_label: str
    cited: str
    text: str
    score: float = 0.0


class Answer(Record):
    """What a search finds.

    Attributes:
        passages: The best first; none where no word of the question is in the library.
        confidence: In [0, 1], that they answer the question.
    """

    passages: tuple[Passage, ...]
    confidence: float


class Library:
    """The documents of one source."""

    def __init__(self, source_id: str, name: str, texts: Sequence[Text]) -> None:
        self.texts = tuple(texts)
        self.source = Source(
            source_id=source_id,
            name=name,
            source_type=SourceType.DOCUMENTS,
            documents=tuple(text.document for text in texts),
        )
        self._passages = [
            passage for text in texts for page in text.pages for passage in _passages(text, page)
        ]
        self._index = Lexical([indexed(passage.text) for passage in self._passages])

    def close(self) -> None:
        """Nothing is held open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def search(self, question: str, count: int = 4) -> Answer:
        """The passages that are most alike to a question."""
        scores = self._index.scores(searched(question))
        places = [int(place) for place in best(scores, count) if scores[place] > 0]
        found = tuple(
            self._passages[place].model_copy(update={"score": float(scores[place])}) for place in places
        )
        seen = self.signs(question, count)
        return Answer(passages=found, confidence=SURE.confidence(seen) if seen else 0.0)

    def signs(self, question: str, count: int = 4) -> Signs | None:
        """The signs of that search; None where it finds nothing."""
        scores = self._index.scores(searched(question))
        places = [int(place) for place in best(scores, count) if scores[place] > 0]
        if not places:
            return None
        covered = _covered(question, [self._passages[place].text for place in places])
        return signs(scores, len(places), covered)

    def sureness(self, question: str) -> float:
        """In [0, 1]: how sure it is that the library answers a question."""
        return self.search(question).confidence


def _covered(question: str, found: Sequence[str]) -> float:
    """The share of a question's words that stand in what was found."""
    asked = set(words(searched(question)))
    said = {word for text in found for word in words(indexed(text))}
    return len(asked & said) / len(asked) if asked else 0.0


def _passages(text: Text, page: Page) -> Iterator[Passage]:
    for stretch in _stretches(page.text):
        yield Passage(
            document_id=text.document.document_id,
            filename=text.document.filename,
            page_label=page.label,
            cited=page.cited,
            text=stretch,
        )


def _stretches(text: str) -> Iterator[str]:
    """Lines in stretches of about `WORDS` words, in order."""
    held: list[str] = []
    for line in text.splitlines():
        held.append(line)
        if sum(len(each.split()) for each in held) >= WORDS:
            yield "\n".join(held)
            held = []
    if any(line.strip() for line in held):
        yield "\n".join(held)
