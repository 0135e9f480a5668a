"""`python -m evals nl2sql`: scores the offline planner on any set of questions over SQLite databases."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.nl2sql.questions import Shape, load
from evals.nl2sql.verdicts import Judged, Verdict

ABOUT = """Asks the planner without a model each question of a file, and runs its answer and the reference.

The file has one JSON object a line: question, db (the folder and name of <db>/<db>.sqlite below --db-dir) and
query (SQL). An answer is right when its rows are those of the query: as a multiset, in order where the query
sorts; columns may stand in any order. What is asked back or refused is counted apart."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--questions", type=Path, metavar="FILE.jsonl")
    parser.add_argument("--db-dir", type=Path, metavar="DIR")
    parser.add_argument(
        "--own", action="store_true", help="our own questions on the embedded shop and copies of it instead"
    )
    parser.add_argument("--json", action="store_true", help="figures and every verdict as JSON")
    parser.add_argument("--failures", action="store_true", help="print what was not right")


def score(questions: Path, folder: Path) -> tuple[Judged, ...]:
    """The verdicts on a file of questions.

    Raises:
        Unreadable, MissingDatabase: See there.
    """
    # The engines take seconds to import, and no other command needs them.
    from evals.nl2sql.scoring import judge  # noqa: PLC0415

    return tuple(judge(load(questions), folder))


def own_text(*, failures: bool) -> str:
    """A table of our own questions: each copy of the shop, and those without an answer."""
    from evals.nl2sql.copies import judged_copies  # noqa: PLC0415

    lines = [f"{'':<28}{'questions':>10}{'right':>9}{'wrong':>9}{'asked':>9}{'failed':>9}"]
    for name, verdicts in judged_copies():
        counts = Counter(each.verdict for each in verdicts)
        shares = "".join(f"{counts[verdict] / len(verdicts):>9.1%}" for verdict in _OWN)
        lines.append(f"{name:<28}{len(verdicts):>10}{shares}")
        if failures:
            wrong = [each for each in verdicts if each.failed]
            lines += [f"  {each.verdict}  {each.question}\n    {each.detail}" for each in wrong]
    return "\n".join(lines)


_OWN = (Verdict.RIGHT, Verdict.WRONG, Verdict.ASKED, Verdict.UNANSWERED)


def figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Shares of all questions, of single-table ones, and by shape; each with how many there are."""
    shapes = {shape.value: [each for each in judged if each.question.shape is shape] for shape in Shape}
    single = [each for each in judged if each.question.tables == 1]
    return {
        "all": _shares(judged),
        "one table": _shares(single),
        **{name: _shares(those) for name, those in shapes.items() if those},
    }


def as_text(judged: Sequence[Judged], *, failures: bool) -> str:
    """A table for people."""
    lines = [f"{'':<16}{'questions':>10}{'right':>9}{'wrong':>9}{'asked':>9}{'failed':>9}"]
    for name, row in figures(judged).items():
        shown = "".join(f"{row[key]:>9.1%}" for key in ("right", "wrong_but_confident", "asked", "failed"))
        lines.append(f"{name:<16}{row['questions']:>10}{shown}")
    if failures:
        lines += [
            f"{each.verdict}  {each.question.db}: {each.question.question}\n    {each.detail}"
            for each in judged
            if each.verdict is not Verdict.RIGHT
        ]
    return "\n".join(lines)


def as_json(judged: Sequence[Judged]) -> dict[str, Any]:
    """Figures and verdicts."""
    return {
        "figures": figures(judged),
        "questions": [
            {
                "question": each.question.question,
                "db": each.question.db,
                "shape": each.question.shape,
                "verdict": each.verdict,
                "confidence": each.confidence,
                "detail": each.detail,
            }
            for each in judged
        ],
    }


def _shares(judged: Sequence[Judged]) -> dict[str, Any]:
    counts = Counter(each.verdict for each in judged)
    whole = max(1, len(judged))
    return {
        "questions": len(judged),
        "right": counts[Verdict.RIGHT] / whole,
        "wrong_but_confident": counts[Verdict.WRONG] / whole,
        "asked": counts[Verdict.ASKED] / whole,
        "failed": (counts[Verdict.UNANSWERED] + counts[Verdict.UNREFERENCED]) / whole,
    }
