"""What can go wrong between a caller and the server, one class for each thing a caller would handle.

Which status or code means what is decided here; when to try again is `wire`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class AuditoriumError(Exception):
    """Everything that this package raises about a server."""


class Unreachable(AuditoriumError):
    """No answer came, however often it was asked."""


class UnexpectedAnswer(AuditoriumError):
    """What answered does not speak this protocol."""


class Refused(AuditoriumError):
    """The server answered with an error.

    Attributes:
        code: The server's stable name of the error.
        message: What was found and what to do.
        details: Complaints about a body, each loc, msg and type; None where there are none.
        status: HTTP status.
        retry_after_s: How long the server asked to wait, None if it did not say.
    """

    def __init__(
        self,
        code: str,
        message: str,
        details: Any = None,
        status: int = 0,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details
        self.status = status
        self.retry_after_s = retry_after_s


class UnknownEnvironment(Refused):
    """No environment has this slug; the message lists those that there are."""


class UnknownInstance(Refused):
    """No instance has this id."""


class Malformed(Refused):
    """A body or a header does not fit; `details` say where."""


class NotPossible(Refused):
    """The environment does not open such a case, or does not allow such an action now."""


class EpisodeOver(Refused):
    """A step after the end; reset to start another episode."""


class NotReset(Refused):
    """There is no episode yet; reset first."""


class StaleStep(Refused):
    """Somebody else moved since the last answer you saw; look at the state and decide again."""


class Gone(Refused):
    """The instance was erased, has expired or is of an older version."""


class HeldOut(Refused):
    """A held-out case is played once, and not forked."""


class Busy(Refused):
    """Too much is asked of the server now; `retry_after_s` says when to come back."""


KINDS: Mapping[str, type[Refused]] = {
    "unknown_environment": UnknownEnvironment,
    "unknown_instance": UnknownInstance,
    "invalid_request": Malformed,
    "refused": NotPossible,
    "episode_over": EpisodeOver,
    "not_reset": NotReset,
    "stale_step": StaleStep,
    "gone": Gone,
    "retired": Gone,
    "diverged": Gone,
    "held_out": HeldOut,
    "too_many_requests": Busy,
    "at_capacity": Busy,
    "store_unavailable": Busy,
}
"""The server's codes that have a class of their own; all others are plain `Refused`."""


def refusal(
    code: str, message: str, details: Any = None, status: int = 0, retry_after_s: float | None = None
) -> Refused:
    """The error of the kind that the code names."""
    return KINDS.get(code, Refused)(code, message, details, status, retry_after_s)
