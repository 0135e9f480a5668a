"""An export is the episode as it was played, in the shapes that other programs read."""

from __future__ import annotations

import orjson
import pytest

from envs.scene import to_text
from instances import errors
from instances.export import atif, chat
from instances.model import Actor, ActorKind, Caller, Recorded, Surface
from instances.service import Service
from tests.instances.conftest import StartProcess
from tests.instances.hunt import FOUL, GIVE_UP, OPEN, SLUG, by, guess, opened
from tests.tiny import TINY

AROUND = TINY[SLUG]


@pytest.fixture
async def played(start: StartProcess) -> Recorded:
    """A guess, a foul and the end, by two players, behind an earlier episode."""
    service = start().service
    instance_id = await opened(service)
    await service.step(instance_id, GIVE_UP, by())
    await service.reset(instance_id, OPEN, by())
    human = Caller(Actor(ActorKind.HUMAN), Surface.UI)
    await service.step(instance_id, guess(7), by("ada"))
    await service.step(instance_id, FOUL, human)
    await service.step(instance_id, GIVE_UP, by("ada"))
    return await service.recorded(instance_id)


async def test_a_chat_row_has_a_prompt_and_each_move_as_a_call_and_its_answer(played: Recorded):
    row = orjson.loads(orjson.dumps(chat(AROUND, played)))
    assert [message["role"] for message in row["prompt"]] == ["system", "user"]
    assert [message["role"] for message in row["completion"]] == ["assistant", "tool"] * 3
    calls = [message["tool_calls"][0] for message in row["completion"][::2]]
    answers = row["completion"][1::2]
    assert [call["function"]["name"] for call in calls] == ["step"] * 3
    bodies = [orjson.loads(entry.body) for entry in played.entries[1:]]
    assert [call["function"]["arguments"] for call in calls] == bodies
    assert [call["id"] for call in calls] == [answer["tool_call_id"] for answer in answers]
    parameters = row["tools"][0]["function"]["parameters"]
    assert parameters["properties"].keys() >= bodies[0].keys()


async def test_each_message_is_what_the_player_saw(played: Recorded):
    env = AROUND.environment
    states = [played.episode.start, *(step.state for step in played.episode.steps)]
    texts = [to_text(AROUND.scene(env.observe(state, env.track(played.episode.request)))) for state in states]
    row = chat(AROUND, played)
    shown = [row["prompt"][1]["content"], *(message["content"] for message in row["completion"][1::2])]
    trajectory = atif(AROUND, played)
    observed = [step["observation"]["results"][0]["content"] for step in trajectory["steps"][2:]]
    assert [trajectory["steps"][1]["message"], *observed] == shown
    for text, seen, step in zip(texts[1:], shown[1:], played.episode.steps, strict=True):
        assert seen.endswith(text)
        assert step.reward.message in seen
    assert shown[0] == texts[0]


async def test_an_export_says_what_the_episode_came_to_and_where_it_is_from(played: Recorded):
    row = chat(AROUND, played)
    info = row["info"]
    assert row["reward"] == pytest.approx(sum(step.reward.total for step in played.episode.steps))
    assert [step["legal"] for step in info["steps"]] == [True, False, True]
    assert (info["seed"], info["task_id"]) == (played.episode.seed, "hunt-2")
    assert (info["status"], info["played_by"], info["first_entry"]) == ("TERMINATED", "agent:ada", 3)
    for made in (row, atif(AROUND, played)):
        assert played.instance.watch_id in str(made)
        # Whoever may look gets an export, and the id is the right to play.
        assert f"'{played.instance.id}'" not in str(made)


async def test_a_trajectory_is_numbered_and_only_agents_call_tools(played: Recorded):
    """As the format's own reader demands it."""
    made = orjson.loads(orjson.dumps(atif(AROUND, played)))
    steps = made["steps"]
    assert made["schema_version"] == "ATIF-v1.4"
    assert [step["step_id"] for step in steps] == list(range(1, 6))
    assert [step["source"] for step in steps] == ["system", "user", "agent", "agent", "agent"]
    assert made["final_metrics"]["total_steps"] == len(steps)
    for step in steps[2:]:
        called = {call["tool_call_id"] for call in step["tool_calls"]}
        assert {result["source_call_id"] for result in step["observation"]["results"]} == called
    assert [step["extra"]["by"] for step in steps[2:]] == ["agent:ada", "human", "agent:ada"]
    assert {tuple(step) for step in steps[:2]} == {("step_id", "timestamp", "source", "message")}
    assert made["agent"].keys() == {"name", "version", "tool_definitions"}


async def test_an_earlier_episode_is_exported_as_far_as_it_had_come(start: StartProcess):
    service = start().service
    instance_id = await opened(service, fouls=2)
    await service.reset(instance_id, OPEN, by())
    assert [entry.n for entry in (await service.recorded(instance_id, at=2)).entries] == [1, 2]
    assert [entry.n for entry in (await service.recorded(instance_id)).entries] == [4]
    with pytest.raises(errors.BadFork, match="no entry 9"):
        await service.recorded(instance_id, at=9)


async def test_what_was_not_played_is_not_exported(start: StartProcess):
    service: Service = start().service
    blank = await service.create(SLUG)
    with pytest.raises(errors.NotReset):
        await service.recorded(blank.id)
    await service.erase(blank.id)
    with pytest.raises(errors.Gone):
        await service.recorded(blank.id)
