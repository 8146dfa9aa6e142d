"""When a memory is live, and the key that two live memories of one subject never share."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from graph_memory.texts import normalised


def will_hold(valid_from: datetime, valid_to: datetime, now: datetime) -> bool:
    """Whether an active memory is live: it holds or will hold. An empty validity never does, wherever it lies."""
    return valid_to > now and valid_to > valid_from


def live_key(kind: str, text: str, valid_from: datetime, now: datetime) -> str:
    """Made of the kind and the normalised text. A start that lies ahead stands in front, until it has come.

    The statement that locks a subject looks for those and takes it away.
    """
    words = hashlib.sha256("\x1f".join([kind, normalised(text)]).encode()).hexdigest()[:32]
    return f"@{valid_from.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}@{words}" if valid_from > now else words
