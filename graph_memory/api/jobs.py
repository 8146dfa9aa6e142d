"""Jobs: asking for one, and how far each has come."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from graph_memory.api.arguments import KEY, First
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, reads, writes
from graph_memory.api.global_ids import to_global, uuid_of
from graph_memory.api.mirror import mirror
from graph_memory.api.node import Node
from graph_memory.api.paging import DEFAULT, size
from graph_memory.api.scalars import Uuid
from graph_memory.base.errors import Forbidden, NotFound, Unavailable
from graph_memory.base.scope import Scope
from graph_memory.jobs import requests, runs, schedule
from graph_memory.jobs.ticks import Publish
from graph_memory.ledger.changes import Call
from graph_memory.model.run import Status
from graph_memory.store.service import Service

log = logging.getLogger(__name__)


@strawberry.type(description="How far a job has come.")
class JobProgress:
    done: int = strawberry.field(description="Steps of the phase that are done.")
    total: int = strawberry.field(description="Steps of the phase; 0 while unknown.")
    phase: str = strawberry.field(description="What it is doing; empty before it starts.")


@strawberry.type(description="One run of a job. Ask for it again by its id to see how far it has come.")
class Job(Node):
    uuid: Uuid = strawberry.field(description="Its id as the store and the command line know it.")
    name: str = strawberry.field(description="Which job it is.")
    state: Status = strawberry.field(description="How it stands.")
    progress: JobProgress = strawberry.field(description="How far it has come.")
    attempts: int = strawberry.field(description="How often a worker has taken it up.")
    result: JSON = strawberry.field(description="What it counted; empty until it is done.")
    error: str | None = strawberry.field(description="Why it failed.")
    created_at: datetime = strawberry.field(description="When it was asked for.")
    started_at: datetime | None = strawberry.field(description="When a worker first took it up.")
    finished_at: datetime | None = strawberry.field(description="When it ended.")


@strawberry.input(description="Which job to run.")
class RunJobInput:
    name: str = strawberry.field(description="The job's name, or its last word: rescore, communities, ...")
    again: bool = strawberry.field(
        default=False, description="Whether to run it even when it has run in its present period."
    )
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.type(
    description="The answer of runJob. `replayed` tells that its present period had a run already."
)
class RunJobPayload(Payload):
    job: Job | None = strawberry.field(default=None, description="The run, new or the period's own.")


@strawberry.type
class JobQuery:
    @reads("One run of a job; null when it is missing or someone else's.")
    async def job(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="The run's id, or its uuid.")],
    ) -> Job | None:
        return await load_job(info, info.context.asker.scope, uuid_of("Job", id))

    @reads("The latest runs of jobs, newest first.", renames={"job": "name"})
    async def jobs(
        self,
        info: Info,
        first: First = DEFAULT,
        name: Annotated[
            str | None, strawberry.argument(description="Only of this job: its name, or its last word.")
        ] = None,
        state: Annotated[Status | None, strawberry.argument(description="Only those that stand so.")] = None,
    ) -> list[Job] | None:
        context, scope = info.context, _whole_tenant(info.context.asker.scope)
        job = None if name is None else schedule.job(name)
        found = await context.call(runs.recent, context.service, scope, job, size(first), state)
        return [job_of(run) for run in found]


@strawberry.type
class JobMutation:
    @writes(
        "Asks for a job. It runs in a worker; the answer tells its run.",
        RunJobPayload,
        renames={"job": "name"},
    )
    async def run_job(
        self, info: Info, input: Annotated[RunJobInput, strawberry.argument(description="Which job to run.")]
    ) -> RunJobPayload | None:
        context = info.context
        call = context.write_call(None, input.idempotency_key)
        _whole_tenant(call.scope)
        job = schedule.job(input.name)
        run, is_new = await context.call(_ask, context.service, call, job, input.again, context.open.publish)
        return RunJobPayload(job=job_of(run), replayed=not is_new)


async def load_job(info: Info, scope: Scope, uuid: str) -> Job | None:
    """The run, or None when it is missing, or when the key is bound to a subject whose run it is not."""
    try:
        run = await info.context.call(runs.get, info.context.service, scope, uuid)
    except NotFound:
        return None
    return job_of(run) if is_shown_to(scope, run) else None


def is_shown_to(scope: Scope, run: runs.Run) -> bool:
    """Whether a scope may see a run: one that is bound to a subject sees its own only."""
    return not scope.is_bound or run.args.get("subject") == scope.subject_name


def job_of(run: runs.Run) -> Job:
    """A run of the domain as the schema's type."""
    return mirror(
        Job,
        run,
        id=strawberry.ID(to_global("Job", run.id)),
        uuid=Uuid(run.id),
        name=run.job,
        state=run.status,
        progress=mirror(JobProgress, run),
        result=JSON(dict(run.result)),
    )


def send(job: schedule.Job, scope: Scope, run_id: str, publish: Publish) -> None:
    """Sends a run to its queue; one that cannot be sent waits in the store and is sent later."""
    try:
        publish(job, scope, run_id)
    except Unavailable as error:
        log.warning("run not sent", extra={"run_id": run_id, "code": error.code})


def _ask(
    service: Service, call: Call, job: schedule.Job, again: bool, publish: Publish
) -> tuple[runs.Run, bool]:
    run, is_new = requests.ask(service, call, job, again)
    if is_new:
        send(job, call.scope, run.id, publish)
    return run, is_new


def _whole_tenant(scope: Scope) -> Scope:
    if scope.is_bound:
        raise Forbidden("Jobs work on the whole tenant; this key is bound to a subject.")
    return scope
