"""Size: families enough, and cases that differ, generated on every level of both splits."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from envs.kernel.records import Task
from evals.gates.lines import Line, Sizes
from evals.subject import SPLITS, Subject, opened

FEWEST_FAMILIES = 12


def size_lines(subject: Subject, sizes: Sizes) -> Iterator[Line]:
    """Families over all levels; distinct cases on each, none of them in both splits."""
    families: set[str] = set()
    asked = sizes.distinct
    for level in subject.env.levels:
        found: dict[str, set[bytes]] = {}
        for split in SPLITS:
            # A few twins among generated cases are no fault: more are drawn than must differ.
            tasks = [opened(subject, level, split, seed).task for seed in range(asked + asked // 10)]
            families |= {subject.group(task).family for task in tasks}
            found[split] = {_contents(task) for task in tasks}
        shared = len(set.intersection(*found.values()))
        counts = ", ".join(f"{len(cases)} {split}" for split, cases in found.items())
        yield Line(
            "size",
            level,
            f"{counts} distinct, {shared} in both",
            f"≥ {asked} of each, 0 in both",
            len(SPLITS) * (asked + asked // 10),
            holds=shared == 0 and all(len(cases) >= asked for cases in found.values()),
        )
    yield Line(
        "size",
        "families",
        f"{len(families)}",
        f"≥ {FEWEST_FAMILIES}",
        len(subject.env.levels) * len(SPLITS) * (asked + asked // 10),
        holds=len(families) >= FEWEST_FAMILIES,
    )


def _contents(task: Task) -> bytes:
    """A digest of the case without its name, under which the same case may come twice."""
    return blake2b(task.model_dump_json(exclude={"task_id"}).encode(), digest_size=16).digest()
