"""Statistics of evaluations; each function names its source, and is tested against numbers printed there."""
