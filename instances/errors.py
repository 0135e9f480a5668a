"""What can be wrong with a call on an instance, in words for the caller."""

from __future__ import annotations

import math


class InstanceError(Exception):
    """Nothing was changed. `code` is stable, `message` says what was found and what to do."""

    code = "instance_error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class UnknownEnvironment(InstanceError):
    code = "unknown_environment"


class UnknownInstance(InstanceError):
    code = "unknown_instance"


class Gone(InstanceError):
    """The instance was there and has been erased or has expired."""

    code = "gone"


class Retired(InstanceError):
    """The instance belongs to an older version of its environment."""

    code = "retired"


class Diverged(InstanceError):
    """The journal does not replay to its own digests."""

    code = "diverged"


class ReadOnly(InstanceError):
    """The caller holds a watch link, or the instance is the commons."""

    code = "read_only"


class NotReset(InstanceError):
    """There is no episode yet."""

    code = "not_reset"


class StaleStep(InstanceError):
    """Somebody else moved since the caller looked."""

    code = "stale_step"


class KeyReused(InstanceError):
    """An idempotency key came back with another body."""

    code = "key_reused"


class JournalFull(InstanceError):
    code = "journal_full"


class BadFork(InstanceError):
    code = "bad_fork"


class UnknownSubmission(InstanceError):
    code = "unknown_submission"


class UnknownRound(InstanceError):
    code = "unknown_round"


class UnknownRun(InstanceError):
    code = "unknown_run"


class HeldOutCase(InstanceError):
    """What a held-out case does not allow: a second reset, a fork, a look at its result."""

    code = "held_out"


class AtCapacity(InstanceError):
    code = "at_capacity"


class TooManyRequests(InstanceError):
    """The client must wait `retry_after_s` whole seconds."""

    code = "too_many_requests"

    def __init__(self, message: str, retry_after_s: int) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s

    @classmethod
    def of(cls, client: str, wait_s: float) -> TooManyRequests:
        """For a client that must wait this long."""
        seconds = max(1, math.ceil(wait_s))
        return cls(f"Too many requests from {client}; wait {seconds} s and go on more slowly.", seconds)


class CallFailed(InstanceError):
    """What an action needed from outside did not come; the step did not happen."""

    code = "call_failed"


class StoreUnavailable(InstanceError):
    """The store did not commit; the step did not happen."""

    code = "store_unavailable"
