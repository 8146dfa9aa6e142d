"""Whose turn it is: tenants take turns at what many of them wait for, however many runs one of them has.

A message in a queue means that there is a run to carry out, and names one; it is carried out when its tenant's turn has
come. Each message stands for one run, so that none is forgotten.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

from graph_memory.base.scope import Scope
from graph_memory.jobs import schedule
from graph_memory.jobs.context import Body
from graph_memory.jobs.execution import execute
from graph_memory.jobs.runs import Run
from graph_memory.store.queries import query
from graph_memory.store.service import Service

IN_TURN = query("system/run_in_turn")

# Another worker may take the same run at the same moment; then it is the next one's turn.
_TRIES = 5
_PAUSE = 0.1


def take_turn(service: Service, scope: Scope, run_id: str, bodies: Mapping[str, Body]) -> Run:
    """Carries out the run whose turn it is: that one, or one of a tenant that has waited longer for the same job."""
    for _ in range(_TRIES):
        chosen, id = _chosen(service, scope, run_id)
        ended = execute(service, chosen, id, bodies)
        if ended.is_finished or ended.error is not None:
            return ended
        time.sleep(_PAUSE)
    return ended


def _chosen(service: Service, scope: Scope, run_id: str) -> tuple[Scope, str]:
    jobs = [job.name for job in schedule.JOBS if not job.exclusive]
    rows = service.system(IN_TURN, tenant=scope.tenant, id=run_id, jobs=jobs, now=service.clock())
    return (Scope(rows[0]["tenant"]), rows[0]["id"]) if rows else (scope, run_id)
