"""One agent for any model behind an OpenAI-compatible endpoint."""
