"""How much a memory counts, as a pure function of what is stored about it and a moment."""
