"""Nothing hidden is seen: states that differ only in hidden fields look alike to every player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import pytest

from envs.catalog import Entry
from envs.kernel.play import AnyEpisode, grade
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import HIDDEN, Record, State, digest, encode
from tests.laws.hidden import Place, hidden_values, misplaced, pooled, swapped

Moments = tuple[AnyEpisode, ...]
Pool = Mapping[Place, tuple[object, ...]]
Pairs = tuple[tuple[State, State, str], ...]

TURNS = 2


@pytest.fixture(scope="session")
def pool(moments: Moments) -> Pool:
    return pooled(moment.state for moment in moments)


@pytest.fixture(scope="session")
def pairs(env: AnyEnvironment, moments: Moments, pool: Pool) -> Pairs:
    """Reached states, each beside what it would be if another case's secrets were in it; and their track."""
    if not pool:
        return ()
    # Many plays begin alike: a state that they share is swapped once.
    reached = {(encode(moment.state), env.track(moment.request)): moment.state for moment in moments}
    return tuple(
        (state, swapped(state, pool, number + turn), track)
        for number, ((_, track), state) in enumerate(reached.items())
        for turn in range(TURNS)
    )


def test_an_environment_hides_something_or_has_nothing_to_earn(
    env: AnyEnvironment, moments: Moments, pool: Pool
):
    earned = {(grade(env, moment).score, grade(env, moment).objective) for moment in moments}
    assert pool or earned == {(0.0, 0.0)}


def test_every_mark_stands_where_the_laws_see_it(env: AnyEnvironment):
    assert misplaced(env.state_type) == frozenset()


def test_every_hidden_field_takes_more_than_one_value(pool: Pool):
    assert [place for place, values in pool.items() if len(values) < 2] == []


def test_the_swap_changes_every_hidden_field_and_no_other(pairs: Pairs):
    for state, other, _ in pairs:
        before, after = list(hidden_values(state)), list(hidden_values(other))
        assert [place for place, _ in before] == [place for place, _ in after]
        assert all(was != now for (_, was), (_, now) in zip(before, after, strict=True))
        back = {place: (value,) for place, value in before}
        if len(back) == len(before):
            assert encode(swapped(other, back, 0)) == encode(state)


def test_states_that_differ_only_in_hidden_fields_are_observed_alike(env: AnyEnvironment, pairs: Pairs):
    for state, other, track in pairs:
        assert encode(env.observe(other, track)) == encode(env.observe(state, track))


def test_states_that_differ_only_in_hidden_fields_are_shown_alike(entry: Entry, pairs: Pairs):
    env = entry.environment
    for state, other, track in pairs:
        seen, seen_other = env.observe(state, track), env.observe(other, track)
        assert entry.scene(seen_other) == entry.scene(seen)
        assert entry.hints(seen_other) == entry.hints(seen)


def test_states_that_differ_only_in_hidden_fields_have_unlike_digests(pairs: Pairs):
    assert all(digest(state) != digest(other) for state, other, _ in pairs)


class Card(Record):
    face: str
    back: Annotated[int, HIDDEN]


class Hand(Record):
    cards: tuple[Card, ...]
    by_name: dict[str, Card]
    trump: Annotated[Card | None, HIDDEN] = None


class Leaky(Record):
    cards: tuple[Annotated[int, HIDDEN], ...]
    inner: tuple[Hand, ...] | None = None


def test_the_swap_finds_hidden_fields_in_tuples_and_maps():
    hand = Hand(cards=(Card(face="a", back=1), Card(face="b", back=2)), by_name={"c": Card(face="c", back=3)})
    other = swapped(hand, {(Card, "back"): (9,), (Hand, "trump"): (Card(face="t", back=4),)}, 0)
    assert [value for _, value in hidden_values(other)] == [9, 9, 9, Card(face="t", back=4)]
    assert [card.face for card in other.cards] == ["a", "b"]


def test_a_mark_inside_a_type_is_found():
    assert misplaced(Leaky) == {(Leaky, "cards")}
