"""The generator: which case stands at a seed, a level and a split, and which cases are pairs.

Solvable by construction: what is wrong shows in the curve, in a limit, in a sum or in another instrument's
reading, and what only looks wrong is explained by an event of the right place, time and direction.
"""

from __future__ import annotations

from collections.abc import Iterator

from envs.forecast_audit.audit import context, curves, faults
from envs.forecast_audit.audit.calendars import label
from envs.forecast_audit.audit.cases import REPAIRABLE, AuditTask, Family, Fault, Truth
from envs.forecast_audit.audit.context import Told
from envs.forecast_audit.audit.curves import Curve
from envs.forecast_audit.audit.wording import Effect, Standing, subject
from envs.forecast_audit.models import IssueType, Operation, Series, Severity
from envs.forecast_audit.tasks import Gold
from envs.kernel.records import Record
from envs.kernel.rng import Rng

MAX_STEPS = {"easy": 3, "medium": 4, "hard": 6}
CLEAN_SHARE = {"easy": 0.28, "medium": 0.28, "hard": 0.25}
PAIR_SHARE = {"easy": 0.24, "medium": 0.24, "hard": 0.2}
GAP_OVERLAY = {"easy": 0.4, "medium": 0.55, "hard": 0.8}
"""Chance of an intended gap; more where more faults are blanks, so that a blank alone tells nothing."""

_MORE_FAULTS = {"easy": (1.0, 0.0), "medium": (0.15, 0.85), "hard": (0.1, 0.3)}
"""Chance of one fault, of two; the rest has three."""
_SHARES = (
    (Family.MISSING_POINT, 3),
    (Family.MISSING_BLOCK, 3),
    (Family.SPIKE, 7),
    (Family.PARTS_TOTAL, 4),
    (Family.LEVEL_SHIFT, 5),
    (Family.DRIFT, 6),
    (Family.BROKEN_SEASONALITY, 6),
    (Family.UNIT_CHANGE, 5),
    (Family.DUPLICATED_PERIOD, 2),
    (Family.SHIFTED_PERIOD, 5),
    (Family.ROUNDING, 2),
    (Family.STALE, 2),
)
_LADDER = tuple(family for family, share in _SHARES for _ in range(share))


class Draft(Record):
    """A case before its words: what is observed, what is true, and what must be told."""

    values: Series
    clean: Series
    faults: tuple[Fault, ...]
    told: tuple[Told, ...] = ()
    family: Family
    paired: bool = False


def task(rng: Rng, level: str, split: str) -> AuditTask:
    """The case at this address.

    Its kind does not depend on the split: of no kind has one split more than the other.
    """
    kinds, here = rng.at("audit", level), rng.at("audit", level, split)
    curve = curves.drawn(here.at("curve"), split)
    kind = kinds.at("kind").unit()
    if kind < CLEAN_SHARE[level]:
        draft = _clean(curve)
    elif kind < CLEAN_SHARE[level] + PAIR_SHARE[level]:
        draft = _twins(here, curve, level, split)[kinds.at("member").integer(0, 1)]
    else:
        draft = _faulty(kinds, here, curve, level, split)
    return _dressed(here, curve, draft, level, split)


def pair(seed: int, level: str, split: str) -> tuple[AuditTask, AuditTask] | None:
    """Two cases of one curve, the legitimate one first; None where the case at this seed stands alone.

    One of the two is what a reset with this seed opens.
    """
    rng = Rng(seed, "task")
    kind = rng.at("audit", level, "kind").unit()
    if not CLEAN_SHARE[level] <= kind < CLEAN_SHARE[level] + PAIR_SHARE[level]:
        return None
    here = rng.at("audit", level, split)
    curve = curves.drawn(here.at("curve"), split)
    legitimate, faulty = _twins(here, curve, level, split)
    return _dressed(here, curve, legitimate, level, split), _dressed(here, curve, faulty, level, split)


def pairs(level: str, split: str, seeds: range) -> Iterator[tuple[AuditTask, AuditTask]]:
    """The pairs at these seeds."""
    return (found for seed in seeds if (found := pair(seed, level, split)) is not None)


def _clean(curve: Curve) -> Draft:
    return Draft(values=curve.values, clean=curve.values, faults=(), family=Family.CLEAN)


def _twins(rng: Rng, curve: Curve, level: str, split: str) -> tuple[Draft, Draft]:
    """The same observed series, once legitimate and once not."""
    draw = rng.at("twins")
    gap = draw.at("gap").flip(0.38)
    single = draw.at("single").flip(0.4)
    length = 1 if single else draw.at("length").integer(2, 2 if gap else 4)
    at = draw.at("at").integer(6, len(curve.values) - 6 - length)
    stop = at + length
    # A single point must stand out more to be seen at all.
    height = faults.size(draw, level, split, told=True) * (1.15 if single else 1.0)
    if gap:
        values: Series = (*curve.values[:at], *(None,) * length, *curve.values[stop:])
        effect, family = Effect.BLANK, Family.MISSING_POINT if single else Family.MISSING_BLOCK
    else:
        values = faults.bump(curve, at, stop, height)
        effect = Effect.UP if height > 0 else Effect.DOWN
        family = Family.SPIKE if single else Family.LEVEL_SHIFT
    slack = 0 if family in REPAIRABLE else 1
    fault = Fault(family=family, start=at, stop=stop, first=at - slack, last=stop - 1)
    explained = Told(effect=effect, first=at, last=stop - 1, standing=Standing.CONFIRMED)
    return (
        Draft(
            values=values,
            clean=values,
            faults=(),
            told=(explained,),
            family=Family.LEGITIMATE_SHOCK,
            paired=True,
        ),
        Draft(
            values=values,
            clean=curve.values,
            faults=(fault,),
            told=(context.unexplained(draw.at("why"), effect, at, stop - 1),),
            family=family,
            paired=True,
        ),
    )  # fmt: skip


def _faulty(kinds: Rng, rng: Rng, curve: Curve, level: str, split: str) -> Draft:
    one, two = _MORE_FAULTS[level]
    luck = kinds.at("count").unit()
    wanted = 1 if luck < one else 2 if luck < one + two else 3
    families = _families(kinds.at("families"), curve, wanted)
    values: Series = curve.values
    found: list[Fault] = []
    for turn, family in enumerate(families):
        at = _place(rng.at("place", turn), curve, family, found)
        if at is not None:
            spoiled = faults.drawn(family, curve, values, at, rng.at("fault", turn), level, split)
            values = spoiled.values
            found.append(spoiled.fault)
    return Draft(values=values, clean=curve.values, faults=tuple(found), family=found[0].family)


def _families(rng: Rng, curve: Curve, wanted: int) -> tuple[Family, ...]:
    """Families without repetition, at most one of them for the owner of the data; that one comes first."""
    chosen: list[Family] = []
    for turn in range(24):
        family = rng.at(turn).choice(_LADDER)
        if family is Family.SHIFTED_PERIOD and faults.fits(Family.CLOCK_SLIP, curve):
            family = Family.CLOCK_SLIP
        if not faults.fits(family, curve):
            family = Family.DRIFT
        single = family in REPAIRABLE or all(other in REPAIRABLE for other in chosen)
        if len(chosen) < wanted and family not in chosen and single:
            chosen.append(family)
    return tuple(sorted(chosen, key=lambda family: family in REPAIRABLE))


def _place(rng: Rng, curve: Curve, family: Family, taken: list[Fault]) -> int | None:
    """Where a fault can begin without touching another; None if there is no room."""
    count = len(curve.values)
    low, high = (5, count - 5) if family in REPAIRABLE else (int(0.4 * count), int(0.7 * count))
    free = [
        at for at in range(low, high) if not any(fault.start - 6 <= at < fault.stop + 3 for fault in taken)
    ]
    return rng.choice(free) if free else None


def _dressed(rng: Rng, curve: Curve, draft: Draft, level: str, split: str) -> AuditTask:
    """The case with its words, its id and its gold."""
    values, clean, told = _overlaid(rng.at("overlay"), draft, level)
    about = subject(rng.at("subject"), split)
    parts, checks = _spots(rng.at("spots"), draft, clean, level)
    words = context.written(rng.at("words"), level, split, about, curve, clean, told, parts, checks)
    violated = tuple(c.sentence for c in words.constraints if not c.holds(values))
    truth = Truth(
        family=draft.family,
        operation=_operation(draft.faults),
        severity=_severity(values, clean, draft.faults, curve.swing),
        faults=draft.faults,
        clean=clean,
        scale=curve.swing,
        violated=violated,
        paired=draft.paired,
    )
    return AuditTask(
        task_id=f"audit-{rng.at('name').integer(0, 16**12 - 1):012x}",
        level=level,
        max_steps=MAX_STEPS[level],
        domain=about.domain,
        metric_name=about.metric,
        issue_type=IssueType.UNDISCLOSED,
        timestamps=tuple(label(curve.frequency, curve.start + at) for at in range(len(values))),
        values=values,
        constraints=words.constraints,
        analyst_note=words.note,
        history_summary=words.history,
        gold=_gold(truth),
        truth=truth,
    )


def _overlaid(rng: Rng, draft: Draft, level: str) -> tuple[Series, Series, tuple[Told, ...]]:
    """The draft, in some cases with an intended gap in it, which one of the level's sentences explains."""
    length = rng.at("length").integer(1, 2)
    at = rng.at("at").integer(3, len(draft.values) - 4)
    near = range(at - 3, at + length + 3)
    busy = any(fault.start - 3 <= spot < fault.stop + 3 for fault in draft.faults for spot in near)
    busy = busy or any(told.first - 3 <= spot <= told.last + 3 for told in draft.told for spot in near)
    if busy or not rng.at("whether").flip(GAP_OVERLAY[level]) or len(draft.told) >= context.EVENTS[level]:
        return draft.values, draft.clean, draft.told
    gap = (None,) * length
    told = Told(effect=Effect.BLANK, first=at, last=at + length - 1, standing=Standing.CONFIRMED)
    return (
        (*draft.values[:at], *gap, *draft.values[at + length :]),
        (*draft.clean[:at], *gap, *draft.clean[at + length :]),
        (*draft.told, told),
    )


def _spots(rng: Rng, draft: Draft, clean: Series, level: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Where branches are listed and where a second instrument read."""
    told = {at for item in draft.told for at in range(item.first - 1, item.last + 2)}
    untouched = [at for at in context.readable(clean, draft.faults) if at not in told]
    faulty = [fault.start for fault in draft.faults if fault.family is Family.PARTS_TOTAL]
    others = rng.at("parts").shuffled(untouched)[: context.PARTS[level] - len(faulty)]
    count, strata = len(clean), context.CHECKS[level]
    checks = [
        rng.at("check", turn).choice(spots)
        for turn in range(strata)
        if (
            spots := [
                at
                for at in range(turn * count // strata, (turn + 1) * count // strata)
                if clean[at] is not None and at not in told
            ]
        )
    ]
    return tuple(sorted((*faulty, *others))), tuple(checks)


def _operation(found: tuple[Fault, ...]) -> Operation:
    if not found:
        return Operation.ACCEPT
    repairable = all(fault.repairable for fault in found)
    return Operation.REPAIR_AND_FINALIZE if repairable else Operation.ESCALATE


def _severity(values: Series, clean: Series, found: tuple[Fault, ...], swing: float) -> Severity:
    errors = [
        abs(value - true) / swing
        for fault in found
        for value, true in zip(values[fault.start : fault.stop], clean[fault.start : fault.stop], strict=True)
        if value is not None and true is not None
    ]
    worst = max(errors, default=0.0)
    return Severity.LOW if worst <= 2 else Severity.MEDIUM if worst <= 5 else Severity.HIGH


def _gold(truth: Truth) -> Gold:
    index = truth.faults[0].start if truth.faults else 0
    return Gold(
        operation=truth.operation,
        target_index=index,
        value=truth.clean[index] or 0.0,
        tolerance=truth.scale,
        severity=truth.severity,
        violated_constraints=truth.violated,
    )
