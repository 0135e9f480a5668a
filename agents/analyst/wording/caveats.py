"""Caveats: what an answer took for granted and where it is limited, as sentences."""

from __future__ import annotations

from typing import assert_never

from agents.analyst.planning.outcome import Assumption, AssumptionKind
from agents.analyst.planning.words import Language
from agents.analyst.wording.numbers import grouped
from envs.analyst.results import Caveat, CaveatCode


def assumed(assumption: Assumption, language: Language) -> str:
    """One sentence on something that a question left open."""
    said, meant = assumption.said, assumption.meant
    english = language is Language.EN
    match assumption.kind:
        case AssumptionKind.VALUE | AssumptionKind.NAME:
            return f"“{said}” was read as “{meant}”." if english else f"“{said}” dibaca sebagai “{meant}”."
        case AssumptionKind.COLUMN:
            return (
                f"“{said}” was taken to mean {meant}." if english else f"“{said}” diartikan sebagai {meant}."
            )
        case AssumptionKind.WINDOW:
            return _window(said, meant, english)
        case AssumptionKind.ANCHOR:
            return (
                f"The newest data are of {said}; times are counted from there."
                if english
                else f"Data terbaru bertanggal {said}; waktu dihitung dari sana."
            )
        case AssumptionKind.SUMMED:
            return f"This is the sum of {said}." if english else f"Ini jumlah dari {said}."
        case _:
            assert_never(assumption.kind)


def noted(caveat: Caveat, language: Language) -> str:
    """One sentence on a limit of an answer."""
    english = language is Language.EN
    count = grouped(caveat.count, 0, language)
    of = grouped(caveat.of, 0, language) if caveat.of is not None else ""
    column = caveat.column or caveat.table or ""
    match caveat.code:
        case CaveatCode.UNMATCHED_ROWS:
            return (
                f"{count} of {of} rows have no matching {column}."
                if english
                else f"{count} dari {of} baris tidak punya pasangan {column}."
            )
        case CaveatCode.MISSING_VALUES:
            return (
                f"{count} of {of} rows have no {column}."
                if english
                else f"{count} dari {of} baris tanpa {column}."
            )
        case CaveatCode.MISSING_KEPT:
            return (
                f"{count} of these rows have no {column}."
                if english
                else f"{count} dari baris ini tanpa {column}."
            )
        case CaveatCode.TIES_CUT:
            return (
                f"Not listed, though equal to the last one shown: {count} more."
                if english
                else f"{count} baris lagi bernilai sama dengan yang terakhir dan tidak ditampilkan."
            )
        case CaveatCode.TIES_KEPT:
            return (
                "More than one row has the last place; all of them are shown."
                if english
                else "Lebih dari satu baris menempati urutan terakhir; semuanya ditampilkan."
            )
        case CaveatCode.CUT_AT_LIMIT:
            return (
                f"Only the first {count} rows are shown."
                if english
                else f"Hanya {count} baris pertama yang ditampilkan."
            )
        case CaveatCode.SAMPLED:
            return (
                f"Computed over {count} rows that are evenly spread over all of them."
                if english
                else f"Dihitung dari {count} baris yang tersebar merata di antara semuanya."
            )
        case CaveatCode.INCOMPLETE_PERIOD:
            return (
                "The last period is not complete and was left out."
                if english
                else "Periode terakhir belum lengkap dan tidak dihitung."
            )
        case CaveatCode.FEW_VALUES:
            return (
                f"There are only {count} values; {of} are needed."
                if english
                else f"Hanya ada {count} nilai; perlu {of}."
            )
        case _:
            assert_never(caveat.code)


def _window(first: str, last: str, english: bool) -> str:
    if first and last:
        return f"Time: {first} to {last}." if english else f"Waktu: {first} sampai {last}."
    if first:
        return f"Time: from {first} on." if english else f"Waktu: sejak {first}."
    return f"Time: until {last}." if english else f"Waktu: sampai {last}."
