"""A baseline attached from the page: one move each time it is asked, on the case as it stands then."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from envs.catalog import ENVIRONMENTS, Entry
from envs.kernel.play import AnyEpisode
from instances.errors import HeldOutCase, ReadOnly
from instances.model import Actor, ActorKind, Caller, Surface
from instances.service import Service
from instances.store import Store, open_engine
from instances.submissions import Submissions
from tests.tiny import TINY
from ui.agents import AgentAsk, agent_functions, described, move

PERSON = Caller(Actor(ActorKind.HUMAN, "anna"), Surface.UI)
CATALOG: Mapping[str, Entry] = {**ENVIRONMENTS, **TINY}


def off_the_main_thread(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs a test on a loop of its own: while a browser is open, Playwright's loop holds the main thread."""

    @functools.wraps(test)
    def run(*args: Any, **fixtures: Any) -> None:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, test(*args, **fixtures)).result()

    return run


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    store = Store(open_engine(f"sqlite:///{tmp_path / 'auditorium.db'}"))
    service = Service(store, CATALOG)
    yield service
    service.close()
    store.close()


def ask(instance: str, policy: str = "flag-max-z", **more: Any) -> AgentAsk:
    return AgentAsk(instance=instance, policy=policy, **more)


async def opened(service: Service, slug: str = "forecast-audit", **request: Any) -> str:
    """A new instance with an episode on it."""
    instance = await service.create(slug)
    kind = service.environment(slug).request_type
    await service.reset(instance.id, kind(**request), PERSON)
    return instance.id


async def episode(service: Service, ref: str) -> AnyEpisode:
    found = (await service.look(ref)).episode
    assert found is not None
    return found


@off_the_main_thread
async def test_a_move_is_one_step_of_the_baseline_and_is_told(service: Service) -> None:
    ref = await opened(service, task_id="hard_energy_forecast_001")
    moved = await move(service, ask(ref))
    held = await service.look(ref)
    assert (moved.n, held.n, len((await episode(service, ref)).steps)) == (2, 2, 1)
    (line,) = moved.lines
    assert (line.place, line.act.split()[0], line.reward[0]) == ("step 1", "flag_anomaly", "+")
    entry = (await service.entries(ref, 1))[0]
    assert (entry.actor, entry.surface) == (Actor(ActorKind.BASELINE, "flag-max-z"), Surface.UI)
    assert moved.halt == ""


@pytest.mark.parametrize("slug", CATALOG)
@off_the_main_thread
async def test_every_baseline_plays_an_episode_to_its_end_and_stops(service: Service, slug: str) -> None:
    for policy in CATALOG[slug].policies:
        ref = await opened(service, slug)
        for _ in range(100):
            moved = await move(service, ask(ref, policy))
            assert moved.note is None
            if moved.halt:
                break
        assert (await episode(service, ref)).done
        assert moved.halt == "The episode is over."


@off_the_main_thread
async def test_it_resets_only_when_it_is_allowed_to(service: Service) -> None:
    ref = await opened(service, difficulty="easy", seed=7)
    while not (await move(service, ask(ref, "escalate-all"))).halt:
        pass
    before = (await service.look(ref)).n
    assert (await move(service, ask(ref))).lines == ()
    assert (await service.look(ref)).n == before
    assert [line.place for line in (await move(service, ask(ref, anew=True))).lines] == ["reset"]
    request = (await episode(service, ref)).request
    assert (request.difficulty, request.seed) == ("easy", None)


@off_the_main_thread
async def test_without_an_episode_it_says_so_or_opens_one(service: Service) -> None:
    ref = (await service.create("forecast-audit")).id
    assert "no episode" in (await move(service, ask(ref))).halt
    assert (await move(service, ask(ref, anew=True))).halt == ""
    assert (await service.look(ref)).n == 1


@off_the_main_thread
async def test_it_plays_on_from_where_somebody_else_moved(service: Service) -> None:
    ref = await opened(service, task_id="hard_energy_forecast_001")
    first = await move(service, ask(ref, seen=1))
    action_type = service.environment("forecast-audit").action_type
    await service.step(ref, action_type.model_validate_json('{"operation":"flag_anomaly"}'), PERSON)
    second = await move(service, ask(ref, seen=first.n))
    assert [line.place for line in second.lines] == ["step 3"]


@off_the_main_thread
async def test_a_move_between_its_look_and_its_step_makes_it_look_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    ref = await opened(service, task_id="hard_energy_forecast_001")
    step, overtaken = service.step, []

    async def overtaking(to: str, action: Any, caller: Caller) -> Any:
        if not overtaken:
            overtaken.append(await step(to, action, PERSON))
        return await step(to, action, caller)

    monkeypatch.setattr(service, "step", overtaking)
    moved = await move(service, ask(ref, seen=1))
    assert [line.place for line in moved.lines] == ["step 2"]
    assert [entry.actor.kind for entry in await service.entries(ref, 1)] == ["human", "baseline"]


@off_the_main_thread
async def test_an_answer_that_was_lost_is_told_again_and_the_move_is_not_repeated(service: Service) -> None:
    ref = await opened(service, task_id="hard_energy_forecast_001")
    first = await move(service, ask(ref, seen=1))
    again = await move(service, ask(ref, seen=1))
    assert again == first
    assert (await service.look(ref)).n == 2


@off_the_main_thread
async def test_its_moves_do_not_depend_on_the_hidden_seed(service: Service) -> None:
    bodies = set()
    for seed in range(5):
        ref = await opened(service, task_id="hard_energy_forecast_001", seed=seed)
        await move(service, ask(ref, "random"))
        bodies.add((await service.entries(ref, 1))[0].body)
    assert len(bodies) == 1


@off_the_main_thread
async def test_a_held_out_case_is_not_spoilt_by_a_baseline(service: Service) -> None:
    _, (case, *_) = await Submissions(service).submit("forecast-audit", "ada", "1", "easy", 2)
    with pytest.raises(HeldOutCase, match="practice instance"):
        await move(service, ask(case.id, anew=True))
    assert (await service.look(case.id)).episode is None


@off_the_main_thread
async def test_a_watch_link_cannot_attach_one(service: Service) -> None:
    ref = await opened(service)
    watch = (await service.find(ref)).watch_id
    with pytest.raises(ReadOnly):
        await move(service, ask(watch))


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"policy": "nobody"}, "refused"),
        ({"policy": "random", "instance": "nowhere"}, "unknown_instance"),
        ({"policy": "random", "more": 1}, "bad_ask"),
        ({}, "bad_ask"),
    ],
)
@off_the_main_thread
async def test_what_is_wrong_becomes_a_note(service: Service, body: dict[str, Any], code: str) -> None:
    (function,) = agent_functions(service)
    answer = await function({"instance": await opened(service), **body})
    assert f'"code":"{code}"' in answer.body.decode()


def test_every_baseline_of_the_catalogue_is_offered_in_its_own_words() -> None:
    for slug, entry in CATALOG.items():
        offered = described(CATALOG)[slug]
        assert [name for name, _ in offered] == list(entry.policies)
        assert all(about for _, about in offered)
