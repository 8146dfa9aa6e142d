"""The job that ends reviews nobody decided or can decide any more, and removes old ones. Nothing is decided by it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from graph_memory.base.clock import ALWAYS
from graph_memory.jobs.context import Context
from graph_memory.jobs.schedule import Result
from graph_memory.memory.settings import ReviewsSettings
from graph_memory.model.review import ReviewStatus
from graph_memory.store.queries import query
from graph_memory.store.service import Transaction

# Reviews that are ended or removed in one transaction.
_AT_ONCE = 1000
EXPIRE = query("reviews/expire")
CLOSE = query("reviews/close")
PURGE = query("reviews/purge")

_ENDED = [status.value for status in ReviewStatus if status is not ReviewStatus.PENDING]


def run(context: Context) -> Result:
    """Says how many have expired, how many were closed as what they ask about has ended, and how many were removed."""
    reviews = context.service.settings[ReviewsSettings]
    before = context.at - timedelta(days=reviews.keep_days)

    def expire(tx: Transaction) -> int:
        return int(tx.run(EXPIRE, ever=ALWAYS, now=context.at, limit=_AT_ONCE)[0]["expired"])

    def close(tx: Transaction) -> int:
        return int(tx.run(CLOSE, ever=ALWAYS, now=context.at, limit=_AT_ONCE)[0]["closed"])

    def purge(tx: Transaction) -> int:
        rows = tx.run(PURGE, ever=ALWAYS, statuses=_ENDED, before=before, limit=_AT_ONCE)
        return int(rows[0]["removed"])

    return {
        "expired": _all(context, expire),
        "closed": _all(context, close),
        "removed": _all(context, purge),
    }


def _all(context: Context, work: Callable[[Transaction], int]) -> int:
    """A batch at a time until one is not full."""
    total = 0
    while True:
        number = context.write(work)
        total += number
        context.progress(total, total, work.__name__)
        if number < _AT_ONCE:
            return total
