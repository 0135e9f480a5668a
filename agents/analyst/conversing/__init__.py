"""Conversing: from a message to the turn that is recorded: who may ask, and what is answered by whom."""
