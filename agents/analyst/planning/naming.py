"""Naming: what a column is called when people are told of it."""

from __future__ import annotations

from agents.analyst.planning.marks import LEXICON
from agents.analyst.planning.words import Language, language_of
from envs.analyst.catalogue import Column


def spoken(column: Column, language: Language) -> str:
    """A column in the words of those who use it: the first synonym in the language, else its label.

    A word that asks for something (`jumlah`) is no name.
    """
    other = Language.ID if language is Language.EN else Language.EN
    names = [name for name in column.synonyms if (name,) not in LEXICON]
    own = [name for name in names if language_of(name, other) is language]
    if language is Language.EN:
        return names[0] if names else column.label.lower()
    return own[0] if own else column.label.lower()
