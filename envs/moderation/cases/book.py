"""A phrase book: how one split says each fact, and the names it draws from.

Decides nothing about cases. Texts are mild on purpose: no slur, no method, no real person or place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from envs.kernel.rng import Rng
from envs.moderation.policy.facts import Account, Force, Setting, Standing, Topic

Lines = tuple[str, ...]
HANDLES = 4_000
SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Book:
    """The phrases of one split; those of two splits have nothing in common.

    Attributes:
        slots: Words to fill `{name}`, `{place}` and the like.
        posts: What a post says that does this, this far.
        settings: What the thread says that shows this; under None for every topic.
        strikes: How a strike is entered, with `{violation}`.
        registered, lapsed: How an account is registered since `{date}`, or was until `{date}`.
        notices: With `{decision}`, `{geo}`, `{since}` and `{until}`.
        everywhere: What stands for `{geo}` in a notice for all jurisdictions.
        campaigns, talk, chat, notes: A call for reports; what surrounds a post; other remarks; other entries.
        first_day, days: The span in which posts are written.
        fewest_reports, most_reports: Of a post.
        first_handle: Smallest number in a user's handle; there are `HANDLES` of them.
    """

    slots: Mapping[str, Lines]
    posts: Mapping[tuple[Topic, Force], Lines]
    settings: Mapping[tuple[Setting, Topic | None], Lines]
    strikes: Mapping[Standing, Lines]
    registered: Mapping[Account, Lines]
    lapsed: Mapping[Account, Lines]
    notices: Lines
    everywhere: str
    campaigns: Lines
    talk: Lines
    chat: Lines
    notes: Lines
    first_day: int
    days: int
    fewest_reports: int
    most_reports: int
    first_handle: int

    def setting(self, setting: Setting, topic: Topic) -> Lines:
        """What shows this for this topic."""
        return self.settings.get((setting, topic)) or self.settings[setting, None]


def lines(text: str) -> Lines:
    """The lines of a block, without its margins."""
    return tuple(line.strip() for line in text.strip().splitlines())


def filled(rng: Rng, phrase: str, slots: Mapping[str, Lines], **given: str) -> str:
    """The phrase with every slot filled, from `given` first."""

    def word(match: re.Match[str]) -> str:
        name = match[1]
        return given[name] if name in given else rng.at("slot", name).choice(slots[name])

    return SLOT.sub(word, phrase)


def sentence(text: str) -> str:
    """The text as a sentence: a capital first, a full stop last."""
    return text[:1].upper() + text[1:] + ("" if text[-1:] in ".!?…" else ".")
