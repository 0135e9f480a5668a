"""Calibration: whether stated probabilities are worth what they claim.

A forecast is a probability for each class; an outcome is the class that came true.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

Forecast = Sequence[float]

FLOOR = 0.001


def brier_score(forecasts: Sequence[Forecast], outcomes: Sequence[int]) -> float:
    """Mean squared distance to what came true, summed over classes: 0 is perfect, 2 the worst.

    Source: Brier (1950), Monthly Weather Review 78, eq. 2; its table 1 comes to 0.19.
    """
    _check(forecasts, outcomes)
    return _mean(
        [
            math.fsum((p - (index == outcome)) ** 2 for index, p in enumerate(forecast))
            for forecast, outcome in zip(forecasts, outcomes, strict=True)
        ]
    )


def brier_skill(forecasts: Sequence[Forecast], outcomes: Sequence[int]) -> float | None:
    """1 - Brier score / that of always stating the base rates; None when only one class ever came true.

    Source: Murphy (1973), J. Applied Meteorology 12, 215-223.
    """
    score = brier_score(forecasts, outcomes)
    counts = Counter(outcomes)
    base = [counts[index] / len(outcomes) for index in range(len(forecasts[0]))]
    reference = brier_score([base] * len(outcomes), outcomes)
    return None if reference == 0 else 1.0 - score / reference


def log_score(forecasts: Sequence[Forecast], outcomes: Sequence[int], floor: float = FLOOR) -> float:
    """Mean of -ln p of what came true, after every p was raised to `floor` and the sum to 1 again.

    Source: Good (1952), J. Royal Statistical Society B 14, 107-114.
    """
    _check(forecasts, outcomes)
    losses: list[float] = []
    for forecast, outcome in zip(forecasts, outcomes, strict=True):
        raised = [max(floor, p) for p in forecast]
        losses.append(-math.log(raised[outcome] / math.fsum(raised)))
    return _mean(losses)


def calibration_error(confidences: Sequence[float], right: Sequence[bool], bins: int = 10) -> float:
    """ECE: mean gap between stated confidence and share that was right, over equal bins. A diagnostic only.

    Source: Naeini, Cooper and Hauskrecht (2015), AAAI, section 3.
    """
    if len(confidences) != len(right) or not right:
        raise ValueError(
            f"{len(confidences)} confidences, {len(right)} verdicts; give one of each for a case"
        )
    cells: dict[int, list[tuple[float, bool]]] = {}
    for confidence, verdict in zip(confidences, right, strict=True):
        cells.setdefault(min(bins - 1, int(confidence * bins)), []).append((confidence, verdict))
    gaps = [abs(math.fsum(c - v for c, v in cell)) for cell in cells.values()]
    return math.fsum(gaps) / len(right)


def _check(forecasts: Sequence[Forecast], outcomes: Sequence[int]) -> None:
    if len(forecasts) != len(outcomes) or not outcomes:
        raise ValueError(f"{len(forecasts)} forecasts, {len(outcomes)} outcomes; give one of each for a case")
    for forecast, outcome in zip(forecasts, outcomes, strict=True):
        if any(p < 0 for p in forecast) or not math.isclose(math.fsum(forecast), 1.0, abs_tol=1e-6):
            raise ValueError(f"the forecast {list(forecast)} is no distribution; give p >= 0 that sum to 1")
        if not 0 <= outcome < len(forecast):
            raise ValueError(f"outcome {outcome} is none of {len(forecast)} classes; count them from 0")


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)
