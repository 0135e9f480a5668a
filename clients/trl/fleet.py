"""The fleet for TRL: six acts of oversight and the audit as tools."""

from __future__ import annotations

from typing import Any, ClassVar

from clients.trl.rollout import Rollout


class Fleet(Rollout):
    """Oversee five AI workers that build a search index, with one act in each step.

    A row may say `seed` and `task_id` (easy_fleet, medium_fleet, hard_fleet). Equal seeds are equal shifts in
    every rollout of a group. The reward is the sum of the steps' rewards; what nobody found is charged in the
    contract's total alone, so a trainer that wants it asks the instance's `/fleet/state`.
    """

    slug: ClassVar[str] = "fleet"
    columns: ClassVar[frozenset[str]] = frozenset({"seed", "task_id", "split"})

    def monitor(self, worker_id: str, reason: str | None = None) -> str:
        """Look closely at a worker: its next report is complete and precise, with a sample of its work.

        Args:
            worker_id: On whom: worker_0, worker_1, worker_2, worker_3 or worker_4.
            reason: Why; kept, not scored.

        Returns:
            The fleet one step later.
        """
        return self._play(action_type="monitor", worker_id=worker_id, reason=reason)

    def intervene(self, worker_id: str, reason: str | None = None) -> str:
        """Stop a faulty worker's fault at once and repair it.

        Args:
            worker_id: On whom: worker_0, worker_1, worker_2, worker_3 or worker_4.
            reason: Why; kept, not scored.

        Returns:
            The fleet one step later.
        """
        return self._play(action_type="intervene", worker_id=worker_id, reason=reason)

    def approve(self, worker_id: str, reason: str | None = None) -> str:
        """Sign off a worker's work of the last steps.

        Args:
            worker_id: On whom: worker_0, worker_1, worker_2, worker_3 or worker_4.
            reason: Why; kept, not scored.

        Returns:
            The fleet one step later.
        """
        return self._play(action_type="approve", worker_id=worker_id, reason=reason)

    def escalate(self, worker_id: str, reason: str | None = None) -> str:
        """Hand a worker to its owner, who repairs it within two steps.

        Args:
            worker_id: On whom: worker_0, worker_1, worker_2, worker_3 or worker_4.
            reason: Why; kept, not scored.

        Returns:
            The fleet one step later.
        """
        return self._play(action_type="escalate", worker_id=worker_id, reason=reason)

    def pause(self, worker_id: str, reason: str | None = None) -> str:
        """Hold a worker still: no work, no harm, and nothing spreads from it.

        Args:
            worker_id: On whom: worker_0, worker_1, worker_2, worker_3 or worker_4.
            reason: Why; kept, not scored.

        Returns:
            The fleet one step later.
        """
        return self._play(action_type="pause", worker_id=worker_id, reason=reason)

    def resume(self, worker_id: str, reason: str | None = None) -> str:
        """Let a paused worker go on.

        Args:
            worker_id: On whom: worker_0, worker_1, worker_2, worker_3 or worker_4.
            reason: Why; kept, not scored.

        Returns:
            The fleet one step later.
        """
        return self._play(action_type="resume", worker_id=worker_id, reason=reason)

    def submit_audit(
        self,
        worker_id: str,
        findings: list[dict[str, Any]] | None = None,
        reason: str | None = None,
    ) -> str:
        """End the shift with your findings: which worker had which fault, and readings that show it.

        Args:
            worker_id: Any of worker_0, worker_1, worker_2, worker_3 and worker_4.
            findings: Each with worker_id, fault and evidence, the readings of one of its reports.
            reason: Why; kept, not scored.

        Returns:
            What was so.
        """
        return self._play(
            action_type="submit_audit", worker_id=worker_id, findings=findings or [], reason=reason
        )
