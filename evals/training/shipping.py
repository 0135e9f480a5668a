"""Shipping: where the files of a training go, and what is told of it on the command line."""

from __future__ import annotations

from pathlib import Path

import orjson

import envs.fleet
from evals.training.course import Trained

PLOTS = Path(__file__).resolve().parents[2] / "assets" / "plots"
"""What the plots route serves."""
POLICY = Path(envs.fleet.__file__).parent / "policy.json"
"""What the baseline `trained` reads."""


def write(trained: Trained, folder: Path) -> list[Path]:
    """Writes metrics and pictures; those that are there are replaced."""
    from evals.training.drawing import detection_rate, reward_curve  # noqa: PLC0415 - slow to load

    metrics = trained.metrics
    files = {
        "training_metrics.json": orjson.dumps(metrics, option=orjson.OPT_INDENT_2) + b"\n",
        "reward_curve.png": reward_curve(metrics),
        "detection_rate.png": detection_rate(metrics),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in files]


def ship(trained: Trained) -> Path:
    """Makes the trained policy the baseline; returns its file."""
    POLICY.write_bytes(trained.packed())
    return POLICY


def as_text(trained: Trained) -> str:
    """The held-out means of all policies, a line for each level and policy."""
    lines = [f"{'level':14}{'policy':18}{'reward':>8}{'found':>8}{'false':>8}{'objective':>11}"]
    for level, rows in trained.metrics["held_out"].items():
        for name, row in rows.items():
            means = [
                row[measure]["mean"] for measure in ("reward", "detection", "false_positives", "objective")
            ]
            lines.append(
                f"{level:14}{name:18}" + "".join(f"{mean:8.3f}" for mean in means[:3]) + f"{means[3]:11.3f}"
            )
    return "\n".join(lines)
