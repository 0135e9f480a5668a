"""The hub's own routes: what they take, what they answer, and what they never tell."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest

from envs.catalog import ENVIRONMENTS
from tests.api.calls import (
    COMMONS,
    OUTSIDE,
    PREFIX,
    RIGHT,
    SLUG,
    TASK,
    WRONG,
    assert_hub_error,
    created,
    entries,
    opened,
    played,
)
from tests.api.inside import Api

CAPABILITY = re.compile(r"[0-9a-f]{32}")


async def test_opening_an_instance_answers_its_links(api: Api):
    instance = await created(api, label="walter")
    assert set(instance) == {"id", "watch_id", "environment", "base_url", "openenv_url", "ui_url"}
    assert CAPABILITY.fullmatch(instance["id"])
    assert CAPABILITY.fullmatch(instance["watch_id"])
    assert instance["id"] != instance["watch_id"]
    assert instance["environment"] == SLUG
    assert instance["base_url"] == f"http://test{PREFIX}/instances/{instance['id']}"
    assert instance["ui_url"] == f"http://test/ui/?env={SLUG}&instance={instance['id']}"


async def test_an_unmodified_client_plays_an_instance_by_its_base_url(api: Api):
    base_url = (await created(api))["base_url"]
    async with api.client_at(base_url.removeprefix("http://test")) as client:
        await client.post("/reset", json=TASK)
        assert (await client.post("/step", json=RIGHT)).json()["done"] is True
        assert (await client.get("/state")).json()["total_reward"] == 1.0


async def test_an_instance_at_a_glance(api: Api):
    instance = await created(api, label="walter")
    await played(api, instance["id"], "/reset", TASK, {"X-Actor": "human:Ada"})
    await played(api, instance["id"], "/step", WRONG, {"X-Actor": "agent:gpt"})
    await played(api, instance["id"], "/step", WRONG, {"X-Actor": "agent:gpt"})
    answer = await api.client.get(f"/instances/{instance['id']}")
    summary = answer.json()
    created_at = datetime.fromisoformat(summary.pop("created_at"))
    assert created_at.utcoffset() == timedelta(0)
    assert summary == {
        "id": instance["id"],
        "watch_id": instance["watch_id"],
        "environment": SLUG,
        "version": ENVIRONMENTS[SLUG].environment.version,
        "label": "walter",
        "entries": 3,
        "episode_steps": 2,
        "done": True,
        "assisted": False,
        "read_only": False,
        "retired": False,
        "watchers": 0,
        "actors": [
            {"kind": "agent", "label": "gpt", "entries": 2},
            {"kind": "human", "label": "Ada", "entries": 1},
        ],
    }
    assert answer.headers["x-step"] == "3"


async def test_a_watch_link_never_tells_the_id(api: Api):
    instance = await created(api)
    await played(api, instance["id"], "/reset", TASK)
    watch = instance["watch_id"]
    for path in (
        f"/instances/{watch}",
        f"/instances/{watch}/transcript",
        f"{PREFIX}/instances/{watch}/state",
    ):
        answer = await api.client.get(path)
        assert answer.status_code == 200
        assert answer.headers["x-instance-id"] == watch
        assert instance["id"] not in answer.text
    summary = (await api.client.get(f"/instances/{watch}")).json()
    assert (summary["id"], summary["read_only"]) == (None, True)


async def test_a_transcript_tells_who_did_what_and_what_came_of_it(api: Api):
    instance_id = await opened(api)
    await played(api, instance_id, "/step", RIGHT, {"X-Actor": "baseline:oracle"})
    reset, step = await entries(api, instance_id)
    keys = {"n", "kind", "actor", "surface", "at", "body", "outcome", "seed", "digest"}
    assert set(reset) == set(step) == keys
    assert (reset["n"], reset["kind"]) == (1, "reset")
    assert reset["body"].items() >= TASK.items()
    assert (step["n"], step["kind"], step["surface"]) == (2, "step", "http")
    assert step["actor"] == {"kind": "baseline", "label": "oracle"}
    assert step["body"] == {**RIGHT, "violated_constraints": []}
    assert (step["outcome"]["status"], step["outcome"]["legal"]) == ("TERMINATED", True)
    assert step["outcome"]["reward"]["total"] == 1.0
    assert isinstance(reset["seed"], int)
    assert step["seed"] is None


async def test_a_running_episode_shows_no_digest_and_a_finished_one_does(api: Api):
    instance_id = await opened(api)
    await played(api, instance_id, "/step", RIGHT)
    await played(api, instance_id, "/reset", TASK)
    await played(api, instance_id, "/step", WRONG)
    shown = [entry["digest"] for entry in await entries(api, instance_id)]
    assert [digest is None for digest in shown] == [False, False, True, True]
    assert all(CAPABILITY.fullmatch(digest) for digest in shown[:2])
    await played(api, instance_id, "/step", WRONG)
    assert None not in [entry["digest"] for entry in await entries(api, instance_id)]


async def test_an_illegal_step_is_in_the_transcript(api: Api):
    instance_id = await opened(api)
    await played(api, instance_id, "/step", OUTSIDE)
    _, step = await entries(api, instance_id)
    assert (step["outcome"]["legal"], step["outcome"]["status"]) == (False, "RUNNING")


async def test_a_transcript_comes_in_pages_that_join_without_a_seam(api: Api):
    instance_id = await opened(api)
    for _ in range(6):
        await played(api, instance_id, "/step", OUTSIDE)
    whole, seen, after = await entries(api, instance_id), [], 0
    while after is not None:
        page = (await api.client.get(f"/instances/{instance_id}/transcript?after={after}&limit=3")).json()
        assert set(page) == {"entries", "next"}
        assert len(page["entries"]) <= 3
        seen += page["entries"]
        after = page["next"]
    assert seen == whole
    assert [entry["n"] for entry in seen] == list(range(1, 8))


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "after=", "after=99999999999", "limit=5001", "limit=1.5"]
)
async def test_a_page_that_cannot_be_is_422(api: Api, query: str):
    instance_id = await opened(api)
    answer = await api.client.get(f"/instances/{instance_id}/transcript?{query}")
    (complaint,) = assert_hub_error(answer, 422, "invalid_request")["details"]
    assert complaint["loc"] == ["query", query.split("=", maxsplit=1)[0]]


async def test_a_fork_stands_where_the_original_stood(api: Api):
    instance_id = await opened(api)
    await played(api, instance_id, "/step", WRONG)
    before = (await api.client.get(f"{PREFIX}/instances/{instance_id}/state")).json()
    await played(api, instance_id, "/step", WRONG)
    answer = await api.client.post(f"/instances/{instance_id}/fork", json={"at": 2})
    fork = answer.json()
    assert answer.status_code == 201
    assert set(fork) == {"id", "watch_id", "environment", "base_url", "openenv_url", "ui_url"}
    assert (await api.client.get(f"{PREFIX}/instances/{fork['id']}/state")).json() == before
    assert (await api.client.get(f"/instances/{fork['id']}")).json()["assisted"] is True


async def test_erasing_leaves_410_everywhere(api: Api):
    instance = await created(api)
    assert (await api.client.delete(f"/instances/{instance['id']}")).status_code == 204
    for ref in (instance["id"], instance["watch_id"]):
        assert_hub_error(await api.client.get(f"/instances/{ref}"), 410, "gone")
        assert_hub_error(await api.client.get(f"/instances/{ref}/transcript"), 410, "gone")
        assert_hub_error(await api.client.get(f"/instances/{ref}/events"), 410, "gone")
        assert_hub_error(await api.client.post(f"/instances/{ref}/fork", json={"at": 1}), 410, "gone")
        assert_hub_error(await api.client.delete(f"/instances/{ref}"), 410, "gone")
        assert (await played(api, ref, "/step", WRONG)).status_code == 410


async def test_the_catalogue_tells_what_there_is_to_play_and_no_id(api: Api):
    instance_id = await opened(api)
    answer = await api.client.get("/catalog")
    body = answer.json()
    assert set(body) == {"environments", "health"}
    assert [environment["slug"] for environment in body["environments"]] == list(ENVIRONMENTS)
    environment = next(each for each in body["environments"] if each["slug"] == SLUG)
    assert set(environment) == set(
        "slug title field tagline version levels tracks horizon base_url shared_instance".split()
    )
    assert environment["shared_instance"] == COMMONS
    assert environment["base_url"] == f"http://test{PREFIX}"
    assert environment["levels"] == ["easy", "medium", "hard"]
    assert instance_id not in answer.text


async def test_health_tells_whether_what_is_played_will_last(api: Api):
    body = (await api.client.get("/health")).json()
    assert body == {"status": "healthy", "durable": True, "note": "", "environments": list(ENVIRONMENTS)}
    assert (await api.client.get("/catalog")).json()["health"] == body


async def test_the_commons_can_be_looked_at_before_anybody_played(api: Api):
    summary = (await api.client.get(f"/instances/{COMMONS}")).json()
    assert (summary["id"], summary["entries"], summary["done"]) == (COMMONS, 0, False)
    assert await entries(api, COMMONS) == []
