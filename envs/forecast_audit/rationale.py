"""Rationales: what a written reason is worth, in one pass over its words.

Tells a sentence from a list of keywords and looks for a fact of the case and a reason. Does not judge whether
the reason is right; the other parts of the reward do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from envs.forecast_audit.models import Series

REASONED = 0.08
SENTENCE = 0.05
KEYWORDS = 0.03

_FEWEST_WORDS = 5
# English prose has a function word in every two or three; a tenth still lets a terse analyst through.
_WORDS_PER_FUNCTION_WORD = 10
# Beyond this length repetition is natural, so no more distinct words are asked for.
_ENOUGH_DISTINCT_WORDS = 50

# Numbers keep inner marks (09:00, 2024-03-01, 1,200.5) and words their apostrophes. No part can match what
# another one could, so matching is linear.
_TOKEN = re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W\d_]\w*(?:['’]\w+)*")


def _lexicon(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FUNCTION_WORDS = _lexicon(
    """
    a an the this that these those it its is are was were be been being has have had do does did not no
    nor and or but if then than as at by for from in into of on onto to up with without which who whose
    what when where while will would can could cannot may might must shall should only never always
    every each all any some other there their they we our i you your he she his her so such per between
    after before during
    """
)
_GENERIC_WORDS = _lexicon(
    """
    value values series data point points report recorded reported number
    """
)
_REASONS = _lexicon(
    """
    because since therefore hence thus so due given follows follow following implies means exceeds
    exceed exceeding exceeded above over below under beneath beyond outside within between breaks break
    breaking broke violates violate violating violated contradicts contradict against unlike instead
    trend trends ramp ramps slope pace pattern steady linear constant seasonal continues continuing
    extends interpolate interpolated interpolates interpolating interpolation extrapolate extrapolated
    extrapolation midpoint average mean median neighbours neighbors neighbouring neighboring adjacent
    higher lower larger smaller more less jump jumps jumped spike spikes drop drops dropped rises rise
    rising falls fall falling declines decline declining impossible implausible inconsistent consistent
    matches
    """
)
# A constraint full of these says nothing of its case.
_NO_TERMS = _FUNCTION_WORDS | _GENERIC_WORDS | _REASONS


def credit(text: str, facts: frozenset[str]) -> float:
    """What a rationale earns.

    Args:
        text: The rationale, any length and script.
        facts: The case's facts as `facts_of` gives them.
    Returns:
        REASONED for a sentence with a fact and a reason, SENTENCE for any other sentence, KEYWORDS for less,
        0 when there is no word at all.
    """
    words = _words(text)
    if not words:
        return 0.0
    distinct = set(words)
    if not _is_sentence(words, distinct):
        return KEYWORDS
    return REASONED if not facts.isdisjoint(distinct) and not _REASONS.isdisjoint(distinct) else SENTENCE


def facts_of(timestamps: Iterable[str], values: Series, sentences: Iterable[str]) -> frozenset[str]:
    """The words by which a rationale shows that it speaks of this case.

    Timestamps, values as printed with or without their decimals, and the numbers and content words of the
    constraints.
    """
    dates = {word for timestamp in timestamps for word in _words(timestamp)}
    numbers = {_canonical(str(abs(value))) for value in values if value is not None}
    terms = {word for sentence in sentences for word in _words(sentence) if _is_term(word)}
    return frozenset(dates | numbers | terms)


def _is_sentence(words: list[str], distinct: set[str]) -> bool:
    function_words = sum(word in _FUNCTION_WORDS for word in words)
    return (
        len(words) >= _FEWEST_WORDS
        and function_words * _WORDS_PER_FUNCTION_WORD >= len(words)
        and len(distinct) >= min(len(words) / 2, _ENOUGH_DISTINCT_WORDS)
    )


def _is_term(word: str) -> bool:
    return word[0].isdigit() or (len(word) > 3 and word not in _NO_TERMS)


def _words(text: str) -> list[str]:
    return [_canonical(token) for token in _TOKEN.findall(text.lower())]


def _canonical(token: str) -> str:
    """One spelling for a number (135 for 135.0 and 1200 for 1,200.00) and a time (9:00 for 09:00)."""
    if not token[0].isdigit():
        return token
    try:
        return repr(float(token.replace(",", "")))
    except ValueError:
        return token.lstrip("0")
