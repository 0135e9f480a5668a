"""Findings: what an analysis found, in a sentence or two whose numbers are its facts and cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agents.analyst.planning.outcome import Planned
from agents.analyst.wording.goals import restated
from agents.analyst.wording.naming import title
from agents.analyst.wording.numbers import written
from envs.analyst.analyses import Analysis, Fact, Tool
from envs.analyst.results import Cell, ResultColumn, Row
from envs.analyst.turns import Language

LISTED = 5


def found(planned: Planned, analysis: Analysis) -> str:
    """What a tool other than `analyze_aggregate` found.

    Raises:
        KeyError: For a tool whose finding is its rows.
    """
    english = planned.language is Language.EN
    return _SAYING[analysis.tool](_Facts(planned, analysis), english)


class _Facts:
    """An analysis's facts and cells as texts."""

    def __init__(self, planned: Planned, analysis: Analysis) -> None:
        self.analysis = analysis
        self._planned, self._language = planned, planned.language

    @property
    def goal(self) -> str:
        return restated(self._planned)

    @property
    def one_way(self) -> bool:
        """Whether only the groups are shown that went up, or down: they have no total that means anything."""
        return any(each.than == "before" for each in self._planned.ir.having)

    def title(self, column: int) -> str:
        """What a column is called, with a capital."""
        return title(self._planned, self.analysis.columns[column].name)

    @property
    def measured(self) -> str:
        """What the second column holds, which is what was analysed."""
        return self.title(1)

    def number(self, name: str, *, signed: bool = False) -> str:
        fact = self._fact(name)
        return self._written(fact.value, fact.unit, signed) if fact else self._written(None, None, signed)

    def about(self, name: str) -> str:
        fact = self._fact(name)
        return self._written(fact.about, None, False) if fact else ""

    def has(self, name: str) -> bool:
        fact = self._fact(name)
        return fact is not None and fact.value is not None

    def is_above(self, name: str) -> bool:
        fact = self._fact(name)
        return fact is not None and isinstance(fact.value, int | float) and fact.value >= 0

    def value(self, name: str) -> Cell:
        fact = self._fact(name)
        return fact.value if fact else None

    def listed(self, *columns: str, signed: str | None = None) -> str:
        """The first rows: `Central 38.0%; East 23.1%`."""
        told = self.analysis.rows[:LISTED]
        parts = ["; ".join(" ".join(self._cells(row, columns, signed)) for row in told)]
        rest = len(self.analysis.rows) - len(told)
        if rest > 0:
            more = self._written(rest, None, False)
            parts.append(f"and {more} more" if self._language is Language.EN else f"dan {more} lagi")
        return "; ".join(parts)

    def cell(self, row: int, column: str) -> str:
        return self._cells(self.analysis.rows[row], (column,), None)[0]

    def _cells(self, row: Row, columns: tuple[str, ...], signed: str | None) -> list[str]:
        described = {column.name: (at, column) for at, column in enumerate(self.analysis.columns)}
        return [
            self._written(row[at], column.unit, column.name == signed, column.type)
            for at, column in (described[name] for name in columns)
        ]

    def _fact(self, name: str) -> Fact | None:
        return next((fact for fact in self.analysis.facts if fact.name == name), None)

    def _written(self, cell: Cell, unit: str | None, signed: bool, kind: str = "number") -> str:
        text = written(cell, ResultColumn(name="", type=kind, unit=unit), self._language)
        plus = signed and isinstance(cell, int | float) and cell > 0
        return f"+{text}" if plus else text


def _growth(facts: _Facts, english: bool) -> str:
    if not facts.has("last"):
        return _too_few(english)
    first, last = facts.number("first"), facts.number("last")
    change = facts.number("change_share", signed=True)
    said = (
        f"{facts.measured} went from {first} to {last} ({change})"
        if english
        else f"{facts.measured} berubah dari {first} menjadi {last} ({change})"
    )
    if not facts.has("best"):
        return f"{said}."
    best, worst = facts.number("best", signed=True), facts.number("worst", signed=True)
    if english:
        return f"{said}; best: {facts.about('best')} ({best}), worst: {facts.about('worst')} ({worst})."
    return f"{said}; terbaik: {facts.about('best')} ({best}), terburuk: {facts.about('worst')} ({worst})."


def _share(facts: _Facts, english: bool) -> str:
    by, whole = facts.analysis.columns[0].name, facts.number("whole")
    shares = facts.listed(by, "share")
    return f"Shares of {whole}: {shares}." if english else f"Bagian dari {whole}: {shares}."


def _compare(facts: _Facts, english: bool) -> str:
    by = facts.analysis.columns[0].name
    groups = facts.listed(by, "change_share", signed="change_share")
    if facts.one_way:
        return f"{facts.goal}: {groups}."
    before, after = facts.number("before"), facts.number("after")
    change = facts.number("change_share", signed=True)
    said = (
        f"{facts.title(2)}: {after} against {before} before ({change})."
        if english
        else f"{facts.title(2)}: {after} dibanding {before} sebelumnya ({change})."
    )
    if len(facts.analysis.rows) < 2:
        return said
    return f"{said} {'By group' if english else 'Per kelompok'}: {groups}."


def _trend(facts: _Facts, english: bool) -> str:
    if not facts.has("slope"):
        return _too_few(english)
    slope, low, high = (facts.number(name, signed=True) for name in ("slope", "slope_low", "slope_high"))
    range_ = f"{slope} ({low} … {high}, 95%)"
    match facts.value("direction"):
        case "up":
            said = ("rises", "naik")
        case "down":
            said = ("falls", "turun")
        case _:
            return (
                f"{facts.measured} shows no clear trend; {range_} a period."
                if english
                else f"{facts.measured} tidak menunjukkan tren yang jelas; {range_} per periode."
            )
    if english:
        return f"{facts.measured} {said[0]}: {range_} a period."
    return f"{facts.measured} {said[1]}: {range_} per periode."


def _outliers(facts: _Facts, english: bool) -> str:
    low, high = facts.number("low"), facts.number("high")
    if not facts.analysis.rows:
        return (
            f"No value stands out; all lie between {low} and {high}."
            if english
            else f"Tidak ada nilai yang menyimpang; semuanya di antara {low} dan {high}."
        )
    names = [column.name for column in facts.analysis.columns[:2]]
    rows = facts.listed(*names)
    if english:
        return f"Values that stand out: {rows}. The usual range is {low} to {high}."
    return f"Nilai yang menyimpang: {rows}. Rentang wajarnya {low} sampai {high}."


def _correlation(facts: _Facts, english: bool) -> str:
    if not facts.has("pearson"):
        return _too_few(english)
    first, second = facts.title(0), facts.title(1)
    low, high = facts.number("pearson_low", signed=True), facts.number("pearson_high", signed=True)
    r, n = facts.number("pearson", signed=True), facts.number("n")
    if english:
        return (
            f"{first} and {second}: r = {r} ({low} … {high}, 95%) over {n} rows."
            " That two go together shows no cause."
        )
    return (
        f"{first} dan {second}: r = {r} ({low} … {high}, 95%) dari {n} baris."
        " Hubungan tidak berarti sebab-akibat."
    )


def _distribution(facts: _Facts, english: bool) -> str:
    if not facts.has("median"):
        return _too_few(english)
    n, median, low, high = (facts.number(name) for name in ("count", "median", "min", "max"))
    q1, q3, mean = (facts.number(name) for name in ("q1", "q3", "mean"))
    if english:
        return (
            f"Of {n} values half lie between {q1} and {q3}; median {median}, mean {mean},"
            f" from {low} to {high}."
        )
    return (
        f"Dari {n} nilai, separuhnya di antara {q1} dan {q3}; median {median}, rata-rata {mean},"
        f" dari {low} sampai {high}."
    )


def _forecast(facts: _Facts, english: bool) -> str:
    time, value = (column.name for column in facts.analysis.columns[:2])
    parts = [
        f"{facts.cell(at, time)} {facts.cell(at, value)} ({facts.cell(at, 'low')} … {facts.cell(at, 'high')})"
        for at in range(min(LISTED, len(facts.analysis.rows)))
    ]
    method, error = facts.number("method"), facts.number("mean_error")
    if english:
        return (
            f"Forecast with 95% intervals: {'; '.join(parts)}. Method: {method}; its mean error on the last"
            f" periods was {error}."
        )
    return (
        f"Perkiraan dengan interval 95%: {'; '.join(parts)}. Metode: {method}; galat rata-ratanya pada"
        f" periode-periode terakhir {error}."
    )


def _too_few(english: bool) -> str:
    return (
        "There are too few values that differ to say anything."
        if english
        else "Terlalu sedikit nilai yang berbeda untuk disimpulkan."
    )


_SAYING: Mapping[Tool, Callable[[_Facts, bool], str]] = {
    Tool.GROWTH: _growth,
    Tool.SHARE: _share,
    Tool.COMPARE: _compare,
    Tool.TREND: _trend,
    Tool.OUTLIERS: _outliers,
    Tool.CORRELATION: _correlation,
    Tool.DISTRIBUTION: _distribution,
    Tool.FORECAST: _forecast,
}
