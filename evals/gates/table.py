"""All gates of an environment, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import orjson

from evals.gates.determinism import determinism_lines
from evals.gates.farming import farming_line
from evals.gates.leakage import leakage_lines
from evals.gates.lines import Line, Sizes
from evals.gates.pairs import pair_lines
from evals.gates.plays import played
from evals.gates.policies import policy_lines
from evals.gates.size import size_lines
from evals.runner import Runner, RunStopped
from evals.runs import source_digest
from evals.subject import Subject
from evals.subjects import BUILT_IN

PREFIX = "gates/"
_HEADS = ("gate", "where", "measured", "must be", "n", "")


async def gates(
    runner: Runner, subject: Subject, sizes: Sizes, path: str = BUILT_IN, second_python: str | None = None
) -> tuple[Line, ...]:
    """Every line of the table, in the order of the gates.

    Raises:
        RunStopped: If the source was edited meanwhile: the lines would not be about one environment.
    """
    levels, before = subject.env.levels, source_digest(subject.env)
    plays = [await played(runner, subject, level, sizes, path) for level in levels]
    lines = list(policy_lines(subject, plays, sizes))
    for level in levels:
        lines += leakage_lines(subject, level, sizes)
        lines.append(farming_line(subject, level, sizes))
        lines += pair_lines(subject, level, sizes)
    lines += determinism_lines(subject, sizes, path, second_python)
    lines += size_lines(subject, sizes)
    if source_digest(subject.env) != before:
        raise RunStopped(f"the source of {subject.env.slug} changed while its gates were measured; run again")
    return tuple(sorted(lines, key=lambda line: _ORDER.index(line.gate)))


_ORDER = (
    "reference",
    "trivial policies",
    "random",
    "ladder",
    "difficulty",
    "leakage",
    "farming",
    "pairs",
    "determinism",
    "size",
)


def as_text(slug: str, lines: Sequence[Line], *, smoke: bool = False) -> str:
    """The table, one line for each measurement, notes below."""
    rows = [_HEADS, *((x.gate, x.about, x.measured, x.bound, f"{x.n:,}", _verdict(x)) for x in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    head = f"{slug}: smoke, only what is shown to be broken is a breach" if smoke else slug
    body = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    notes = dict.fromkeys(f"{x.gate}, {x.about}: {x.note}" for x in lines if x.note)
    breaches = sum(not x.holds for x in lines)
    verdict = f"{breaches} of {len(lines)} lines are breached" if breaches else "all gates hold"
    return "\n".join([head, *(line.rstrip() for line in body), *notes, f"{slug}: {verdict}"])


def as_json(slug: str, version: str, lines: Sequence[Line], *, smoke: bool = False) -> bytes:
    """The table as a file that pages read."""
    whole = {
        "environment": slug,
        "version": version,
        "smoke": smoke,
        "command": f"python -m evals gates --env {slug}{' --smoke' if smoke else ''}",
        "lines": [asdict(line) for line in lines],
    }
    return orjson.dumps(whole, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _verdict(line: Line) -> str:
    return "holds" if line.holds else "BREACH"
