"""Asking: how often a model is asked, in which style, and that every call is paid for before it is made.

Decides about retries and styles. What a call is, is the endpoint's; what it may use, the spending's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count

from agents.ledger import meter_call, open_call
from agents.llm.completion import Reply
from agents.llm.endpoint import Endpoint, EndpointError, Question, Style
from agents.llm.mask import Mask
from agents.llm.paid import Paid
from agents.spending import Spending
from instances.service import Service

RETRIES = 2
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 20.0
STYLES = tuple(Style)

Sleep = Callable[[float], Awaitable[None]]


class Asking:
    """One run's way to a model. It learns which style the endpoint understands.

    Args:
        client: Who pays with their share of the day.
        sleep: Waits so many seconds.
    """

    def __init__(
        self, service: Service, spending: Spending, endpoint: Endpoint, run_id: str, client: str, sleep: Sleep
    ) -> None:
        opened, metered = partial(open_call, run_id=run_id), partial(meter_call, run_id=run_id)
        self._paid = Paid(service, spending, endpoint, client, opened, metered)
        self._endpoint = endpoint
        self._sleep = sleep
        self._style = STYLES[0]

    @property
    def mask(self) -> Mask:
        """Takes the endpoint's key out of what an answer holds."""
        return self._endpoint.mask

    async def ask(self, question: Question) -> Reply:
        """The model's answer, asked for again when the endpoint fails for a moment.

        Raises:
            EndpointError: If it keeps failing, or wants to be left alone for longer than an episode can wait.
            TooManyRequests: If the day's share is used up.
        """
        for failures in count():
            try:
                return await self._in_a_style(question)
            except EndpointError as error:
                pause_s = max(error.retry_after_s or 0.0, FIRST_PAUSE_S * 2**failures)
                if not error.again or failures >= RETRIES or pause_s > LONGEST_PAUSE_S:
                    raise
                await self._sleep(pause_s)
        raise AssertionError("counting does not end")

    async def _in_a_style(self, question: Question) -> Reply:
        """The answer in the best style that the endpoint takes."""
        while True:
            try:
                return await self._paid.ask(question, self._style)
            except EndpointError as error:
                if not error.unsupported or self._style is STYLES[-1]:
                    raise
                self._style = STYLES[STYLES.index(self._style) + 1]
