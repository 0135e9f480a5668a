"""Paid calls: what a call can use at most is set aside before it is made, and what it did not use given back.

Decides nothing about retries and styles; those are the asker's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from sqlalchemy import Connection

from agents.llm.completion import Reply, Usage
from agents.llm.endpoint import Endpoint, EndpointError, Question, Style
from agents.spending import Amount, Reserved, Spending
from instances.service import Service


class Metered(Protocol):
    """Notes what a call used."""

    def __call__(self, connection: Connection, *, usage: Usage, micro_usd: int) -> None: ...


class Paid:
    """One client's calls of an endpoint.

    Args:
        client: Who pays with their share of the day.
        opened: Notes a call together with what is set aside for it: nothing that cuts it off makes it unmade.
        metered: Notes what it used, as its endpoint told.
    """

    def __init__(
        self,
        service: Service,
        spending: Spending,
        endpoint: Endpoint,
        client: str,
        opened: Callable[[Connection], None] | None = None,
        metered: Metered | None = None,
    ) -> None:
        self._service = service
        self._spending = spending
        self._endpoint = endpoint
        self._client = client
        self._opened = opened
        self._metered = metered

    async def ask(self, question: Question, style: Style) -> Reply:
        """The model's answer to one call.

        Raises:
            EndpointError: If there is none.
            TooManyRequests: If the day's share is used up; no call is made then.
        """
        endpoint = self._endpoint
        most = self._amount(endpoint.most(question, style))
        reserved = await self._spending.reserve(self._client, most, self._opened)
        try:
            reply = await endpoint.ask(question, style)
        except EndpointError as error:
            if not error.maybe_billed:
                await self._meter(reserved, Usage(0, 0))
            raise
        if reply.usage is not None:
            await self._meter(reserved, reply.usage)
        return reply

    async def _meter(self, reserved: Reserved, usage: Usage) -> None:
        """Counts what a call used instead of all that it could use."""
        used = self._amount(usage)

        def meter(connection: Connection) -> None:
            self._spending.give_back(connection, reserved, used)
            if self._metered is not None:
                self._metered(connection, usage=usage, micro_usd=used.micro_usd)

        await self._service.change(meter)

    def _amount(self, usage: Usage) -> Amount:
        cost = self._endpoint.model.micro_usd(usage.prompt_tokens, usage.output_tokens)
        return Amount(usage.prompt_tokens + usage.output_tokens, cost or 0)
