"""LedgerShield: accounts-payable fraud control."""

from envs.ledgershield.baselines import POLICIES
from envs.ledgershield.environment import LedgerShield
from envs.ledgershield.view import hints, scene

__all__ = ["POLICIES", "LedgerShield", "hints", "scene"]
