"""LedgerShield: accounts-payable fraud control."""

from envs.ledgershield.baselines import POLICIES
from envs.ledgershield.environment import LedgerShield
from envs.ledgershield.offers import hints
from envs.ledgershield.view import scene

__all__ = ["POLICIES", "LedgerShield", "hints", "scene"]
