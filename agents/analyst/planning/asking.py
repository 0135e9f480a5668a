"""Asking back: what a question that was not understood well enough is answered with.

One question with up to three things it could be, each of which can be sent as it stands; or what the source
does not have.
"""

from __future__ import annotations

import re

from rapidfuzz import fuzz, process

from agents.analyst.planning.items import Named, Said, Unknown
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.naming import spoken
from agents.analyst.planning.outcome import Ask, AskAbout, Refuse
from agents.analyst.planning.parsing import Ground, Parsed
from agents.analyst.planning.sketch import Pick
from agents.analyst.planning.words import Language, folded
from envs.analyst.catalogue import Role

OPTIONS = 3
KNOWN = 8
MOST = 20
"""Values that a column may have to be one that a change is split by."""
LIKE = 70
"""How alike a word must be to be offered."""


def asked_back(message: str, ground: Ground, parsed: Parsed, language: Language) -> Ask | Refuse:
    """A question back, or a refusal that says what is missing."""
    reading = parsed.reading
    if reading.doubts:
        said, picks = reading.doubts[0]
        return Ask(AskAbout.CHOICE, said, _choices(message, said, picks, ground), language)
    unknown = parsed.sure.unknown
    if unknown:
        options = _spellings(message, unknown[0], ground)
        if options:
            return Ask(AskAbout.WORD, unknown[0], options, language)
        return Refuse(unknown, _known(ground, parsed), language)
    if _wants_metric(parsed):
        return Ask(AskAbout.METRIC, message, _metrics(message, ground, parsed, language), language)
    if parsed.built is None and not parsed.sure.lost:
        return Refuse((parsed.problem,), _known(ground, parsed), language)
    return Ask(
        AskAbout.PART,
        ", ".join(parsed.sure.lost) or message,
        _metrics(message, ground, parsed, language),
        language,
    )


def _choices(message: str, said: str, picks: tuple[Pick, ...], ground: Ground) -> tuple[str, ...]:
    """The question with the doubtful words put as each of the columns that they could be."""
    options: list[str] = []
    for pick in picks[:OPTIONS]:
        table, column = ground.vocabulary.table(pick.table), ground.vocabulary.column(pick.table, pick.column)
        options.append(_put(message, said, f"{table.label} {column.label}".lower()))
    return tuple(dict.fromkeys(options))


def _spellings(message: str, word: str, ground: Ground) -> tuple[str, ...]:
    labels = [
        column.label
        for table in ground.source.tables
        for column in table.columns
        if column.role is not Role.KEY
    ]
    labels += [
        synonym for table in ground.source.tables for column in table.columns for synonym in column.synonyms
    ]
    found = process.extract(
        word.lower(), list(dict.fromkeys(labels)), scorer=fuzz.ratio, score_cutoff=LIKE, limit=OPTIONS
    )
    return tuple(_put(message, word, label) for label, _, _ in found)


def _put(message: str, said: str, instead: str) -> str:
    return re.sub(rf"\b{re.escape(said)}\b", instead, message, count=1)


def _known(ground: Ground, parsed: Parsed) -> tuple[str, ...]:
    """Amounts and dimensions of the table that is asked about, else of all."""
    entity = parsed.reading.sketch.entity
    tables = sorted(ground.source.tables, key=lambda table: (table.table_id != entity, -table.row_count))
    labels = [
        column.label.lower()
        for table in tables
        for column in table.columns
        if column.role in (Role.MEASURE, Role.DIMENSION, Role.TIME, Role.LABEL)
    ]
    return tuple(dict.fromkeys(labels))[:KNOWN]


def _wants_metric(parsed: Parsed) -> bool:
    reading = parsed.reading
    return any(
        isinstance(item, Said) and item.mark.kind in (Kind.SUPER, Kind.AGG) and place not in reading.used
        for place, item in enumerate(reading.items)
    )


def _metrics(message: str, ground: Ground, parsed: Parsed, language: Language) -> tuple[str, ...]:
    """The question by each amount of what happened, its worth first, and by how often it did."""
    if not any(isinstance(item, Named | Unknown | Said) for item in parsed.reading.items):
        return ()
    largest = max(ground.source.tables, key=lambda table: table.row_count, default=None)
    home = parsed.reading.events(parsed.reading.sketch.entity)
    table = ground.source.table(home) if home is not None else largest
    if table is None or _says_by(parsed):
        return ()
    money = parsed.reading.money(table.table_id)
    kept = [column for column in table.columns if column.role is Role.MEASURE and column.unit != "%"]
    kept.sort(key=lambda column: money is None or column.name != money.column)
    amounts = [spoken(column, language) for column in kept]
    english = language is Language.EN
    rows = table.label.lower()
    measures = [*amounts[: OPTIONS - 1], f"number of {rows}" if english else f"jumlah {rows}"]
    by = "by" if english else "berdasarkan"
    return tuple(f"{message.rstrip('?!. ')} {by} {measure}" for measure in measures)


def _says_by(parsed: Parsed) -> bool:
    """Whether a question says already by which amount it is asked."""
    reading = parsed.reading
    return any(
        item.text.lower() in ("by", "berdasarkan") and isinstance(reading.item(place + 1), Named)
        for place, item in enumerate(reading.items)
    )


_WHY = re.compile(
    r"^\W*(?:but |and |so |tapi |dan )?(?:why|how come|what caused|kenapa|mengapa|apa penyebab)\b"
)


def why_asked(message: str, ground: Ground, parsed: Parsed, language: Language) -> Ask | None:
    """What can be shown of why something changed: how much each part of it did; None if nobody asks why."""
    reading = parsed.reading
    if not _WHY.search(folded(message)):
        return None
    home = reading.events()
    money = reading.money(home) if home is not None else None
    table = ground.source.table(home) if home is not None else None
    if table is None or money is None:
        return None
    amount = spoken(ground.vocabulary.column(table.table_id, money.column), language)
    reached = [
        ground.vocabulary.table(key.to_table) for key in reading.graph.keys if key.table == table.table_id
    ]
    parts = [each.label.lower() for each in sorted(reached, key=lambda each: each.row_count)]
    parts += [
        column.label.lower()
        for column in table.columns
        if column.role is Role.DIMENSION and column.distinct < MOST
    ]
    put = (
        "change in {} by {} last quarter compared to the previous quarter"
        if language is Language.EN
        else "perubahan {} per {} kuartal lalu dibandingkan kuartal sebelumnya"
    )
    options = tuple(put.format(amount, part) for part in dict.fromkeys(parts))[:OPTIONS]
    return Ask(AskAbout.CAUSE, message, options, language) if options else None
