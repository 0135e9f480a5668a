"""Pacing: long work on the event loop lets others in between.

Decides when; what is worked on, and in which order, is the worker's.
"""

from __future__ import annotations

import asyncio
from time import monotonic

# To let others in costs as much as a quarter of a light move; nobody notices a wait of some milliseconds.
TURN_S = 0.001


class Pace:
    """The pace of one piece of work."""

    def __init__(self) -> None:
        self._until = monotonic() + TURN_S

    async def breathe(self) -> None:
        """Lets others have the loop if this work has had it for a turn."""
        if monotonic() >= self._until:
            await asyncio.sleep(0)
            self._until = monotonic() + TURN_S
