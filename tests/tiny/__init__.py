"""Number-Hunt: a whole sixth environment in one folder and one line, for tests that need a small one."""

from __future__ import annotations

from collections.abc import Mapping

from envs.catalog import Entry
from tests.tiny.baselines import POLICIES
from tests.tiny.environment import NumberHunt
from tests.tiny.view import hints, scene

TINY: Mapping[str, Entry] = {"number-hunt": Entry(NumberHunt(), scene, hints, POLICIES)}

__all__ = ["POLICIES", "TINY", "NumberHunt", "hints", "scene"]
