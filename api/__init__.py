"""The HTTP interface: contracts, hub and errors. Knows no page and no storage."""
