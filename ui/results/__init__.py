"""What was measured, for the pages: kept results, what they come to, and the files one can take along."""
