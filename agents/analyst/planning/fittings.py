"""What keeps a reading from fitting its tables."""


class NotFitting(Exception):
    """What a question asks for cannot be put together from the tables; the text says why."""
