"""Documents: how an invoice stands on a page, and what reading a part of it brings."""
