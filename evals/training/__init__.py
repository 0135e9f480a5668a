"""Training: a policy of the fleet, learned in this process, and what was measured on the way."""
