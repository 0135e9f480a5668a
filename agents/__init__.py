"""Agents that call out: what they cost, how long they may run, and what becomes of their runs.

Replay never comes here: an agent turns what a model says into actions, and those are journalled.
"""
