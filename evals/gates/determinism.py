"""Determinism: the same seed and actions give the same transcript, to the byte, in another process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from envs.kernel.records import encode
from evals.gates.lines import Line, Sizes
from evals.gates.replay import Script, transcripts
from evals.subject import SPLITS, Subject, opened, tried

ROOT = Path(__file__).resolve().parents[2]
OTHER_PYTHONS = ("python3.14", "python3.13", "python3.12", "python3.11")
# Strings hash otherwise there, so sets come in another order.
HASH_SEED = "4242"
LIMIT_S = 600


def determinism_lines(
    subject: Subject, sizes: Sizes, path: str, second_python: str | None = None
) -> Iterator[Line]:
    """A second process of this Python, and a second Python where one is installed.

    Args:
        second_python: Its command; None: the first on the PATH that has the packages.
    """
    scripts = list(_scripts(subject, sizes))
    here = transcripts(subject.env.slug, scripts, path)
    yield _line("a second process", here, _elsewhere(sys.executable, subject, scripts, path))
    other = second_python or _other_python(path)
    if other is None:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        note = f"only Python {version} is installed with the packages; name another by --second-python"
        yield Line("determinism", "a second Python", "not measured", "", 0, holds=True, note=note)
    else:
        yield _line(f"a second Python, {other}", here, _elsewhere(other, subject, scripts, path))


def _line(about: str, here: Sequence[str], there: Sequence[str] | str) -> Line:
    if isinstance(there, str):
        return Line("determinism", about, there, "the same bytes", len(here), holds=False)
    unlike = sum(a != b for a, b in zip(here, there, strict=True))
    return Line(
        "determinism",
        about,
        f"{len(here) - unlike} of {len(here)} transcripts are the same",
        "all",
        len(here),
        holds=unlike == 0,
    )


def _scripts(subject: Subject, sizes: Sizes) -> Iterator[Script]:
    """What the reference and the random policy do, on every level and split."""
    for level in subject.env.levels:
        for seed in range(sizes.replayed):
            split = SPLITS[seed % len(SPLITS)]
            name = subject.reference if seed // len(SPLITS) % 2 else subject.random
            start = opened(subject, level, split, seed)
            episode = tried(subject, name, start, f"determinism/{split}/{level}/{seed}")[-1]
            body = episode.request.model_dump_json(exclude_none=True)
            yield Script(body, seed, tuple(encode(action).decode() for action in episode.actions))


def _elsewhere(python: str, subject: Subject, scripts: Sequence[Script], path: str) -> list[str] | str:
    """The digests as another process finds them, or how it failed."""
    asked = json.dumps({"slug": subject.env.slug, "path": path, "scripts": scripts})
    environment = {**os.environ, "PYTHONHASHSEED": HASH_SEED, "PYTHONPATH": str(ROOT)}
    try:
        done = subprocess.run(
            [python, "-m", "evals.gates.replay"],
            input=asked,
            cwd=ROOT,
            env=environment,
            text=True,
            capture_output=True,
            timeout=LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"did not run: {error}"
    if done.returncode:
        return f"failed: {' '.join(done.stderr.split())[-200:]}"
    return json.loads(done.stdout)


def _other_python(path: str) -> str | None:
    """The first Python of another version that can import what is played."""
    module = path.partition(":")[0]
    asked = f"import sys, {module}, evals.gates.replay; print(sys.version_info[:2])"
    for name in OTHER_PYTHONS:
        command = shutil.which(name)
        if command is None:
            continue
        done = subprocess.run(
            [command, "-c", asked],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            text=True,
            capture_output=True,
            timeout=LIMIT_S,
            check=False,
        )
        if done.returncode == 0 and done.stdout.strip() != str(sys.version_info[:2]):
            return command
    return None
