"""The way in: from a statement or a conversation to what is decided about it and committed."""
