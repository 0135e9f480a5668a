"""The player: an episode of any catalogued environment, played by a model on the instance that others see.

Decides what happens turn by turn, and that every way in which it can go wrong is an end and not a crash.
Sees what any player sees; each action is committed like anybody's.
"""

from __future__ import annotations

from dataclasses import dataclass

from agents.ledger import Ended, RunState
from agents.llm.asking import Asking
from agents.llm.endpoint import EndpointError
from agents.llm.prompt import question
from agents.llm.reading import Unusable, action_in
from envs.catalog import Entry
from envs.kernel.play import AnyEpisode, EpisodeOver
from envs.kernel.records import Action
from envs.kernel.tools import tools_of
from instances.errors import InstanceError, StaleStep, TooManyRequests
from instances.model import Actor, ActorKind, Caller, Held, Surface
from instances.service import Service

# As in evaluation: an illegal action may cost no step, and who needs more of them than this is stuck.
PATIENCE = 4
LONGEST_REFUSAL = 300
ANSWERS = 2
"""How often a model may answer one question: once, and once more after it was told what was wrong."""


class _Over(Exception):
    """The run ends here."""

    def __init__(self, state: RunState, detail: str) -> None:
        super().__init__(detail)
        self.state = state
        self.detail = detail


@dataclass(slots=True)
class Player:
    """One model on one instance.

    Attributes:
        ref: The instance's id, which is the right to play.
        label: Under which the actions are journalled.
        last_n: The newest entry of the episode that the player knows.
    """

    service: Service
    ref: str
    around: Entry
    asking: Asking
    label: str
    last_n: int

    async def play(self) -> Ended:
        """Plays the running episode to its end, or to where it cannot go on."""
        try:
            await self._turns()
        except _Over as over:
            return self.ended(over.state, over.detail)
        except TooManyRequests as error:
            return self.ended(RunState.SPENT, error.message)
        except EndpointError as error:
            return self.ended(RunState.UNREACHABLE, f"{error}.")
        except InstanceError as error:
            return self.ended(RunState.STOPPED, error.message)
        return self.ended(RunState.FINISHED, "")

    def ended(self, state: RunState, detail: str) -> Ended:
        """An end at the newest entry that is known."""
        return Ended(state, detail, self.last_n)

    async def _turns(self) -> None:
        held = await self.service.look(self.ref)
        episode = _episode(held)
        reset_n = held.n - len(episode.steps)
        turns = 0
        while not episode.done:
            if turns == PATIENCE * episode.task.max_steps:
                raise _Over(RunState.STUCK, f"{turns} turns spent only {episode.state.step_count} steps.")
            turns += 1
            await self._turn(held, episode)
            held = await self.service.look(self.ref)
            episode = _episode(held)
            if held.n - len(episode.steps) != reset_n:
                raise _Over(RunState.STOPPED, "Somebody started another episode on this instance.")
            self.last_n = held.n

    async def _turn(self, held: Held, episode: AnyEpisode) -> None:
        action = await self._decide(episode)
        actor = Actor(ActorKind.AGENT, self.label)
        try:
            await self.service.step(self.ref, action, Caller(actor, Surface.HTTP, expected_step=held.n))
        except (StaleStep, EpisodeOver):
            # Somebody else moved meanwhile: the next turn looks again.
            return

    async def _decide(self, episode: AnyEpisode) -> Action:
        kind = self.around.environment.action_type
        tools = tools_of(kind)
        complaint = ""
        for _ in range(ANSWERS):
            reply = await self.asking.ask(question(self.around, episode, tools, complaint))
            if reply.refusal:
                raise _Over(RunState.REFUSED, f"The model refused: {reply.refusal[:LONGEST_REFUSAL]}")
            try:
                return action_in(reply, kind, tools, self.asking.mask)
            except Unusable as unusable:
                complaint = str(unusable)
        number = len(episode.steps) + 1
        raise _Over(RunState.MALFORMED, f"No usable answer for action {number}, twice: {complaint}.")


def _episode(held: Held) -> AnyEpisode:
    if held.episode is None:
        raise _Over(RunState.STOPPED, "There is no episode.")
    return held.episode
