"""What can be taken along: reports and charts as files, and the kept files themselves."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from evals.report import RunReport
from ui.results.figures import Cells, plots
from ui.results.kept import MEDIA_TYPES, Gates, Origin, Results, Run, Shelves
from ui.results.summary import summary
from ui.results.training import curves
from ui.results.view import view
from ui.results.words import ends, measured, number

MARKDOWN, CSV, JSON = "text/markdown", "text/csv", "application/json"
REPORT_FORMS = ("md", "json", "csv")
RUN_HEADS = (
    "environment version code track split level agent seeds trials skill skill_low skill_high score "
    "score_low score_high steps failed best_constant reference current from command"
).split()

# A spreadsheet would compute a text that starts like this.
_FORMULA = re.compile(r"^[=+\-@\t\r]")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>|#!~&$])")


class Downloads:
    """Answers to requests for files; `routes` are their paths below the page's own."""

    def __init__(self, shelves: Shelves) -> None:
        self._shelves = shelves
        self.routes = (
            ("/results/kept/{origin}/{name:path}", self.kept),
            ("/results/{slug}/report.{form}", self.report),
            ("/results/{slug}/plots/{plot}.csv", self.plot),
        )

    async def kept(self, request: Request) -> Response:
        """A kept file, byte for byte."""
        origin, name = request.path_params["origin"], request.path_params["name"]
        content = await self._shelves.file(Origin(origin), name) if origin in set(Origin) else None
        if content is None:
            return _missing()
        return _file(content, MEDIA_TYPES[Path(name).suffix], name.replace("/", "-"))

    async def report(self, request: Request) -> Response:
        """An environment's report in one of `REPORT_FORMS`."""
        slug, form = request.path_params["slug"], request.path_params["form"]
        if slug not in self._shelves.slugs or form not in REPORT_FORMS:
            return _missing()
        results = await self._shelves.results(slug)
        match form:
            case "md":
                return _file(as_markdown(results).encode(), MARKDOWN, f"{slug}-report.md")
            case "csv":
                return _file(as_csv(RUN_HEADS, map(_run_cells, results.runs)), CSV, f"{slug}-runs.csv")
            case _:
                return _file(as_json(results), JSON, f"{slug}-report.json")

    async def plot(self, request: Request) -> Response:
        """The numbers of one chart; the query names cases and agent as the page's does."""
        slug, name = request.path_params["slug"], request.path_params["plot"]
        if slug not in self._shelves.slugs:
            return _missing()
        query = request.query_params
        shown = view(await self._shelves.results(slug), query.get("cases", ""))
        drawn = (*(plots(shown, query.get("agent", "")) if shown else ()), *curves(slug))
        chart = next((plot for plot in drawn if plot.name == name), None)
        if chart is None:
            return _missing()
        return _file(as_csv(chart.heads, chart.rows), CSV, f"{slug}-{name}.csv")


def as_csv(heads: Sequence[str], rows: Iterable[Cells]) -> bytes:
    """The rows; a text that a spreadsheet would take for a formula has a quote before it."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return sheet.getvalue().encode()


def as_json(results: Results) -> bytes:
    """All records of an environment."""
    env = results.environment
    whole = {
        "environment": env.slug,
        "version": env.version,
        "code": results.code,
        "runs": [_record(run) for run in results.runs],
        "gates": [_record(gates) for gates in results.gates],
    }
    return orjson.dumps(whole, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def as_markdown(results: Results) -> str:
    """The report to read; words from elsewhere are text in it."""
    told = summary(results)
    env = results.environment
    lines = [f"# {_plain(env.title)}, version {env.version}", ""]
    lines += [f"- {_plain(f'{x.label}: {x.value} {x.note}')}" for x in told.headlines]
    lines += ["", _plain(" ".join(told.prose) or "Nothing was measured yet."), ""]
    for table in told.tables:
        lines += [f"## {_plain(table.title)}", ""]
        lines += _rows(("level", "agent", "skill", "score", "steps", "failed", "n", "code"))
        for group in table.groups:
            for run in group.runs:
                lines.append(_row(_run_words(run.report, run.current)))
        lines.append("")
    for gates in results.gates:
        lines += [f"## Gates, {_plain(gates.report.version)}{'' if gates.current else ', outdated'}", ""]
        lines += _rows(("gate", "where", "measured", "must be", "n", ""))
        for line in gates.report.lines:
            verdict = "holds" if line.holds else "BREACH"
            lines.append(_row((line.gate, line.about, line.measured, line.bound, f"{line.n:,}", verdict)))
        lines.append("")
    if told.commands:
        lines += ["## Made by", "", *(f"    {' '.join(command.split())}" for command in told.commands), ""]
    return "\n".join(lines)


def _run_words(run: RunReport, current: bool) -> tuple[str, ...]:
    code = f"v{run.version}-{run.code}" + ("" if current else ", outdated")
    score = f"{number(run.score.estimate, 3)} {ends(run.score, 3)}"
    cases = f"{run.seeds:,} × {run.trials}"
    return run.level, run.agent, measured(run, 3), score, f"{run.steps:.1f}", f"{run.failed}", cases, code


def _run_cells(run: Run) -> Cells:
    own = run.report
    skill = (own.skill.estimate, own.skill.low, own.skill.high) if own.skill else (None, None, None)
    return (
        own.environment,
        own.version,
        own.code,
        own.track,
        own.split,
        own.level,
        own.agent,
        own.seeds,
        own.trials,
        *skill,
        own.score.estimate,
        own.score.low,
        own.score.high,
        own.steps,
        own.failed,
        own.constant,
        own.reference,
        "yes" if run.current else "no",
        " ".join(run.origins),
        own.command,
    )


def _record(one: Run | Gates) -> dict[str, Any]:
    return {**asdict(one.report), "current": one.current, "from": list(one.origins)}


def _cell(cell: str | float | None) -> str | float | None:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def _rows(heads: Sequence[str]) -> list[str]:
    return [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(_plain, cells))} |"


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _file(content: bytes, media_type: str, name: str) -> Response:
    safe = re.sub(r"[^A-Za-z0-9.-]", "_", name)
    headers = {
        "Cache-Control": "no-cache",
        "Content-Disposition": f'attachment; filename="{safe}"',
        "X-Content-Type-Options": "nosniff",
    }
    return Response(content, headers=headers, media_type=media_type)


def _missing() -> Response:
    return Response("There is no such result.", 404, media_type="text/plain")
