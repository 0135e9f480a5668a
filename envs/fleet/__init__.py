"""The fleet: oversee five AI workers that build a search index."""

from envs.fleet.baselines import POLICIES
from envs.fleet.environment import Fleet
from envs.fleet.view import hints, scene

__all__ = ["POLICIES", "Fleet", "hints", "scene"]
