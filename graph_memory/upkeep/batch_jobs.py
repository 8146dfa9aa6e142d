"""The jobs of batches: asking how they stand, putting failed ones back in line, removing old ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from graph_memory.base.clock import ALWAYS
from graph_memory.batches import records, steps
from graph_memory.jobs.context import Context
from graph_memory.jobs.schedule import Result
from graph_memory.model.batch import ENDED, Kind, Status
from graph_memory.store.queries import query

# Times that a failed or expired batch is put back in line.
MOST_RETRIES = 4
# For so long are batches kept that have ended.
_KEPT = timedelta(hours=48)
RETRIABLE = query("batches/retriable")
AGAIN = query("batches/again")
PURGE = query("batches/purge")

# A provider's or a person's cancelling is not taken back by itself.
_TRIED_AGAIN = (Status.FAILED, Status.EXPIRED)
_AT_ONCE = 50


def poll_extraction(context: Context) -> Result:
    """One step for each pending batch of extraction; says how many are where afterwards."""
    return _poll(context, [Kind.EXTRACTION])


def poll_relationships(context: Context) -> Result:
    """The same for the batches of all other kinds."""
    return _poll(context, [kind for kind in Kind if kind is not Kind.EXTRACTION])


def retry(context: Context) -> Result:
    """Puts batches that failed or expired back in line, for the questions that have no answer; not for ever."""
    service = context.service
    statuses = [each.value for each in _TRIED_AGAIN]
    rows = service.read(context.scope, RETRIABLE, statuses=statuses, since=ALWAYS, retries=MOST_RETRIES)
    values = {"allowed": statuses, "status": Status.SUBMITTED.value, "looks_back": True, "revives": False}
    for done, row in enumerate(rows):
        context.progress(done, len(rows), "retry")
        context.write(lambda tx, id=row["id"]: tx.run(AGAIN, id=id, counts=1, now=service.clock(), **values))  # type: ignore[misc]
    return {"retried": len(rows)}


def purge(context: Context) -> Result:
    """Removes batches that ended some time ago, with their questions; says how many."""
    before = context.at - _KEPT
    statuses = [each.value for each in ENDED]
    total = 0
    while True:
        rows = context.write(
            lambda tx: tx.run(PURGE, statuses=statuses, since=ALWAYS, before=before, limit=_AT_ONCE)
        )
        total += rows[0]["removed"]
        context.progress(total, total, "purge")
        if rows[0]["removed"] < _AT_ONCE:
            return {"removed": total}


def _poll(context: Context, kinds: Sequence[Kind]) -> Result:
    found = records.pending(context.service, context.scope, kinds)
    ends: Counter[str] = Counter()
    mistake: Exception | None = None
    for done, (id, scope) in enumerate(found):
        context.progress(done, len(found), "poll")
        try:
            ends[steps.advance(context.service, scope, id).status.value] += 1
        except Exception as error:  # noqa: BLE001 - one batch must not keep the others; it is raised at the end
            mistake = error
    if mistake is not None:
        raise mistake
    return dict(ends)
