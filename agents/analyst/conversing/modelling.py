"""Modelling: which model plans questions, and that each call of it is paid for by whoever asked.

Without a key, or with the day's share used up, questions are planned without one.
"""

from __future__ import annotations

from collections.abc import Sequence

from agents.analyst.planning.modelled import CALL_S, AskModel, JsonEndpoint
from agents.llm.completion import Reply
from agents.llm.endpoint import EndpointError, Question, Style
from agents.llm.models import MissingKey, Model
from agents.llm.paid import Paid
from agents.settings import AgentSettings
from agents.spending import Spending
from instances.errors import TooManyRequests
from instances.service import Service

OUTPUT_TOKENS = 4_096
"""The most that a plan may take, thoughts included."""


class Modelling:
    """The way to the first of the server's models that has a key."""

    def __init__(self, service: Service, settings: AgentSettings) -> None:
        self._service = service
        self._spending = Spending(service, settings.caps)
        model = _usable(settings.models)
        tokens = min(OUTPUT_TOKENS, settings.output_tokens)
        self._endpoint = model and JsonEndpoint(model, min(CALL_S, settings.call_s), tokens)

    def asking(self, client: str) -> AskModel | None:
        """One client's way to the model; None without one."""
        if self._endpoint is None:
            return None
        paid = Paid(self._service, self._spending, self._endpoint, client)

        async def ask(question: Question, style: Style) -> Reply:
            try:
                return await paid.ask(question, style)
            except TooManyRequests as spent:
                raise EndpointError(spent.message) from spent

        return ask

    async def close(self) -> None:
        """Closes the endpoint's connections."""
        if self._endpoint is not None:
            await self._endpoint.close()


def _usable(models: Sequence[Model]) -> Model | None:
    for model in models:
        try:
            model.usable_key()
        except MissingKey:
            continue
        return model
    return None
