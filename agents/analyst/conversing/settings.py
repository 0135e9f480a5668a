"""What the owner of a server decides about analyses."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.analyst.working.asked import WorkshopSettings


@dataclass(frozen=True, slots=True)
class ConversationSettings:
    """Everything that is decided about analyses.

    Attributes:
        redis_url: Where answers to small talk are kept for all servers; None keeps them in this process.
        client_turns: Messages of one client that may be under way at once.
        turns: Messages of everybody that may be under way at once.
        upload_bytes: Largest upload.
    """

    workshop: WorkshopSettings = field(default_factory=WorkshopSettings)
    redis_url: str | None = None
    client_turns: int = 32
    turns: int = 128
    upload_bytes: int = 128 * 2**20
