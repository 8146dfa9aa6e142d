"""The clock's side: which tenants a job is due for, and what was left unfinished."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, timedelta

from graph_memory.base.errors import GraphMemoryError, Unavailable
from graph_memory.base.scope import Scope
from graph_memory.jobs import schedule, slots
from graph_memory.jobs.runs import Run
from graph_memory.jobs.schedule import Job
from graph_memory.jobs.settings import JobsSettings
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service

log = logging.getLogger(__name__)

TENANTS = query("system/tenants")
TENANTS_DUE = query("system/tenants_due")
UNFINISHED = query("system/runs_unfinished")
REDELIVER = query("jobs/redeliver")

# Sends a run to a worker; raises Unavailable when the broker cannot be reached.
Publish = Callable[[Job, Scope, str], None]
# Opens the runs that should not wait for their slot, and says whose they are.
Trigger = Callable[[Service], Sequence[tuple[Scope, Run]]]

_MOST_DOUBLINGS = 6


def tenants(service: Service) -> list[Scope]:
    """All tenants, by name."""
    return [Scope(row["name"]) for row in service.system(TENANTS)]


def tick(service: Service, job: Job, publish: Publish, trigger: Trigger | None = None) -> int:
    """Claims the current slot for every tenant that has not had it, and sends the runs; says how many.

    `trigger` brings those that do not wait for their slot.
    One tenant's failure stops no other; a run that could not be sent waits for the reconciler.
    """
    period = job.seconds(service.settings)
    if period is None:
        return 0
    slot = slots.slot_of(service.clock(), period)
    due = [Scope(row["name"]) for row in service.system(TENANTS_DUE, job=job.name, slot=slot)]
    sent = sum(_claim_and_send(service, job, scope, slot, publish) for scope in due)
    early = trigger(service) if trigger is not None else ()
    return sent + sum(_send(job, scope, run, publish) for scope, run in early)


def reconcile(service: Service, publish: Publish) -> int:
    """Sends every unfinished run again whose lease has run out and whose time has come; says how many.

    Each time the pause before the next doubles, so that a long queue is not filled with copies; the first is
    one period.
    """
    sent = 0
    for row in service.system(UNFINISHED, now=service.clock()):
        try:
            sent += _redeliver(service, row, publish)
        except Unavailable as error:
            log.warning("run_not_sent", extra={"run": row["id"], "code": error.code})
            break
        except Exception as error:  # noqa: BLE001 - one tenant's failure stops no other
            log.warning("run_not_taken_up", extra={"run": row["id"], "fault": type(error).__name__})
    return sent


def _claim_and_send(service: Service, job: Job, scope: Scope, slot: object, publish: Publish) -> bool:
    try:
        run = slots.claim(service, scope, job, slot)  # type: ignore[arg-type]
    except Exception as error:  # noqa: BLE001 - one tenant's failure stops no other
        code = error.code if isinstance(error, GraphMemoryError) else type(error).__name__
        log.warning("slot_not_sent", extra={"job": job.name, "tenant": scope.tenant, "code": code})
        return False
    return run is not None and _send(job, scope, run, publish)


def _send(job: Job, scope: Scope, run: Run, publish: Publish) -> bool:
    try:
        publish(job, scope, run.id)
    except Exception as error:  # noqa: BLE001 - one tenant's failure stops no other
        code = error.code if isinstance(error, GraphMemoryError) else type(error).__name__
        log.warning("run_not_sent", extra={"run": run.id, "tenant": scope.tenant, "code": code})
        return False
    return True


def _redeliver(service: Service, row: Row, publish: Publish) -> bool:
    scope = Scope(row["tenant"])
    period = service.settings[JobsSettings].periods["reconcile"]
    deliveries, due_at = row["deliveries"] + 1, row["due_at"].astimezone(UTC)
    next_at = service.clock() + timedelta(seconds=period * 2 ** min(deliveries - 1, _MOST_DOUBLINGS))
    values = {"id": row["id"], "seen": due_at, "due_at": next_at, "deliveries": deliveries}
    if not service.write(scope, lambda tx: tx.run(REDELIVER, **values)):
        return False
    try:
        publish(schedule.job(row["job"]), scope, row["id"])
    except Unavailable:
        undone = {"id": row["id"], "seen": next_at, "due_at": due_at, "deliveries": row["deliveries"]}
        service.write(scope, lambda tx: tx.run(REDELIVER, **undone))
        raise
    return True
