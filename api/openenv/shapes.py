"""What crosses OpenEnv's wire, as types: what is the same everywhere, and what is one environment's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from envs.kernel.protocol import AnyEnvironment
from envs.kernel.records import Record

TEXT = "text"
"""The field that we add to every observation."""

EpisodeId = Annotated[
    str | None, Field(max_length=255, description="A name of the caller's for the episode; `/state` has it.")
]
TimeoutS = Annotated[
    float | None, Field(gt=0, description="Taken and not needed: no step waits for anything.")
]
RequestId = Annotated[str | None, Field(max_length=255, description="The caller's name for the request.")]


class Metadata(Record):
    """What else there is to know after a reset or a step.

    Attributes:
        session_id: Names the session in later calls; it is the instance's id.
        status: A terminated episode ended by what happened, a truncated one by its steps.
        legal: Whether the rules allow the action; one that they do not allow changes only what it costs.
        message: What the environment says of the last action.
        reward_parts: What the reward is made of.
        entry: Number of the last entry of the instance's journal.
        others: Entries that others made since this caller's last answer; on a socket only.
    """

    session_id: str
    episode_id: str
    status: Literal["running", "terminated", "truncated"]
    legal: bool
    message: str
    reward_parts: dict[str, float]
    entry: int
    others: int | None = None


class StateAnswer(Record):
    """Where a session stands. `episode_id` is null before the first reset."""

    episode_id: str | None
    step_count: Annotated[int, Field(ge=0)]
    environment: str
    version: int
    task_id: str | None
    status: Literal["running", "terminated", "truncated"] | None
    done: bool
    total_reward: float
    entry: int


class HealthAnswer(Record):
    """Service health."""

    status: str = "healthy"


class MetadataAnswer(Record):
    """The environment in words. `readme_content` is its page."""

    name: str
    description: str
    version: str
    readme_content: str
    documentation_url: str


class SchemaAnswer(Record):
    """JSON schemas of actions, observations and the state."""

    action: dict[str, Any]
    observation: dict[str, Any]
    state: dict[str, Any]


class HomeAnswer(Record):
    """Where this environment's addresses are, each relative to this one."""

    name: str
    protocol: str = "openenv/0.10"
    routes: tuple[str, ...]


class Detail(Record):
    """An error: in words, or as a list of what does not fit."""

    detail: str | tuple[dict[str, Any], ...]
    code: str


class RpcRequest(Record):
    """A JSON-RPC 2.0 request."""

    jsonrpc: Literal["2.0"]
    method: str
    params: dict[str, Any] | None = None
    id: str | int | None = None


class Rpc(BaseModel):
    """A JSON-RPC 2.0 answer: a result or an error."""

    jsonrpc: Literal["2.0"]
    id: str | int | None
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore")


@dataclass(frozen=True, slots=True)
class Shapes:
    """The types of one environment."""

    reset_body: type[BaseModel]
    step_body: type[BaseModel]
    observation: type[BaseModel]
    reset_answer: type[BaseModel]
    step_answer: type[BaseModel]


@cache
def shapes_of(env: AnyEnvironment) -> Shapes:
    """The types of this environment's bodies and answers.

    Raises:
        ValueError: If its observations already have a field of the name that we add.
    """
    if TEXT in env.observation_type.model_fields:
        raise ValueError(
            f"{env.slug}: an observation's field {TEXT!r} is ours; name the environment's otherwise"
        )
    told = Field(description="The observation as a person reads it; the first one also says what to do.")
    added: dict[str, Any] = {TEXT: (str, told)}
    observation: type[BaseModel] = create_model("OpenEnvObservation", __base__=env.observation_type, **added)
    parts: dict[str, Any] = {
        "observation": (observation, ...),
        "done": (bool, ...),
        "metadata": (Metadata, ...),
    }
    return Shapes(
        reset_body=create_model("ResetBody", __base__=env.request_type, episode_id=(EpisodeId, None)),
        step_body=create_model(
            "StepBody",
            __base__=_Loose,
            action=(env.action_type, ...),
            timeout_s=(TimeoutS, None),
            request_id=(RequestId, None),
        ),
        observation=observation,
        reset_answer=create_model("ResetAnswer", __base__=Record, reward=(None, ...), **parts),
        step_answer=create_model("StepAnswer", __base__=Record, reward=(float, ...), **parts),
    )
