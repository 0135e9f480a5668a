"""Every environment of the catalogue as a Gymnasium environment, alone and side by side, on a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence

from clients.errors import EpisodeOver, Malformed, Refused, UnknownEnvironment, Unreachable
from clients.gym import HttpEnv, make, make_vec
from clients.gym_vector import HttpVectorEnv
from clients.http import Auditorium
from clients.protocol import Caller
from clients.wire import Retry
from tests.laws.plays import CATALOGUE, requests

HUNT = "number-hunt"
AUDIT = "forecast-audit"
GIVE_UP = {"move": "give_up"}
MISS = {"move": "guess", "number": 1}
SEEDS = (0, 7, 2**53 - 1)

Make = Callable[..., HttpEnv]
MakeVec = Callable[..., HttpVectorEnv]


@pytest.fixture
def env_of(url: str) -> Iterator[Make]:
    yield from _making(make, url)


@pytest.fixture
def envs_of(url: str) -> Iterator[MakeVec]:
    yield from _making(make_vec, url)


def _making(maker: Any, url: str) -> Iterator[Any]:
    made: list[Any] = []

    def one(*args: Any, **kwargs: Any) -> Any:
        made.append(maker(*args, base_url=url, **kwargs))
        return made[-1]

    yield one
    for env in made:
        env.close()


def _options(slug: str) -> list[dict[str, Any]]:
    """The choices of a reset, one for each track."""
    chosen = [request.model_dump(mode="json", exclude_unset=True) for request in requests(slug)]
    by_track = {options.get("track"): options for options in chosen}
    return [
        {name: value for name, value in options.items() if name != "seed"} for options in by_track.values()
    ]


def test_every_environment_passes_the_checker_without_a_warning(slug: str, env_of: Make):
    for options in _options(slug):
        check_env(env_of(slug, **options))


def test_the_checker_renders_in_the_mode_that_was_chosen(env_of: Make):
    check_env(env_of(HUNT, render_mode="ansi"))


def test_an_unknown_name_is_refused_at_the_start_with_the_known_ones(url: str):
    for refused in (lambda: make("ledgershieldd", url), lambda: make_vec("ledgershieldd", 2, url)):
        with pytest.raises(UnknownEnvironment) as told:
            refused()
        assert all(slug in str(told.value) for slug in CATALOGUE)


def test_a_server_that_is_not_there_is_told_at_the_start():
    with pytest.raises(Unreachable, match="see whether the server runs"):
        make(HUNT, "http://127.0.0.1:9", caller=Caller(retry=Retry(attempts=1)))


def test_a_wrong_reset_option_is_told(env_of: Make):
    with pytest.raises(Malformed):
        env_of(HUNT, level="harder").reset()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_seed_opens_the_same_case_whatever_was_played_before(slug: str, env_of: Make, seed: int):
    env, other = env_of(slug), env_of(slug)
    env.action_space.seed(seed)

    def opened(env: HttpEnv) -> list[Any]:
        return [env.reset(seed=seed)[0], env.reset()[0], env.reset()[0]]

    first = opened(env)
    env.step(env.action_space.sample())
    assert data_equivalence(opened(env), first, exact=True)
    assert data_equivalence(opened(other), first, exact=True)


def test_other_seeds_open_other_cases(env_of: Make):
    env = env_of(AUDIT, track="audit")
    assert len({env.reset(seed=seed)[1]["text"] for seed in range(8)}) == 8
    env.reset(seed=0)
    assert len({env.reset()[1]["text"] for _ in range(8)}) == 8


def test_a_seed_is_the_one_that_the_server_plays(env_of: Make, url: str):
    _, info = env_of(AUDIT, track="audit").reset(seed=11)
    with Auditorium(url) as server:
        step = server.open(AUDIT).reset(track="audit", seed=11)
    assert info["text"] == step.text


def test_options_of_a_reset_go_over_those_of_the_environment(env_of: Make):
    env = env_of(AUDIT, track="audit", difficulty="easy")
    assert "easy · undisclosed" in env.reset(seed=1)[1]["text"]
    assert "hard · undisclosed" in env.reset(seed=1, options={"difficulty": "hard"})[1]["text"]


def test_terminated_is_not_truncated(env_of: Make):
    env = env_of(HUNT)
    env.reset(seed=2)
    give_up, miss = env.actions.encode(GIVE_UP), env.actions.encode(MISS)
    assert env.step(give_up)[2:4] == (True, False)
    env.reset(seed=2)
    ends = [env.step(miss)[2:4] for _ in range(5)]
    assert ends == [(False, False)] * 4 + [(False, True)]
    with pytest.raises(EpisodeOver):
        env.step(miss)


def test_an_illegal_action_goes_on_and_says_so(env_of: Make):
    env = env_of(HUNT)
    before, _ = env.reset(seed=2)
    after, reward, terminated, truncated, info = env.step(env.actions.encode({"move": "guess", "number": 99}))
    assert (reward, terminated, truncated, info["legal"]) == (-0.1, False, False, False)
    assert info["message"] == "The guess was 99; use 1 to 31."
    assert (before["fouls"], after["fouls"]) == (0, 1)


def test_a_picture_is_the_observation_as_text(slug: str, env_of: Make):
    env = env_of(slug)
    _, info = env.reset(seed=3)
    assert env.render(mode="text") == env.render(mode="ansi") == info["text"]
    assert info["text"].strip()
    assert env.render() is None
    with pytest.raises(ValueError, match="text, ansi"):
        env.render(mode="human")


@pytest.mark.parametrize("mode", ["text", "ansi"])
def test_the_mode_of_the_environment_is_that_of_its_pictures(env_of: Make, mode: str):
    env = env_of(HUNT, render_mode=mode)
    _, info = env.reset(seed=3)
    assert env.render() == info["text"]


def test_nothing_is_played_before_a_reset(env_of: Make, envs_of: MakeVec):
    env, envs = env_of(HUNT), envs_of(HUNT, 2)
    for too_soon in (
        lambda: env.step(env.action_space.sample()),
        lambda: env.render(mode="text"),
        lambda: envs.step(envs.action_space.sample()),
    ):
        with pytest.raises(ResetNeeded):
            too_soon()


def test_an_agent_joins_an_instance_that_is_there(env_of: Make, url: str):
    with Auditorium(url) as server:
        instance = server.open(HUNT)
        env = env_of(HUNT, instance_id=instance.id)
        env.reset(seed=2)
        env.reset(seed=2)
        env.step(env.actions.encode(GIVE_UP))
        assert [entry.kind for entry in instance.transcript()] == ["reset", "reset", "step"]


def test_a_spec_makes_the_same_environment_again(env_of: Make):
    env = env_of(AUDIT, track="audit")
    assert env.spec is not None
    assert env.spec.id == f"auditorium/{AUDIT}-v{CATALOGUE[AUDIT].environment.version}"
    again = gymnasium.make(env.spec)
    assert data_equivalence(env.reset(seed=4)[0], again.reset(seed=4)[0], exact=True)
    again.close()


def test_side_by_side_each_plays_as_it_would_alone(slug: str, env_of: Make, envs_of: MakeVec):
    envs, alone = envs_of(slug, 3), env_of(slug)
    observations, infos = envs.reset(seed=5)
    assert observations in envs.observation_space
    envs.action_space.seed(1)
    actions = envs.action_space.sample()
    _, rewards, terminations, truncations, later = envs.step(actions)
    for place, action in enumerate(gymnasium.vector.utils.iterate(envs.action_space, actions)):
        assert alone.reset(seed=5 + place)[1]["text"] == infos["text"][place]
        _, reward, terminated, truncated, info = alone.step(action)
        assert (reward, terminated, truncated) == (rewards[place], terminations[place], truncations[place])
        assert info["text"] == later["text"][place]


def test_the_step_after_an_end_starts_the_next_episode(envs_of: MakeVec):
    envs = envs_of(HUNT, 2)
    envs.reset(seed=[2, 3])
    end, miss = (envs.actions.encode(action) for action in (GIVE_UP, MISS))
    _, _, terminations, truncations, _ = envs.step(_batched(envs, [end, miss]))
    assert (terminations.tolist(), truncations.tolist()) == ([True, False], [False, False])
    observations, rewards, terminations, _, infos = envs.step(_batched(envs, [end, miss]))
    assert (rewards.tolist(), terminations.tolist()) == ([0.0, -0.05], [False, False])
    assert observations["step_count"].tolist() == [0, 2]
    assert observations["task_id"] == ("hunt-2", "hunt-1")
    assert infos["status"].tolist() == ["running", "running"]


def test_the_same_seeds_open_the_same_cases_side_by_side(envs_of: MakeVec):
    envs, others = envs_of(AUDIT, 3, track="audit"), envs_of(AUDIT, 3, track="audit")
    first = envs.reset(seed=8)[1]["text"].tolist()
    assert others.reset(seed=[8, 9, 10])[1]["text"].tolist() == first
    assert envs.reset()[1]["text"].tolist() == others.reset()[1]["text"].tolist() != first
    assert envs.reset(seed=8)[1]["text"].tolist() == first


def test_seeds_must_be_one_for_each(envs_of: MakeVec, url: str):
    envs = envs_of(HUNT, 2)
    with pytest.raises(ValueError, match="3 seeds"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="num_envs is 0"):
        make_vec(HUNT, 0, url)


def test_what_the_server_refuses_one_of_them_is_raised(envs_of: MakeVec):
    envs = envs_of(AUDIT, 2, track="audit")
    with pytest.raises(Refused, match="nothing_001"):
        envs.reset(options={"task_id": "nothing_001", "track": "contract"})


def test_a_random_agent_plays_many_steps_side_by_side(slug: str, envs_of: MakeVec):
    envs = envs_of(slug, 8)
    envs.action_space.seed(0)
    envs.reset(seed=0)
    for _ in range(25):
        observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())
        assert observations in envs.observation_space
        assert np.isfinite(rewards).all()
        assert not (terminations & truncations).any()
    assert len(envs.render()) == 8
    assert infos["text"].shape == (8,)


def _batched(envs: HttpVectorEnv, actions: list[Any]) -> Any:
    space = envs.single_action_space
    empty = gymnasium.vector.utils.create_empty_array(space, envs.num_envs)
    return gymnasium.vector.utils.concatenate(space, actions, empty)
