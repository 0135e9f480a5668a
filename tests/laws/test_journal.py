"""An instance is a fold of its journal: the same entries give the same state."""

from __future__ import annotations

from itertools import pairwise

import pytest

from envs.kernel.outcome import Status
from envs.kernel.play import AnyEpisode, play
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import digest, encode
from instances.journal import Divergence, fold, reset, reset_entry, step_entry
from instances.model import Actor, ActorKind, Caller, Entry, EntryKind, Surface
from tests.laws import plays

Journal = tuple[Entry, ...]
Episodes = tuple[AnyEpisode, ...]

CALLER = Caller(Actor(ActorKind.BASELINE, "law"), Surface.BATCH)
NO_DIGEST = "0" * 32


@pytest.fixture(scope="session")
def instance(slug: str) -> Episodes:
    """The episodes that one instance played, one after another."""
    return plays.scripted(slug) or plays.episodes_of(slug, "random")


@pytest.fixture(scope="session")
def journal(instance: Episodes) -> Journal:
    """What the instance service would have recorded of them."""
    entries: list[Entry] = []
    for episode in instance:
        entries.append(reset_entry(episode, len(entries) + 1, CALLER, at=0.0))
        for count in range(1, len(episode.steps) + 1):
            entries.append(step_entry(episode.until(count), len(entries) + 1, CALLER, at=0.0))
    return tuple(entries)


def test_an_empty_journal_has_no_episode(env: AnyEnvironment):
    assert fold(env, ()) is None


def test_a_journal_records_a_digest_of_every_state(instance: Episodes, journal: Journal):
    states = [moment.state for episode in instance for moment in plays.history(episode)]
    assert [entry.digest for entry in journal] == [digest(state) for state in states]


def test_folding_a_journal_reproduces_its_last_episode(
    env: AnyEnvironment, instance: Episodes, journal: Journal
):
    assert fold(env, journal) == instance[-1]


def test_folding_any_prefix_reproduces_the_state_of_its_last_entry(env: AnyEnvironment, journal: Journal):
    for count in range(1, len(journal) + 1):
        folded = fold(env, journal[:count])
        assert folded is not None
        assert digest(folded.state) == journal[count - 1].digest
        assert folded.status is journal[count - 1].status


def test_a_journal_can_be_folded_from_any_reset_on(env: AnyEnvironment, instance: Episodes, journal: Journal):
    for start in _resets(journal):
        assert fold(env, journal[start:]) == instance[-1]


def test_folding_does_not_ask_who_played_or_when(env: AnyEnvironment, journal: Journal):
    others = [entry._replace(actor=Actor(ActorKind.HUMAN), surface=Surface.UI, at=9e9) for entry in journal]
    assert fold(env, others) == fold(env, journal)


def test_the_next_episode_starts_with_what_the_last_one_left(env: AnyEnvironment, instance: Episodes):
    for before, after in pairwise(instance):
        assert reset(env, before, after.request, after.seed).memory == after.memory
    assert reset(env, None, instance[0].request, instance[0].seed).memory == env.memory_type()


def test_a_false_digest_is_named(env: AnyEnvironment, journal: Journal):
    for place, entry in enumerate(journal):
        told = _divergence(env, _tampered(journal, place, digest=NO_DIGEST))
        assert told.n == entry.n
        assert NO_DIGEST in str(told)
        assert entry.digest in str(told)


def test_the_first_of_several_false_entries_is_named(env: AnyEnvironment, journal: Journal):
    twice = tuple(
        entry._replace(digest=NO_DIGEST) if place in (1, 3) else entry for place, entry in enumerate(journal)
    )
    assert _divergence(env, twice).n == journal[1].n


def test_another_action_is_named_where_its_state_differs(
    env: AnyEnvironment, instance: Episodes, journal: Journal
):
    actions = {encode(action).decode(): action for episode in instance for action in episode.actions}
    caught = 0
    for place in _steps(journal):
        before = fold(env, journal[_reset_before(journal, place) : place])
        assert before is not None
        for body, action in sorted(actions.items()):
            if digest(play(env, before, action).state) != journal[place].digest:
                assert _divergence(env, _tampered(journal, place, body=body)).n == journal[place].n
                caught += 1
    assert caught


@pytest.mark.parametrize("body", ["", "{", "[]", "null", '{"no_such_key":1}'])
def test_an_unreadable_body_is_named(env: AnyEnvironment, journal: Journal, body: str):
    for place, entry in enumerate(journal):
        assert _divergence(env, _tampered(journal, place, body=body)).n == entry.n


def test_a_missing_step_is_named_where_its_state_is_missed(env: AnyEnvironment, journal: Journal):
    for place in _steps(journal):
        gap = journal[:place] + journal[place + 1 :]
        changed = journal[place].digest != journal[place - 1].digest
        followed = place + 1 < len(journal) and journal[place + 1].kind is EntryKind.STEP
        if changed and followed:
            assert _divergence(env, gap).n == journal[place + 1].n


def test_a_step_before_any_reset_is_named(env: AnyEnvironment, journal: Journal):
    assert _divergence(env, journal[1:]).n == journal[1].n


def test_another_memory_at_a_later_reset_is_named(env: AnyEnvironment, journal: Journal):
    memories = sorted({entry.memory for entry in journal if entry.memory is not None})
    assert len(memories) > 1 or not env.memory_type.model_fields
    for place in _resets(journal)[1:]:
        for memory in memories:
            if memory != journal[place].memory:
                assert _divergence(env, _tampered(journal, place, memory=memory)).n == journal[place].n


def test_a_step_after_the_end_is_named(env: AnyEnvironment, journal: Journal):
    for place, entry in enumerate(journal):
        if entry.status is not Status.RUNNING:
            extra = entry._replace(n=entry.n + 1)
            assert _divergence(env, (*journal[: place + 1], extra)).n == extra.n


def test_a_reset_that_the_environment_refuses_is_named(env: AnyEnvironment, journal: Journal):
    for field in env.request_type.model_fields:
        request = f'{{"{field}":"no such thing"}}'
        assert _divergence(env, _tampered(journal, 0, body=request)).n == journal[0].n


def test_a_false_status_is_named(env: AnyEnvironment, journal: Journal):
    for place, entry in enumerate(journal):
        for status in set(Status) - {entry.status}:
            assert _divergence(env, _tampered(journal, place, status=status)).n == entry.n


def test_a_false_outcome_is_named(env: AnyEnvironment, journal: Journal):
    for place in _steps(journal):
        assert _divergence(env, _tampered(journal, place, outcome="{}")).n == journal[place].n


def test_entries_hold_what_was_accepted(instance: Episodes, journal: Journal):
    actions = [encode(action).decode() for episode in instance for action in episode.actions]
    assert [journal[place].body for place in _steps(journal)] == actions


def _steps(journal: Journal) -> list[int]:
    return [place for place, entry in enumerate(journal) if entry.kind is EntryKind.STEP]


def _resets(journal: Journal) -> list[int]:
    return [place for place, entry in enumerate(journal) if entry.kind is EntryKind.RESET]


def _reset_before(journal: Journal, place: int) -> int:
    """Where the reset before an entry is, which for a reset is the one of the episode before it."""
    return max((found for found in _resets(journal) if found < place), default=0)


def _tampered(journal: Journal, place: int, **fields: object) -> Journal:
    """The journal from the reset before an entry on, with something else in that entry."""
    before = journal[_reset_before(journal, place) : place]
    return (*before, journal[place]._replace(**fields), *journal[place + 1 :])  # type: ignore[arg-type]


def _divergence(env: AnyEnvironment, entries: Journal) -> Divergence:
    with pytest.raises(Divergence) as caught:
        fold(env, entries)
    return caught.value
