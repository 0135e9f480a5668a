"""Spellings that beat a filter, and the one spelling behind them all."""

from __future__ import annotations

import re
import unicodedata

from envs.kernel.rng import Rng

_LEET = str.maketrans({"i": "1", "o": "0", "e": "3", "t": "7"})
_UNLEET = str.maketrans({"1": "i", "0": "o", "3": "e", "7": "t"})
_BOLD_ITALIC_A = 0x1D482
_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_MIXED = re.compile(r"[^\W\d_]\w*\d\w*|\d\w*[^\W\d_]\w*")


def disguised(rng: Rng, word: str) -> str:
    """The word with invisible signs, digits for letters, styled letters, or a digit at its end."""
    match rng.integer(0, 3):
        case 0:
            return "\u200b".join(word)
        case 1:
            # Not the last one: a digit at the end of a word is a disguise of its own.
            return word[:-1].translate(_LEET) + word[-1]
        case 2:
            return "".join(chr(_BOLD_ITALIC_A + ord(letter) - ord("a")) for letter in word)
        case _:
            return f"{word}{rng.at('digit').integer(1, 9)}"


def plain(text: str) -> str:
    """The text as it is meant: no invisible signs, skin tones or styles, letters for digits inside words."""
    shown = unicodedata.normalize("NFKC", text)
    shown = "".join(sign for sign in shown if unicodedata.category(sign) != "Cf")
    return _MIXED.sub(_letters, _TONES.sub("", shown).casefold())


def _letters(match: re.Match[str]) -> str:
    """A word of letters and digits with letters only; a digit at its end stands for nothing."""
    word = match[0]
    return re.sub(r"\d+$", "", word).translate(_UNLEET) if word[0].isalpha() or word[-1].isalpha() else word
