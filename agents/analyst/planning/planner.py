"""The planner without a model: a message in English or Indonesian to what shall be done about it.

Never guesses: below the threshold it asks back or says what is missing. Leaves the rows to the engines and
the words of an answer to `wording`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from agents.analyst.planning.analysing import summed_assumption
from agents.analyst.planning.asking import asked_back, why_asked
from agents.analyst.planning.built import Built
from agents.analyst.planning.calendar import Calendar, FiscalUnknown
from agents.analyst.planning.followups import Followed, cued, follows, patched
from agents.analyst.planning.items import Named, Timed, Unknown, Valued
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.naming import words_of
from agents.analyst.planning.outcome import (
    Ask,
    AskAbout,
    Assumption,
    AssumptionKind,
    Documents,
    Outcome,
    OutOfScope,
    Planned,
    Refuse,
)
from agents.analyst.planning.parsing import Ground, Parsed, parse
from agents.analyst.planning.reading import Reading
from agents.analyst.planning.routing import names_documents, route
from agents.analyst.planning.targets import added_up
from agents.analyst.planning.words import Language, language_of
from envs.analyst.ir import Aggregate, QueryIR

STALE = timedelta(days=31)
"""Data that end longer ago than this are asked about as of their newest day."""
LATER_SOURCE = 0.1
"""How much surer a reading over another source must be than one over the preferred source."""
DOCUMENTS_LEAST = 0.5
NAMED_LEAST = 0.75
"""How sure a name must be for a question to be about the source at all."""


class Library(Protocol):
    """The documents of an analysis, as far as the planner has to know them."""

    def sureness(self, question: str) -> float:
        """In [0, 1]: how sure it is that they answer a question."""
        ...


@dataclass(frozen=True, slots=True)
class Rules:
    """What is decided about planning.

    Attributes:
        threshold: Below that confidence a question is asked back.
        fiscal_month: Month in which the fiscal year starts, None when nobody told.
    """

    threshold: float = 0.7
    fiscal_month: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """The question before, and what was planned for it."""

    question: str
    planned: Planned


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans messages over the sources of one analysis.

    Attributes:
        grounds: The sources with tables, the preferred one first.
        library: Its documents, None if it has none.
    """

    grounds: Sequence[Ground]
    library: Library | None = None
    rules: Rules = Rules()

    def plan(self, message: str, now: datetime, before: Turn | None = None) -> Outcome:
        """What shall be done about a message.

        Args:
            now: What "today" is, where the data are not older.
            before: What a message such as "only West" goes on from.
        """
        language = language_of(message, before.planned.language if before else Language.EN)
        routed = route(message, language)
        if routed is not None:
            return routed
        try:
            return self._question(message, now, before, language)
        except FiscalUnknown:
            options = tuple(f"{message} ({month})" for month in _FISCAL[language])
            return Ask(AskAbout.FISCAL_START, message, options, language)

    def _question(self, message: str, now: datetime, before: Turn | None, language: Language) -> Outcome:
        if before is not None and follows(message) and not self._stands_alone(message, now, before):
            followed = self._followed(message, now, before, language)
            if followed is not None:
                return followed
        sure_of_texts = self.library.sureness(message) if self.library else 0.0
        if self.library and names_documents(message) and sure_of_texts > 0:
            return Documents(message, language)
        best = self._best(message, now)
        if best is None:
            return Documents(message, language) if self.library else OutOfScope(language)
        ground, calendar, parsed = best
        why = why_asked(message, ground, parsed, language)
        if why is not None:
            return self._answerable(why, now)
        if parsed.built is not None and self._sure(parsed):
            return self._planned(ground, calendar, parsed, parsed.built, language)
        if sure_of_texts >= DOCUMENTS_LEAST and not (
            _amount_first(parsed.reading) and _touches(parsed.reading)
        ):
            return Documents(message, language)
        if not _touches(parsed.reading):
            return OutOfScope(language)
        return self._answerable(asked_back(message, ground, parsed, language), now)

    def _answerable(self, outcome: Ask | Refuse, now: datetime) -> Ask | Refuse:
        """A question back whose options all have an answer."""
        if not isinstance(outcome, Ask):
            return outcome
        kept = tuple(option for option in dict.fromkeys(outcome.options) if self._answers(option, now))
        return replace(outcome, options=kept)

    def _answers(self, option: str, now: datetime) -> bool:
        best = self._best(option, now)
        return best is not None and best[2].built is not None and self._sure(best[2])

    def _stands_alone(self, message: str, now: datetime, before: Turn) -> bool:
        """Whether a short message is a whole question: `share of revenue by region`, `best product`."""
        best = self._best(message, now)
        if best is None:
            return False
        reading = best[2].reading
        sketch = reading.sketch
        grouped = {each.column.table for each in before.planned.ir.group_by}
        if _seeks_extreme(reading) and sketch.entity not in {None, before.planned.ir.table_id, *grouped}:
            return True
        if best[2].built is None or cued(message):
            return False
        parted = sketch.groups or sketch.grain or sketch.share or sketch.analysis
        return self._sure(best[2]) and bool(sketch.targets and parted)

    def _best(self, message: str, now: datetime) -> tuple[Ground, Calendar, Parsed] | None:
        best: tuple[Ground, Calendar, Parsed] | None = None
        worth = -1.0
        for ground in self.grounds:
            calendar = self._calendar(ground, now)
            parsed = parse(message, ground, calendar)
            score = parsed.sure.score if parsed.built is not None and _touches(parsed.reading) else 0.0
            if score > worth + (LATER_SOURCE if best else 0.0):
                best, worth = (ground, calendar, parsed), score
        return best

    def _sure(self, parsed: Parsed) -> bool:
        return parsed.sure.score >= self.rules.threshold and _touches(parsed.reading)

    def _calendar(self, ground: Ground, now: datetime) -> Calendar:
        return Calendar(anchor(ground, now), self.rules.fiscal_month)

    def _planned(
        self, ground: Ground, calendar: Calendar, parsed: Parsed, built: Built, language: Language
    ) -> Planned:
        assumed = (
            *built.assumptions,
            *_guesses(parsed.reading),
            *summed_assumption(parsed.reading, built),
            *_windows(ground, parsed.reading, built.ir),
        )
        ir = with_ties(built.ir)
        return Planned(
            ir=ir,
            answer=built.answer,
            analysis=parsed.analysis,
            assumptions=tuple(dict.fromkeys(assumed)),
            confidence=parsed.sure.score,
            language=language,
            words=words_of(ir, ground.source, language),
        )

    def _followed(self, message: str, now: datetime, before: Turn, language: Language) -> Outcome | None:
        source_id = before.planned.ir.source_id
        ground = next((each for each in self.grounds if each.source.source_id == source_id), None)
        if ground is None:
            return None
        calendar = self._calendar(ground, now)
        found: Followed | None = patched(message, before.planned, ground, calendar)
        if found is None or found.sure.score < self.rules.threshold:
            return None
        assumed = (
            *(each for each in before.planned.assumptions if _still_summed(each, found.planned.ir)),
            *_guesses(found.reading),
            *_windows(ground, found.reading, found.planned.ir),
        )
        return replace(
            found.planned,
            assumptions=tuple(dict.fromkeys(assumed)),
            language=language,
            words=words_of(found.planned.ir, ground.source, language),
        )


def _still_summed(assumption: Assumption, ir: QueryIR) -> bool:
    sums = [measure.column for measure in ir.measures if measure.agg is Aggregate.SUM]
    return assumption.kind is AssumptionKind.SUMMED and assumption.said in [
        ref and ref.column for ref in sums
    ]


def anchor(ground: Ground, now: datetime) -> datetime:
    """What "now" is for a source: its newest day where its data end long ago."""
    if ground.source.newest_date is None:
        return now
    newest = datetime.fromisoformat(ground.source.newest_date)
    return newest if newest + STALE < now else now


def with_ties(ir: QueryIR) -> QueryIR:
    """Of a top list the equals of its last row are shown too; of a single one the caveat tells them."""
    ranked = bool(ir.order_by) and (1 < ir.limit <= 1000 or bool(ir.limit_within or ir.skip))
    return ir.model_copy(update={"ties": True}) if ranked else ir


def _touches(reading: Reading) -> bool:
    """Whether a question names anything of a source."""
    # Of a single table something can be asked without naming it: `this month so far`, `top 2`,
    # `how many rows?`.
    counts = any(target.agg is Aggregate.COUNT for target in reading.sketch.targets)
    asks = (
        any(isinstance(item, Timed) for item in reading.items)
        or reading.sketch.limit is not None
        or (counts and not any(isinstance(item, Unknown) for item in reading.items))
    )
    return (asks and reading.sketch.entity is not None) or any(
        (isinstance(item, Named) and item.naming.score >= NAMED_LEAST)
        or (isinstance(item, Valued) and bool(item.matches))
        for item in reading.items
    )


_EXPLAIN = frozenset(
    "explain define definition meaning describe why how jelaskan arti definisi mengapa".split()
)


def _amount_first(reading: Reading) -> bool:
    """Whether a message asks for an amount and not what something is: `monday revenue`, `plot revenue …`."""
    asks = reading.said(0) in (Kind.WHICH, Kind.VERB, Kind.IS) or reading.items[0].text.lower() in _EXPLAIN
    return not asks and any(
        added_up(reading, pick)
        for place in range(len(reading.items))
        if (pick := reading.column(place)) is not None
    )


def _seeks_extreme(reading: Reading) -> bool:
    return any(reading.said(place) is Kind.SUPER for place in range(len(reading.items)))


def _guesses(reading: Reading) -> tuple[Assumption, ...]:
    names = (
        Assumption(AssumptionKind.NAME, item.text, item.naming.guessed)
        for item in reading.items
        if isinstance(item, Named) and item.naming.guessed is not None
    )
    chosen = (
        Assumption(AssumptionKind.COLUMN, said, f"{picks[0].table}.{picks[0].column}")
        for said, picks in reading.doubts
    )
    return (*names, *chosen)


def _windows(ground: Ground, reading: Reading, ir: QueryIR) -> tuple[Assumption, ...]:
    """The dates of a time, both included, and the newest date in the data where it was counted from there."""
    span = ir.time_range
    if span is None:
        return ()
    last = ""
    if span.end is not None:
        end = datetime.fromisoformat(span.end)
        midnight = (end.hour, end.minute, end.second) == (0, 0, 0)
        last = (end - timedelta(days=1)).date().isoformat() if midnight else end.isoformat(" ", "minutes")
    start = span.start or ""
    found = [Assumption(AssumptionKind.WINDOW, start.replace("T", " ").removesuffix(":00"), last)]
    relative = any(isinstance(item, Timed) and item.window.relative for item in reading.items)
    newest = ground.source.newest_date
    if relative and newest is not None:
        found.append(Assumption(AssumptionKind.ANCHOR, newest))
    return tuple(found)


_FISCAL = {
    Language.EN: (
        "the fiscal year starts in January",
        "the fiscal year starts in April",
        "the fiscal year starts in July",
    ),
    Language.ID: (
        "tahun fiskal mulai Januari",
        "tahun fiskal mulai April",
        "tahun fiskal mulai Juli",
    ),
}
