"""What the rules would archive, how jobs stand, and a person's time zone and days of activity."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from graph_memory.api.arguments import KEY, SUBJECT, Subject
from graph_memory.api.context import Info
from graph_memory.api.fields import Payload, reads, writes
from graph_memory.api.jobs import Job, job_of
from graph_memory.api.mirror import mirror
from graph_memory.api.scalars import Uuid
from graph_memory.base.errors import Forbidden, Invalid
from graph_memory.jobs import overview
from graph_memory.ledger import activity
from graph_memory.model.memory import Status
from graph_memory.scoring.scores import Rule
from graph_memory.upkeep import planning

_MOST = 1000


@strawberry.type(description="A memory that a rule is for.")
class LifecycleDue:
    memory: Uuid = strawberry.field(description="Its id as the store knows it.")
    caption: str = strawberry.field(description="Its statement on one line.")
    step: planning.Step = strawberry.field(description="What would be done.")
    rule: Rule = strawberry.field(description="Why.")
    importance: float = strawberry.field(description="Its importance now.")
    retention: float | None = strawberry.field(description="Its retention now.")


@strawberry.type(description="How many memories have a status.")
class StatusCount:
    status: Status = strawberry.field(description="The status.")
    count: int = strawberry.field(description="How many memories.")


@strawberry.type(description="What the next run of the rules would do. Nothing is written.")
class LifecyclePlan:
    at: datetime = strawberry.field(description="The moment that it was computed for.")
    scanned: int = strawberry.field(description="How many active memories were looked at.")
    total_due: int = strawberry.field(description="How many memories a run would change.")
    due: list[LifecycleDue] = strawberry.field(
        description="The first of them: expired ones, then the lowest."
    )
    left: int = strawberry.field(description="How many more its cap leaves to later runs.")
    statuses: list[StatusCount] = strawberry.field(description="How many memories have each status.")


@strawberry.type(description="One planned job as it stands in this account.")
class JobStanding:
    name: str = strawberry.field(description="Which job it is.")
    purpose: str = strawberry.field(description="What it does.")
    period: int = strawberry.field(description="Seconds between two runs; 0 when it is switched off.")
    state: overview.State = strawberry.field(description="How it stands.")
    latest: Job | None = strawberry.field(description="Its latest run, whoever asked for it.")
    succeeded_at: datetime | None = strawberry.field(description="When it last ended well.")
    due_at: datetime | None = strawberry.field(
        description="When it is due next, or has been due since; null when it is switched off."
    )
    lag: float = strawberry.field(description="Seconds for which it has been due; 0 when it is not.")
    failures: int = strawberry.field(description="How many of its last hundred runs failed.")


@strawberry.type(description="Whose memories they are, and how active they were.")
class SubjectActivity:
    subject: str = strawberry.field(description="The name under which the account knows them.")
    time_zone: str = strawberry.field(description="The IANA name of the time zone in which their days begin.")
    activity_days: int = strawberry.field(
        description="Dates on which something of theirs was written or recalled."
    )
    last_active_on: str | None = strawberry.field(description="The last of them, as 2026-03-15.")


@strawberry.input(description="What to set of a subject.")
class SetSubjectInput:
    time_zone: str = strawberry.field(description="An IANA name, for example Europe/Berlin.")
    subject: str | None = strawberry.field(default=None, description=SUBJECT)
    idempotency_key: str | None = strawberry.field(default=None, description=KEY)


@strawberry.type(description="The answer of setSubject.")
class SetSubjectPayload(Payload):
    activity: SubjectActivity | None = strawberry.field(default=None, description="The subject as it is now.")


@strawberry.type
class LifecycleQuery:
    @reads("What the rules of archiving would do now. Nothing is written.")
    async def lifecycle_plan(
        self,
        info: Info,
        first: Annotated[
            int, strawberry.argument(description="How many memories to name at most: 1 to 1000.")
        ] = 100,
        subject: Subject = None,
    ) -> LifecyclePlan | None:
        if not 1 <= first <= _MOST:
            raise Invalid(f"first is {first}; it must lie between 1 and {_MOST}.", path="first")
        context = info.context
        scope = context.scope(subject)
        found = await context.call(planning.plan, context.service, scope)
        counts = await context.call(planning.statuses, context.service, scope)
        return LifecyclePlan(
            at=found.at,
            scanned=found.scanned,
            total_due=len(found.due),
            due=[_due(each) for each in found.due[:first]],
            left=found.left,
            statuses=[StatusCount(status=each, count=n) for each, n in counts.items()],
        )

    @reads("Every planned job: when it last succeeded, when it is due, whether it lags or fails.")
    async def job_standings(self, info: Info) -> list[JobStanding] | None:
        context = info.context
        scope = context.asker.scope
        if scope.is_bound:
            raise Forbidden("Jobs work on the whole tenant; this key is bound to a subject.")
        found = await context.call(overview.overview, context.service, scope)
        return [_standing(each) for each in found]

    @reads(
        "A subject's time zone and days of activity; null for one that nothing was written for.",
        missing_is_null=True,
    )
    async def subject_activity(self, info: Info, subject: Subject = None) -> SubjectActivity | None:
        context = info.context
        found = await context.call(activity.of_subject, context.service, context.scope(subject))
        return _activity(found)


@strawberry.type
class LifecycleMutation:
    @writes(
        "Sets a subject's time zone: when their days begin.",
        SetSubjectPayload,
    )
    async def set_subject(
        self, info: Info, input: Annotated[SetSubjectInput, strawberry.argument(description="What to set.")]
    ) -> SetSubjectPayload | None:
        context = info.context
        call = context.write_call(input.subject, input.idempotency_key)
        found, answer = await context.call(activity.set_time_zone, context.service, call, input.time_zone)
        return SetSubjectPayload(activity=_activity(found), replayed=answer.replayed)


def _due(due: planning.Due) -> LifecycleDue:
    return mirror(LifecycleDue, due, memory=Uuid(due.id))


def _standing(standing: overview.Standing) -> JobStanding:
    return mirror(
        JobStanding,
        standing,
        name=standing.job.name,
        purpose=standing.job.purpose,
        period=int(standing.period.total_seconds()) if standing.period else 0,
        latest=None if standing.latest is None else job_of(standing.latest),
        lag=standing.lag.total_seconds(),
    )


def _activity(found: activity.Activity) -> SubjectActivity:
    return mirror(SubjectActivity, found, activity_days=found.days)
