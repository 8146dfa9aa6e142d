"""How reviews stand: set when one is decided, and as it was when that is undone.

One that asks about what no longer stands is closed by itself: EXPIRED, decided by nobody, with a note that tells why. That
follows the memories and is no decision, so that it waits again once they are back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from graph_memory.ledger.changes import Writing
from graph_memory.memory.settings import ReviewsSettings
from graph_memory.model.review import ReviewStatus
from graph_memory.store.queries import query
from graph_memory.store.service import Row

REWRITE = query("reviews/rewrite")
SETTLE = query("reviews/settle")


def rewrite_reviews(writing: Writing, edits: Mapping[str, Mapping[str, Any]]) -> Row:
    """Sets how reviews stand; for the ledger each with what stood there and what stands: `{id: {before, after}}`.

    One that waits again does so for as long as a new one. Reviews that are no more are left out.
    """
    if not edits:
        return {}
    until = _until(writing)
    rows = [
        {"id": id, "set": {**values, "expires_at": until} if _waits(values) else dict(values)}
        for id, values in sorted(edits.items())
    ]
    return {
        row["id"]: {"before": row["before"], "after": dict(edits[row["id"]])}
        for row in writing.run(REWRITE, rows=rows)
    }


def settle_reviews(writing: Writing, ids: Sequence[str]) -> None:
    """Closes reviews of memories that have ended, and has those wait again whose memories are back."""
    if ids:
        writing.run(SETTLE, ids=list(ids), now=writing.now, until=_until(writing))


def _until(writing: Writing) -> datetime:
    return writing.now + timedelta(days=writing.settings[ReviewsSettings].expire_days)


def _waits(values: Mapping[str, Any]) -> bool:
    return bool(values["status"] == ReviewStatus.PENDING)
