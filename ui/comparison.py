"""What the baselines make of a finished case, for the person to measure themselves against."""

from __future__ import annotations

from dataclasses import dataclass

from envs.catalog import Entry as CatalogEntry
from envs.kernel.outcome import Grade
from envs.kernel.play import AnyEpisode, grade, look, play
from envs.kernel.protocol import Policy
from envs.kernel.records import Action, Observation
from envs.kernel.rng import Rng
from ui.plays import play_of

MOST_TRIES = 4


@dataclass(frozen=True, slots=True)
class Row:
    """One player on this case; `acts` in order, as on the chips."""

    name: str
    grade: Grade
    acts: tuple[str, ...]
    this: bool = False


def compared(entry: CatalogEntry, finished: AnyEpisode) -> tuple[Row, ...]:
    """The finished episode beside every baseline on the same case, best score first."""
    rows = [_row(entry, "this episode", finished, this=True)]
    track = entry.environment.track(finished.request)
    strangers = play_of(entry.environment.slug).elsewhere.get(track, frozenset())
    for name, policy in entry.policies.items():
        if name not in strangers:
            rows.append(_row(entry, name, _played(entry, policy, finished.until(0))))
    return tuple(sorted(rows, key=lambda row: (-row.grade.score, not row.this)))


def _played(entry: CatalogEntry, policy: Policy[Observation, Action], episode: AnyEpisode) -> AnyEpisode:
    # A baseline whose every action is illegal would never spend a step.
    while not episode.done and len(episode.steps) < MOST_TRIES * episode.task.max_steps:
        seen = look(entry.environment, episode)
        action = policy(seen, Rng(episode.seed, "policy").at(len(episode.steps)))
        episode = play(entry.environment, episode, action)
    return episode


def _row(entry: CatalogEntry, name: str, episode: AnyEpisode, this: bool = False) -> Row:
    act = play_of(entry.environment.slug).act
    acts = tuple(act(action.model_dump(mode="json")) for action in episode.actions)
    return Row(name, grade(entry.environment, episode), acts, this)
