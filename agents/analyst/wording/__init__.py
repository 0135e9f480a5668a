"""Wording: rows, caveats and small talk as text in English and Indonesian.

No number is written here that is not a cell: texts have placeholders, and cells are put in their places.
"""
