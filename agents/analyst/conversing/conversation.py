"""The conversation: what becomes of a message to an analysis, from the greeting to the recorded turn.

Decides who may ask how much at once, what is answered without looking at data, and which planner is used.
Leaves planning, tools and wording to the workshop, and the record to the instance service.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import assert_never
from uuid import uuid4

from agents.analyst.conversing.helping import help_text
from agents.analyst.conversing.keeping import Keeper
from agents.analyst.conversing.modelling import Modelling
from agents.analyst.conversing.settings import ConversationSettings
from agents.analyst.planning.outcome import Blocked, Chat, Check, Help
from agents.analyst.planning.routing import route
from agents.analyst.planning.words import language_of
from agents.analyst.sources.uploads import Uploads
from agents.analyst.wording.talk import said
from agents.analyst.working.asked import Asked as Question
from agents.analyst.working.workshop import Workshop
from envs.analyst.dynamics import State
from envs.analyst.models import Act, Action, Answered, answered
from envs.analyst.problems import QueryProblem
from envs.analyst.turns import Intent, Language, Turn, Worked
from envs.kernel import records
from instances.buckets import CLIENT
from instances.effects import Asked
from instances.errors import AtCapacity, CallFailed, TooManyRequests

BUSY_S = 5


class Conversation:
    """The handler of the analyst's calls. Belongs to one event loop.

    Args:
        clock: Seconds since 1970.

    Attributes:
        workshop: Holds the sources of every analysis.
    """

    def __init__(
        self,
        workshop: Workshop,
        uploads: Uploads,
        modelling: Modelling,
        kept: Keeper,
        settings: ConversationSettings,
        clock: Callable[[], float],
    ) -> None:
        self.workshop = workshop
        self._uploads = uploads
        self.settings = settings
        self._modelling = modelling
        self._kept = kept
        self._clock = clock
        self._under_way: Counter[str] = Counter()

    def needed(self, action: records.Action) -> bool:
        """Whether this action is a message that wants an answer."""
        if not isinstance(action, Action):
            return False
        asks = action.action is Act.ASK and bool((action.message or "").strip())
        return asks or action.action is Act.HELP

    async def carry_out(self, asked: Asked) -> Answered:
        """The message with its answer.

        Raises:
            CallFailed: If there is none.
            TooManyRequests, AtCapacity: If too many messages are under way.
        """
        action = asked.action
        assert isinstance(action, Action)
        with self._counted(CLIENT.get()):
            try:
                worked = await self._worked(asked, action)
            except QueryProblem as problem:
                raise CallFailed(str(problem)) from problem
        turn = Turn(
            **{name: getattr(worked, name) for name in Worked.model_fields},
            message_id=str(uuid4()),
            generated_at=_written(self._clock()),
        )
        return Answered(**{name: getattr(action, name) for name in Action.model_fields}, outcome=turn)

    async def uploaded(self, analysis_id: str) -> frozenset[str]:
        """Ids of those of its sources that somebody uploaded."""
        return frozenset(upload.source_id for upload in await self._uploads.of(analysis_id))

    async def close(self) -> None:
        """Ends what is being worked on, and every connection."""
        await asyncio.gather(self.workshop.close(), self._modelling.close(), self._kept.close())

    async def _worked(self, asked: Asked, action: Action) -> Worked:
        state = asked.episode.state
        assert isinstance(state, State)
        turns = [each.outcome for each in answered(asked.episode.actions)]
        default = turns[-1].language if turns else language_of(state.objective)
        if action.action is Act.HELP:
            return await self._helped(asked.instance.id, state, default)
        message = action.message or ""
        routed = route(message, language_of(message, default))
        match routed:
            case Chat():
                return Worked(
                    intent=Intent.CHAT, language=routed.language, text=await self._small_talk(message, routed)
                )
            case Blocked():
                return Worked(intent=Intent.BLOCKED, language=routed.language, text=said(routed))
            case Help():
                return await self._helped(asked.instance.id, state, routed.language)
            case Check() | None:
                return await self._looked_into(asked, message, turns)
            case _:
                assert_never(routed)

    async def _looked_into(self, asked: Asked, message: str, turns: list[Turn]) -> Worked:
        """What the workshop makes of a message that needs the sources."""
        question = Question(
            analysis_id=asked.instance.id,
            message=message,
            now=datetime.fromtimestamp(self._clock(), UTC).replace(tzinfo=None).isoformat("T", "seconds"),
            before=next((turn.carried for turn in reversed(turns) if turn.carried is not None), None),
        )
        worked = await self.workshop.turn(question, asked.tell, self._modelling.asking(CLIENT.get()))
        if worked.intent is Intent.HELP:
            state = asked.episode.state
            assert isinstance(state, State)
            return await self._helped(asked.instance.id, state, worked.language)
        return worked

    async def _helped(self, analysis_id: str, state: State, language: Language) -> Worked:
        sources = await self.workshop.catalogue(analysis_id)
        text = help_text(state.objective, state.business_questions, state.analyses, sources, language)
        return Worked(intent=Intent.HELP, language=language, text=text)

    async def _small_talk(self, message: str, chat: Chat) -> str:
        """Small talk depends on nothing but the message, so that everybody gets what one was told."""
        key = f"{chat.language}:{' '.join(message.casefold().split())}"
        found = await self._kept.get(key)
        if found is not None:
            return found
        text = said(chat)
        await self._kept.put(key, text)
        return text

    @contextmanager
    def _counted(self, client: str) -> Generator[None]:
        most = self.settings.client_turns
        if self._under_way[client] >= most:
            raise TooManyRequests(
                f"{most} messages of yours are under way; wait until one is answered.", BUSY_S
            )
        if self._under_way.total() >= self.settings.turns:
            raise AtCapacity(f"{self.settings.turns} messages are under way; try again in a minute.")
        self._under_way[client] += 1
        try:
            yield
        finally:
            self._under_way[client] -= 1
            if not self._under_way[client]:
                del self._under_way[client]


def _written(at: float) -> str:
    """`2026-07-06T03:21:09.114Z`."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
