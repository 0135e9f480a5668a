"""Rewriting: turns of phrase put into the order that the readers know; the meaning stays.

Leaves everything else of a question as it is.
"""

from __future__ import annotations

import re

from agents.analyst.planning.months import MONTH

_DRAWN = (
    r"(?:(?:simple|nice|line|bar|pie|column|area|donut|scatter|stacked) ){0,3}(?:chart|graph|plot|diagram)s?"
)
_GAMBAR = r"(?:grafik|diagram|bagan)(?: (?:garis|batang|lingkaran|kue|pai|kolom))?"

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
            (
                r"\b(?:(?:who|that) (?:are|is) )?(over|under|above|below|at least|at most|(?:more|less) than)"
                r" (\d+) years (?:old|of age)\b"
            ),
            r"whose age is \1 \2",
        ),
        (r"\b(older|younger) than (\d+) years(?: old| of age)?\b", r"\1 than \2"),
        (r"\b(\d+) years (?:old|of age)\b", r"age \1"),
        (r"\bdaripada\b", "dari"),
        (
            (
                r"\b(?:kinerja|performa|performance of)"
                r" (?=.*\b(?:dibanding(?:kan)?|against|vs|versus|compared)\b)"
            ),
            "",
        ),
        (r"\bdid (\w+(?: \w+)?) perform\b", r"did \1 do"),
        # What is sold or earned is revenue, where nobody says of what.
        (
            (
                r"\bhow much (?:money )?(?:did|do|have|had) we"
                r" (?:sell|sold|make|made|earn(?:ed)?|take in|taken in)\b"
            ),
            "total revenue",
        ),
        (
            r"\bberapa (?:banyak )?(?:uang )?yang (?:kita|kami) (?:jual|hasilkan|peroleh|dapat(?:kan)?)\b",
            "total pendapatan",
        ),
        (r"^\W*who (?=(?:earns?|brings?|makes?) us )", "which customer "),
        (
            (
                r"\b(?:brings?|brought|earns?|earned|makes?|made|generates?|generated)(?: in| us)*"
                r" (the )?(most|least)(?: money| cash)?(?=\W*(?:$|in\b|last\b|this\b|[?.!]))"
            ),
            r"has the \2 revenue",
        ),
        (
            r"\b(?:yang )?(?:paling banyak )?menghasilkan (?:uang )?(?:paling banyak|terbanyak)(?: uang)?\b",
            "dengan pendapatan tertinggi",
        ),
        (r"\bnew (\w+) (?=(?:who |that )?(?:joined|signed up|registered)\b)", r"\1 "),
        (r"\b(\w+) baru (?=(?:yang )?(?:bergabung|mendaftar)\b)", r"\1 "),
        (r"\bw/ ?", "with "),
        (r"(?<![\d\w]) ?% ?(?=of\b|dari\b)", " percent "),
        # Every answer that can be drawn comes with its picture.
        (
            (
                rf"\b(?:as|in|into|using|with|on) (?:a |an |the )?{_DRAWN}\b(?! (?:position|number))"
                rf"|\b(?:dalam|sebagai|dengan) (?:bentuk )?{_GAMBAR}\b"
            ),
            "",
        ),
        (
            (
                rf"\b(?:(?:make|create|build|generate|draw)(?: me)?|give me|show(?: me)?)"
                rf" (?:an? |the )?{_DRAWN}"
                r"(?: (?:of|for|showing|with|about)\b)?"
            ),
            "show",
        ),
        (
            (
                r"^\W*((?:please|can you|could you|tolong)\s+)?(?:plot|chart|graph|visuali[sz]e|draw)"
                r"(?= (?!of\b|position)\w)(?: me)?(?: out)?"
            ),
            "show",
        ),
        (rf"\b(?:a |an |the )?{_DRAWN} (?:of|for|showing)\b", "show"),
        (
            rf"\b(?:buat(?:kan|lah)?|gambar(?:kan)?|tampilkan|tunjukkan)?\s*{_GAMBAR}(?: (?:dari|untuk))?\b",
            "tampilkan",
        ),
        (r"\b(?:line|bar|pie|column|area|donut) (?:chart|graph|plot)\b", ""),
        # A year stands for all months of an enumeration.
        (rf"\b({MONTH}) (and|dan|or|atau|&) ({MONTH}) ((?:19|20)\d\d)\b", r"\1 \4 \2 \3 \4"),
        (r"\b(top|bottom) (\d+(?:\.\d+)?) ?(?:%|percent\b|persen\b)(?: of\b)?", r"\1 \2 pct"),
        (r"\b(\w+)-nya\b", r"\1"),
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
