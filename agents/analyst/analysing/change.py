"""Change: growth from period to period, shares of a whole, and two times or groups compared."""

from __future__ import annotations

import numpy as np

from agents.analyst.analysing.columns import cells, described, few, missing, numbers, plain, plain_all
from envs.analyst.analyses import Analysis, Fact, Tool
from envs.analyst.charts import Chart, Mark
from envs.analyst.results import Result, ResultColumn


def growth(result: Result, time: str, measure: str) -> Analysis:
    """Each period's change against the one before it; rows in the order of time.

    Facts: `first`, `last`, `change`, `change_share` (of the first, None if that is 0), `mean_growth` (the
    constant growth a period that leads from first to last), `best` and `worst` (change_share, about their
    period).
    """
    values, periods = numbers(result, measure), cells(result, time)
    unit = described(result, measure).unit
    change = np.diff(values, prepend=np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        share_of = np.where(values[:-1] != 0, change[1:] / np.abs(values[:-1]), np.nan)
    grown = np.concatenate([[np.nan], share_of])
    rows = tuple(zip(periods, plain_all(values), plain_all(change), plain_all(grown), strict=True))
    facts = _growth_facts(values, unit)
    if np.isfinite(grown).any():
        for name, at in (("best", int(np.nanargmax(grown))), ("worst", int(np.nanargmin(grown)))):
            facts += (Fact(name=name, value=plain(grown[at]), about=periods[at], unit="%"),)
    return Analysis(
        tool=Tool.GROWTH,
        columns=(
            described(result, time),
            described(result, measure),
            ResultColumn(name="change", type="number", unit=unit),
            ResultColumn(name="change_share", type="number", unit="%"),
        ),
        rows=rows,
        facts=facts,
        caveats=(*missing(values, measure), *few(len(values), 2)),
        chart=Chart(mark=Mark.LINE, x=time, y=(measure,), unit=unit),
        method="Each period less the one before it, and that as a share of the one before it.",
    )


def share(result: Result, by: str, measure: str, whole: float | None = None) -> Analysis:
    """Each group's share of the whole.

    Args:
        whole: The total of all groups, where the answer shows only some of them; default: their sum.
    Facts: `whole`, `largest` (share, about its group), `concentration` (Herfindahl index in (0, 1]).
    """
    values, groups = numbers(result, measure), cells(result, by)
    total = float(np.nansum(values)) if whole is None else whole
    shares = values / total if total else np.full(len(values), np.nan)
    unit = described(result, measure).unit
    facts = [Fact(name="whole", value=plain(total), unit=unit)]
    if np.isfinite(shares).any():
        at = int(np.nanargmax(shares))
        facts.append(Fact(name="largest", value=plain(shares[at]), about=groups[at], unit="%"))
    if whole is None and np.isfinite(shares).any() and (values[np.isfinite(values)] >= 0).all():
        facts.append(Fact(name="concentration", value=plain(float(np.nansum(shares**2)))))
    return Analysis(
        tool=Tool.SHARE,
        columns=(
            described(result, by),
            described(result, measure),
            ResultColumn(name="share", type="number", unit="%"),
        ),
        rows=tuple(zip(groups, plain_all(values), plain_all(shares), strict=True)),
        facts=tuple(facts),
        caveats=missing(values, measure),
        chart=Chart(mark=Mark.BAR, x=by, y=("share",), unit="%"),
        method="Each group's value as a share of the total of all groups.",
    )


def compare(result: Result, by: str | None, after: str, before: str) -> Analysis:
    """The same measure at two times, group by group.

    Args:
        by: The column of the groups; None for a single row.
    Facts: `before`, `after`, `change`, `change_share` of the totals; `most` and `least` (change, about their
    group). Column `contribution` is each group's part of the total change.
    """
    now, then = numbers(result, after), numbers(result, before)
    groups = cells(result, by) if by is not None else ("all",) * len(now)
    unit = described(result, after).unit
    change = np.nan_to_num(now) - np.nan_to_num(then)
    whole = float(change.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(then != 0, change / np.abs(then), np.nan)
        contribution = change / whole if whole else np.full(len(change), np.nan)
    total_before = float(np.nansum(then))
    facts = [
        Fact(name="before", value=plain(total_before), unit=unit),
        Fact(name="after", value=plain(float(np.nansum(now))), unit=unit),
        Fact(name="change", value=plain(whole), unit=unit),
        Fact(name="change_share", value=plain(whole / abs(total_before)) if total_before else None, unit="%"),
    ]
    if by is not None and len(change):
        for name, at in (("most", int(change.argmax())), ("least", int(change.argmin()))):
            facts.append(Fact(name=name, value=plain(change[at]), about=groups[at], unit=unit))
    head = ResultColumn(name="group", type="text") if by is None else described(result, by)
    added = (("change", unit), ("change_share", "%"), ("contribution", "%"))
    return Analysis(
        tool=Tool.COMPARE,
        columns=(
            head,
            described(result, before),
            described(result, after),
            *(ResultColumn(name=name, type="number", unit=of) for name, of in added),
        ),
        rows=tuple(
            zip(
                groups, plain_all(then), plain_all(now), plain_all(change), plain_all(shares),
                plain_all(contribution), strict=True,
            )
        ),
        facts=tuple(facts),
        caveats=(*missing(now, after), *missing(then, before)),
        chart=Chart(mark=Mark.BAR, x=head.name, y=(before, after), unit=unit),
        method="The later value less the earlier one, as a share of the earlier one, and as a part of the"
        " whole change.",
    )  # fmt: skip


def _growth_facts(values: np.ndarray[tuple[int], np.dtype[np.float64]], unit: str | None) -> tuple[Fact, ...]:
    there = values[np.isfinite(values)]
    if len(there) < 2:
        return ()
    first, last = float(there[0]), float(there[-1])
    steps = int(np.flatnonzero(np.isfinite(values))[-1] - np.flatnonzero(np.isfinite(values))[0])
    mean = (last / first) ** (1 / steps) - 1 if first > 0 and last > 0 else float("nan")
    return (
        Fact(name="first", value=plain(first), unit=unit),
        Fact(name="last", value=plain(last), unit=unit),
        Fact(name="change", value=plain(last - first), unit=unit),
        Fact(name="change_share", value=plain((last - first) / abs(first)) if first else None, unit="%"),
        Fact(name="mean_growth", value=plain(mean), unit="%"),
    )
