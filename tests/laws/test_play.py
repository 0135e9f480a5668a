"""The laws of play: how episodes run, end and take what the rules do not allow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from envs.kernel.outcome import Status
from envs.kernel.play import AnyEpisode, EpisodeOver, look, play
from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import encode
from tests.laws.plays import history

Moments = tuple[AnyEpisode, ...]


def test_the_plays_reach_every_level_and_every_track(env: AnyEnvironment, episodes: Moments):
    assert {episode.task.level for episode in episodes} == set(env.levels)
    assert {env.track(episode.request) for episode in episodes} == set(env.tracks)


def test_a_finished_episode_absorbs(env: AnyEnvironment, episodes: Moments):
    finished = [episode for episode in episodes if episode.done]
    assert finished
    for episode in finished:
        before = encode(episode.state)
        with pytest.raises(EpisodeOver):
            play(env, episode, episode.actions[-1])
        assert encode(episode.state) == before


def test_an_episode_runs_only_while_it_has_steps_left(moments: Moments):
    for moment in moments:
        if moment.status is Status.RUNNING:
            assert moment.state.step_count < moment.task.max_steps


def test_an_episode_is_truncated_only_when_its_steps_are_spent(moments: Moments):
    for moment in moments:
        if moment.status is Status.TRUNCATED:
            assert moment.state.step_count >= moment.task.max_steps


def test_spending_the_last_step_truncates_an_episode(env: AnyEnvironment, moments: Moments):
    spending = [moment for moment in moments if moment.status is Status.RUNNING and moment.state.step_count]
    assert spending
    for moment in spending:
        spent = moment.task.model_copy(update={"max_steps": moment.state.step_count})
        before = replace(moment.until(len(moment.steps) - 1), task=spent)
        assert play(env, before, moment.actions[-1]).status is Status.TRUNCATED


def test_an_episode_starts_with_no_step_spent(moments: Moments):
    assert all(moment.start.step_count == 0 for moment in moments)


def test_no_step_changes_the_task(moments: Moments):
    assert all(moment.state.task == moment.task for moment in moments)


def test_a_spent_step_never_comes_back(episodes: Moments):
    for episode in episodes:
        counts = [moment.state.step_count for moment in history(episode)]
        assert counts == sorted(counts)


def test_the_length_of_an_episode_lies_within_the_horizon(env: AnyEnvironment, episodes: Moments):
    fewest, most = env.horizon
    for episode in episodes:
        assert episode.task.max_steps <= most
        if episode.done:
            assert fewest <= episode.state.step_count <= most


def test_an_illegal_action_is_recorded_with_a_word_of_explanation(moments: Moments):
    for moment in moments:
        if moment.steps and not moment.steps[-1].legal:
            assert len(moment.actions) == len(moment.steps)
            assert moment.steps[-1].reward.message.strip()


def test_an_illegal_action_never_terminates_an_episode(moments: Moments):
    for moment in moments:
        if moment.steps and not moment.steps[-1].legal:
            assert moment.status is not Status.TERMINATED


def test_an_illegal_action_never_earns(moments: Moments):
    for moment in moments:
        if moment.steps and not moment.steps[-1].legal:
            assert all(value <= 0.0 for _, value in moment.steps[-1].reward.parts)


def test_an_illegal_action_changes_nothing_unless_it_costs(env: AnyEnvironment, moments: Moments):
    for moment in moments:
        if moment.steps and not moment.steps[-1].legal:
            before = moment.until(len(moment.steps) - 1)
            spent = moment.state.step_count > before.state.step_count
            if not spent and not moment.steps[-1].reward.parts:
                assert moment.state == before.state
                assert look(env, moment) == look(env, before)


def test_any_prefix_of_an_episode_can_be_played_on(env: AnyEnvironment, episodes: Moments):
    for episode in episodes:
        for count, action in enumerate(episode.actions):
            assert play(env, episode.until(count), action).steps[-1] == episode.steps[count]
