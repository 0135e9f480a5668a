"""Confidence: how much of a question is in its reading, and what is not."""

from __future__ import annotations

from dataclasses import dataclass

from agents.analyst.planning.items import Item, Named, Numbered, Said, Timed, Unknown, Valued
from agents.analyst.planning.marks import Kind
from agents.analyst.planning.reading import Reading
from agents.analyst.planning.thesaurus import NOUNS, VERBS

_LOST = {
    Kind.SUPER: 0.5, Kind.COMMON: 0.5, Kind.CMP: 0.5, Kind.CMP_AFTER: 0.3, Kind.BETWEEN: 0.4, Kind.TEXT: 0.4,
    Kind.WITHOUT: 0.5, Kind.NOT: 0.45, Kind.ORDER: 0.2, Kind.DIRECTION: 0.2, Kind.BOTH: 0.3, Kind.NULL: 0.2,
    Kind.SHARE: 0.5, Kind.ANALYSIS: 0.4, Kind.COMPARE: 0.4, Kind.GRAIN: 0.4, Kind.AGG: 0.35,
    Kind.PERIOD: 0.2, Kind.PART: 0.5, Kind.VERSUS: 0.3,
}  # fmt: skip
"""What it costs when a mark was not understood: the answer would be to another question."""
VERB = 0.08
"""What a verb says mostly follows from the tables it stands between."""
HALF = 0.6
"""A verb that is half of a name says no more than other verbs: `play` of `plays_games`."""
UNKNOWN, VALUE, NUMBER, TIME, NAME, DOUBT, GUESS = 0.35, 0.5, 0.5, 0.5, 0.25, 0.2, 0.1


@dataclass(frozen=True, slots=True)
class Sureness:
    """How sure a reading is.

    Attributes:
        score: In [0, 1].
        unknown: Words that name nothing.
        lost: Phrases that are known and in no clause.
    """

    score: float
    unknown: tuple[str, ...]
    lost: tuple[str, ...]


def sureness(reading: Reading) -> Sureness:
    """What a reading left over, as a share of certainty."""
    score, named = 1.0, False
    unknown: list[str] = []
    lost: list[str] = []
    for place, item in enumerate(reading.items):
        if place in reading.used:
            score -= _weakness(item)
            named = named or isinstance(item, Named | Valued)
            continue
        cost = VERB if _says_nothing(reading, place) else _cost(item, named)
        named = named or isinstance(item, Named | Valued)
        score -= cost
        if isinstance(item, Unknown) and cost == UNKNOWN:
            unknown.append(item.text)
        elif cost > 0:
            lost.append(item.text)
    score -= DOUBT * len(reading.doubts)
    return Sureness(max(score, 0.0), tuple(unknown), tuple(lost))


def _says_nothing(reading: Reading, place: int) -> bool:
    """`staff members`, `the type of status`: a general noun beside a name."""
    item = reading.item(place)
    beside = (reading.item(place - 1), reading.item(reading.after(place, Kind.OF)))
    if not isinstance(item, Unknown) or item.text.lower() not in NOUNS:
        return False
    whole = item.text.lower().startswith("member")
    return any(isinstance(each, Named) and bool(each.naming.tables) is whole for each in beside)


def _cost(item: Item, named: bool) -> float:
    match item:
        case Said(mark=mark):
            return _LOST.get(mark.kind, 0.0)
        case Unknown(text=text):
            return VERB if named and _is_verb(text) else UNKNOWN
        case Valued():
            return VALUE
        case Numbered(spelled=spelled):
            return 0.1 if spelled else NUMBER
        case Timed():
            return TIME
        case Named(naming=naming, text=text):
            return VERB if naming.score < HALF and _is_verb(text) else NAME


def _is_verb(text: str) -> bool:
    return text.lower() in VERBS or text.lower().endswith(("ed", "ing"))


def _weakness(item: Item) -> float:
    """A name that was only half said, or misspelt, may mean something else."""
    match item:
        case Named(naming=naming) if naming.guessed is not None:
            return GUESS
        case Named(naming=naming, text=text) if naming.score < HALF and text.lower() in VERBS:
            return VERB
        case Named(naming=naming):
            return max(0.0, 0.9 - naming.score) * 0.5
        case Valued(guessed=True):
            return GUESS
        case Said() | Unknown() | Valued() | Numbered() | Timed():
            return 0.0
