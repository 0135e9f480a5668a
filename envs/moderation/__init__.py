"""Content moderation: investigate, classify and decide on posts."""

from envs.moderation.baselines import POLICIES
from envs.moderation.environment import Moderation
from envs.moderation.view import hints, scene

__all__ = ["POLICIES", "Moderation", "hints", "scene"]
