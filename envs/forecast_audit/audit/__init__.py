"""The audit track: generated reports whose faults nobody names.

Decides what a case is, what the episode keeps and what publishing it would lose.
"""
