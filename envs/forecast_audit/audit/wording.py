"""Wording: what colleagues write about events, so that no single word decides whether one explains a curve.

The same frames tell of events that count and of events that do not: elsewhere, at another time, of the other
direction. Events that never happened and events that did share their vocabulary.
"""

from __future__ import annotations

from enum import StrEnum

from envs.forecast_audit.audit.calendars import Frequency, label, worded
from envs.kernel.records import Record
from envs.kernel.rng import Rng


class Effect(StrEnum):
    """What an event does to a series."""

    UP = "up"
    DOWN = "down"
    BLANK = "blank"


class Standing(StrEnum):
    """Why an event does or does not explain what happened in a span."""

    CONFIRMED = "confirmed"
    CANCELLED = "cancelled"
    ELSEWHERE = "elsewhere"
    ANOTHER_TIME = "another_time"
    OVER = "over"
    OPPOSITE = "opposite"


class Subject(Record):
    """What a series measures: its site, its quantity, the unit's suffix and the trade."""

    site: str
    thing: str
    unit: str
    domain: str

    @property
    def name(self) -> str:
        return f"{self.site} {self.thing}"

    @property
    def metric(self) -> str:
        return f"{self.site} {self.thing} {self.unit}".lower().replace(" ", "_")


_SITES = {
    "public": "Harbour Northgate Millbrook Eastfield Riverside Stonebridge Oakham Westport".split(),
    "held-out": "Lakeside Hillcrest Fenwick Ashford Kingsway Thornbury Southdale Brookhaven".split(),
}
_THINGS = (
    ("parcel volume", "orders", "operations"),
    ("returns intake", "orders", "operations"),
    ("card revenue", "keur", "finance"),
    ("supplier payments", "kusd", "finance"),
    ("feeder load", "mw", "energy"),
    ("gas withdrawal", "gwh", "energy"),
)
_EVENTS = {
    Effect.UP: (
        "spring sale", "loyalty campaign", "trade fair", "free-delivery offer", "street festival",
        "heat wave",
    ),
    Effect.DOWN: (
        "planned outage", "public holiday", "transport strike", "road closure", "maintenance shutdown",
    ),
    Effect.BLANK: ("meter swap", "scheduled calibration", "stocktaking pause", "system migration"),
}  # fmt: skip
# Past and infinitive.
_VERBS = {
    Effect.UP: (("lifted", "lift"), ("pushed up", "push up"), ("swelled", "swell")),
    Effect.DOWN: (("cut", "cut"), ("pulled down", "pull down"), ("depressed", "depress")),
    Effect.BLANK: (
        ("left blanks in", "leave blanks in"),
        ("stopped the readings of", "stop the readings of"),
    ),
}
_HELD = (
    "The {event} {did} {subject} {when}.",
    "As announced, the {event} {did} {subject} {when}; the paperwork is complete.",
    "Many feared that the {event} would be called off, but it went ahead and {did} {subject} {when}.",
    "The {event} was not cancelled after all: {when} it {did} {subject}.",
    "Nobody disputes that the {event} {did} {subject} {when}.",
    "{When} the {event} {did} {subject}, with no effect on other sites.",
    "No complaint came in, although the {event} {did} {subject} {when}.",
    "The {event} had once been postponed; it then took place {when} and {did} {subject}.",
    "Contrary to the rumour, the {event} was not withdrawn and {did} {subject} {when}.",
    "Head office confirms: {when} the {event} {did} {subject}.",
    "Without doubt it was the {event} that {did} {subject} {when}.",
    "The {event} never took place anywhere else, but {when} it {did} {subject}.",
)
_CANCELLED = (
    "The {event} that was to {do} {subject} {when} was called off.",
    "The {event} announced {when} never took place, so nothing could {do} {subject}.",
    "Head office confirms: the {event} due to {do} {subject} {when} was cancelled.",
    "{When} the {event} was to {do} {subject}, yet it had been withdrawn the evening before.",
    "As announced, the {event} {when} went ahead, with no effect on {subject}.",
    "The {event} expected to {do} {subject} {when} was postponed without a new date.",
    "It is only a rumour that the {event} {did} {subject} {when}.",
    "Nobody could confirm that the {event} {did} {subject} {when}; the paperwork shows that it did not.",
    "Many expected the {event} to {do} {subject} {when}, but it was not held after all.",
)
_OVER = (
    "The {event} that {did} {subject} had ended before {start}.",
    "The {event} {did} {subject} for a while, but was over by {start}.",
)
_ONGOING = (
    "The {event} that {did} {subject} began {on} {start} and had not ended before {stop}.",
    "The {event} {did} {subject} for a while: it opened {on} {start} and was not over by {stop}.",
)
_NOTES = (
    "Please have a look at this report before it goes out.",
    "The report is due this afternoon; tell me what to do with it.",
    "I have not gone through the numbers yet.",
    "Somebody upstairs asked whether this one is safe to publish.",
    "Routine check, as for every report of this desk.",
    "Take your time with this one; it goes to the board.",
)


def subject(rng: Rng, split: str) -> Subject:
    """What the series of a case measures."""
    thing, unit, domain = rng.at("thing").choice(_THINGS)
    return Subject(site=rng.at("site").choice(_SITES[split]), thing=thing, unit=unit, domain=domain)


def other_subject(rng: Rng, own: Subject, split: str) -> Subject:
    """A near relative: the same quantity at another site, or another quantity at the same site."""
    if rng.at("which").flip(0.5):
        sites = [site for site in _SITES[split] if site != own.site]
        return own.model_copy(update={"site": rng.at("site").choice(sites)})
    things = [thing for thing, _, _ in _THINGS if thing != own.thing]
    return own.model_copy(update={"thing": rng.at("thing").choice(things)})


def note(rng: Rng) -> str:
    """What the analyst says of every report."""
    return rng.choice(_NOTES)


def event(
    rng: Rng,
    subject_name: str,
    effect: Effect,
    frequency: Frequency,
    first: int,
    last: int,
    *,
    held: bool = True,
) -> str:
    """A sentence on an event from one ordinal to another, both included; one that took place, or did not."""
    frame = rng.at("frame").choice(_HELD if held else _CANCELLED)
    if held and first < last and rng.at("ongoing").flip(0.15):
        frame = rng.at("frame").choice(_ONGOING)
    return _filled(rng, frame, subject_name, effect, frequency, first, last)


def over(rng: Rng, subject_name: str, effect: Effect, frequency: Frequency, before: int) -> str:
    """A sentence on an event that had ended when an ordinal came."""
    return _filled(rng, rng.at("frame").choice(_OVER), subject_name, effect, frequency, before, before)


def on(frequency: Frequency) -> str:
    """The preposition before a single date."""
    match frequency:
        case Frequency.HOUR:
            return "at"
        case Frequency.DAY | Frequency.WORKDAY:
            return "on"
        case Frequency.MONTH | Frequency.QUARTER | Frequency.YEAR:
            return "in"


def date(rng: Rng, frequency: Frequency, ordinal: int) -> str:
    """A date, as a label or in words."""
    return (label if rng.flip(0.5) else worded)(frequency, ordinal)


def _filled(
    rng: Rng, frame: str, subject_name: str, effect: Effect, frequency: Frequency, first: int, last: int
) -> str:
    did, do = rng.at("verb").choice(_VERBS[effect])
    start, stop = (date(rng.at(end), frequency, at) for end, at in (("first", first), ("last", last)))
    ranges = (f"from {start} to {stop}", f"between {start} and {stop}", f"from {start} through {stop}")
    when = f"{on(frequency)} {start}" if first == last else rng.at("range").choice(ranges)
    return frame.format(
        event=rng.at("event").choice(_EVENTS[effect]),
        subject=subject_name,
        did=did,
        do=do,
        when=when,
        When=when[0].upper() + when[1:],
        start=start,
        stop=stop,
        on=on(frequency),
    )
