"""The contract's Python class, on a real server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clients.errors import EpisodeOver, Malformed
from clients.ledgershield import LedgerShieldEnvironment


@pytest.fixture
def env(url: str) -> Iterator[LedgerShieldEnvironment]:
    with LedgerShieldEnvironment(url) as made:
        yield made


def test_a_case_is_opened_looked_into_and_decided_in_the_contracts_envelope(env: LedgerShieldEnvironment):
    opened = env.reset(case_id="CASE-D-001")
    assert list(opened) == ["observation", "reward", "done", "truncated", "terminated", "info"]
    assert opened["info"] == {"case_id": "CASE-D-001"}
    read = env.step("ocr", doc_id="INV-D-001", mode="accurate")
    assert (read["reward"], read["done"]) == (-1.0, False)
    assert read["info"]["reward_model"]["value"] == -1.0
    ended = env.step("submit_decision", decision="ESCALATE_FRAUD")
    assert (ended["done"], ended["terminated"], ended["truncated"]) == (True, True, False)
    with pytest.raises(EpisodeOver):
        env.step("lookup_policy")


def test_steps_that_run_out_truncate(env: LedgerShieldEnvironment):
    env.reset(case_id="CASE-A-001")
    answers = [env.step("nonsense") for _ in range(12)]
    assert [answer["truncated"] for answer in answers] == [False] * 11 + [True]
    assert not answers[-1]["terminated"]


def test_members_of_the_spaces_are_what_the_spaces_sample(env: LedgerShieldEnvironment):
    for space in (env.action_space(), env.observation_space()):
        space.seed(3)
        assert space.contains(space.sample())


def test_an_episode_is_rendered_as_text(env: LedgerShieldEnvironment):
    with pytest.raises(RuntimeError, match="call reset"):
        env.render()
    env.reset(seed=4, level="easy", track="blind")
    assert "ap inbox" in env.render(mode="text").lower() or "review" in env.render().lower()
    with pytest.raises(ValueError, match="no render mode 'picture'"):
        env.render(mode="picture")


def test_a_payload_of_the_wrong_type_says_which(env: LedgerShieldEnvironment):
    env.reset(seed=4)
    with pytest.raises(Malformed, match="page"):
        env.step("ocr", page="one")
