"""The policy as data, and the evaluator that derives every right answer from it."""
