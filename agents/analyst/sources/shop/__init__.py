"""The embedded shop: orders of a company that does not exist, with facts that are planted and documented."""
