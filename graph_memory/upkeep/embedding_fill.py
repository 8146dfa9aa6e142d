"""Embeds what was stored while the embedder failed: in batches, as a job. What was not judged for it is judged then.

The same job reads the claims of what was stored before there were any.
"""

from __future__ import annotations

from functools import partial

from graph_memory.base.errors import Unavailable
from graph_memory.base.scope import Scope
from graph_memory.jobs.context import Context
from graph_memory.jobs.schedule import Result
from graph_memory.models.settings import EmbedderSettings
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service, Transaction
from graph_memory.upkeep import claim_fill, passage_vectors
from graph_memory.upkeep.late_judging import judge_pending

WAITING = query("embedding/waiting")
COUNT = query("embedding/count")
FILL = query("embedding/fill")


def run(context: Context) -> Result:
    """The job: until nothing waits. Raises Unavailable while the embedder fails; then the run is tried again.

    Counts the states and passages that were embedded, the memories whose claims were read, and those that were judged.
    """
    filled, total = 0, waiting(context.service, context.scope)
    while rows := context.service.read(
        context.scope, WAITING, limit=context.service.settings[EmbedderSettings].batch
    ):
        embedder = context.service.embedder
        vectors = embedder.embed([row["text"] for row in rows])
        given = [
            {"id": row["id"], "hash": row["hash"], "vector": vector}
            for row, vector in zip(rows, vectors, strict=True)
        ]
        [done] = context.write(partial(_fill, given, embedder.model))
        filled += done["filled"]
        context.progress(filled, max(total, filled), "embed")
        if not done["filled"]:
            raise Unavailable(
                "The model of the store was changed meanwhile; the next try embeds with the new one."
            )
    passages = 0
    for count in passage_vectors.fill(context.service, context.scope, context.write):
        passages += count
        context.progress(filled + passages, max(total, filled + passages), "embed")
    read = 0
    for count in claim_fill.fill(context.service, context.scope, context.run.id):
        read += count
        context.progress(filled + passages + read, filled + passages + read, "read")
    # A try that died may have left some that have their vectors.
    judged = judge_pending(context) if filled or context.run.attempts > 1 else 0
    return {"embedded": filled, "passages": passages, "read": read, "judged": judged}


def waiting(service: Service, scope: Scope) -> int:
    """How many states and passages of a tenant have no vector yet; they are found by words alone."""
    [row] = service.read(scope, COUNT)
    return int(row["waiting"])


def _fill(rows: list[Row], model: str, tx: Transaction) -> list[Row]:
    return tx.run(FILL, rows=rows, model=model)
