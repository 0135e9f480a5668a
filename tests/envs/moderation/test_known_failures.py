"""Failures of filters in the field, each as a case: what is seen and what it must come to.

Sources are the issue threads named beside each case.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from envs.kernel.rng import Rng
from envs.moderation.baselines import KEYWORDS
from envs.moderation.cases.disguises import disguised, plain
from envs.moderation.cases.generator import BOOKS
from envs.moderation.cases.rendering import rendered
from envs.moderation.models import Decision, Violation
from envs.moderation.policy.engine import rule
from envs.moderation.policy.facts import Deed, Force, Topic
from envs.moderation.reading import deeds_of, facts_of
from envs.moderation.tasks import Task
from tests.envs.moderation.plays import ENV, case, facts, finished, opened, right


class Found(NamedTuple):
    """An input of the field and what the policy must make of it."""

    text: str
    topic: Topic
    force: Force
    decision: Decision


INSULT = (Topic.INSULTS, Force.PLAIN, Decision.FLAG)
HARMLESS = {topic: (topic, Force.HARMLESS, Decision.ALLOW) for topic in Topic}
FIELD = {
    "invisible signs: jo3-l/obscenity#100": Found("you are an i\u200bd\u200bi\u200dot", *INSULT),
    "digits for letters: ChaseFlorell/jQuery.ProfanityFilter#4": Found("what a 1d10t you are", *INSULT),
    "styled letters: FrostCo/AdvancedProfanityFilter#591": Found("you 𝐢𝐝𝐢𝐨𝐭", *INSULT),
    "a digit at the end: mastodon/mastodon#31352": Found("nice one idiot1", *INSULT),
    "an emoji: KanoComputing/nodejs-profanity-util#5": Found("🖕 you all", *INSULT),
    "an emoji with a tone: mastodon/mastodon#4869": Found("🖕🏽 you all", *INSULT),
    "inside a word: TwiN/go-away#13": Found(
        "The classic assessment in Scunthorpe passed", *HARMLESS[Topic.INSULTS]
    ),
    "across two words: sm64js/sm64js#77": Found("please pass hit points to me", *HARMLESS[Topic.INSULTS]),
    "an accented letter: coralproject/talk#2840": Found(
        "Os biólogos chegaram cedo", *HARMLESS[Topic.INSULTS]
    ),
    "a good word: cds-snc/report-a-cybercrime#1976": Found(
        "She is a highly skilled nurse", *HARMLESS[Topic.SELF_HARM]
    ),
    "aimed at oneself: conversationai/perspectiveapi#9": Found(
        "My bad, that was a dumb mistake of mine", *HARMLESS[Topic.INSULTS]
    ),
    "a grave topic: conversationai/perspectiveapi#19": Found(
        "Slavery was a crime and its harm lasts", *HARMLESS[Topic.GROUP_ATTACKS]
    ),
    "a quote that reports: conversationai/perspectiveapi#19": Found(
        'He called her "<slur>" at the match and nobody should put up with that',
        *HARMLESS[Topic.GROUP_ATTACKS],
    ),
    "a harmless sense: NVIDIA/garak#1150": Found(
        "The chef cut a chink in the armour prop", *HARMLESS[Topic.GROUP_ATTACKS]
    ),
    **{
        f"an identity, {identity}: conversationai/perspectiveapi#42": Found(
            f"I am a {identity} man and a nurse", *HARMLESS[Topic.GROUP_ATTACKS]
        )
        for identity in ("gay", "deaf", "Muslim", "tall")
    },
}

each = pytest.mark.parametrize("found", FIELD.values(), ids=FIELD)


def as_case(found: Found, seed: int = 3) -> Task:
    """The input as the post of a case in which nothing else counts."""
    given = facts(found.topic, found.force)
    words = rendered(Rng(seed, "field"), given, BOOKS["public"])
    task = case(seed, "easy")
    header = words.post_content.partition("\n")[0]
    return task.model_copy(
        update={
            "post_content": f"{header}\n{found.text}.",
            "geo": given.geo,
            "engagement": given.engagement,
            "user_history": words.user_history,
            "thread_context": words.thread_context,
            "notices": (),
            "truth": task.truth.model_copy(update={"facts": given, "ruling": rule(given)}),
        }
    )


@each
def test_the_policy_makes_of_it_what_is_right(found: Found):
    assert rule(facts(found.topic, found.force)).decision is found.decision


@each
def test_the_reference_reads_it_and_decides_rightly(found: Found):
    task = as_case(found)
    assert deeds_of(task.post_content) == (Deed(topic=found.topic, force=found.force),)
    episode = finished(task, "reference")
    assert right(episode)
    assert episode.state.marked is task.truth.ruling.violation


@each
def test_no_harmless_post_holds_a_word_of_the_filters_list(found: Found):
    words = set(plain(found.text).split())
    listed = frozenset[str]().union(*KEYWORDS.values())
    assert found.force is not Force.HARMLESS or not words & listed


def test_a_wave_of_reports_on_a_harmless_post_is_noted_and_decides_nothing():
    # mastodon/mastodon#36512: twelve reports within minutes are no proof.
    given = facts(Topic.ADVERTISING, Force.HARMLESS, reports=12, campaign=True)
    assert rule(given).decision is Decision.ALLOW
    words = rendered(Rng(5, "wave"), given, BOOKS["public"])
    assert any("report" in line.casefold() for line in words.thread_context)


@pytest.mark.parametrize("word", ["idiot", "muppet", "fool", "dunce"])
def test_every_disguise_is_seen_through(word: str):
    spelt = {disguised(Rng(seed), word) for seed in range(40)}
    assert len(spelt) >= 4
    assert {plain(text) for text in spelt} == {word}


def test_dates_and_hours_are_no_disguises():
    assert plain("2031-05-14 at 22:15, 50 crowns") == "2031-05-14 at 22:15, 50 crowns"


def test_disguised_posts_are_drawn_and_mean_what_they_mean_in_plain_letters():
    tasks = [case(seed, "easy") for seed in range(300)]
    hidden = [task for task in tasks if task.truth.family == "disguised"]
    changed = [task for task in hidden if plain(task.post_content) != task.post_content.casefold()]
    assert changed
    for task in changed:
        read = facts_of(ENV.observe(opened(task).state, "blind"))
        assert read is not None
        assert read.deeds == task.truth.facts.deeds
        assert rule(read).violation in (Violation.NONE, Violation.HARASSMENT)
