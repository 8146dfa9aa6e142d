"""The key that two live memories of one subject never share."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from graph_memory.ledger import Writing
from graph_memory.queries import query
from graph_memory.texts import normalised

RETIRE_ENDED = query("memory/retire_ended")


def live_key(kind: str, text: str, valid_from: datetime, now: datetime) -> str:
    """Made of the kind and the normalised text. A start that lies ahead stands in front, until it has come."""
    words = hashlib.sha256("\x1f".join([kind, normalised(text)]).encode()).hexdigest()[:32]
    return f"@{_spelled(valid_from)}@{words}" if valid_from > now else words


def follow_clock(writing: Writing) -> None:
    """What the clock has ended gives its key up; what has begun takes that of what is current, when it is free."""
    writing.run(RETIRE_ENDED, now=writing.now, begun=f"@{_spelled(writing.now)}~")


def _spelled(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")
