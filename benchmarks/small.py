"""One small environment twice, as ours and as OpenEnv's, each behind its own server: `ours|theirs <port>`.

Decides what is equal: the same action, the same observation, the same reward, an end that never comes.
"""

from __future__ import annotations

import gc
import sys
from tempfile import TemporaryDirectory
from typing import Annotated, Any, ClassVar

import uvicorn
from openenv.core.env_server import create_fastapi_app, interfaces, types
from pydantic import Field

from api.app import create_app
from api.peers import PeerProtocol
from api.settings import read_settings
from envs.catalog import Entry
from envs.kernel import records
from envs.kernel.outcome import Grade, Reward, Step
from envs.kernel.protocol import Environment
from envs.kernel.rng import Rng
from envs.scene import Hint, Prose, Scene
from instances.service import Service
from instances.store import Store, open_engine

SLUG = "echo"
STEPS = 1_000


class Action(records.Action):
    """Say something."""

    message: Annotated[str, Field(max_length=1_000, description="What to say.")]


class Observation(records.Observation):
    """What came back."""

    message: str
    length: int


class State(records.State):
    """The last thing said."""

    task: records.Task
    message: str = ""


class Echo(Environment[records.Request, records.Memory, records.Task, State, Action, Observation]):
    """An environment that says everything again."""

    slug: ClassVar[str] = SLUG
    title: ClassVar[str] = "Echo"
    field: ClassVar[str] = "Measuring"
    tagline: ClassVar[str] = "Say something and hear it again."
    version: ClassVar[int] = 1
    levels: ClassVar[tuple[str, ...]] = ("easy",)
    tracks: ClassVar[tuple[str, ...]] = ("open",)
    horizon: ClassVar[tuple[int, int]] = (1, STEPS)

    request_type = records.Request
    memory_type = records.Memory
    state_type = State
    action_type = Action
    observation_type = Observation

    def task(self, request: records.Request, memory: records.Memory, rng: Rng) -> records.Task:
        return records.Task(task_id="echo", level="easy", max_steps=STEPS)

    def initial(self, task: records.Task, memory: records.Memory) -> State:
        return State(task=task)

    def step(self, state: State, action: Action, rng: Rng) -> Step[State]:
        after = state.model_copy(update={"step_count": state.step_count + 1, "message": action.message})
        length = float(len(action.message))
        return Step[State].going(after, Reward(parts=(("length", length),), total=length))

    def observe(self, state: State, track: str) -> Observation:
        return Observation(message=state.message, length=len(state.message))

    def grade(self, task: records.Task, steps: tuple[Step[State], ...]) -> Grade:
        return Grade(parts=(), score=0.0, objective=0.0)

    def track(self, request: records.Request) -> str:
        return "open"

    def remember(
        self, memory: records.Memory, request: records.Request, task: records.Task, steps: Any
    ) -> records.Memory:
        return memory


class TheirAction(types.Action):
    """Say something."""

    message: str


class TheirObservation(types.Observation):
    """What came back."""

    message: str
    length: int


class TheirEcho(interfaces.Environment):
    """The same as OpenEnv has it."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = types.State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> TheirObservation:
        self._state = types.State(episode_id=episode_id, step_count=0)
        return TheirObservation(message="", length=0)

    def step(self, action: TheirAction, timeout_s: float | None = None, **_: Any) -> TheirObservation:
        self._state.step_count += 1
        length = len(action.message)
        return TheirObservation(message=action.message, length=length, reward=float(length))

    @property
    def state(self) -> types.State:
        return self._state


def scene(observation: Observation) -> Scene:
    """What was said."""
    return Scene(pieces=(Prose(label="Echo", text=observation.message),))


def hints(observation: Observation) -> tuple[Hint, ...]:
    """The one field."""
    return (Hint(field="message", label="Message"),)


def ours(port: int) -> None:
    """Our API on a store on disk, as `app.py` runs it, without the page."""
    settings = {"AUDITORIUM_REQUESTS_PER_S": "0", "AUDITORIUM_CREATIONS_PER_S": "0"}
    with TemporaryDirectory() as folder:
        read = read_settings({"DATA_DIR": folder, **settings}, frozenset())
        catalog = {SLUG: Entry(Echo(), scene, hints, {})}
        service = Service(Store(open_engine(read.database_url)), catalog, read.limits)
        app = create_app(service, read)
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)
        uvicorn.run(
            app,
            port=port,
            log_level="warning",
            access_log=False,
            ws=PeerProtocol,
            ws_per_message_deflate=False,
        )


def theirs(port: int) -> None:
    """OpenEnv's server with the settings that it has."""
    app = create_fastapi_app(
        TheirEcho, TheirAction, TheirObservation, max_concurrent_envs=1_000, env_name=SLUG
    )
    uvicorn.run(app, port=port, log_level="warning", access_log=False)


if __name__ == "__main__":
    {"ours": ours, "theirs": theirs}[sys.argv[1]](int(sys.argv[2]))
