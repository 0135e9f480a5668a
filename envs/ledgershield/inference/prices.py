"""Prices: what a tool comes to, with all that must be done before it can be asked and until it answers.

Decides from what was asked so far. An invoice is read when a tool first needs what stands on it, its head
before its foot; a request is answered only after other actions, and the cheapest of these costs `TICK`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from envs.ledgershield.actions import COSTS, ActionType
from envs.ledgershield.inference.tables import Evidence

READING = COSTS[ActionType.ZOOM]
"""What it costs to read the head of an invoice, and its foot as much again: an eighth of the page each."""

TICK = min(COSTS[kind] for kind in ActionType if kind is not ActionType.SUBMIT_DECISION)
"""What one tick of waiting costs if nothing better is done in it."""

PARTS: Mapping[Evidence, int] = MappingProxyType(
    {
        # The vendor's key, the order and the receipt stand in the head, total and account in the foot.
        Evidence.HISTORY: 1,
        Evidence.PO: 1,
        Evidence.RECEIPT: 1,
        Evidence.BANK: 2,
        Evidence.LEDGER: 2,
    }
)
"""How much of the invoice must have been read: 1 its head, 2 its foot too; nothing for the others."""

_DOUBTED = (Evidence.BANK, Evidence.HISTORY)


def price(tool: Evidence, asked: Collection[Evidence]) -> float:
    """What it comes to if this tool is asked after those, and nothing else is done until it answers."""
    read = max((PARTS.get(earlier, 0) for earlier in asked), default=0)
    reading = READING * max(0, PARTS.get(tool, 0) - read)
    return COSTS[ActionType(tool)] + reading + TICK * ticks(tool, asked)


def ticks(tool: Evidence, asked: Collection[Evidence]) -> int:
    """How long an answer takes at most: a call waits longer where an account or a record may be in doubt."""
    match tool:
        case Evidence.APPROVALS:
            return 2
        case Evidence.CALLBACK:
            return 2 if any(doubted in asked for doubted in _DOUBTED) else 1
        case _:
            return 0


def prices(asked: Collection[Evidence]) -> dict[Evidence, float]:
    """What each tool that is left comes to next."""
    return {tool: price(tool, asked) for tool in Evidence if tool not in asked}
