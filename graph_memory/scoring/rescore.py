"""The daily rescoring of a tenant's live memories."""

from __future__ import annotations

from datetime import datetime

from graph_memory.jobs.context import Context
from graph_memory.queries import query
from graph_memory.scoring.linear import epoch_ms, terms
from graph_memory.service import Service
from graph_memory.tenancy import Scope

RESCORE_LINEAR = query("scoring/rescore_linear")


def rescore(context: Context) -> dict[str, int]:
    """The job: scores as of the run's moment.

    It needs no fence in each batch: an overtaken holder writes what its successor would, and a later moment's
    score is never replaced by an earlier one's. The run's end is fenced.
    """
    context.progress(0, 1, "rescore")
    return {"rescored": rescore_tenant(context.service, context.scope, context.at)}


def rescore_tenant(service: Service, scope: Scope, at: datetime) -> int:
    """Writes `importance` and `rescored_at` of every live memory not yet scored as of `at`; says how many."""
    decay = service.settings.decay
    rows = service.batches(
        scope, RESCORE_LINEAR, at=at, at_ms=epoch_ms(at), batch=decay.batch, **terms(decay)
    )
    return int(rows[0]["rescored"])
