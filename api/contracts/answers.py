"""What any contract's route may answer beside its own: the statuses and what they mean."""

from __future__ import annotations

from typing import Any

Answers = dict[int, tuple[Any, str]]


def looking(error: Any) -> Answers:
    """Of a route that only looks.

    Args:
        error: The model of the contract's errors.
    """
    return {
        404: (error, "There is no such instance."),
        410: (error, "The instance has ended or belongs to an older version."),
        429: (error, "Too many requests; wait as long as Retry-After says."),
        503: (error, "The store did not commit, or the server is full; nothing happened."),
    }


def acting(error: Any, complaints: Any, *, impossible: str, moved: str) -> Answers:
    """Of a route that resets or steps.

    Args:
        complaints: The model of a 422.
        impossible: What a 400 means.
        moved: What a 409 means.
    """
    return {
        **looking(error),
        400: (error, impossible),
        403: (error, "A watch link may look, not act."),
        409: (error, moved),
        413: (error, "The body is too large."),
        422: (complaints, "The body, a parameter or a header does not fit."),
    }
