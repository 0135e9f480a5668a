"""One environment as OpenEnv's clients see it: what they send becomes moves, what came of them plain answers.

Decides how an episode looks on OpenEnv's wire. Rules, rewards and cases are the environment's, sessions the
instance service's.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from api.errors import bad, invalid
from api.openenv.calls import as_action
from api.openenv.shapes import TEXT, EpisodeId, RequestId, Shapes, StateAnswer, TimeoutS, shapes_of
from api.openenv.tools import tools_of
from envs.catalog import Entry as CatalogEntry
from envs.kernel.outcome import Reward, Status
from envs.kernel.play import AnyEpisode, look, open_episode
from envs.kernel.records import Action, Observation, Request
from envs.kernel.tools import JsonObject, brief
from envs.scene import to_text
from instances.errors import NotReset, UnknownInstance
from instances.model import Held, Instance
from instances.service import Service

T = TypeVar("T")

REMEMBERED_EPISODES = 20_000

# Words that every environment takes, and what its own request may call the same thing, the likeliest first.
_SYNONYMS = {
    "level": ("difficulty", "task", "task_id"),
    "difficulty": ("level", "task", "task_id"),
    "task": ("task_id", "case_id"),
}

_STATUS: Mapping[Status, Literal["running", "terminated", "truncated"]] = {
    Status.RUNNING: "running",
    Status.TERMINATED: "terminated",
    Status.TRUNCATED: "truncated",
}
_NOTHING = Reward()

_episode_id: TypeAdapter[str | None] = TypeAdapter(EpisodeId)
_timeout_s: TypeAdapter[float | None] = TypeAdapter(TimeoutS)
_request_id: TypeAdapter[str | None] = TypeAdapter(RequestId)


class System:
    """An environment behind OpenEnv's doors.

    Attributes:
        tools: Its actions as tools, by name.
        shapes: The types of its bodies and answers.
    """

    def __init__(self, entry: CatalogEntry) -> None:
        self.environment = entry.environment
        self.slug: str = entry.environment.slug
        self.tools = tools_of(entry.environment.action_type)
        self.shapes: Shapes = shapes_of(entry.environment)
        self._scene = entry.scene
        self._request: TypeAdapter[Request] = TypeAdapter(entry.environment.request_type)
        self._action: TypeAdapter[Action] = TypeAdapter(entry.environment.action_type)
        self._fields = tuple(entry.environment.observation_type.model_fields)
        self._brief = brief(entry.environment, self.tools.values())
        self._episode_ids: OrderedDict[tuple[str, int], str] = OrderedDict()

    async def joined(self, service: Service, ref: str) -> Instance:
        """The instance that a session id names.

        Raises:
            UnknownInstance: If there is none, or it is another environment's.
        """
        try:
            instance = await service.find(ref)
        except UnknownInstance as error:
            raise UnknownInstance(
                f"Session not found: there is no instance {ref[:64]!r}. "
                "Reset (for MCP: initialize) without a session id and use the one in the answer."
            ) from error
        if instance.environment != self.slug:
            raise UnknownInstance(
                f"Session {ref!r} belongs to {instance.environment}, not to {self.slug}; "
                f"use /openenv/{instance.environment}."
            )
        return instance

    def request(self, options: JsonObject) -> tuple[Request, str | None]:
        """What a reset asks for, and the caller's name for the episode; other keys are passed over.

        Raises:
            BadRequest: If a value does not fit.
        """
        options = self._own(options, "body")
        episode_id = _fitting(_episode_id, options.pop("episode_id", None), "body", "episode_id")
        try:
            return self._request.validate_json(_json(options), extra="ignore"), episode_id
        except ValidationError as error:
            raise invalid(error, "body") from error

    def queried(self, options: Mapping[str, str]) -> Request:
        """What the parameters of an address ask a new session to open; `task` and `level` are understood.

        Raises:
            BadRequest: If one is unknown or does not fit: nobody gets another case than the one asked for.
        """
        fields = self.environment.request_type.model_fields
        named = self._own(options, "query")
        for name in named.keys() - fields.keys():
            known = ", ".join(fields)
            raise bad(
                ("query", name[:64].encode("utf-8", "replace").decode()), f"unknown; there are: {known}"
            )
        try:
            return self._request.validate_strings(named)
        except ValidationError as error:
            raise invalid(error, "query") from error

    def _own(self, options: Mapping[str, Any], where: str) -> dict[str, Any]:
        """The options under the names that this environment's request has for them.

        Raises:
            BadRequest: If two of them name the same thing.
        """
        fields = self.environment.request_type.model_fields
        own: dict[str, Any] = {}
        for name, value in options.items():
            synonyms = () if name in fields else _SYNONYMS.get(name, ())
            called = next((other for other in synonyms if other in fields), name)
            if called in own or (called != name and called in options):
                raise bad((where, name), f"says the same as {called!r}; give one of them")
            own[called] = value
        return own

    def step_payload(self, body: JsonObject) -> JsonObject:
        """What the body of a step has as action.

        Raises:
            BadRequest: If there is none, or it or a value beside it does not fit.
        """
        _fitting(_timeout_s, body.get("timeout_s"), "body", "timeout_s")
        _fitting(_request_id, body.get("request_id"), "body", "request_id")
        if "action" not in body:
            raise bad(("body", "action"), 'Field required: send {"action": {…}}', "missing")
        return _object(body["action"], "body", "action")

    def action(self, payload: JsonObject, *where: str) -> Action:
        """The action that a payload means: itself, or the action of the tool that it calls.

        Raises:
            BadRequest: If it does not fit.
        """
        try:
            return self._action.validate_json(_json(as_action(payload, self.tools)))
        except ValidationError as error:
            raise invalid(error, *where) from error

    def name_episode(self, held: Held, name: str | None) -> None:
        """Remembers the caller's name for the episode that was just opened."""
        if name is not None:
            self._episode_ids[held.instance.id, _opened_at(held)] = name
            if len(self._episode_ids) > REMEMBERED_EPISODES:
                self._episode_ids.popitem(last=False)

    def answer(self, ref: str, held: Held, others: int | None = None) -> JsonObject:
        """What a reset or a step led to; `pydantic_core.to_json` makes JSON of it.

        Args:
            ref: The session id that the caller used.
            others: Entries that others made since the caller's last answer, None where nobody counts.
        """
        episode = _episode(held)
        last = episode.steps[-1] if episode.steps else None
        reward = _NOTHING if last is None else last.reward
        return {
            "observation": self._observed(episode),
            "reward": None if last is None else reward.total,
            "done": episode.done,
            # As `shapes.Metadata` has it; building the record would cost as much as the step.
            "metadata": {
                "session_id": ref,
                "episode_id": self._episode_id(held),
                "status": _STATUS[episode.status],
                "legal": last is None or last.legal,
                "message": reward.message,
                "reward_parts": dict(reward.parts),
                "entry": held.n,
                "others": others,
            },
        }

    def told(self, episode: AnyEpisode) -> str:
        """What to do, and the latest observation as a person reads it."""
        text = self._text(episode, look(self.environment, episode))
        return f"{self._brief}\n\n{text}" if episode.steps else text

    def opens(self, request: Request) -> None:
        """Asks whether an instance that was never played would open such a case, before there is one.

        Raises:
            Refusal: What the environment says of it.
        """
        open_episode(self.environment, request, self.environment.memory_type(), 0)

    def state(self, held: Held) -> StateAnswer:
        """Where the session stands."""
        episode = held.episode
        return StateAnswer(
            episode_id=None if episode is None else self._episode_id(held),
            step_count=0 if episode is None else episode.state.step_count,
            environment=self.slug,
            version=held.instance.version,
            task_id=None if episode is None or episode.sealed else episode.task.task_id,
            status=None if episode is None else _STATUS[episode.status],
            done=episode is not None and episode.done,
            total_reward=0.0 if episode is None else sum(step.reward.total for step in episode.steps),
            entry=held.n,
        )

    def _observed(self, episode: AnyEpisode) -> JsonObject:
        observation: Observation = look(self.environment, episode)
        values = {name: getattr(observation, name) for name in self._fields}
        values[TEXT] = self._text(episode, observation)
        return values

    def _text(self, episode: AnyEpisode, observation: Observation) -> str:
        parts = [
            episode.steps[-1].reward.message if episode.steps else self._brief,
            to_text(self._scene(observation)),
            f"{episode.state.step_count} of {episode.task.max_steps} steps taken.",
        ]
        return "\n\n".join(filter(None, parts))

    def _episode_id(self, held: Held) -> str:
        opened_at = _opened_at(held)
        given = self._episode_ids.get((held.instance.id, opened_at))
        # Whoever looks sees it, so it is made from the watch link and not from the id.
        return given or f"{held.instance.watch_id}.{opened_at}"


def parsed(raw: bytes | str) -> JsonObject:
    """The JSON object that a caller sent; nothing counts as an empty one.

    Raises:
        BadRequest: If it is no JSON, or no object.
    """
    try:
        value = from_json(raw or b"{}")
    except ValueError as error:
        raise bad(("body",), f"Invalid JSON: {error}", "json_invalid") from error
    return _object(value, "body")


def _object(value: object, *where: str) -> JsonObject:
    if not isinstance(value, dict):
        raise bad(where, "Input should be an object", "dict_type")
    return cast("JsonObject", value)


def _json(value: JsonObject) -> bytes:
    # As constants, what is not finite is refused where it is read and not taken for null.
    return to_json(value, inf_nan_mode="constants")


def _fitting(adapter: TypeAdapter[T], value: object, *where: str) -> T:
    try:
        return adapter.validate_python(value, strict=True)
    except ValidationError as error:
        raise invalid(error, *where) from error


def _episode(held: Held) -> AnyEpisode:
    if held.episode is None:
        raise NotReset("There is no episode yet; call reset first.")
    return held.episode


def _opened_at(held: Held) -> int:
    """Number of the reset that opened the latest episode: each step since, legal or not, is one entry."""
    return held.n - len(_episode(held).steps)
