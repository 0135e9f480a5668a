"""One scripted episode; the plays of one script follow each other on one instance."""

from __future__ import annotations

from dataclasses import dataclass

from envs.kernel.records import Action, Request


@dataclass(frozen=True, slots=True)
class Play:
    """A titled episode.

    Attributes:
        title: What it shows, in a few words.
        request: With its seed, so that the transcript is always the same.
        actions: Legal and illegal ones, in order.
    """

    title: str
    request: Request
    actions: tuple[Action, ...]
