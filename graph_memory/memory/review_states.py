"""How reviews stand: set when one is decided, and as it was when that is undone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from graph_memory.ledger.changes import Writing
from graph_memory.memory.settings import ReviewsSettings
from graph_memory.model.review import ReviewStatus
from graph_memory.store.queries import query
from graph_memory.store.service import Row

REWRITE = query("reviews/rewrite")


def rewrite_reviews(writing: Writing, edits: Mapping[str, Mapping[str, Any]]) -> Row:
    """Sets how reviews stand; for the ledger each with what stood there and what stands: `{id: {before, after}}`.

    One that waits again does so for as long as a new one. Reviews that are no more are left out.
    """
    if not edits:
        return {}
    until = writing.now + timedelta(days=writing.settings[ReviewsSettings].expire_days)
    rows = [
        {"id": id, "set": {**values, "expires_at": until} if _waits(values) else dict(values)}
        for id, values in sorted(edits.items())
    ]
    return {
        row["id"]: {"before": row["before"], "after": dict(edits[row["id"]])}
        for row in writing.run(REWRITE, rows=rows)
    }


def _waits(values: Mapping[str, Any]) -> bool:
    return bool(values["status"] == ReviewStatus.PENDING)
