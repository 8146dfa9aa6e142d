"""The key that two live memories of one subject never share."""

from __future__ import annotations

import hashlib
from datetime import datetime

from graph_memory.texts import normalised


def live_key(kind: str, text: str, valid_from: datetime, now: datetime) -> str:
    """Made of the kind, the normalised text, and the start when it lies ahead."""
    ahead = valid_from.isoformat() if valid_from > now else ""
    return hashlib.sha256("\x1f".join([kind, normalised(text), ahead]).encode()).hexdigest()[:32]
