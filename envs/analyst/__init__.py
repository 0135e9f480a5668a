"""Data analyst: business questions over data and documents, answered with their evidence."""

from envs.analyst.baselines import POLICIES
from envs.analyst.environment import Analyst
from envs.analyst.view import hints, scene

__all__ = ["POLICIES", "Analyst", "hints", "scene"]
