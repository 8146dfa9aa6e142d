"""Finding memories again."""
