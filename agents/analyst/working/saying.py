"""Saying: an analysis as the text of an answer, with what was assumed and what limits it."""

from __future__ import annotations

from agents.analyst.planning.outcome import Planned
from agents.analyst.wording.answering import answer_text, limits_of
from agents.analyst.wording.findings import found
from envs.analyst.analyses import Analysis, Tool
from envs.analyst.results import Caveat, Result


def answered(planned: Planned, result: Result, analysis: Analysis, caveats: tuple[Caveat, ...]) -> str:
    """Plain text in the question's language, one statement a line."""
    if analysis.tool is Tool.AGGREGATE or not result.rows:
        return answer_text(planned, result.model_copy(update={"caveats": caveats}))
    return "\n".join((found(planned, analysis), *limits_of(planned, caveats)))
