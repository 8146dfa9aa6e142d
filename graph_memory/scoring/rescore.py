"""The daily rescoring of a tenant's live memories."""

from __future__ import annotations

from datetime import datetime

from graph_memory.jobs.context import Context
from graph_memory.queries import query
from graph_memory.scoring.linear import epoch_ms, terms
from graph_memory.service import Service
from graph_memory.tenancy import Scope

RESCORE_LINEAR = query("scoring/rescore_linear")
REACHED = query("scoring/reached")
REACH = query("scoring/reach")


def rescore(context: Context) -> dict[str, int]:
    """The job: scores as of the run's moment.

    Its batches need no fence: an overtaken holder writes what its successor would. The run's end is fenced.
    """
    context.progress(0, 1, "rescore")
    return {"rescored": rescore_tenant(context.service, context.scope, context.at)}


def rescore_tenant(service: Service, scope: Scope, at: datetime) -> int:
    """Writes the `importance` of every live memory as of `at`; says how many.

    Nothing when the tenant has been rescored as of that moment or a later one. Interrupted, it begins again.
    """
    decay, at_ms = service.settings.decay, epoch_ms(at)
    if any(row["is_reached"] for row in service.read(scope, REACHED, at_ms=at_ms)):
        return 0
    sizes = {"batch": decay.batch, "concurrency": decay.concurrency}
    rows = service.batches(scope, RESCORE_LINEAR, at_ms=at_ms, **sizes, **terms(decay))
    service.write(scope, lambda tx: tx.run(REACH, at=at))
    return int(rows[0]["rescored"])
