"""Evaluation: runs, skill, statistics and gates.

Decides how agents are measured and compared. Leaves play to the kernel and storage to the instance service.
"""
