"""Where cases come from: fact vectors, families, contrast sets, and the words that tell of them."""
