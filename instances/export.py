"""Exports: one episode as other programs read it, for training and for looking at.

Decides what of an episode goes where in two formats: a line of chat as TRL and verifiers take it, and a
trajectory as Harbor's tools do (ATIF). What a sealed case leaves out is decided before it comes here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import orjson

from envs.catalog import Entry as CatalogEntry
from envs.kernel.outcome import Step
from envs.kernel.play import AnyEpisode
from envs.kernel.records import State
from envs.scene import to_text
from instances.model import Actor, Entry, Recorded

ATIF_VERSION = "ATIF-v1.4"
TOOL = "step"
"""The name under which a player acts in every export."""

Json = dict[str, Any]


def chat(around: CatalogEntry, recorded: Recorded) -> Json:
    """A row for TRL's trainers (`prompt`, `completion`, `tools`) and verifiers (`reward`, `info`)."""
    states = list(_texts(around, recorded.episode))
    completion: list[Json] = []
    for entry, text in zip(recorded.entries[1:], states[1:], strict=True):
        call = {"name": TOOL, "arguments": _sent(around, entry)}
        completion.append(
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"id": _call_id(entry), "type": "function", "function": call}],
            }
        )
        completion.append({"role": "tool", "tool_call_id": _call_id(entry), "name": TOOL, "content": text})
    return {
        "prompt": [
            {"role": "system", "content": _role(around)},
            {"role": "user", "content": states[0]},
        ],
        "completion": completion,
        "tools": [_tool(around)],
        "reward": _total(recorded.episode),
        "info": _info(recorded),
    }


def atif(around: CatalogEntry, recorded: Recorded) -> Json:
    """A trajectory in Harbor's Agent Trajectory Interchange Format."""
    states = list(_texts(around, recorded.episode))
    reset, *moves = recorded.entries
    steps: list[Json] = [
        {"timestamp": _moment(reset), "source": "system", "message": _role(around)},
        {"timestamp": _moment(reset), "source": "user", "message": states[0]},
    ]
    for entry, step, text in zip(moves, recorded.episode.steps, states[1:], strict=True):
        call = {
            "tool_call_id": _call_id(entry),
            "function_name": TOOL,
            "arguments": _sent(around, entry),
        }
        steps.append(
            {
                "timestamp": _moment(entry),
                "source": "agent",
                "message": "",
                "tool_calls": [call],
                "observation": {"results": [{"source_call_id": _call_id(entry), "content": text}]},
                "extra": {"n": entry.n, "by": _who(entry.actor), "surface": entry.surface, **_came_to(step)},
            }
        )
    return {
        "schema_version": ATIF_VERSION,
        "session_id": f"{recorded.instance.watch_id}-{reset.n}",
        "agent": {
            "name": _player(recorded),
            "version": "unknown",
            "tool_definitions": [_tool(around)],
        },
        "steps": [{"step_id": number, **step} for number, step in enumerate(steps, start=1)],
        "final_metrics": {"total_steps": len(steps), "extra": {"reward": _total(recorded.episode)}},
        "extra": _info(recorded),
    }


def _sent(around: CatalogEntry, entry: Entry) -> Json:
    """What the player sent: of an action that called out, without what came of it."""
    fields = around.environment.action_type.model_fields
    return {name: value for name, value in orjson.loads(entry.body).items() if name in fields}


def _texts(around: CatalogEntry, episode: AnyEpisode) -> Iterator[str]:
    """What the player was shown at the reset and after each step."""
    env = around.environment
    track = env.track(episode.request)
    yield to_text(around.scene(env.observe(episode.start, track)))
    for step in episode.steps:
        shown = to_text(around.scene(env.observe(step.state, track)))
        yield f"{step.reward.message}\n\n{shown}" if step.reward.message else shown


def _role(around: CatalogEntry) -> str:
    env = around.environment
    return f"{env.title}: {env.tagline}\nAct by calling `{TOOL}`, until the episode is done."


def _tool(around: CatalogEntry) -> Json:
    schema = around.environment.action_type.model_json_schema()
    about = f"Takes one action in {around.environment.title}; answers with what is to be seen then."
    return {"type": "function", "function": {"name": TOOL, "description": about, "parameters": schema}}


def _info(recorded: Recorded) -> Json:
    """Where the episode comes from. A link to look by, never the id, which is the right to play."""
    instance, episode = recorded.instance, recorded.episode
    return {
        "environment": instance.environment,
        "version": instance.version,
        "watch_id": instance.watch_id,
        "first_entry": recorded.entries[0].n,
        "task_id": None if episode.sealed else episode.task.task_id,
        "seed": None if episode.sealed else episode.seed,
        "assisted": instance.assisted,
        "sealed": episode.sealed,
        "status": episode.status,
        "played_by": _player(recorded),
        "steps": [_came_to(step) for step in episode.steps],
    }


def _came_to(step: Step[State]) -> Json:
    reward = step.reward
    return {"reward": reward.total, "reward_parts": dict(reward.parts), "legal": step.legal}


def _total(episode: AnyEpisode) -> float:
    return math.fsum(step.reward.total for step in episode.steps)


def _player(recorded: Recorded) -> str:
    """Who made most of the moves, the first of them if several did; who opened the case if nobody moved."""
    moves = recorded.entries[1:] or recorded.entries
    actors = [_who(entry.actor) for entry in moves]
    return max(actors, key=actors.count)


def _who(actor: Actor) -> str:
    return f"{actor.kind}:{actor.label}" if actor.label else actor.kind.value


def _call_id(entry: Entry) -> str:
    return f"call_{entry.n}"


def _moment(entry: Entry) -> str:
    return datetime.fromtimestamp(entry.at, UTC).isoformat(timespec="milliseconds")
