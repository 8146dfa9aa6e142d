"""Runs: one execution of a job for one tenant, and how far it has come. The truth about jobs stands here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from graph_memory.base import tracing
from graph_memory.base.errors import NotFound
from graph_memory.base.ids import new_id
from graph_memory.base.scope import Scope
from graph_memory.jobs import schedule
from graph_memory.jobs.schedule import Job
from graph_memory.jobs.settings import JobsSettings
from graph_memory.model.run import Kind, Status
from graph_memory.store.queries import query
from graph_memory.store.service import Row, Service, Transaction

OPEN = query("jobs/open")
GET = query("jobs/get")
RECENT = query("jobs/recent")
CANCEL = query("jobs/cancel")
RECENT_ANYWHERE = query("system/runs_recent")
FIND = query("system/run_find")


@dataclass(frozen=True)
class Run:
    """One execution of a job. `at` is the moment it computes for: its slot, or when it was asked for.

    `done` of `total` steps of `phase`; `args` are ids and numbers that the job needs; `result` its counts.
    """

    id: str
    job: str
    kind: Kind
    status: Status
    at: datetime
    slot: datetime | None
    lease: str
    attempts: int
    phase: str
    done: int
    total: int
    args: Mapping[str, Any]
    result: Mapping[str, Any]
    error: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    updated_at: datetime
    # The span of the request that asked for it, where such are made.
    traceparent: str | None = None

    @property
    def is_finished(self) -> bool:
        return self.status not in (Status.PENDING, Status.RUNNING)

    @classmethod
    def from_row(cls, row: Row) -> Run:
        """A run from its node's properties."""
        given = {name: _utc(row.get(name)) for name in cls.__dataclass_fields__}
        parsed: Row = {
            "kind": Kind(row["kind"]),
            "status": Status(row["status"]),
            "args": json.loads(row["args"]),
            "result": json.loads(row["result"]),
        }
        return cls(**{**given, **parsed})


def get(service: Service, scope: Scope, id: str) -> Run:
    """A run of this tenant; NotFound when it is missing or foreign."""
    rows = service.read(scope, GET, id=id)
    if not rows:
        raise NotFound(f"There is no run {id}, or it belongs to someone else.")
    return Run.from_row(rows[0]["run"])


def recent(
    service: Service, scope: Scope, job: Job | None = None, first: int = 20, status: Status | None = None
) -> list[Run]:
    """The latest runs, newest first."""
    rows = service.read(scope, RECENT, **_wanted(job, status), first=first)
    return [Run.from_row(row["run"]) for row in rows]


def recent_anywhere(
    service: Service, job: Job | None = None, first: int = 20, status: Status | None = None
) -> list[tuple[str, Run]]:
    """The latest runs of all tenants, newest first, each after its tenant's name. For the operator alone."""
    jobs = [each.name for each in schedule.JOBS if job in (None, each)]
    rows = service.system(RECENT_ANYWHERE, jobs=jobs, status=_wanted(job, status)["status"], first=first)
    return [(row["tenant"], Run.from_row(row["run"])) for row in rows]


def find(service: Service, id: str) -> tuple[str, Run]:
    """A run after its tenant's name, whichever it is; NotFound when there is none. For the operator alone."""
    rows = service.system(FIND, id=id)
    if not rows:
        raise NotFound(f"There is no run {id}; `graph-memory jobs runs` lists the latest ones.")
    return rows[0]["tenant"], Run.from_row(rows[0]["run"])


def open_run(
    service: Service,
    scope: Scope,
    job: Job,
    kind: Kind = Kind.REQUESTED,
    args: Mapping[str, Any] | None = None,
) -> Run:
    """A run that no slot planned, waiting for a worker; the reconciler sends it when nobody else does."""
    run = fresh(service, job, kind, at=service.clock(), args=args)
    return service.write(scope, lambda tx: open_in(tx, run))


def open_in(tx: Transaction, run: Row) -> Run:
    """Stores a run made by `fresh` in a transaction of the caller: intent and effect commit together."""
    return Run.from_row(tx.run(OPEN, run=run)[0]["run"])


def cancel(service: Service, scope: Scope, id: str) -> Run:
    """Stops a run: a waiting one never starts, a running one ends at its next step.

    One that has ended stays so.
    """
    rows = service.write(scope, lambda tx: tx.run(CANCEL, id=id, now=service.clock()))
    return Run.from_row(rows[0]["run"]) if rows else get(service, scope, id)


def fresh(
    service: Service,
    job: Job,
    kind: Kind,
    at: datetime,
    slot: datetime | None = None,
    args: Mapping[str, Any] | None = None,
) -> Row:
    """The properties of a run that nobody has started. `args`: ids, names and numbers, never texts.

    It is meant to be sent at once; the reconciler takes it up one period later.
    """
    id, now = new_id(), service.clock()
    return {
        "id": id,
        "job": job.name,
        "kind": kind.value,
        "status": Status.PENDING.value,
        "caption": job.name.rpartition(".")[2],
        "at": at,
        "slot": slot,
        "lease": job.name if job.exclusive else f"{job.name}/{id}",
        "attempts": 0,
        "deliveries": 1,
        "furthest": 0,
        "phase": "",
        "done": 0,
        "total": 0,
        "args": args_of(args or {}),
        tracing.PARENT: tracing.present(),
        "result": "{}",
        "created_at": now,
        "updated_at": now,
        "due_at": now + timedelta(seconds=service.settings[JobsSettings].periods["reconcile"]),
    }


def args_of(args: Mapping[str, Any]) -> str:
    """What a run is given, as its node holds it."""
    return json.dumps(dict(args), sort_keys=True)


def _wanted(job: Job | None, status: Status | None) -> Row:
    return {"job": job.name if job else None, "status": status.value if status else None}


def _utc(value: Any) -> Any:
    """A time as it was sent: the driver reads it with a zone that the store holds to be another."""
    return value.astimezone(UTC) if isinstance(value, datetime) else value
