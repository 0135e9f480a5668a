"""What the owner of a server decides about agents: models, patience, and how much they may use."""

from __future__ import annotations

from dataclasses import dataclass

from agents.llm.models import Model


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that models may use on one day (UTC).

    Dollars bound models whose price is known, tokens bound all of them.

    Attributes:
        client_tokens, client_usd: For one client.
        tokens, usd: For everybody together.
    """

    client_tokens: int = 500_000
    tokens: int = 5_000_000
    client_usd: float = 0.25
    usd: float = 2.5


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """Everything that is decided about agents.

    Attributes:
        models: Those that may be asked; the first one is asked when none is named.
        call_s: The longest that one call of a model may take.
        run_s: The longest that an episode may take.
        answer_s: How long a caller is kept without a sign of life who waits for a whole episode.
        output_tokens: The most that one answer may have, thoughts included.
        runs: Episodes that may be played at once.
    """

    models: tuple[Model, ...] = ()
    call_s: float = 60.0
    run_s: float = 300.0
    answer_s: float = 8.0
    output_tokens: int = 8_192
    runs: int = 32
    caps: Caps = Caps()
