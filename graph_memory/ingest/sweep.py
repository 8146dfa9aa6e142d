"""The sweep: closes open segments that are idle, gives up on questions that came to nothing, has both extracted."""

from __future__ import annotations

from datetime import datetime, timedelta

from graph_memory.batches.steps import EXPIRES_AFTER
from graph_memory.ingest.settings import ConversationsSettings
from graph_memory.ingest.submission import open_run
from graph_memory.jobs import leases
from graph_memory.jobs.context import Context
from graph_memory.jobs.schedule import Result
from graph_memory.store.queries import query
from graph_memory.store.service import Transaction

# After the end of a batch that came to nothing rules extract its messages.
_WAITS = timedelta(minutes=10)
IDLE = query("understanding/idle")
CLOSE_IDLE = query("understanding/close_idle")
GIVEN_UP = query("understanding/given_up")


def run(context: Context) -> Result:
    """The job: one Run of extraction for each subject with something to extract."""
    settings, now = context.service.settings[ConversationsSettings], context.service.clock()
    moments = {
        "idle_since": now - timedelta(minutes=settings.idle_minutes),
        "asked_before": now - _WAITS,
        # Where nobody looked after a batch, its own end counts.
        "lost_before": now - EXPIRES_AFTER,
    }
    rows = context.service.read(context.scope, IDLE, **moments)
    closed = given_up = 0
    for done, row in enumerate(rows):
        context.progress(done, len(rows), "sweep")
        one, other = _sweep(context, row["subject"], **moments)
        closed, given_up = closed + one, given_up + other
    return {"closed": closed, "given_up": given_up, "subjects": len(rows)}


def _sweep(context: Context, subject: str, **moments: datetime) -> tuple[int, int]:
    """Both for one subject, with the Run in the same transaction; the reconciler sends it."""
    scope = context.scope.of(subject)

    def work(tx: Transaction) -> tuple[int, int]:
        leases.check(tx, context.lease)
        closed = tx.run(CLOSE_IDLE, idle_since=moments["idle_since"])[0]["closed"]
        given_up = tx.run(GIVEN_UP, asked_before=moments["asked_before"], lost_before=moments["lost_before"])[
            0
        ]["messages"]
        if closed or given_up:
            args = {"by_rules": True} if given_up else {}
            open_run(context.service, tx, subject, **args)
        return closed, given_up

    return context.service.write(scope, work)
