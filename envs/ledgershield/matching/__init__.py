"""Accounts payable as its clerks know it: what is the same bill, what agrees, and what diverts money.

Pure rules on values, amounts as `Decimal`; knows nothing of cases, tools or players.
"""
