"""Asking back: what a question that was not understood well enough is answered with.

One question with up to three things it could be, each of which can be sent as it stands; or what the source
does not have.
"""

from __future__ import annotations

import re

from rapidfuzz import fuzz, process

from agents.analyst.planning.items import Named, Said, Unknown
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.outcome import Ask, AskAbout, Refuse
from agents.analyst.planning.parsing import Ground, Parsed
from agents.analyst.planning.sketch import Pick
from agents.analyst.planning.words import Language
from envs.analyst.catalogue import Role

OPTIONS = 3
KNOWN = 8
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
    """The question by what the rows of the largest table are worth, by its other amounts; never by a rate."""
    reading = parsed.reading
    if not any(isinstance(item, Named | Unknown) for item in reading.items):
        return ()
    largest = max(ground.source.tables, key=lambda table: table.row_count).table_id
    money = reading.money(largest)
    amounts = sorted(reading.amounts(largest), key=lambda pick: pick != money)
    by = "by" if language is Language.EN else "berdasarkan"
    return tuple(
        f"{message.rstrip('?!. ')} {by} {reading.column_record(pick).label.lower()}"
        for pick in amounts[:OPTIONS]
    )
