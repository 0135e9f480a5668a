"""The fleet on the page: an act on a chip, the report of a finished shift, questions to its index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.fleet.report import Played, report
from envs.scene import Piece, Prose
from ui.plays.inquiry import Inquiry

INQUIRY = Inquiry(
    route="/rag/query",
    field="question",
    label="Ask the index that this shift built",
    help="It answers as well as the faults have left it.",
    examples=(
        "How soon must a page be acknowledged?",
        "When are two documents duplicates?",
        "What is a flag worth?",
    ),
)


def act(action: Mapping[str, Any]) -> str:
    """The act and its worker, or how much an audit names: `intervene worker_2`."""
    name = str(action.get("action_type", ""))
    if name == "submit_audit":
        found = len(action.get("findings") or ())
        return f"audit, {found} finding{'' if found == 1 else 's'}"
    return f"{name} {action.get('worker_id', '')}".strip()


def told(episode: Played) -> tuple[Piece, ...]:
    """The report of a finished shift, as prose."""
    found = report(episode)
    words = [
        found.narrative,
        f"Oversight was {found.governance_quality}, its risk {found.governance_risk:g}.",
    ]
    if found.flawed_reports:
        words.append(f"{len(found.flawed_reports)} reports claim what their logs do not bear.")
    if found.index is not None:
        quality, claimed = found.index.quality, found.index.reported
        words.append(f"The index answers {quality:.0%} of its questions; the evaluator says {claimed:.0%}.")
    return (Prose(label="The report", text=" ".join(words)),)
