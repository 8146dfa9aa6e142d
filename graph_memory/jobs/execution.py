"""Carries out one run: take the lease, start, call the job, end.

Doing it twice, or at once twice, does no harm.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from neo4j.exceptions import Neo4jError

from graph_memory.base import tracing
from graph_memory.base.errors import (
    GraphMemoryError,
    LeaseLost,
    Misconfigured,
    ModelFault,
    Unsupported,
    UserError,
)
from graph_memory.base.scope import Scope
from graph_memory.jobs import leases, runs
from graph_memory.jobs.context import Body, Context, RunCancelled
from graph_memory.jobs.leases import Lease
from graph_memory.jobs.runs import Run
from graph_memory.jobs.settings import JobsSettings
from graph_memory.model.run import Status
from graph_memory.store.queries import query
from graph_memory.store.service import Service

# Seconds before the second try of a run that failed; each next waits twice as long.
_PAUSE = 10.0
log = logging.getLogger(__name__)

START = query("jobs/start")

_HOPELESS = (UserError, Unsupported, Misconfigured, ModelFault)
_LONGEST_PAUSE = 3600
_LONGEST_ERROR = 300


def execute(service: Service, scope: Scope, run_id: str, bodies: Mapping[str, Body]) -> Run:
    """Carries out a run: the run as it stands afterwards, finished, waiting for another try, or held by another.

    `bodies` are what jobs run, by name (`tasks.BODIES`). Raises NotFound, Unavailable; faults of the job itself stand
    in the run.
    """
    run = runs.get(service, scope, run_id)
    if run.is_finished:
        return run
    with leases.hold(service, scope, run.lease, run.id) as lease:
        if lease is None:
            log.info("run_held_elsewhere", extra={"run": run.id, "job": run.job})
            return run
        told = {"graph_memory__run": run.id, "graph_memory__tenant": scope.tenant}
        try:
            with tracing.span(run.job, "CONSUMER", run.traceparent, **told) as made:
                ended = _carry_out(service, scope, run, lease, bodies[run.job])
                tracing.tell(
                    made, {"graph_memory.status": ended.status, "graph_memory.tries": ended.attempts}
                )
                return ended
        except LeaseLost:
            log.warning("run_taken_over", extra={"run": run.id, "job": run.job, "fence": lease.fence})
    return runs.get(service, scope, run_id)


def _carry_out(service: Service, scope: Scope, run: Run, lease: Lease, body: Body) -> Run:
    context = Context(service, scope, run, lease)
    rows = context.write(lambda tx: tx.run(START, id=run.id, now=service.clock()))
    if not rows:
        return runs.get(service, scope, run.id)
    context = replace(context, run=Run.from_row(rows[0]["run"]))
    if context.run.attempts > service.settings[JobsSettings].attempts:
        return _end(
            context,
            Status.FAILED,
            error="Given up: every try ended without a word, as if its process was killed.",
        )
    begun = time.monotonic()
    try:
        result = body(context)
    except LeaseLost:
        raise
    except RunCancelled:
        return runs.get(service, scope, run.id)
    except Exception as error:  # noqa: BLE001 - whatever it was stands in the run, and the reconciler tries again
        return _failed(context, error)
    seconds = round(time.monotonic() - begun, 3)
    ended = _end(context, Status.DONE, result={**result, "seconds": seconds})
    log.info(
        "run_ended", extra={"run": run.id, "job": run.job, "status": ended.status.value, "seconds": seconds}
    )
    return ended


def _failed(context: Context, error: Exception) -> Run:
    run, limits = context.run, context.service.settings[JobsSettings]
    reason = _reason(error)
    log.warning(
        "run_failed",
        extra={"run": run.id, "job": run.job, "attempts": run.attempts, "reason": reason},
        exc_info=_trace(error),
    )
    if isinstance(error, _HOPELESS) or run.attempts >= limits.attempts:
        return _end(context, Status.FAILED, error=reason)
    pause = min(_PAUSE * 2 ** (run.attempts - 1), _LONGEST_PAUSE)
    return _end(context, Status.PENDING, error=reason, pause=pause)


def _end(
    context: Context,
    status: Status,
    result: dict[str, int | float | str] | None = None,
    error: str | None = None,
    pause: float = 0,
) -> Run:
    due_at = context.service.clock() + timedelta(seconds=pause)
    ended = context.finish(status, result, error, due_at)
    return ended or runs.get(context.service, context.scope, context.run.id)


def _reason(error: Exception) -> str:
    """Short, and without anything that a memory says: messages of foreign errors may quote values."""
    if isinstance(error, GraphMemoryError):
        return f"{error.code}: {error.message}"[:_LONGEST_ERROR]
    code = error.code if isinstance(error, Neo4jError) else None
    return f"{type(error).__name__} ({code})" if code else type(error).__name__


def _trace(error: Exception) -> bool:
    return not isinstance(error, GraphMemoryError | Neo4jError)
