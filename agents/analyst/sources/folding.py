"""Folding: texts as an index of English words can hold them, Indonesian ones too.

`envs.retrieval` knows words of ASCII letters and English endings. Accents go; words of an Indonesian text
lose the affixes that leave their meaning, and those that bear none go.
"""

from __future__ import annotations

import re

from agents.analyst.planning.words import folded, language_of, stem
from envs.analyst.turns import Language

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")
_STOPPED = frozenset(
    """
    yang dan di ke dari untuk pada dengan adalah ini itu atau oleh apa apakah bagaimana berapa siapa kapan
    mana kami kita saya anda kamu akan telah sudah belum bisa dapat harus juga saja para dalam sebagai
    tentang antara serta tersebut ada tidak bila jika maka agar lama menurut dokumen
    """.split()
)
_ASKING = frozenset(
    """
    say says said tell tells according document documents handbook manual file files pdf policy policies rule
    rules find mention mentions dokumen panduan buku kebijakan peraturan berkas
    """.split()
)
"""What a question says of the documents and not of what it wants to know."""
_PREFIX = re.compile(r"^(?:meny|peny|meng|peng|mem|pem|men|pen|ber|per|ter|di|me|pe|ke|se)(?=[a-z]{4})")
_SUFFIX = re.compile(r"(?<=[a-z]{4})(?:kan|an|i)$")


def indexed(text: str) -> str:
    """A text as it is indexed and searched for; its order stays."""
    plain = folded(text)
    if language_of(text) is not Language.ID:
        return plain
    return _WORD.sub(lambda found: "" if found[0] in _STOPPED else _root(found[0]), plain)


def searched(question: str) -> str:
    """A question as it is searched for: without what it says of the documents themselves."""
    words = indexed(question).split()
    kept = [word for word in words if word.strip("?!.,:;\"'") not in _ASKING]
    return " ".join(kept or words)


def _root(word: str) -> str:
    return _SUFFIX.sub("", _PREFIX.sub("", stem(word)))
