"""The generator: balanced, solvable from what is shown, in pairs that one unseen fact tells apart."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product

import pytest

from envs.kernel.records import encode
from envs.kernel.rng import Rng
from envs.moderation import days
from envs.moderation.cases import generator
from envs.moderation.cases.book import SLOT, Book
from envs.moderation.cases.book_held_out import HELD_OUT
from envs.moderation.cases.book_public import PUBLIC
from envs.moderation.cases.families import FAMILIES
from envs.moderation.models import LEVELS, SPLITS, Decision
from envs.moderation.policy.engine import rule
from envs.moderation.policy.facts import Force, Setting, Topic
from envs.moderation.reading import facts_of
from envs.moderation.tasks import Kind, Task
from tests.envs.moderation.plays import ENV, PLACES, case, cases, opened

SEEDS = range(5000, 5060)
UNSEEN = ("deeds", "day", "geo", "engagement", "reports", "campaign")

every_place = pytest.mark.parametrize(("level", "split"), PLACES)


@cache
def pairs(level: str, split: str) -> tuple[tuple[Task, Task], ...]:
    return tuple(generator.pairs(level, split, SEEDS))


@every_place
def test_a_seed_gives_the_same_case_again_and_another_seed_another(level: str, split: str):
    assert encode(generator.task(Rng(7, "task"), level, split)) == encode(case(7, level, split))
    assert len({encode(case(seed, level, split)) for seed in range(30)}) == 30


def test_a_case_carries_the_ruling_that_the_policy_gives_its_facts():
    assert all(task.truth.ruling == rule(task.truth.facts) for task in cases(15))


def test_everything_that_an_episode_can_reveal_gives_the_ruling_away():
    for task in cases(25):
        state = opened(task).state.model_copy(
            update={
                "history": True,
                "thread": True,
                "checked": tuple(deed.topic.value for deed in task.truth.facts.deeds),
            }
        )
        read = facts_of(ENV.observe(state, "blind"))
        assert read is not None
        assert rule(read) == task.truth.ruling, task.truth.family


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_right_answers_are_balanced_within_a_level_and_everything_that_surrounds_a_post(level: str):
    tasks = [case(seed, level) for seed in range(800)]
    groups = {
        "all": lambda task: "",
        "geo": lambda task: task.geo,
        "engagement": lambda task: task.engagement,
        "topic": lambda task: task.truth.facts.deeds[0].topic,
        "reports": lambda task: task.reports // 10,
    }
    for about, group in groups.items():
        counted = Counter((group(task), task.truth.ruling.decision) for task in tasks)
        for value in {group(task) for task in tasks}:
            share = [counted[value, decision] for decision in Decision]
            # Four standard errors of a share of a quarter.
            slack = 4 * (0.25 * 0.75 / sum(share)) ** 0.5
            assert all(abs(count / sum(share) - 0.25) < slack for count in share), (about, value, share)


@every_place
def test_a_pair_has_one_post_and_differs_in_one_fact_that_the_post_does_not_show(level: str, split: str):
    assert pairs(level, split)
    for one, other in pairs(level, split):
        assert one.post_content == other.post_content
        assert one.truth.ruling.decision is not other.truth.ruling.decision
        first, second = one.truth.facts, other.truth.facts
        changed = [name for name in type(first).model_fields if getattr(first, name) != getattr(second, name)]
        assert len(changed) == 1
        assert changed[0] not in UNSEEN
        if changed[0] == "notices":
            differing = [a for a, b in zip(first.notices, second.notices, strict=True) if a != b]
            assert len(differing) == 1
        if changed[0] == "strikes":
            differing = [a for a, b in zip(first.strikes, second.strikes, strict=True) if a != b]
            assert len(differing) == 1


@every_place
def test_a_pair_shows_its_difference_in_one_place_and_nowhere_at_the_reset(level: str, split: str):
    for one, other in pairs(level, split):
        assert encode(ENV.observe(opened(one).state, "blind")) == encode(
            ENV.observe(opened(other).state, "blind")
        )
        shown = [
            one.user_history != other.user_history,
            one.thread_context != other.thread_context,
            one.notices != other.notices,
        ]
        assert sum(shown) == 1


def test_a_reset_opens_the_first_of_its_pair():
    for level, split in PLACES:
        for seed in SEEDS[:15]:
            found = generator.pair(seed, level, split)
            task = case(seed, level, split)
            assert (found is not None) is task.truth.paired
            assert found is None or found[0] == task


def test_families_are_enough_and_four_are_held_out():
    assert len(FAMILIES) >= 12
    held_out = {name for name, family in FAMILIES.items() if family.held_out}
    assert len(held_out) == 4
    drawn = {
        split: {case(seed, level, split).truth.family for level in LEVELS for seed in range(120)}
        for split in SPLITS
    }
    assert not drawn["public"] & held_out
    assert drawn["public"] >= {name for name in FAMILIES if name not in held_out} - {"order_of_rank"}
    assert len(drawn["held-out"] & held_out) >= 3


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_draws_from_its_families(level: str):
    assert all(level in FAMILIES[case(seed, level).truth.family].levels for seed in range(60))


def test_the_higher_the_level_the_less_the_post_decides():
    shares = [sum(case(seed, level).truth.kind is Kind.OPEN for seed in range(120)) for level in LEVELS]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 2 * shares[2]


def _phrases(book: Book) -> set[str]:
    groups = [
        *book.posts.values(),
        *book.settings.values(),
        *book.strikes.values(),
        *book.registered.values(),
        *book.lapsed.values(),
        book.notices,
        book.campaigns,
        book.talk,
        book.chat,
        book.notes,
    ]
    return {phrase.casefold() for group in groups for phrase in group}


def test_the_splits_share_no_phrase_no_word_of_a_slot_no_day_and_no_number_of_reports():
    assert not _phrases(PUBLIC) & _phrases(HELD_OUT)
    for slot in PUBLIC.slots.keys() | HELD_OUT.slots.keys():
        assert not set(PUBLIC.slots[slot]) & set(HELD_OUT.slots[slot]), slot
    assert PUBLIC.first_day + PUBLIC.days < HELD_OUT.first_day
    assert PUBLIC.most_reports < HELD_OUT.fewest_reports


@pytest.mark.parametrize("book", [PUBLIC, HELD_OUT], ids=SPLITS)
def test_a_book_says_everything_in_more_than_one_way(book: Book):
    assert set(book.posts) == set(product(Topic, Force))
    assert all(len(phrases) >= 2 for phrases in book.posts.values())
    specific = (Setting.URGING, Setting.DANGER)
    for setting in Setting:
        if setting is not Setting.NOTHING:
            about = Topic if setting in specific else (None,)
            assert all(len(book.settings[setting, topic]) >= 2 for topic in about)


@pytest.mark.parametrize("book", [PUBLIC, HELD_OUT], ids=SPLITS)
def test_every_slot_of_a_phrase_can_be_filled(book: Book):
    given = {"violation", "date", "decision", "geo", "since", "until"}
    slots = {name for phrase in _phrases(book) for name in SLOT.findall(phrase)}
    assert slots <= book.slots.keys() | given


def test_history_and_thread_have_the_same_length_in_every_case():
    assert {(len(task.user_history), len(task.thread_context)) for task in cases(20)} == {(4, 4)}


@pytest.mark.parametrize("text", ["2031-01-01", "2031-02-28", "2031-03-01", "2034-12-31"])
def test_a_day_is_read_as_it_is_written(text: str):
    assert days.written(days.read(text)) == text
    assert days.read("2031-03-01") - days.read("2031-02-28") == 1
    assert days.read("2032-01-01") - days.read("2031-12-31") == 1
