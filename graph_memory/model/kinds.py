"""Kinds of memories: one open word each, kept in the singular, so that `decisions` and `decision` are one kind."""

from __future__ import annotations

# They look like plurals and are none, or are the same in both.
_SAME_IN_BOTH = frozenset({"news", "series", "species"})
_NO_PLURALS = ("ss", "us", "is", "as", "os")
_WITH_E = ("sses", "xes", "ches", "shes")


def singular(kind: str) -> str:
    """The spelling that a kind is kept in: the singular of its last word."""
    lowered = kind.lower()
    if (
        not lowered.endswith("s")
        or len(kind) < 4
        or lowered in _SAME_IN_BOTH
        or lowered.endswith(_NO_PLURALS)
    ):
        return kind
    if lowered.endswith("ies") and len(kind) > 4:
        return kind[:-3] + ("Y" if kind.isupper() else "y")
    return kind[:-2] if lowered.endswith(_WITH_E) else kind[:-1]
