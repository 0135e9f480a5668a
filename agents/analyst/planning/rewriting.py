"""Rewriting: turns of phrase put into the order that the readers know; the meaning stays.

Leaves everything else of a question as it is.
"""

from __future__ import annotations

import re

_TURNS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), put)
    for pattern, put in (
        (r"\b(first), (middle|second),? (?:and|&) (last|family) (names?)\b", r"\1 \4, \2 \4 and \3 \4"),
        (r"\b(first|given) (?:and|&) (last|family) (names?)\b", r"\1 \3 and \2 \3"),
        (r"\b(?:first|given) ?/ ?(?:last|family) (names?)\b", r"first \1 and last \1"),
        (
            r"\b(more|fewer|less|higher|lower|greater|larger) ((?!than\b)\w+(?: (?!than\b)\w+)?) than\b",
            r"\2 \1 than",
        ),
        (r"\b(lebih (?:banyak|besar|tinggi)) ((?!dari)\w+) dari(?:pada)?\b", r"\2 \1 dari"),
        (
            r"\b(?:(?:who|that) (?:are|is) )?(over|under|above|below|at least|at most|(?:more|less) than)"
            r" (\d+) years (?:old|of age)\b",
            r"whose age is \1 \2",
        ),
        (r"\b(older|younger) than (\d+) years(?: old| of age)?\b", r"\1 than \2"),
        (r"\b(\d+) years (?:old|of age)\b", r"age \1"),
        (r"\bdaripada\b", "dari"),
        (r"\bnya\b", ""),
    )
)


def rewritten(question: str) -> str:
    """The question with its turns put straight; what is quoted is left alone."""
    parts = re.split(r"(\"[^\"]*\"|“[^”]*”)", question)
    return "".join(part if at % 2 else _turned(part) for at, part in enumerate(parts))


def _turned(text: str) -> str:
    for pattern, put in _TURNS:
        text = pattern.sub(put, text)
    return text
