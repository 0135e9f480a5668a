"""Runs: episodes that a model plays in the background, and what came of them.

Decides who plays what and for how long. What is kept of a run is in the ledger, what happened in it in the
journal, so that the result of a run can be had after a restart and from another server.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from functools import partial

from sqlalchemy import Connection

from agents import ledger, spending
from agents.ledger import Ended, Run, RunState
from agents.llm.asking import Asking, Sleep
from agents.llm.endpoint import Endpoint
from agents.llm.models import Model, choose
from agents.llm.player import Player
from agents.settings import AgentSettings
from envs.kernel.play import EpisodeOver
from instances import errors
from instances.holding import read_only
from instances.model import Held, Recorded
from instances.service import Service

log = logging.getLogger(__name__)

KEPT_S = 30 * 86_400.0
# What a run that is over may still need to say so.
GRACE_S = 30.0
LOST = "The server that played this went down; what it had played is in the journal."


class Runs:
    """The runs of one process, and a look at everybody's. Belongs to one event loop.

    Args:
        sleep: Waits between two calls of an endpoint that fails.
    """

    def __init__(self, service: Service, settings: AgentSettings, sleep: Sleep = asyncio.sleep) -> None:
        self._service = service
        self._settings = settings
        self._sleep = sleep
        self._spending = spending.Spending(service, settings.caps)
        self._endpoints: dict[str, Endpoint] = {}
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._started = 0

    async def close(self) -> None:
        """Ends what is being played; each run says that it was stopped."""
        for task in self._playing.values():
            task.cancel()
        await asyncio.gather(*self._playing.values(), return_exceptions=True)
        for endpoint in self._endpoints.values():
            await endpoint.close()

    def model(self, named: str | None) -> Model:
        """The model of that name, the first one when none is named.

        Raises:
            UnknownModel: With the names that there are.
            MissingKey: If it cannot be asked.
        """
        model = choose(self._settings.models, named)
        model.usable_key()
        return model

    async def ready(self, model: Model, client: str) -> None:
        """Makes sure that a client may start a run now.

        Raises:
            AtCapacity: If too many are being played.
            TooManyRequests: If the day's share is used up.
        """
        self._check_room()
        await self._spending.afford(client, priced=model.price is not None)

    async def start(self, ref: str, model: Model, client: str) -> Run:
        """Lets a model play the running episode of an instance, in the background.

        Args:
            ref: The instance's id; a watch link is not enough.
            client: Whose share of the day pays.
        Raises:
            ReadOnly, NotReset, EpisodeOver: If there is nothing to play for this caller.
            AtCapacity, TooManyRequests: As `ready` has it.
        """
        held = _playable(await self._service.look(ref))
        await self.ready(model, client)
        # Counted before anything is waited for, so that many who start at once do not all come in.
        self._admit()
        try:
            run_id = await self._open(held, model)
        except BaseException:
            self._started -= 1
            raise
        asking = Asking(self._service, self._spending, self._endpoint(model), run_id, client, self._sleep)
        around = self._service.catalog[held.instance.environment]
        player = Player(self._service, ref, around, asking, model.name, held.n)
        self._playing[run_id] = task = asyncio.create_task(self._play(run_id, player))
        task.add_done_callback(lambda _: self._forget(run_id))
        return await self.find(run_id)

    async def wait(self, run_id: str, seconds: float) -> Run:
        """The run, as soon as it has ended, but no later than after so many seconds."""
        task = self._playing.get(run_id)
        if task is not None:
            await asyncio.wait([task], timeout=seconds)
        return await self.find(run_id)

    async def find(self, run_id: str) -> Run:
        """The run of that id.

        Raises:
            UnknownRun: If there is none.
        """
        run = await self._service.read(partial(ledger.run_with, run_id=run_id))
        if run is None:
            raise errors.UnknownRun(
                f"There is no run {run_id[:64]!r}; start one on an instance, or see /docs."
            )
        lost = run_id not in self._playing and self._service.now() > run.deadline_at + GRACE_S
        if run.state is RunState.RUNNING and lost:
            ended = Ended(RunState.STOPPED, LOST, run.last_n)
            await self._close(run_id, ended)
            return await self.find(run_id)
        return run

    async def played(self, run: Run) -> Recorded:
        """The episode that the run played, as far as it came and as much of it as may be known.

        Raises:
            Gone: If the instance has ended.
        """
        return await self._service.recorded(run.instance_id, None if run.ended_at is None else run.last_n)

    def _admit(self) -> None:
        self._check_room()
        self._started += 1

    def _check_room(self) -> None:
        if self._started >= self._settings.runs:
            raise errors.AtCapacity(
                f"{self._settings.runs} episodes are being played by models; try again in a minute."
            )

    def _forget(self, run_id: str) -> None:
        self._started -= 1
        del self._playing[run_id]

    async def _open(self, held: Held, model: Model) -> str:
        """Keeps a new run, and forgets what is too old to be asked for."""
        run_id, now = self._service.token(), self._service.now()

        def opened(connection: Connection) -> None:
            spending.forget_before(connection, datetime.fromtimestamp(now, UTC).date().isoformat())
            ledger.forget_runs(connection, now - KEPT_S)
            deadline_at = now + self._settings.run_s
            ledger.open_run(connection, run_id, held.instance.id, model, held.n, now, deadline_at)

        await self._service.change(opened)
        return run_id

    async def _play(self, run_id: str, player: Player) -> None:
        ended = player.ended(RunState.STOPPED, LOST)
        try:
            async with asyncio.timeout(self._settings.run_s):
                ended = await player.play()
        except TimeoutError:
            ended = player.ended(RunState.LATE, f"The episode was not over after {self._settings.run_s:g} s.")
        except Exception:
            log.exception("a run failed")
            ended = player.ended(RunState.STOPPED, "This is a mistake of the server.")
        finally:
            await self._close(run_id, ended)

    async def _close(self, run_id: str, ended: Ended) -> None:
        try:
            await self._service.change(
                partial(ledger.close_run, run_id=run_id, ended=ended, at=self._service.now())
            )
        except errors.StoreUnavailable as error:
            log.warning("the end of a run was not recorded: %s", error)

    def _endpoint(self, model: Model) -> Endpoint:
        if model.label not in self._endpoints:
            settings = self._settings
            self._endpoints[model.label] = Endpoint(model, settings.call_s, settings.output_tokens)
        return self._endpoints[model.label]


def _playable(held: Held) -> Held:
    if held.read_only:
        raise read_only()
    if held.episode is None:
        raise errors.NotReset("There is no episode yet; call reset first.")
    if held.episode.done:
        raise EpisodeOver("The episode is done; call reset to start another.")
    return held
