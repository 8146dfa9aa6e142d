"""Secrets are taken out of a text before it leaves for a model. What is not recognised goes out: this is a net, no wall."""

from __future__ import annotations

from graph_memory.language import characters, secrets

HIDDEN = "[secret removed]"


def hidden(text: str) -> str:
    """The text with passwords, keys and tokens replaced by HIDDEN, and without characters that only a machine sees."""
    seen = characters.readable(text)
    return secrets.without(seen, secrets.found(seen), lambda kind: HIDDEN)
