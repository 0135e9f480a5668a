"""A scripted play as text that people read and the journal replays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import ndiff
from pathlib import Path

from envs.catalog import Entry
from envs.kernel.outcome import Parts, Reward, Status
from envs.kernel.play import AnyEpisode, carry, grade, look, open_episode, play
from envs.kernel.records import Memory, digest, encode
from envs.scene import to_text
from instances import journal
from instances.model import Actor, ActorKind, EntryKind, Surface
from tests.golden.scripts import Play

FOLDER = Path(__file__).parent
_LINE = re.compile(
    r"^(?:memory (?P<memory>\{.*\})|reset (?P<request>\{.*\}) with seed (?P<seed>\d+)|step (?P<action>\{.*\})"
    r"|(?P<legality>legal|illegal) (?P<status>[A-Z]+): reward (?P<total>\S+) = (?P<parts>.*)"
    r"|says (?P<message>.*)|digest (?P<digest>[0-9a-f]{32}))$"
)


def path(slug: str) -> Path:
    """Where the environment's transcript is kept."""
    return FOLDER / f"{slug}.txt"


def written(entry: Entry, script: Iterable[Play]) -> str:
    """The transcript: every episode with its scene, what each action changed and earned, and its digests."""
    lines = list(_lines(entry, script))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def entries(text: str) -> tuple[journal.Entry, ...]:
    """The journal that a transcript records."""
    found: list[journal.Entry] = []
    read: dict[str, str] = {}
    for match in filter(None, map(_LINE.match, text.splitlines())):
        read |= {name: value for name, value in match.groupdict().items() if value is not None}
        if "digest" in read:
            found.append(_entry(len(found) + 1, read))
            read = {}
    return tuple(found)


def _entry(n: int, read: dict[str, str]) -> journal.Entry:
    reset = "request" in read
    status = Status(read.get("status", Status.RUNNING))
    return journal.Entry(
        n=n,
        kind=EntryKind.RESET if reset else EntryKind.STEP,
        actor=Actor(ActorKind.BASELINE, "script"),
        surface=Surface.BATCH,
        at=0.0,
        body=read["request" if reset else "action"],
        seed=int(read["seed"]) if reset else None,
        memory=read["memory"] if reset else None,
        status=status,
        outcome=journal.OPENED
        if reset
        else journal.outcome(status, read["legality"] == "legal", _reward(read)),
        digest=read["digest"],
    )


def _reward(read: dict[str, str]) -> Reward:
    named = [part.rsplit(" ", 1) for part in read["parts"].split(", ") if part != "nothing"]
    parts = tuple((name, float(value)) for name, value in named)
    return Reward(parts=parts, total=float(read["total"]), message=read["message"])


def _lines(entry: Entry, script: Iterable[Play]) -> Iterator[str]:
    env = entry.environment
    yield f"{env.slug} version {env.version}"
    yield "Written by `make golden`. Read a difference before you keep it."
    memory: Memory = env.memory_type()
    for number, scripted in enumerate(script, start=1):
        episode = open_episode(env, scripted.request, memory, scripted.request.seed or 0)
        yield f"\n━━━ Episode {number}: {scripted.title}\n"
        yield f"memory {encode(memory).decode()}"
        yield f"reset {scripted.request.model_dump_json(exclude_none=True)} with seed {episode.seed}"
        yield f"digest {digest(episode.state)}"
        shown = _shown(entry, episode)
        yield from ("", *(f"  │ {line}" for line in shown), "")
        for action in scripted.actions:
            episode = play(env, episode, action)
            yield f"step {encode(action).decode()}"
            yield from _outcome(episode)
            before, shown = shown, _shown(entry, episode)
            yield from _difference(before, shown)
        judged = grade(env, episode)
        yield f"grade {judged.score}, objective {judged.objective}: {_parts(judged.parts)}"
        memory = carry(env, episode)


def _outcome(episode: AnyEpisode) -> Iterator[str]:
    step = episode.steps[-1]
    legality = "legal" if step.legal else "illegal"
    yield f"{legality} {step.status}: reward {step.reward.total} = {_parts(step.reward.parts)}"
    yield f"says {step.reward.message}"
    yield f"digest {digest(step.state)}"


def _shown(entry: Entry, episode: AnyEpisode) -> list[str]:
    return to_text(entry.scene(look(entry.environment, episode))).splitlines()


def _difference(before: list[str], after: list[str]) -> Iterator[str]:
    """The lines that left the scene and those that came into it."""
    changed = [line for line in ndiff(before, after) if line.startswith(("- ", "+ "))]
    yield from ("", *(f"  {line}" for line in changed or ["  the scene is as before"]), "")


def _parts(parts: Parts) -> str:
    return ", ".join(f"{name} {value}" for name, value in parts) or "nothing"
