"""Content moderation for TRL: looks, a mark and four decisions as tools."""

from __future__ import annotations

from typing import ClassVar

from clients.trl.rollout import Rollout


class Moderation(Rollout):
    """Look into a reported post, say what it does, and decide whether it stays up.

    A row may say `seed` and `task` (easy, medium, hard). Equal seeds are equal cases in every rollout of a
    group. The reward is the sum of the steps' rewards; the decision carries most of it.
    """

    slug: ClassVar[str] = "moderation"
    columns: ClassVar[frozenset[str]] = frozenset({"seed", "task", "task_id", "split"})
    # An instance counts what was escalated in it; equal seeds are to be equal rewards.
    apart: ClassVar[bool] = True

    def fetch_user_history(self) -> str:
        """Open the author's history: strikes, registrations, what they wrote.

        Returns:
            The case as far as it was looked at.
        """
        return self._play(action="fetch_user_history")

    def fetch_thread_context(self) -> str:
        """Open the thread: who said what below the post.

        Returns:
            The case as far as it was looked at.
        """
        return self._play(action="fetch_thread_context")

    def check_policy_clause(self, clause_id: str) -> str:
        """Read a clause of the policy with its notices.

        Args:
            clause_id: One of the clauses that the case lists.

        Returns:
            The case as far as it was looked at.
        """
        return self._play(action="check_policy_clause", clause_id=clause_id)

    def mark_violation_type(self, violation_type: str) -> str:
        """Say what the post does; only the first mark counts, and it is scored with the decision.

        Args:
            violation_type: What it does (choices: ["none", "harassment", "hate", "threat", "privacy", "misinformation", "self_harm", "spam"])

        Returns:
            The case as far as it was looked at.
        """  # noqa: E501 - transformers reads the choices from one line
        return self._play(action="mark_violation_type", violation_type=violation_type)

    def allow(self) -> str:
        """Decide that the post stays up; this ends the case.

        Returns:
            The ruling.
        """
        return self._play(action="allow")

    def flag(self) -> str:
        """Decide that the post stays up with a note and waits for review; this ends the case.

        Returns:
            The ruling.
        """
        return self._play(action="flag")

    def remove(self) -> str:
        """Decide that the post is taken down; this ends the case.

        Returns:
            The ruling.
        """
        return self._play(action="remove")

    def escalate(self) -> str:
        """Decide that the case goes to a specialist; this ends the case.

        Returns:
            The ruling.
        """
        return self._play(action="escalate")
