"""The corpus: a handbook of oversight and operations, frozen under a version, and questions held apart.

Knows nothing of workers, damage or indexes. The files are read once, when somebody first asks; no step reads
any.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable

from envs.retrieval import sentences

CORPUS_VERSION = "handbook-1"
CORPUS_DIGEST = "e27316ca40136430cb5999be0f7c23dc"
"""Of all texts under that version; a changed word is a new version."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence and where it stands.

    Attributes:
        document: Name of the chapter.
        heading: Titles of the chapter and of the section.
        paragraph: Number in the whole corpus.
    """

    document: str
    heading: str
    paragraph: int
    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """A question, and the number of the sentence that answers it."""

    question: str
    answer: int


@dataclass(frozen=True, slots=True)
class Corpus:
    """The handbook and the questions.

    Attributes:
        held: What quality is measured on.
        tuning: What confidence is fitted on.
        foreign: Questions that the handbook does not answer.
    """

    sentences: tuple[Sentence, ...]
    held: tuple[Pair, ...]
    tuning: tuple[Pair, ...]
    foreign: tuple[str, ...]


@cache
def corpus() -> Corpus:
    """The corpus of this version."""
    read = tuple(
        Sentence(document, heading, number, said)
        for number, (document, heading, text) in enumerate(_paragraphs())
        for said in sentences(text)
    )
    questions = _folder("questions")
    return Corpus(
        sentences=read,
        held=_pairs(_text(questions / "held.tsv"), read),
        tuning=_pairs(_text(questions / "tuning.tsv"), read),
        foreign=tuple(_text(questions / "foreign.txt").splitlines()),
    )


def digest() -> str:
    """32 hex digits that stand for all texts of the corpus."""
    texts = blake2b(digest_size=16)
    for file in (*_chapters(), *_listed(_folder("questions"))):
        texts.update(f"{file.name}\n{_text(file)}\n".encode())
    return texts.hexdigest()


def _paragraphs() -> Iterator[tuple[str, str, str]]:
    """Chapter, heading and text of every paragraph, in order."""
    for chapter in _chapters():
        name = chapter.name.removesuffix(".md").partition("-")[2]
        title = section = ""
        for line in _text(chapter).splitlines():
            if line.startswith("# "):
                title = line.removeprefix("# ")
            elif line.startswith("## "):
                section = line.removeprefix("## ")
            elif line:
                yield name, f"{title}. {section}.", line


def _pairs(table: str, read: tuple[Sentence, ...]) -> tuple[Pair, ...]:
    rows = (line.split("\t") for line in table.splitlines())
    return tuple(Pair(question, _answering(passage, read)) for question, passage in rows)


def _answering(passage: str, read: tuple[Sentence, ...]) -> int:
    """The one sentence in which a passage stands.

    Raises:
        ValueError: If there is none, or more than one.
    """
    found = [number for number, said in enumerate(read) if passage in said.text]
    if len(found) != 1:
        raise ValueError(f"{len(found)} sentences contain {passage!r}; a question needs exactly one")
    return found[0]


def _chapters() -> tuple[Traversable, ...]:
    return _listed(_folder("handbook"))


def _listed(folder: Traversable) -> tuple[Traversable, ...]:
    return tuple(sorted(folder.iterdir(), key=lambda file: file.name))


def _folder(name: str) -> Traversable:
    return files("envs.fleet.works") / name


def _text(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")
