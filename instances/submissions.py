"""Submissions: how an agent enters a round of held-out cases and leaves it again.

Decides who gets which case in which order. Playing them is the service's, judging them the evaluation's.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sqlalchemy import Connection

from envs.kernel.play import AnyEpisode
from instances import errors, rounds
from instances.holding import refolded
from instances.model import HeldOut, Instance, Round, Submission
from instances.rows import instance_row
from instances.service import Service


class Submissions:
    """The rounds of one service."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def submit(
        self, slug: str, agent: str, agent_version: str, level: str, cases: int, round_name: str | None = None
    ) -> tuple[Submission, tuple[Instance, ...]]:
        """Enters a round: an instance for each of its first `cases` cases, in an order of this submission.

        Args:
            round_name: An administrator's round; without it this month's.
        Raises:
            UnknownEnvironment, UnknownRound: With what there is.
            Refusal: If the environment has no held-out cases, or no such level.
            HeldOutCase: If the round has closed or has fewer cases.
        """
        service = self._service
        env = service.environment(slug)
        env.held_out(level, 0)
        now = service.now()
        held = rounds.dated_round(slug, level, now) if round_name is None else await self.round(round_name)
        if (held.environment, held.level) != (slug, level):
            raise errors.HeldOutCase(f"Round {held.name} is of {held.environment}, level {held.level}.")
        if now >= held.closes_at:
            raise errors.HeldOutCase(f"Round {held.name} has closed; submit to a round that is open.")
        if not 1 <= cases <= held.cases:
            raise errors.HeldOutCase(f"Round {held.name} has {held.cases} cases; ask for 1 to {held.cases}.")
        submission = Submission(service.token(), held, agent, agent_version, cases, now)
        label = f"{agent} {agent_version}"
        opened = [
            replace(service.fresh(slug, label), held_out=HeldOut(submission, case), created_at=now)
            for case in service.case_order(submission.id, cases)
        ]
        await service.admit(cases)
        await service.change(partial(_enter, submission=submission, opened=opened))
        return submission, tuple(opened)

    async def submission(self, submission_id: str) -> Submission:
        """The submission of that id.

        Raises:
            UnknownSubmission: If there is none.
        """
        found = await self._service.read(partial(rounds.submission_with, submission_id=submission_id))
        if found is None:
            raise errors.UnknownSubmission(
                f"There is no submission {submission_id!r}; make one: POST /submissions."
            )
        return found

    async def instances(self, submission: Submission) -> tuple[tuple[int, Instance], ...]:
        """The submission's instances in its order, each with its number from 1; erased ones are left out."""
        ids = await self._service.read(partial(rounds.instances_of, submission_id=submission.id))
        by_case = dict(ids)
        order = self._service.case_order(submission.id, submission.cases)
        numbered = [(n, by_case[case]) for n, case in enumerate(order, start=1) if case in by_case]
        return tuple([(n, await self._service.find(instance_id)) for n, instance_id in numbered])

    async def played(self, submission: Submission) -> tuple[tuple[int, ...], dict[int, AnyEpisode]]:
        """Seeds of the submission's cases, and by case the episode as it was really played.

        Not for players: this is what their round keeps from them.
        """
        name = submission.round.name
        seeds = tuple(self._service.case_seed(name, case) for case in range(submission.cases))
        env = self._service.environment(submission.round.environment)
        episodes: dict[int, AnyEpisode] = {}
        for case, instance_id in await self._service.read(
            partial(rounds.instances_of, submission_id=submission.id)
        ):
            episode = refolded(env, await self._service.journal_of(instance_id))
            if episode is not None:
                episodes[case] = episode
        return seeds, episodes

    async def close(self, submission_id: str) -> Submission:
        """Ends a submission: its cases cannot be played on; closing again changes nothing."""
        submission = await self.submission(submission_id)
        if submission.closed_at is None:
            at = self._service.now()
            await self._service.change(partial(rounds.close_submission, submission_id=submission_id, at=at))
            submission = await self.submission(submission_id)
            self._service.relearn(submission)
        return submission

    async def round(self, name: str) -> Round:
        """The round of that name.

        Raises:
            UnknownRound: If there is none.
        """
        found = await self._service.read(partial(rounds.round_named, name=name))
        if found is None:
            raise errors.UnknownRound(f"There is no round {name!r}.")
        return found

    async def put_round(self, held: Round) -> Round:
        """Keeps an administrator's round; of one that is there already, only the closing time changes.

        Raises:
            HeldOutCase: If it has closed: its cases are open to everybody and cannot be held out again.
        """
        self._service.environment(held.environment).held_out(held.level, 0)
        earlier = await self._service.read(partial(rounds.round_named, name=held.name))
        if earlier is not None and earlier.closes_at <= self._service.now():
            raise errors.HeldOutCase(f"Round {held.name} has closed and stays so; open one of another name.")
        await self._service.change(partial(rounds.put_round, held=held))
        kept = await self.round(held.name)
        self._service.relearn(kept)
        return kept


def _enter(connection: Connection, submission: Submission, opened: list[Instance]) -> None:
    rounds.keep_round(connection, submission.round)
    rounds.put_submission(connection, submission)
    rounds.put_instances(connection, [instance_row(instance) for instance in opened])
