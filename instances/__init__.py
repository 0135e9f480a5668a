"""Instances: episodes that people and agents share, kept as journals and folded back into states.

Knows nothing of HTTP, pages or agents.
"""
