"""Why a connection to a server ended, in words for people."""

from __future__ import annotations


def why_lost(error: Exception) -> str:
    """The reason by the kind of the error: those of `requests`, `redis` and the sockets are named alike."""
    kind = type(error).__name__
    if "Timeout" in kind:
        return "no answer in time"
    return "no connection" if "Connect" in kind else "the connection broke off"
