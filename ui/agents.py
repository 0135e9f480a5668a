"""A baseline attached to the instance in play: one move at a time, and what it did.

The pace is the page's. A baseline sees what every player sees, and its randomness stands at a public address:
its own name and the number of the step, never the seed of the case.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import Response
from pydantic import Field, ValidationError

from envs.catalog import Entry as CatalogEntry
from envs.kernel.play import look
from envs.kernel.protocol import Refusal
from envs.kernel.records import Record, Request
from envs.kernel.rng import Rng
from instances.errors import HeldOutCase, InstanceError, StaleStep
from instances.model import Actor, ActorKind, Caller, Entry, EntryKind, Held, Surface
from instances.model import Answer as Played
from instances.service import Service
from ui.asks import Answer, Ask, Note
from ui.plays import play_of
from ui.reward import signed

PUBLIC_SEED = 0
# Between looking and moving somebody else may move; each try looks again.
TRIES = 8

log = logging.getLogger(__name__)


class AgentAsk(Ask):
    """One move, please.

    Attributes:
        policy: Name of the baseline.
        anew: Whether it may reset when there is no episode to play on.
    """

    policy: Annotated[str, Field(max_length=64)]
    anew: bool = False


class Line(Record):
    """One move as the page tells it: `step 2`, `flag_anomaly 3`, `+0.42`."""

    place: str
    act: str
    reward: str = ""


class Moved(Answer):
    """What the baseline did.

    Attributes:
        n: Number of the journal's last entry.
        halt: Why it does not go on by itself; empty when it may.
    """

    lines: tuple[Line, ...] = ()
    n: int = 0
    halt: str = ""


def described(catalog: Mapping[str, CatalogEntry]) -> dict[str, list[tuple[str, str]]]:
    """The baselines of each environment: name, and the first line of what it says of itself."""
    return {
        slug: [(name, _first_line(policy)) for name, policy in entry.policies.items()]
        for slug, entry in catalog.items()
    }


def agent_functions(service: Service) -> list[Callable[..., Any]]:
    """What the page's script calls, for `html.part`."""

    async def agent_move(body: dict[str, Any]) -> Response:
        try:
            answer = await move(service, AgentAsk.model_validate(body))
        except ValidationError as error:
            answer = _noted("bad_ask", f"The page sent something unreadable: {error}")
        except InstanceError as error:
            answer = _noted(error.code, error.message)
        except Refusal as error:
            answer = _noted("refused", str(error))
        except Exception:
            log.exception("a move of a baseline failed")
            answer = _noted("failed", "The baseline stumbled over this case; nothing was changed.")
        return Response(answer.model_dump_json(), media_type="application/json")

    return [agent_move]


async def move(service: Service, ask: AgentAsk) -> Moved:
    """The next move of that baseline, on the episode as it stands when it moves.

    An answer that was lost is given again: what the baseline did after entry `ask.seen` is told, not redone.
    """
    for _ in range(TRIES):
        held = await service.look(ask.instance)
        known = await _unseen(service, held, ask)
        if known:
            return _told(held, known, ask)
        try:
            played = await _play(service, held, ask)
        except StaleStep:
            continue
        if played is None:
            return Moved(n=held.n, halt=_halt(held, ask))
        return _told(played.held, (played.entry,), ask)
    return _noted("stale", "Others moved faster every time; the baseline did not move. Try again.")


async def _unseen(service: Service, held: Held, ask: AgentAsk) -> tuple[Entry, ...]:
    """What the baseline did in this episode that the page has not been told."""
    if ask.seen is None or held.episode is None:
        return ()
    entries = await service.entries(ask.instance, max(ask.seen, _start(held) - 1))
    return tuple(entry for entry in entries if entry.n <= held.n and entry.actor == _actor(ask))


async def _play(service: Service, held: Held, ask: AgentAsk) -> Played | None:
    """A step, or a reset where one is due; None where a reset is due that nobody allowed."""
    entry = service.catalog[held.instance.environment]
    policy = entry.policies.get(ask.policy)
    if policy is None:
        raise Refusal(f"There is no baseline {ask.policy!r}; there are: {', '.join(entry.policies)}.")
    if held.instance.held_out is not None:
        raise HeldOutCase(
            "A held-out case is played once, by whoever submitted; attach a baseline to a practice instance."
        )
    caller = Caller(_actor(ask), Surface.UI, expected_step=held.n)
    if held.episode is None or held.episode.done:
        return await service.reset(ask.instance, _next_request(entry, held), caller) if ask.anew else None
    seen = look(entry.environment, held.episode)
    rng = Rng(PUBLIC_SEED, "attached", ask.policy).at(len(held.episode.steps))
    # A baseline may plan for a while, and one loop serves everybody.
    action = await asyncio.to_thread(policy, seen, rng)
    return await service.step(ask.instance, action, caller)


def _next_request(entry: CatalogEntry, held: Held) -> Request:
    """The request of the episode before, for a case that is drawn anew."""
    if held.episode is None:
        return entry.environment.request_type()
    return held.episode.request.model_copy(update={"seed": None})


def _told(held: Held, entries: tuple[Entry, ...], ask: AgentAsk) -> Moved:
    lines = tuple(_line(held, entry) for entry in entries)
    return Moved(lines=lines, n=held.n, accepted=True, halt=_halt(held, ask))


def _line(held: Held, entry: Entry) -> Line:
    if entry.kind is EntryKind.RESET or held.episode is None:
        return Line(place="reset", act="a new case")
    step = entry.n - _start(held)
    act = play_of(held.instance.environment).act(orjson.loads(entry.body))
    reward = "" if held.episode.sealed else signed(held.episode.steps[step - 1].reward.total)
    return Line(place=f"step {step}", act=act, reward=reward)


def _halt(held: Held, ask: AgentAsk) -> str:
    if held.episode is None:
        return "" if ask.anew else "There is no episode yet. Start one on Play, or tick “reset and go on”."
    if held.episode.done:
        return "" if ask.anew else "The episode is over."
    last = held.episode.steps[-1] if held.episode.steps else None
    if last is None or last.legal:
        return ""
    return f"The last action was not possible here: {last.reward.message}"


def _start(held: Held) -> int:
    """Number of the journal entry that opened the episode."""
    return held.n - (len(held.episode.steps) if held.episode else 0)


def _actor(ask: AgentAsk) -> Actor:
    return Actor(ActorKind.BASELINE, ask.policy)


def _first_line(policy: Callable[..., Any]) -> str:
    told = policy.func if isinstance(policy, partial) else policy
    text = inspect.getdoc(told) if inspect.isfunction(told) else None
    return (text or "").partition("\n")[0]


def _noted(code: str, text: str) -> Moved:
    return Moved(note=Note(code=code, text=text))
