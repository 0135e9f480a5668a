"""What the page can ask of the server: look, begin, act, fork, compare, recent.

Decides in what order the service is called and what a refusal becomes on the page. The functions are called
by the page's scripts and answer each call themselves: Gradio's own events stop for good after one that fails
on the way, while these report the failure, so that the page can send the same step again under the same key.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from fastapi import Response
from pydantic import ValidationError

from envs.catalog import Entry as CatalogEntry
from envs.kernel.play import EpisodeOver, Sealed
from envs.kernel.protocol import Refusal
from instances.errors import InstanceError, NotReset, StaleStep
from instances.model import Held
from instances.service import Service
from ui import painting
from ui.asks import Answer, Ask, Note
from ui.comparison import Row, compared
from ui.form import Field, complaints, unfilled
from ui.frame import frame

# A finished case is looked at for a while after its end; a comparison is a few hundred bytes.
KEPT_COMPARISONS = 512

log = logging.getLogger(__name__)

Question = Callable[["Desk", Ask], Awaitable[Answer]]


def _asked(question: Question) -> Callable[..., Any]:
    """A question as the page's scripts call it: unread JSON in, an answer out, whatever happens."""

    async def ask(desk: Desk, body: dict[str, Any]) -> Response:
        try:
            answer = await question(desk, Ask.model_validate(body))
        except ValidationError as error:
            answer = Answer(note=Note(code="bad_ask", text=f"The page sent something unreadable: {error}"))
        except InstanceError as error:
            answer = Answer(note=Note(code=error.code, text=error.message))
        except Refusal as error:
            answer = Answer(note=Note(code="refused", text=str(error)))
        except Exception:
            log.exception("the page's question %s failed", question.__name__)
            answer = Answer(note=Note(code="failed", text="The server stumbled over this."))
        return Response(answer.model_dump_json(), media_type="application/json")

    return ask


class Desk:
    """The page's questions on one service."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._rows: OrderedDict[tuple[str, int], tuple[Row, ...]] = OrderedDict()

    @property
    def catalog(self) -> Mapping[str, CatalogEntry]:
        return self._service.catalog

    def functions(self) -> list[Callable[..., Any]]:
        """The questions as functions of one argument, for `html.part`."""
        return [self._function(name, question) for name, question in QUESTIONS.items()]

    def _function(self, name: str, question: Question) -> Callable[..., Any]:
        ask = _asked(question)

        async def function(body: dict[str, Any]) -> Response:
            response: Response = await ask(self, body)
            return response

        function.__name__ = name
        return function

    async def look(self, ask: Ask) -> Answer:
        """The instance as it stands, or as it stood after a step."""
        try:
            held = await self._service.look(ask.instance)
        except InstanceError as error:
            return Answer(parts=painting.absent_parts(error.code, error.message))
        return await self._painted(held, ask, ask.step)

    async def begin(self, ask: Ask) -> Answer:
        """A new case: on the instance given, else on a new one."""
        ref = ask.instance
        slug = ask.environment
        if ref:
            slug = (await self._service.find(ref)).environment
        env = self._service.environment(slug)
        try:
            request = env.request_type.model_validate_json(ask.body or "{}")
        except ValidationError as error:
            return Answer(errors=complaints(error, painting.setup_fields(self.catalog[slug])))
        if not ref:
            ref = (await self._service.create(slug)).id
        try:
            done = await self._service.reset(ref, request, ask.caller)
        except StaleStep:
            return await self._moved(ask)
        except Refusal as error:
            return Answer(errors=_refused(str(error), painting.setup_fields(self.catalog[slug])))
        return await self._painted(done.held, ask, None, accepted=True)

    async def act(self, ask: Ask) -> Answer:
        """One step, checked by the same model as over HTTP."""
        held = await self._service.look(ask.instance)
        shown = await frame(self._service, self.catalog, held, ask.viewer, None)
        if shown is None:
            raise NotReset("There is no episode yet; start a case.")
        known = painting.action_fields(shown)
        try:
            action = shown.entry.environment.action_type.model_validate_json(ask.body or "{}")
        except ValidationError as error:
            return Answer(errors=complaints(error, known))
        if lacking := unfilled(action):
            return Answer(errors=lacking)
        try:
            done = await self._service.step(ask.instance, action, ask.caller)
        except StaleStep:
            return await self._moved(ask)
        except EpisodeOver as error:
            answer = await self._painted(await self._service.look(ask.instance), ask, None)
            return answer.model_copy(update={"note": Note(code="over", text=str(error))})
        except Refusal as error:
            return Answer(errors=_refused(str(error), known))
        now = await self._service.look(ask.instance) if done.replayed else done.held
        step = done.held.episode.steps[-1] if done.held.episode else None
        answer = await self._painted(now, ask, None, accepted=step is None or step.legal)
        if step is None or step.legal:
            return answer
        return answer.model_copy(update={"errors": _refused(step.reward.message, known)})

    async def fork(self, ask: Ask) -> Answer:
        """A new instance that plays on from an entry of this one."""
        if ask.at is None:
            return Answer(note=Note(code="bad_ask", text="Say after which entry to play on."))
        made = await self._service.fork(ask.instance, ask.at)
        return await self._painted(await self._service.look(made.id), ask, None, accepted=True)

    async def compare(self, ask: Ask) -> Answer:
        """What the baselines make of the case just finished."""
        held = await self._service.look(ask.instance)
        if held.episode is None or not held.episode.done:
            raise NotReset("The comparison comes when the episode has ended.")
        if held.episode.sealed:
            raise Sealed("This case is held out; what others made of it opens when the round closes.")
        entry = self.catalog[held.instance.environment]
        place = _episode_of(held)
        if place not in self._rows:
            self._rows[place] = await asyncio.to_thread(compared, entry, held.episode)
            if len(self._rows) > KEPT_COMPARISONS:
                self._rows.popitem(last=False)
        return await self._painted(held, ask, ask.step)

    async def recent(self, ask: Ask) -> Answer:
        """The unfinished instances among those that this browser has played."""
        found = []
        for ref in ask.recent:
            try:
                held = await self._service.look(ref)
            except InstanceError:
                continue
            shown = await frame(self._service, self.catalog, held, ask.viewer, None)
            if shown is not None and not shown.episode.done:
                found.append((held.instance, shown.entry.environment, shown))
        return Answer(parts={"recent": painting.recent(found[:3])})

    async def _moved(self, ask: Ask) -> Answer:
        answer = await self._painted(await self._service.look(ask.instance), ask, None)
        others = answer.standing.others if answer.standing else ()
        who = others[-1] if others else "Somebody else"
        text = f"{who} moved first. Your step was not sent; look again, then decide."
        return answer.model_copy(update={"note": Note(code="stale", text=text)})

    async def _painted(self, held: Held, ask: Ask, step: int | None, accepted: bool = False) -> Answer:
        entry = self.catalog[held.instance.environment]
        shown = await frame(self._service, self.catalog, held, ask.viewer, step)
        place = painting.standing(held, entry.environment.title, shown)
        if shown is None:
            parts = painting.start_parts(held, entry, ask.base)
        else:
            parts = painting.parts(shown, ask.base, self._rows.get(_episode_of(held), ()))
        return Answer(standing=place, parts=parts, accepted=accepted)


QUESTIONS: Mapping[str, Question] = {
    "look": Desk.look,
    "begin": Desk.begin,
    "act": Desk.act,
    "fork": Desk.fork,
    "compare": Desk.compare,
    "recent": Desk.recent,
}


def _episode_of(held: Held) -> tuple[str, int]:
    """The instance and the entry that opened its latest episode."""
    steps = len(held.episode.steps) if held.episode else 0
    return held.instance.id, held.n - steps


def _refused(text: str, known: tuple[Field, ...]) -> dict[str, str]:
    """A refusal at the field it names, or at the form as a whole."""
    path = next((field.path for field in known if field.path in text), "")
    return {path: text}
