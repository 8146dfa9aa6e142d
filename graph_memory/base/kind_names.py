"""What a kind of memory may be called: one word, by the same rule in the service and in the client."""

from __future__ import annotations

from graph_memory.base.errors import Invalid

_LONGEST = 40


def check_kind(kind: str, path: str) -> str:
    """The kind as it was given; Invalid, which blames `path`, for what is no word."""
    if not 1 <= len(kind) <= _LONGEST or not kind.replace("_", "").replace("-", "").isalnum():
        raise Invalid(
            f"{path} must be one word of at most {_LONGEST} letters, digits, _ or -.",
            path=path,
        )
    return kind
